//! Strings and bytes that are borrowed where they can be and shared where they were built.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Either a reference into a payload or the flow, or a counted reference to what an expression built.
/// Cloning never copies the contents.
///
/// ```
/// use watershed::cel::Shared;
///
/// let borrowed: Shared<'_, str> = "in the payload".into();
/// let built: Shared<'_, str> = String::from("built").into();
/// assert_eq!(borrowed.len() + built.clone().len(), 19);
/// ```
pub enum Shared<'a, T: ?Sized> {
    /// Lies in the payload or in the flow.
    Borrowed(&'a T),
    /// Was built by an expression.
    Built(Arc<T>),
}

/// A string value.
pub type Str<'a> = Shared<'a, str>;

/// A value of bytes.
pub type Bytes<'a> = Shared<'a, [u8]>;

impl<T: ?Sized> Clone for Shared<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Borrowed(contents) => Self::Borrowed(contents),
            Self::Built(contents) => Self::Built(Arc::clone(contents)),
        }
    }
}

impl<T: ?Sized> Deref for Shared<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Self::Borrowed(contents) => contents,
            Self::Built(contents) => contents,
        }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Shared<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(formatter)
    }
}

impl<'a, T: ?Sized> From<&'a T> for Shared<'a, T> {
    #[inline]
    fn from(contents: &'a T) -> Self {
        Self::Borrowed(contents)
    }
}

impl From<String> for Shared<'_, str> {
    fn from(contents: String) -> Self {
        Self::Built(contents.into())
    }
}

impl<'a> From<std::borrow::Cow<'a, str>> for Shared<'a, str> {
    fn from(contents: std::borrow::Cow<'a, str>) -> Self {
        match contents {
            std::borrow::Cow::Borrowed(contents) => Self::Borrowed(contents),
            std::borrow::Cow::Owned(contents) => contents.into(),
        }
    }
}

impl<T> From<Vec<T>> for Shared<'_, [T]> {
    fn from(contents: Vec<T>) -> Self {
        Self::Built(contents.into())
    }
}
