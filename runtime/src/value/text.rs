//! Text borrowed from a request or from the flow.

/// A UTF-8 string. It orders bytewise, which for UTF-8 is the order of code points.
///
/// The bytes come from validated data or from a `&str`, so they are UTF-8; nothing relies on it for safety.
///
/// ```
/// use watershed::Text;
///
/// let text = Text::from("é");
/// assert_eq!(text.size(), 1);
/// assert_eq!(text.as_bytes().len(), 2);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// Text over bytes that the validation of a request found to be UTF-8.
    #[inline]
    pub(crate) fn from_validated(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The UTF-8 bytes.
    #[inline]
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text as `str`. Checks the bytes again, so it is for cold paths.
    pub fn to_str(self) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }

    /// Length in Unicode code points, which is what CEL counts.
    pub fn size(self) -> i64 {
        let starts = self.0.iter().filter(|byte| byte.cast_signed() >= -0x40);
        starts.count() as i64
    }

    /// True without a byte.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// CEL `startsWith`.
    #[inline]
    pub fn starts_with<'b>(self, prefix: impl Into<Text<'b>>) -> bool {
        self.0.starts_with(prefix.into().0)
    }

    /// CEL `endsWith`.
    #[inline]
    pub fn ends_with<'b>(self, suffix: impl Into<Text<'b>>) -> bool {
        self.0.ends_with(suffix.into().0)
    }

    /// CEL `contains`.
    #[inline]
    pub fn contains<'b>(self, needle: impl Into<Text<'b>>) -> bool {
        memchr::memmem::find(self.0, needle.into().0).is_some()
    }

    /// CEL `contains` with a text that is known at build time.
    #[inline]
    pub fn has(self, needle: &Needle) -> bool {
        needle.0.find(self.0).is_some()
    }

    /// CEL `matches`: an unanchored search.
    #[inline]
    pub fn matches(self, pattern: &regex::bytes::Regex) -> bool {
        pattern.is_match(self.0)
    }
}

/// A text that is looked for in many others, prepared once.
///
/// ```
/// use watershed::generated::{Needle, Text};
///
/// let needle = Needle::new("health");
/// assert!(Text::from("GET /healthz").has(&needle));
/// ```
#[derive(Clone, Debug)]
pub struct Needle(memchr::memmem::Finder<'static>);

impl Needle {
    /// Prepares the search for `text`.
    pub fn new(text: &'static str) -> Self {
        Self(memchr::memmem::Finder::new(text))
    }
}

impl<'a> From<&'a str> for Text<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}

impl<'a> From<&'a String> for Text<'a> {
    #[inline]
    fn from(text: &'a String) -> Self {
        Self(text.as_bytes())
    }
}

impl AsRef<[u8]> for Text<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

impl PartialEq<str> for Text<'_> {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    #[inline]
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialOrd<&str> for Text<'_> {
    #[inline]
    fn partial_cmp(&self, other: &&str) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(other.as_bytes())
    }
}

impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&self.to_str(), f)
    }
}

impl std::fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_str())
    }
}
