//! Lists.

use super::{Error, Shared, Value};
use crate::value;

/// A list: one that lies in a payload and is read element by element, or one that an expression built.
///
/// ```
/// use watershed::cel::{Error, List, Value};
///
/// let list = List::from(vec![Value::from("a"), Value::from("b")]);
/// assert_eq!(list.at(1), Ok(Value::from("b")));
/// assert_eq!(list.at(2), Err(Error::IndexOutOfRange { index: 2 }));
/// ```
#[derive(Clone, Debug)]
pub struct List<'a>(Repr<'a>);

#[derive(Clone, Debug)]
enum Repr<'a> {
    Lazy(value::List<'a>),
    Values(Shared<'a, [Value<'a>]>),
}

impl<'a> List<'a> {
    /// How many elements there are.
    pub fn size(&self) -> i64 {
        match &self.0 {
            Repr::Lazy(list) => list.size(),
            Repr::Values(values) => i64::try_from(values.len()).unwrap_or(i64::MAX),
        }
    }

    /// True without an element.
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Repr::Lazy(list) => list.values().next().is_none(),
            Repr::Values(values) => values.is_empty(),
        }
    }

    /// The element at `index`, counted from 0; `None` outside.
    pub fn get(&self, index: i64) -> Option<Value<'a>> {
        let position = usize::try_from(index).ok()?;
        match &self.0 {
            Repr::Lazy(list) => list.values().nth(position).map(Value::present),
            Repr::Values(values) => values.get(position).cloned(),
        }
    }

    /// CEL `list[index]`.
    pub fn at(&self, index: i64) -> Result<Value<'a>, Error> {
        self.get(index).ok_or(Error::IndexOutOfRange { index })
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = Value<'a>> + use<'_, 'a> {
        let (lazy, values) = match &self.0 {
            Repr::Lazy(list) => (Some(list.values()), None),
            Repr::Values(values) => (None, Some(values.iter().cloned())),
        };
        let lazy = lazy.into_iter().flatten().map(Value::present);
        lazy.chain(values.into_iter().flatten())
    }

    /// CEL `value in list`.
    pub fn contains(&self, value: &Value<'_>) -> bool {
        match &self.0 {
            Repr::Lazy(list) => list
                .values()
                .any(|element| Value::present(element) == *value),
            Repr::Values(values) => values.iter().any(|element| element == value),
        }
    }

    /// CEL `list + other`.
    #[must_use]
    pub fn concat(&self, other: &Self) -> Self {
        if other.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        self.iter().chain(other.iter()).collect()
    }
}

impl<'a> From<value::List<'a>> for List<'a> {
    #[inline]
    fn from(list: value::List<'a>) -> Self {
        Self(Repr::Lazy(list))
    }
}

impl<'a> From<Vec<Value<'a>>> for List<'a> {
    fn from(values: Vec<Value<'a>>) -> Self {
        Self(Repr::Values(values.into()))
    }
}

impl<'a> From<&'a [Value<'a>]> for List<'a> {
    #[inline]
    fn from(values: &'a [Value<'a>]) -> Self {
        Self(Repr::Values(values.into()))
    }
}

impl<'a> FromIterator<Value<'a>> for List<'a> {
    fn from_iter<I: IntoIterator<Item = Value<'a>>>(values: I) -> Self {
        Self::from(values.into_iter().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[1, "a"]` as an encoded `ArrayValue`.
    const ENCODED: &[u8] = &[0x0a, 2, 0x18, 1, 0x0a, 3, 0x0a, 1, b'a'];

    #[test]
    fn a_list_of_a_payload_reads_like_a_built_one() {
        let lazy = List::from(value::List::new(ENCODED));
        let built = List::from(vec![Value::from(1_i64), Value::from("a")]);
        for list in [&lazy, &built] {
            assert_eq!(list.size(), 2);
            assert_eq!(list.at(1), Ok(Value::from("a")));
            assert_eq!(list.at(-1), Err(Error::IndexOutOfRange { index: -1 }));
            assert!(list.contains(&Value::from(1.0)));
            assert!(!list.contains(&Value::from("1")));
        }
        assert_eq!(Value::List(lazy.clone()), Value::List(built.clone()));
        assert_eq!(lazy.concat(&built).size(), 4);
    }
}
