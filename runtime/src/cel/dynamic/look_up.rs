//! Looking into lists, maps and optionals.

use crate::cel::{Error, Key, Optional, Value, compare};

/// The position that a value asks for in a list: a signed or unsigned integer, or a double that is one.
fn position(index: &Value<'_>) -> Result<i64, Error> {
    match index {
        Value::Int(index) => Ok(*index),
        Value::Uint(index) => Ok(i64::try_from(*index).unwrap_or(i64::MAX)),
        Value::Double(index) => match compare::whole(*index) {
            Some(Key::Int(index)) => Ok(index),
            _ => Err(Error::InvalidArgument),
        },
        _ => Err(Error::NoSuchOverload),
    }
}

/// What stands at `index` of a list or under that key of a map, if anything does.
fn find<'a>(operand: &Value<'a>, index: &Value<'a>) -> Result<Option<Value<'a>>, Error> {
    match operand {
        Value::List(list) => Ok(list.get(position(index)?)),
        Value::Map(map) => Ok(Key::asked(index)?.and_then(|key| map.get(key))),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `operand[index]`. An optional gives an optional: without a value when it has none or nothing is there.
///
/// ```
/// use watershed::cel::{Error, List, Value, dynamic};
///
/// let list = Value::List(List::from(vec![Value::from("a")]));
/// assert_eq!(dynamic::index(&list, &Value::from(0.0)), Ok(Value::from("a")));
/// assert_eq!(dynamic::index(&list, &Value::from(0.5)), Err(Error::InvalidArgument));
/// ```
pub fn index<'a>(operand: &Value<'a>, index: &Value<'a>) -> Result<Value<'a>, Error> {
    match operand {
        Value::List(list) => list.at(position(index)?),
        Value::Optional(_) => optional_index(operand, index).map(Value::Optional),
        _ => find(operand, index)?.ok_or(Error::NoSuchKey),
    }
}

/// CEL `operand[?index]`: without a value when nothing is there. An optional operand is looked through.
pub fn optional_index<'a>(operand: &Value<'a>, index: &Value<'a>) -> Result<Optional<'a>, Error> {
    match operand {
        Value::Optional(optional) => match optional.as_ref() {
            Some(operand) => find(operand, index).map(Optional::from),
            None => Ok(Optional::none()),
        },
        _ => find(operand, index).map(Optional::from),
    }
}

/// CEL `operand[index]` with a position that the checker knows to be an integer.
pub fn at<'a>(operand: &Value<'a>, position: i64) -> Result<Value<'a>, Error> {
    index(operand, &Value::Int(position))
}

/// CEL `operand.field` on a map or an optional map.
pub fn select<'a>(operand: &Value<'a>, field: &str) -> Result<Value<'a>, Error> {
    match operand {
        Value::Map(map) => map.at(field),
        Value::Optional(_) => optional_select(operand, field).map(Value::Optional),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `operand.?field` on a map or an optional map.
pub fn optional_select<'a>(operand: &Value<'a>, field: &str) -> Result<Optional<'a>, Error> {
    let operand = match operand {
        Value::Optional(optional) => match optional.as_ref() {
            Some(operand) => operand,
            None => return Ok(Optional::none()),
        },
        operand => operand,
    };
    Ok(Optional::from(operand.as_map()?.get(field)))
}

/// CEL `has(operand.field)`: only the last step is tested, so an operand that is no map is an error.
pub fn has(operand: &Value<'_>, field: &str) -> Result<bool, Error> {
    match operand {
        Value::Map(map) => Ok(map.has(field)),
        Value::Optional(optional) => match optional.as_ref() {
            Some(operand) => Ok(operand.as_map()?.has(field)),
            None => Ok(false),
        },
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `value in container`: an element of a list or a key of a map. What is never a key of a map is an error.
pub fn is_in<'a>(value: &Value<'a>, container: &Value<'_>) -> Result<bool, Error> {
    match container {
        Value::List(list) => Ok(list.contains(value)),
        Value::Map(map) => Ok(Key::asked(value)?.is_some_and(|key| map.has(key))),
        _ => Err(Error::NoSuchOverload),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::{List, Map};

    fn list() -> Value<'static> {
        List::from(vec![7_i64.into(), 8_i64.into()]).into()
    }

    fn map() -> Value<'static> {
        let entries = [
            (1_i64.into(), "one".into()),
            ("null".into(), Value::Null),
            ("list".into(), list()),
        ];
        Map::new(entries).unwrap().into()
    }

    #[test]
    fn lists_are_indexed_by_whole_numbers() {
        assert_eq!(index(&list(), &1_u64.into()), Ok(8_i64.into()));
        assert_eq!(index(&list(), &1.0.into()), Ok(8_i64.into()));
        assert_eq!(at(&list(), 2), Err(Error::IndexOutOfRange { index: 2 }));
        assert_eq!(at(&list(), -1), Err(Error::IndexOutOfRange { index: -1 }));
        assert_eq!(index(&list(), &1.5.into()), Err(Error::InvalidArgument));
        assert_eq!(index(&list(), &"".into()), Err(Error::NoSuchOverload));
        let far = index(&list(), &u64::MAX.into());
        assert_eq!(far, Err(Error::IndexOutOfRange { index: i64::MAX }));
    }

    #[test]
    fn maps_find_numbers_of_every_type() {
        for key in [Value::from(1_u64), Value::from(1.0), Value::from(1_i64)] {
            assert_eq!(index(&map(), &key), Ok("one".into()));
            assert_eq!(is_in(&key, &map()), Ok(true));
        }
        for key in [Value::from(1.5), Value::from(true), Value::from("1")] {
            assert_eq!(index(&map(), &key), Err(Error::NoSuchKey));
            assert_eq!(is_in(&key, &map()), Ok(false));
        }
        for key in [Value::Null, Value::from(&b"x"[..]), list()] {
            assert_eq!(index(&map(), &key), Err(Error::UnsupportedKeyType));
            assert_eq!(is_in(&key, &map()), Err(Error::UnsupportedKeyType));
        }
    }

    #[test]
    fn null_is_present_and_has_tests_one_step() {
        assert_eq!(has(&map(), "null"), Ok(true));
        assert_eq!(select(&map(), "null"), Ok(Value::Null));
        assert_eq!(has(&map(), "missing"), Ok(false));
        assert_eq!(select(&map(), "missing"), Err(Error::NoSuchKey));
        assert_eq!(has(&Value::Null, "deeper"), Err(Error::NoSuchOverload));
        assert_eq!(select(&"abc".into(), "x"), Err(Error::NoSuchOverload));
        assert_eq!(
            is_in(&"a".into(), &"abc".into()),
            Err(Error::NoSuchOverload)
        );
    }

    #[test]
    fn optionals_are_looked_through() {
        let present = Value::Optional(Optional::of(map()));
        let none = Value::Optional(Optional::none());
        let field = |operand: &Value<'static>, name| select(operand, name).unwrap();
        assert_eq!(field(&present, "missing"), none);
        assert_eq!(field(&none, "x"), none);
        assert_eq!(
            index(&field(&present, "list"), &0_i64.into()),
            Ok(Optional::of(7_i64.into()).into())
        );
        assert_eq!(
            index(&field(&present, "list"), &9_i64.into()),
            Ok(none.clone())
        );
        assert_eq!(
            select(&field(&present, "null"), "x"),
            Err(Error::NoSuchOverload)
        );
        assert_eq!(
            (has(&present, "null"), has(&none, "null")),
            (Ok(true), Ok(false))
        );
        assert!(!optional_index(&list(), &2_i64.into()).unwrap().has_value());
        assert!(optional_index(&map(), &1.0.into()).unwrap().has_value());
        assert!(optional_select(&map(), "null").unwrap().has_value());
        assert!(optional_select(&list(), "null").is_err());
    }
}
