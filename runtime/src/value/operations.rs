//! What predicates ask of a dynamic value besides equality and order.

use regex::bytes::Regex;

use super::{AnyValue, Needle, Text, Truth};

/// Short equalities: true when the value is there, has the kind and equals.
impl<'a> AnyValue<'a> {
    /// T(value == text).
    #[inline]
    pub fn is_text(self, text: &str) -> bool {
        matches!(self, Self::Text(value) if value == text)
    }

    /// F(value == text): the value is there and is something else.
    #[inline]
    pub fn is_not_text(self, text: &str) -> bool {
        self.is_present() && !self.is_text(text)
    }

    /// T(value == number), over all kinds of numbers.
    #[inline]
    pub fn is_int(self, number: i64) -> bool {
        match self {
            Self::Int(value) => value == number,
            _ => self.equals(number).is_true(),
        }
    }

    /// F(value == number).
    #[inline]
    pub fn is_not_int(self, number: i64) -> bool {
        self.equals(number).is_false()
    }

    /// T(value == number), over all kinds of numbers.
    #[inline]
    pub fn is_double(self, number: f64) -> bool {
        self.equals(number).is_true()
    }

    /// F(value == number).
    #[inline]
    pub fn is_not_double(self, number: f64) -> bool {
        self.equals(number).is_false()
    }

    /// T(value == truth).
    #[inline]
    pub fn is_bool(self, truth: bool) -> bool {
        matches!(self, Self::Bool(value) if value == truth)
    }

    /// F(value == truth).
    #[inline]
    pub fn is_not_bool(self, truth: bool) -> bool {
        self.is_present() && !self.is_bool(truth)
    }

    /// T(value == null).
    #[inline]
    pub fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// F(value == null).
    #[inline]
    pub fn is_not_null(self) -> bool {
        self.is_present() && !self.is_null()
    }
}

/// The value as one static type.
impl<'a> AnyValue<'a> {
    /// The value where CEL needs a boolean: an error when it is none.
    #[inline]
    pub fn truth(self) -> Truth {
        match self {
            Self::Bool(value) => Truth::from(value),
            _ => Truth::Error,
        }
    }

    /// The text, when it is text.
    #[inline]
    pub fn as_text(self) -> Option<Text<'a>> {
        match self {
            Self::Text(value) => Some(value),
            _ => None,
        }
    }

    /// The integer, when it is a signed integer.
    #[inline]
    pub fn as_int(self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The integer, when it is an unsigned integer.
    #[inline]
    pub fn as_uint(self) -> Option<u64> {
        match self {
            Self::Uint(value) => Some(value),
            _ => None,
        }
    }

    /// The double, when it is a double.
    #[inline]
    pub fn as_double(self) -> Option<f64> {
        match self {
            Self::Double(value) => Some(value),
            _ => None,
        }
    }

    /// The boolean, when it is a boolean.
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The bytes, when it is bytes.
    #[inline]
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(value) => Some(value),
            _ => None,
        }
    }

    /// `.orString(default)`: the text, or `default` when it is missing or not text.
    #[inline]
    pub fn text_or(self, default: impl Into<Text<'a>>) -> Text<'a> {
        self.as_text().unwrap_or_else(|| default.into())
    }

    /// The integer, or `default` when it is missing or not an integer.
    #[inline]
    pub fn int_or(self, default: i64) -> i64 {
        self.as_int().unwrap_or(default)
    }

    /// The double, or `default` when it is missing or not a double.
    #[inline]
    pub fn double_or(self, default: f64) -> f64 {
        self.as_double().unwrap_or(default)
    }

    /// The boolean, or `default` when it is missing or not a boolean.
    #[inline]
    pub fn bool_or(self, default: bool) -> bool {
        self.as_bool().unwrap_or(default)
    }

    /// `.orValue(other)`: the value, or `other` when it is missing.
    #[inline]
    pub fn or(self, other: impl Into<AnyValue<'a>>) -> Self {
        if self.is_present() {
            self
        } else {
            other.into()
        }
    }
}

/// Look-ups and functions.
impl<'a> AnyValue<'a> {
    /// The value under `key`; missing when there is none or when this is not a map.
    pub fn get(self, key: &str) -> Self {
        match self {
            Self::Map(map) => map.get(key),
            _ => Self::Missing,
        }
    }

    /// The value at `index`; missing outside the list or when this is not a list.
    pub fn at(self, index: i64) -> Self {
        match self {
            Self::List(list) => list.at(index),
            _ => Self::Missing,
        }
    }

    /// `key in value`, or `has(value.key)`: an error when this is not a map.
    pub fn has(self, key: &str) -> Truth {
        match self {
            Self::Map(map) => Truth::from(map.get(key).is_present()),
            _ => Truth::Error,
        }
    }

    /// `value in container`: over the values of a list or the keys of a map; an error elsewhere, and where the value
    /// is of a type that no map has keys of.
    pub fn contained_in<'b>(self, container: impl Into<AnyValue<'b>>) -> Truth {
        match (self, container.into()) {
            (Self::Missing, _) => Truth::Error,
            (_, AnyValue::List(list)) => {
                Truth::from(list.values().any(|value| self.equals(value).is_true()))
            }
            (Self::Text(key), AnyValue::Map(map)) => {
                Truth::from(map.find(key.as_bytes()).is_present())
            }
            (Self::Bool(_) | Self::Int(_) | Self::Uint(_) | Self::Double(_), AnyValue::Map(_)) => {
                Truth::False
            }
            _ => Truth::Error,
        }
    }

    /// `value in [a, b, …]` with values that the flow lists, none of which can be missing: an error when
    /// this is missing.
    pub fn is_one_of<'b>(self, values: impl IntoIterator<Item = impl Into<AnyValue<'b>>>) -> Truth {
        if !self.is_present() {
            return Truth::Error;
        }
        Truth::from(values.into_iter().any(|value| self.equals(value).is_true()))
    }

    /// CEL `startsWith`: an error when this is not text.
    #[inline]
    pub fn starts_with<'b>(self, prefix: impl Into<Text<'b>>) -> Truth {
        Truth::from_option(self.as_text().map(|text| text.starts_with(prefix)))
    }

    /// CEL `endsWith`: an error when this is not text.
    #[inline]
    pub fn ends_with<'b>(self, suffix: impl Into<Text<'b>>) -> Truth {
        Truth::from_option(self.as_text().map(|text| text.ends_with(suffix)))
    }

    /// CEL `contains`: an error when this is not text.
    #[inline]
    pub fn contains_text<'b>(self, needle: impl Into<Text<'b>>) -> Truth {
        Truth::from_option(self.as_text().map(|text| text.contains(needle)))
    }

    /// CEL `contains` with a text that is known at build time: an error when this is not text.
    #[inline]
    pub fn has_text(self, needle: &Needle) -> Truth {
        Truth::from_option(self.as_text().map(|text| text.has(needle)))
    }

    /// CEL `matches`, an unanchored search: an error when this is not text.
    #[inline]
    pub fn matches(self, pattern: &Regex) -> Truth {
        Truth::from_option(self.as_text().map(|text| text.matches(pattern)))
    }

    /// CEL `size`: code points of text, bytes, values of a list, keys of a map; `None` elsewhere.
    pub fn size(self) -> Option<i64> {
        match self {
            Self::Text(text) => Some(text.size()),
            Self::Bytes(bytes) => Some(bytes.len() as i64),
            Self::List(list) => Some(list.size()),
            Self::Map(map) => Some(map.size()),
            _ => None,
        }
    }
}
