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

    /// The value of the first attribute with this key; missing when there is none.
    ///
    /// ```
    /// use watershed::otlp::{Fields, Resource};
    ///
    /// // One attribute, `k` with the text `v`.
    /// let resource = Resource::new(Fields::new(&[0x0a, 8, 0x0a, 1, b'k', 0x12, 3, 0x0a, 1, b'v']));
    /// assert!(resource.attributes().get(b"k").is_text("v"));
    /// assert!(!resource.attributes().get(b"v").is_present());
    /// ```
    #[inline(always)]
    pub fn get(mut self, key: &[u8]) -> AnyValue<'a> {
        while let Some(key_value) = self.fields.first_payload(self.tag) {
            if let Some(rest) = behind_key(key_value, key) {
                return Attribute { key: &[], rest }.value();
            }
        }
        AnyValue::Missing
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

/// Where to look for the value of an attribute, when it has this key. What is known of the key before the program runs is
/// compared first: in most attributes the length differs.
#[inline(always)]
fn behind_key<'a>(key_value: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    match key_value {
        [KEY_TAG, length, rest @ ..] if *length < 0x80 => match usize::from(*length) == key.len() {
            true => rest.strip_prefix(key),
            false => None,
        },
        _ => {
            let attribute = Attribute::unusual(key_value);
            (attribute.key == key).then_some(attribute.rest)
        }
    }
}

/// The tag of a key.
const KEY_TAG: u8 = 1 << 3 | 2;
