//! Lists and maps inside a value, read where they lie.

use std::collections::HashSet;

use smallvec::SmallVec;

use super::{AnyValue, Attribute, Attributes};
use crate::otlp::Fields;

/// The values of an `ArrayValue`.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    message: &'a [u8],
}

impl<'a> List<'a> {
    const VALUES: u32 = 1;

    /// The list in an encoded `ArrayValue`.
    #[inline]
    pub(crate) fn new(message: &'a [u8]) -> Self {
        Self { message }
    }

    /// The values, in order.
    pub fn values(self) -> impl Iterator<Item = AnyValue<'a>> + use<'a> {
        let fields = Fields::new(self.message);
        fields
            .filter(|field| field.number() == Self::VALUES)
            .map(|field| field.any_value())
    }

    /// How many values there are.
    pub fn size(self) -> i64 {
        self.values().count() as i64
    }

    /// The value at `index`, counted from 0; missing outside the list.
    pub fn at(self, index: i64) -> AnyValue<'a> {
        let index = usize::try_from(index).ok();
        index
            .and_then(|index| self.values().nth(index))
            .unwrap_or_default()
    }
}

/// A map from strings to values: a `KeyValueList`, or the attributes of a message.
///
/// Of several equal keys the first counts; the others are as if they were not there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Map<'a> {
    attributes: Attributes<'a>,
}

impl<'a> Map<'a> {
    const VALUES: u32 = 1;

    /// The map in an encoded `KeyValueList`.
    #[inline]
    pub(crate) fn key_value_list(message: &'a [u8]) -> Self {
        Self::from(Attributes::new(Fields::new(message), Self::VALUES))
    }

    /// The entries in the order in which they were sent, without later duplicates.
    pub fn entries(self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let mut seen = Seen::default();
        self.attributes
            .filter(move |entry| seen.insert(entry.key()))
    }

    /// How many different keys there are.
    pub fn size(self) -> i64 {
        self.entries().count() as i64
    }

    /// The value of the first entry with `key`; missing without one.
    pub fn get(self, key: &str) -> AnyValue<'a> {
        self.find(key.as_bytes())
    }

    /// The value of the first entry whose key has these bytes.
    pub(super) fn find(self, key: &[u8]) -> AnyValue<'a> {
        let mut attributes = self.attributes;
        let found = attributes.find(|attribute| attribute.key() == key);
        found.map_or(AnyValue::Missing, |attribute| attribute.value())
    }
}

impl<'a> From<Attributes<'a>> for Map<'a> {
    #[inline]
    fn from(attributes: Attributes<'a>) -> Self {
        Self { attributes }
    }
}

/// The keys of a map that were met so far. Few keys are compared one by one; more are hashed, so that a
/// hostile map costs no quadratic work.
#[derive(Default)]
struct Seen<'a> {
    few: SmallVec<[&'a [u8]; FEW]>,
    many: HashSet<&'a [u8]>,
}

/// How many keys are few.
const FEW: usize = 16;

impl<'a> Seen<'a> {
    /// Notes `key`; false when it was met before.
    fn insert(&mut self, key: &'a [u8]) -> bool {
        if self.few.contains(&key) || self.many.contains(key) {
            return false;
        }
        if self.few.len() < FEW {
            self.few.push(key);
        } else {
            self.many.insert(key);
        }
        true
    }
}
