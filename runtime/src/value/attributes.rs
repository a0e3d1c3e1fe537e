//! Attribute lists, read lazily.

use super::AnyValue;
use crate::otlp::{Fields, split_short};

/// One attribute (`KeyValue`) as it was sent.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    key: &'a [u8],
    /// Where to look for the value: behind the key when that comes first, as it nearly always does.
    rest: &'a [u8],
}

impl<'a> Attribute<'a> {
    const KEY: u32 = 1;
    const VALUE: u32 = 2;

    /// An attribute over an encoded `KeyValue`.
    #[inline(always)]
    pub(crate) fn new(key_value: &'a [u8]) -> Self {
        match split_short(Self::KEY, key_value) {
            Some((key, rest)) => Self { key, rest },
            None => Self::unusual(key_value),
        }
    }

    /// An attribute whose key is long, or not its first field.
    #[cold]
    #[inline(never)]
    fn unusual(key_value: &'a [u8]) -> Self {
        let key = Fields::new(key_value).first(Self::KEY);
        let key = key.map(|field| field.bytes()).unwrap_or_default();
        Self {
            key,
            rest: key_value,
        }
    }

    /// The key; empty when unset.
    #[inline(always)]
    pub fn key(&self) -> &'a [u8] {
        self.key
    }

    /// The value; null when it is unset or has no variant.
    #[inline(always)]
    pub fn value(&self) -> AnyValue<'a> {
        match split_short(Self::VALUE, self.rest) {
            Some((value, _)) => AnyValue::decode(value),
            None => Self::unusual_value(self.rest),
        }
    }

    /// A value that is long, or not the first field behind the key.
    #[cold]
    #[inline(never)]
    fn unusual_value(rest: &'a [u8]) -> AnyValue<'a> {
        match Fields::new(rest).first(Self::VALUE) {
            Some(field) => field.any_value(),
            None => AnyValue::Null,
        }
    }
}

/// The attributes of a message, in the order in which they were sent, duplicates included.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes<'a> {
    fields: Fields<'a>,
    /// Their tag.
    tag: u32,
}

impl<'a> Attributes<'a> {
    /// The attributes in field `number` of the message that `fields` stands at the start of.
    #[inline]
    pub fn new(fields: Fields<'a>, number: u32) -> Self {
        let tag = number << 3 | 2;
        Self { fields, tag }
    }

    /// Without an attribute.
    #[inline]
    pub fn is_empty(mut self) -> bool {
        self.next().is_none()
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Attribute<'a>> {
        self.fields.first_payload(self.tag).map(Attribute::new)
    }
}
