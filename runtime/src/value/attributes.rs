//! Attribute lists, read lazily.

use super::AnyValue;
use crate::otlp::Fields;

/// One attribute (`KeyValue`) as it was sent.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    key: &'a [u8],
    /// Where to look for the value: behind the key when that comes first, as it nearly always does.
    rest: Fields<'a>,
}

impl<'a> Attribute<'a> {
    const KEY: u32 = 1;
    const VALUE: u32 = 2;

    /// An attribute over an encoded `KeyValue`.
    #[inline(always)]
    pub(crate) fn new(key_value: &'a [u8]) -> Self {
        let mut rest = Fields::new(key_value);
        match rest.next() {
            Some(field) if field.number() == Self::KEY => Self {
                key: field.bytes(),
                rest,
            },
            _ => Self::disordered(key_value),
        }
    }

    /// An attribute whose key is not its first field.
    #[cold]
    fn disordered(key_value: &'a [u8]) -> Self {
        let key = Fields::new(key_value).first(Self::KEY);
        let key = key.map(|field| field.bytes()).unwrap_or_default();
        Self {
            key,
            rest: Fields::new(key_value),
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
        let mut rest = self.rest;
        match rest.first(Self::VALUE) {
            Some(field) => field.any_value(),
            None => AnyValue::Null,
        }
    }
}

/// The attributes of a message, in the order in which they were sent, duplicates included.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes<'a> {
    fields: Fields<'a>,
    number: u32,
}

impl<'a> Attributes<'a> {
    /// The attributes in field `number` of the message that `fields` stands at the start of.
    #[inline]
    pub fn new(fields: Fields<'a>, number: u32) -> Self {
        Self { fields, number }
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
        self.fields
            .first(self.number)
            .map(|field| field.attribute())
    }
}
