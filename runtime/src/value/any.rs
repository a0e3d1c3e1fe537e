//! The dynamic value of CEL over OTLP's `AnyValue`, decoded one level at a time.

use super::{Attribute, List, Map, Text};
use crate::otlp::{Fields, split_short};

/// A value whose type is known only from the data.
///
/// `Missing` is what a look-up of an absent key gives: in CEL an error, so every operation on it is one.
// With a tag of eight bytes every payload starts at the same offset, so that the optimiser keeps values in
// registers; with the default layout each look-up costs a detour through memory.
#[repr(u64)]
#[derive(Clone, Copy, Debug, Default)]
pub enum AnyValue<'a> {
    /// No such key.
    #[default]
    Missing,
    /// A value without a variant.
    Null,
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer: record fields have them, attributes never.
    Uint(u64),
    /// A double.
    Double(f64),
    /// A string.
    Text(Text<'a>),
    /// Bytes.
    Bytes(&'a [u8]),
    /// A list of values.
    List(List<'a>),
    /// A map from strings to values.
    Map(Map<'a>),
}

impl<'a> AnyValue<'a> {
    /// Decodes the outermost level of an encoded `AnyValue`.
    #[inline(always)]
    pub(crate) fn decode(message: &'a [u8]) -> Self {
        if let Some((text, _)) = split_short(1, message) {
            return Self::Text(Text::from_validated(text));
        }
        let mut fields = Fields::new(message);
        let Some(field) = fields.next() else {
            return Self::Null;
        };
        match field.number() {
            1 => Self::Text(field.text()),
            2 => Self::Bool(field.boolean()),
            3 => Self::Int(field.int()),
            4 => Self::Double(field.double()),
            _ => Self::decode_rare(message),
        }
    }

    /// Decodes bytes, collections, and values behind fields that the schema does not know.
    #[cold]
    fn decode_rare(message: &'a [u8]) -> Self {
        for field in Fields::new(message) {
            return match field.number() {
                1..=4 => Self::decode(field.remaining()),
                5 => Self::List(List::new(field.bytes())),
                6 => Self::Map(Map::key_value_list(field.bytes())),
                7 => Self::Bytes(field.bytes()),
                _ => continue,
            };
        }
        Self::Null
    }

    /// Takes the value of `attribute` unless one was taken before: of several equal keys the first counts. True when
    /// it was taken.
    #[inline(always)]
    pub fn set_first(&mut self, attribute: Attribute<'a>) -> bool {
        let is_first = matches!(self, Self::Missing);
        if is_first {
            *self = attribute.value();
        }
        is_first
    }

    /// True unless the value is missing; null is present.
    #[inline]
    pub fn is_present(self) -> bool {
        !matches!(self, Self::Missing)
    }
}

impl<'a> From<Text<'a>> for AnyValue<'a> {
    #[inline]
    fn from(value: Text<'a>) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a str> for AnyValue<'a> {
    #[inline]
    fn from(value: &'a str) -> Self {
        Self::Text(Text::from(value))
    }
}

impl<'a> From<&'a String> for AnyValue<'a> {
    #[inline]
    fn from(value: &'a String) -> Self {
        Self::Text(Text::from(value))
    }
}

impl<'a> From<&'a [u8]> for AnyValue<'a> {
    #[inline]
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(value)
    }
}

impl From<bool> for AnyValue<'_> {
    #[inline]
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i32> for AnyValue<'_> {
    #[inline]
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for AnyValue<'_> {
    #[inline]
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u64> for AnyValue<'_> {
    #[inline]
    fn from(value: u64) -> Self {
        Self::Uint(value)
    }
}

impl From<f64> for AnyValue<'_> {
    #[inline]
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl<'a> From<List<'a>> for AnyValue<'a> {
    #[inline]
    fn from(value: List<'a>) -> Self {
        Self::List(value)
    }
}

impl<'a> From<Map<'a>> for AnyValue<'a> {
    #[inline]
    fn from(value: Map<'a>) -> Self {
        Self::Map(value)
    }
}
