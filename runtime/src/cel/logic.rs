//! `&&`, `||` and the macros over ranges, with the errors that they absorb.
//!
//! Generated predicates do not call these on the hot path: they evaluate "is true" and "is false" as plain
//! booleans. These are for the places where the error itself matters, and for values.

use super::{Error, Value};

/// Evaluates what may fail, so that an error stays here.
///
/// ```
/// use watershed::cel::{Error, arithmetic, logic};
///
/// let is_true = logic::attempt(|| Ok(arithmetic::divide_int(1, 0)? > 0)) == Ok(true);
/// assert!(!is_true);
/// ```
#[inline]
pub fn attempt<T>(evaluate: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    evaluate()
}

/// The operands of an `&&` or an `||` of any length, seen one after the other.
///
/// ```
/// use watershed::cel::{Error, logic::Chain};
///
/// let mut chain = Chain::and();
/// assert!(!chain.decides(Err(Error::NoSuchKey)));
/// assert!(chain.decides(Ok(false)));
/// assert_eq!(chain.result(), Ok(false));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    absorbing: bool,
    result: Result<bool, Error>,
}

impl Chain {
    /// `a && b && …`
    pub const fn and() -> Self {
        Self {
            absorbing: false,
            result: Ok(true),
        }
    }

    /// `a || b || …`
    pub const fn or() -> Self {
        Self {
            absorbing: true,
            result: Ok(false),
        }
    }

    /// Takes the next operand; whether it decides, so that the others need not be evaluated.
    pub fn decides(&mut self, operand: Result<bool, Error>) -> bool {
        if operand == Ok(self.absorbing) {
            self.result = operand;
            return true;
        }
        self.result = self.result.and(operand);
        false
    }

    /// The value of the chain: of several errors the first.
    pub const fn result(self) -> Result<bool, Error> {
        self.result
    }
}

/// CEL `left && right`: false when either side is false, whatever the other is.
///
/// ```
/// use watershed::cel::{Error, logic};
///
/// let error = Err(Error::DivisionByZero);
/// assert_eq!(logic::and(error, || Ok(false)), Ok(false));
/// assert_eq!(logic::and(error, || Ok(true)), error);
/// ```
#[inline]
pub fn and(
    left: Result<bool, Error>,
    right: impl FnOnce() -> Result<bool, Error>,
) -> Result<bool, Error> {
    match left {
        Ok(false) => Ok(false),
        Ok(true) => right(),
        Err(error) => match right() {
            Ok(false) => Ok(false),
            _ => Err(error),
        },
    }
}

/// CEL `left || right`: true when either side is true, whatever the other is.
#[inline]
pub fn or(
    left: Result<bool, Error>,
    right: impl FnOnce() -> Result<bool, Error>,
) -> Result<bool, Error> {
    match left {
        Ok(true) => Ok(true),
        Ok(false) => right(),
        Err(error) => match right() {
            Ok(true) => Ok(true),
            _ => Err(error),
        },
    }
}

/// CEL `range.all(x, predicate)`: false as soon as it is false for one, even when others are errors.
pub fn all<T>(
    range: impl IntoIterator<Item = T>,
    mut predicate: impl FnMut(T) -> Result<bool, Error>,
) -> Result<bool, Error> {
    let mut outcome = Ok(true);
    for element in range {
        match predicate(element) {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            Err(error) => outcome = outcome.and(Err(error)),
        }
    }
    outcome
}

/// CEL `range.exists(x, predicate)`: true as soon as it is true for one, even when others are errors.
pub fn exists<T>(
    range: impl IntoIterator<Item = T>,
    mut predicate: impl FnMut(T) -> Result<bool, Error>,
) -> Result<bool, Error> {
    all(range, |element| predicate(element).map(|holds| !holds)).map(|none| !none)
}

/// CEL `range.exists_one(x, predicate)`: any error is an error.
pub fn exists_one<T>(
    range: impl IntoIterator<Item = T>,
    mut predicate: impl FnMut(T) -> Result<bool, Error>,
) -> Result<bool, Error> {
    let mut count = 0_usize;
    for element in range {
        count += usize::from(predicate(element)?);
    }
    Ok(count == 1)
}

/// What a macro with one variable goes over: the elements of a list or the keys of a map.
pub fn elements<'v, 'a>(
    range: &'v Value<'a>,
) -> Result<impl Iterator<Item = Value<'a>> + use<'v, 'a>, Error> {
    let (list, map) = match range {
        Value::List(list) => (Some(list.iter()), None),
        Value::Map(map) => (None, Some(map.keys())),
        _ => return Err(Error::NoSuchOverload),
    };
    Ok(list.into_iter().flatten().chain(map.into_iter().flatten()))
}

/// What a macro with two variables goes over: positions and elements of a list, or keys and values of a map.
pub fn pairs<'v, 'a>(
    range: &'v Value<'a>,
) -> Result<impl Iterator<Item = (Value<'a>, Value<'a>)> + use<'v, 'a>, Error> {
    let (list, map) = match range {
        Value::List(list) => (Some((0_i64..).map(Value::from).zip(list.iter())), None),
        Value::Map(map) => (None, Some(map.entries())),
        _ => return Err(Error::NoSuchOverload),
    };
    let map = map.into_iter().flatten();
    Ok(list
        .into_iter()
        .flatten()
        .chain(map.map(|(key, value)| (key.into(), value))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::{List, Map, arithmetic};

    const ERROR: Result<bool, Error> = Err(Error::NoSuchKey);

    #[test]
    fn either_side_absorbs_an_error() {
        assert_eq!(or(ERROR, || Ok(true)), Ok(true));
        assert_eq!(or(Ok(true), || ERROR), Ok(true));
        assert_eq!(or(ERROR, || Ok(false)), ERROR);
        assert_eq!(or(Ok(false), || ERROR), ERROR);
        assert_eq!(and(ERROR, || Ok(false)), Ok(false));
        assert_eq!(and(Ok(false), || ERROR), Ok(false));
        assert_eq!(and(Ok(true), || ERROR), ERROR);
        assert_eq!(and(ERROR, || Err(Error::Overflow)), ERROR);
    }

    #[test]
    fn ranges_absorb_errors_as_chains_do() {
        let inverse = |x: i64| arithmetic::divide_int(1, x - 3);
        let positive = |x| inverse(x).map(|y| y > 0);
        let negative = |x| inverse(x).map(|y| y < 0);
        assert_eq!(all([3, 1], positive), Ok(false));
        assert_eq!(all([3, 4], positive), Err(Error::DivisionByZero));
        assert_eq!(exists([3, 1], negative), Err(Error::DivisionByZero));
        assert_eq!(exists([3, 2], negative), Ok(true));
        assert_eq!(exists_one([2, 3], negative), Err(Error::DivisionByZero));
        assert_eq!(exists_one([2, 4], negative), Ok(true));
        assert_eq!(exists_one([2, 2], negative), Ok(false));
        assert_eq!(
            (all([], positive), exists([], positive)),
            (Ok(true), Ok(false))
        );
    }

    #[test]
    fn lists_and_maps_are_ranges_and_nothing_else_is() {
        let list = Value::List(List::from(vec!["a".into(), "b".into()]));
        assert_eq!(elements(&list).unwrap().count(), 2);
        assert_eq!(
            pairs(&list).unwrap().last(),
            Some((1_i64.into(), "b".into()))
        );
        let map = Value::Map(Map::new([("k".into(), 7_i64.into())]).unwrap());
        assert_eq!(elements(&map).unwrap().next(), Some("k".into()));
        assert_eq!(
            pairs(&map).unwrap().next(),
            Some(("k".into(), 7_i64.into()))
        );
        assert!(elements(&"abc".into()).is_err());
        assert!(pairs(&Value::Null).is_err());
    }
}
