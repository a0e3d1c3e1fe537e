//! Maps and their keys.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Error, Str, Value, compare};
use crate::value;

/// A key of a map. `1` and `1u` are the same key.
#[derive(Clone, Debug)]
pub enum Key<'a> {
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A string.
    String(Str<'a>),
}

impl<'a> Key<'a> {
    /// The key that a map literal may have: booleans, integers and strings, but no doubles.
    pub fn new(value: &Value<'a>) -> Result<Self, Error> {
        match value {
            Value::Bool(key) => Ok(Self::Bool(*key)),
            Value::Int(key) => Ok(Self::Int(*key)),
            Value::Uint(key) => Ok(Self::Uint(*key)),
            Value::String(key) => Ok(Self::String(key.clone())),
            _ => Err(Error::UnsupportedKeyType),
        }
    }

    /// The key that a look-up asks for: a double that is a whole number asks for the integer, and other doubles for
    /// a key that no map has (`None`). What is never a key is an error.
    pub fn asked(value: &Value<'a>) -> Result<Option<Self>, Error> {
        match value {
            Value::Double(number) => Ok(compare::whole(*number)),
            other => Self::new(other).map(Some),
        }
    }
}

impl<'a> From<Key<'a>> for Value<'a> {
    fn from(key: Key<'a>) -> Self {
        match key {
            Key::Bool(key) => Self::Bool(key),
            Key::Int(key) => Self::Int(key),
            Key::Uint(key) => Self::Uint(key),
            Key::String(key) => Self::String(key),
        }
    }
}

impl<'a> From<&'a str> for Key<'a> {
    #[inline]
    fn from(key: &'a str) -> Self {
        Self::String(key.into())
    }
}

impl From<bool> for Key<'_> {
    fn from(key: bool) -> Self {
        Self::Bool(key)
    }
}

impl From<i64> for Key<'_> {
    fn from(key: i64) -> Self {
        Self::Int(key)
    }
}

impl From<u64> for Key<'_> {
    fn from(key: u64) -> Self {
        Self::Uint(key)
    }
}

/// The order in which a built map keeps its keys: booleans, numbers, strings.
fn order(left: &Key<'_>, right: &Key<'_>) -> Ordering {
    fn rank(key: &Key<'_>) -> u8 {
        match key {
            Key::Bool(_) => 0,
            Key::Int(_) | Key::Uint(_) => 1,
            Key::String(_) => 2,
        }
    }
    match (left, right) {
        (Key::Bool(left), Key::Bool(right)) => left.cmp(right),
        (Key::Int(left), Key::Int(right)) => left.cmp(right),
        (Key::Uint(left), Key::Uint(right)) => left.cmp(right),
        (Key::Int(left), Key::Uint(right)) => compare::int_with_uint(*left, *right),
        (Key::Uint(left), Key::Int(right)) => compare::int_with_uint(*right, *left).reverse(),
        (Key::String(left), Key::String(right)) => left.cmp(right),
        _ => rank(left).cmp(&rank(right)),
    }
}

/// A map: the attributes of a payload, read where they lie, or one that an expression built.
///
/// A built map keeps its entries in the order of its keys, so that look-ups are binary searches and every run
/// gives the same order.
///
/// ```
/// use watershed::cel::{Error, Map, Value};
///
/// let map = Map::new([(Value::from("a"), Value::from(1_i64))]).unwrap();
/// assert_eq!(map.at("a"), Ok(Value::from(1_i64)));
/// assert_eq!(map.at("b"), Err(Error::NoSuchKey));
///
/// let twice = [(Value::from(0_i64), Value::Null), (Value::from(0_u64), Value::Null)];
/// assert_eq!(Map::new(twice).unwrap_err(), Error::RepeatedKey);
/// ```
#[derive(Clone, Debug)]
pub struct Map<'a>(Repr<'a>);

type Entry<'a> = (Key<'a>, Value<'a>);

#[derive(Clone, Debug)]
enum Repr<'a> {
    Lazy(value::Map<'a>),
    Sorted(Arc<[Entry<'a>]>),
}

impl<'a> Map<'a> {
    /// The map of a literal. Fails when a key repeats or is of a type that keys cannot have.
    pub fn new(entries: impl IntoIterator<Item = (Value<'a>, Value<'a>)>) -> Result<Self, Error> {
        let mut builder = MapBuilder::new();
        for (key, value) in entries {
            builder.insert(&key, value)?;
        }
        builder.build()
    }

    /// How many entries there are.
    pub fn size(&self) -> i64 {
        match &self.0 {
            Repr::Lazy(map) => map.size(),
            Repr::Sorted(entries) => i64::try_from(entries.len()).unwrap_or(i64::MAX),
        }
    }

    /// True without an entry.
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Repr::Lazy(map) => map.entries().next().is_none(),
            Repr::Sorted(entries) => entries.is_empty(),
        }
    }

    /// The value under `key`, if there is one.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Option<Value<'a>> {
        let key = key.into();
        match (&self.0, &key) {
            (Repr::Lazy(map), Key::String(key)) => Value::try_from(map.get(key)).ok(),
            (Repr::Lazy(_), _) => None,
            (Repr::Sorted(entries), key) => find(entries, key).cloned(),
        }
    }

    /// CEL `map[key]` and `map.key`.
    pub fn at<'k>(&self, key: impl Into<Key<'k>>) -> Result<Value<'a>, Error> {
        self.get(key).ok_or(Error::NoSuchKey)
    }

    /// CEL `key in map` and `has(map.key)`.
    pub fn has<'k>(&self, key: impl Into<Key<'k>>) -> bool {
        let key = key.into();
        match (&self.0, &key) {
            (Repr::Lazy(map), Key::String(key)) => map.get(key).is_present(),
            (Repr::Lazy(_), _) => false,
            (Repr::Sorted(entries), key) => find(entries, key).is_some(),
        }
    }

    /// The entries: in the order in which a payload has them, or in the order of the keys of a built map.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'a>> + use<'_, 'a> {
        let (lazy, sorted) = match &self.0 {
            Repr::Lazy(map) => (Some(map.entries()), None),
            Repr::Sorted(entries) => (None, Some(entries.iter().cloned())),
        };
        let lazy = lazy.into_iter().flatten().map(|entry| {
            let key = String::from_utf8_lossy(entry.key());
            (Key::String(key.into()), Value::present(entry.value()))
        });
        lazy.chain(sorted.into_iter().flatten())
    }

    /// The keys, in the order of [`entries`](Self::entries).
    pub fn keys(&self) -> impl Iterator<Item = Value<'a>> + use<'_, 'a> {
        self.entries().map(|(key, _)| key.into())
    }
}

fn find<'m, 'a>(entries: &'m [Entry<'a>], key: &Key<'_>) -> Option<&'m Value<'a>> {
    let position = entries.binary_search_by(|(other, _)| order(other, key));
    let (_, value) = entries.get(position.ok()?)?;
    Some(value)
}

impl<'a> From<value::Map<'a>> for Map<'a> {
    #[inline]
    fn from(map: value::Map<'a>) -> Self {
        Self(Repr::Lazy(map))
    }
}

/// Collects the entries of a map literal.
#[derive(Clone, Debug, Default)]
pub struct MapBuilder<'a> {
    entries: Vec<Entry<'a>>,
}

impl<'a> MapBuilder<'a> {
    /// Without entries.
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    /// Adds `key: value`.
    pub fn insert(&mut self, key: &Value<'a>, value: Value<'a>) -> Result<(), Error> {
        self.entries.push((Key::new(key)?, value));
        Ok(())
    }

    /// Adds `?key: value`: nothing when the optional has no value.
    pub fn insert_optional(&mut self, key: &Value<'a>, value: &Value<'a>) -> Result<(), Error> {
        let key = Key::new(key)?;
        if let Some(value) = value.as_optional()?.get() {
            self.entries.push((key, value));
        }
        Ok(())
    }

    /// Adds every entry of `map`.
    pub fn extend(&mut self, map: &Map<'a>) {
        self.entries.extend(map.entries());
    }

    /// The map, unless a key repeats.
    pub fn build(mut self) -> Result<Map<'a>, Error> {
        self.entries
            .sort_by(|(left, _), (right, _)| order(left, right));
        let keys = self.entries.iter().map(|(key, _)| key);
        let following = keys.clone().skip(1);
        if keys
            .zip(following)
            .any(|(left, right)| order(left, right).is_eq())
        {
            return Err(Error::RepeatedKey);
        }
        Ok(Map(Repr::Sorted(self.entries.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::AnyValue;

    fn numbers() -> Map<'static> {
        Map::new([
            (Value::from(1_u64), Value::from("one")),
            (Value::from(2_i64), Value::from("two")),
            (Value::from(true), Value::from("yes")),
            (Value::from("1"), Value::from("text")),
        ])
        .unwrap()
    }

    #[test]
    fn numbers_of_all_types_are_the_same_key() {
        let map = numbers();
        assert_eq!(map.at(1_i64), Ok(Value::from("one")));
        assert_eq!(map.at(2_u64), Ok(Value::from("two")));
        let asked = Key::asked(&Value::from(2.0)).unwrap().unwrap();
        assert_eq!(map.at(asked), Ok(Value::from("two")));
        assert!(Key::asked(&Value::from(2.5)).unwrap().is_none());
        assert_eq!(
            Key::asked(&Value::Null).unwrap_err(),
            Error::UnsupportedKeyType
        );
        assert!(!map.has(-1_i64));
        assert_eq!(map.at(true), Ok(Value::from("yes")));
        assert!(!map.has(false));
    }

    #[test]
    fn literals_refuse_keys_that_repeat_or_are_no_keys() {
        for key in [Value::from(1.0), Value::Null, Value::from(&b"x"[..])] {
            let map = Map::new([(key, Value::Null)]);
            assert_eq!(map.unwrap_err(), Error::UnsupportedKeyType);
        }
        let twice = [
            (Value::from("a"), Value::Null),
            (Value::from("a"), Value::Null),
        ];
        assert_eq!(Map::new(twice).unwrap_err(), Error::RepeatedKey);
    }

    #[test]
    fn a_map_of_a_payload_reads_like_a_built_one() {
        // { "k": 7 } as an encoded `KeyValueList`.
        let encoded = [0x0a, 7, 0x0a, 1, b'k', 0x12, 2, 0x18, 7];
        let lazy = Map::from(value::Map::key_value_list(&encoded));
        let built = Map::new([(Value::from("k"), Value::from(7_i64))]).unwrap();
        for map in [&lazy, &built] {
            assert_eq!(map.size(), 1);
            assert!(map.has("k") && !map.has("l") && !map.has(7_i64));
            assert_eq!(map.keys().collect::<Vec<_>>(), [Value::from("k")]);
        }
        assert_eq!(Value::Map(lazy), Value::Map(built));
        assert!(matches!(AnyValue::default(), AnyValue::Missing));
    }
}
