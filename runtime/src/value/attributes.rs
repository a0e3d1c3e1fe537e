//! Attribute lists, read lazily.

use super::AnyValue;
use crate::otlp::Fields;

/// One attribute (`KeyValue`) as it was sent.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    key_value: &'a [u8],
}

impl<'a> Attribute<'a> {
    const KEY: u32 = 1;
    const VALUE: u32 = 2;

    /// An attribute over an encoded `KeyValue`.
    #[inline]
    pub(crate) fn new(key_value: &'a [u8]) -> Self {
        Self { key_value }
    }

    /// The key; empty when unset.
    #[inline(always)]
    pub fn key(&self) -> &'a [u8] {
        let mut fields = Fields::new(self.key_value);
        let found = fields.find(|field| field.number() == Self::KEY);
        found.map(|field| field.bytes()).unwrap_or_default()
    }

    /// The value; null when it is unset or has no variant.
    #[inline(always)]
    pub fn value(&self) -> AnyValue<'a> {
        let mut fields = Fields::new(self.key_value);
        let found = fields.find(|field| field.number() == Self::VALUE);
        found.map_or(AnyValue::Null, |field| field.any_value())
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
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Attribute<'a>> {
        for field in self.fields.by_ref() {
            if field.number() == self.number {
                return Some(field.attribute());
            }
        }
        None
    }
}
