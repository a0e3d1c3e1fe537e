//! Order and equality.
//!
//! Values of one type that the checker knows compare with Rust's own operators: integers, strings and bytes mean
//! the same, and so do doubles (a comparison with NaN is false, so `a <= b` is not `!(a > b)`). This file is about
//! values of types known only at run time.

use std::cmp::Ordering;

use super::{Error, Key, List, Map, Value};

/// 2^63, the first double that `int` cannot hold.
pub(super) const INT_END: f64 = 9_223_372_036_854_775_808.0;

/// 2^64, the first double that `uint` cannot hold.
pub(super) const UINT_END: f64 = 18_446_744_073_709_551_616.0;

/// The order of a signed and an unsigned integer: by sign first, never by a cast.
#[inline]
pub fn int_with_uint(left: i64, right: u64) -> Ordering {
    u64::try_from(left).map_or(Ordering::Less, |left| left.cmp(&right))
}

/// The integer that a double is, as a map key; `None` for a fraction and for what no integer can hold.
pub(super) fn whole<'a>(number: f64) -> Option<Key<'a>> {
    if number.fract() != 0.0 || !number.is_finite() {
        None
    } else if (-INT_END..INT_END).contains(&number) {
        Some(Key::Int(number as i64))
    } else if (0.0..UINT_END).contains(&number) {
        Some(Key::Uint(number as u64))
    } else {
        None
    }
}

/// The order of two numbers of any types: an integer and a double compare as doubles. `None` when one of them is
/// no number, `Some(None)` with a NaN.
pub(super) fn numbers(left: &Value<'_>, right: &Value<'_>) -> Option<Option<Ordering>> {
    use Value::{Double, Int, Uint};
    let ordering = match (left, right) {
        (Int(left), Int(right)) => Some(left.cmp(right)),
        (Uint(left), Uint(right)) => Some(left.cmp(right)),
        (Int(left), Uint(right)) => Some(int_with_uint(*left, *right)),
        (Uint(left), Int(right)) => Some(int_with_uint(*right, *left).reverse()),
        (Double(left), Double(right)) => left.partial_cmp(right),
        (Int(left), Double(right)) => (*left as f64).partial_cmp(right),
        (Double(left), Int(right)) => left.partial_cmp(&(*right as f64)),
        (Uint(left), Double(right)) => (*left as f64).partial_cmp(right),
        (Double(left), Uint(right)) => left.partial_cmp(&(*right as f64)),
        _ => return None,
    };
    Some(ordering)
}

/// The order of two values: `None` when one of them is NaN, an error when their types have no order.
pub fn order(left: &Value<'_>, right: &Value<'_>) -> Result<Option<Ordering>, Error> {
    let ordering = match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Bytes(left), Value::Bytes(right)) => left.cmp(right),
        (Value::Timestamp(left), Value::Timestamp(right)) => left.cmp(right),
        (Value::Duration(left), Value::Duration(right)) => left.cmp(right),
        _ => return numbers(left, right).ok_or(Error::NoSuchOverload),
    };
    Ok(Some(ordering))
}

/// CEL `left < right`.
pub fn less(left: &Value<'_>, right: &Value<'_>) -> Result<bool, Error> {
    order(left, right).map(|ordering| ordering.is_some_and(Ordering::is_lt))
}

/// CEL `left <= right`.
pub fn less_equal(left: &Value<'_>, right: &Value<'_>) -> Result<bool, Error> {
    order(left, right).map(|ordering| ordering.is_some_and(Ordering::is_le))
}

/// CEL `left > right`.
pub fn greater(left: &Value<'_>, right: &Value<'_>) -> Result<bool, Error> {
    order(left, right).map(|ordering| ordering.is_some_and(Ordering::is_gt))
}

/// CEL `left >= right`.
pub fn greater_equal(left: &Value<'_>, right: &Value<'_>) -> Result<bool, Error> {
    order(left, right).map(|ordering| ordering.is_some_and(Ordering::is_ge))
}

/// CEL `left == right`: never an error.
impl PartialEq<Value<'_>> for Value<'_> {
    fn eq(&self, other: &Value<'_>) -> bool {
        // A stack of our own: how deep values nest is up to the data, and must not decide over the thread's stack.
        let mut pending = Vec::new();
        if !equal_outside(self, other, &mut pending) {
            return false;
        }
        while let Some((left, right)) = pending.pop() {
            if !equal_outside(&left, &right, &mut pending) {
                return false;
            }
        }
        true
    }
}

type Pairs<'l, 'r> = Vec<(Value<'l>, Value<'r>)>;

/// Whether two values are equal as far as can be told without their elements, which join `pending`.
fn equal_outside<'l, 'r>(left: &Value<'l>, right: &Value<'r>, pending: &mut Pairs<'l, 'r>) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => **left == **right,
        (Value::Bytes(left), Value::Bytes(right)) => **left == **right,
        (Value::Timestamp(left), Value::Timestamp(right)) => left == right,
        (Value::Duration(left), Value::Duration(right)) => left == right,
        (Value::Type(left), Value::Type(right)) => left == right,
        (Value::Ip(left), Value::Ip(right)) => left == right,
        (Value::Cidr(left), Value::Cidr(right)) => left == right,
        (Value::List(left), Value::List(right)) => lists_equal(left, right, pending),
        (Value::Map(left), Value::Map(right)) => maps_equal(left, right, pending),
        (Value::Optional(left), Value::Optional(right)) => match (left.get(), right.get()) {
            (Some(left), Some(right)) => {
                pending.push((left, right));
                true
            }
            (left, right) => left.is_none() && right.is_none(),
        },
        _ => numbers(left, right) == Some(Some(Ordering::Equal)),
    }
}

/// Decides a pair at once unless it has elements of its own.
fn pair<'l, 'r>(left: Value<'l>, right: Value<'r>, pending: &mut Pairs<'l, 'r>) -> bool {
    let nested =
        |value: &Value<'_>| matches!(value, Value::List(_) | Value::Map(_) | Value::Optional(_));
    if nested(&left) && nested(&right) {
        pending.push((left, right));
        true
    } else {
        equal_outside(&left, &right, pending)
    }
}

fn lists_equal<'l, 'r>(left: &List<'l>, right: &List<'r>, pending: &mut Pairs<'l, 'r>) -> bool {
    let (mut left, mut right) = (left.iter(), right.iter());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(left), Some(right)) => {
                if !pair(left, right, pending) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

fn maps_equal<'l, 'r>(left: &Map<'l>, right: &Map<'r>, pending: &mut Pairs<'l, 'r>) -> bool {
    left.size() == right.size()
        && left.entries().all(|(key, value)| {
            let other = right.get(key);
            other.is_some_and(|other| pair(value, other, pending))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::Optional;

    fn list<const N: usize>(values: [Value<'static>; N]) -> Value<'static> {
        Value::List(values.into_iter().collect())
    }

    #[test]
    fn numbers_are_equal_across_types_and_nothing_else_is() {
        let one = Value::from(1_i64);
        assert_eq!(one, Value::from(1_u64));
        assert_eq!(one, Value::from(1.0));
        assert_ne!(one, Value::from("1"));
        assert_ne!(one, Value::from(true));
        assert_ne!(Value::Null, Value::from(0_i64));
        assert_eq!(list([one.clone()]), list([Value::from(1.0)]));
        assert_eq!(Value::from(-0.0), Value::from(0.0));
        let large = Value::from(9_007_199_254_740_993_i64);
        assert_eq!(
            large,
            Value::from(9_007_199_254_740_992.0),
            "compared as doubles"
        );
    }

    #[test]
    fn nan_equals_nothing_and_orders_nowhere() {
        let nan = Value::from(f64::NAN);
        assert_ne!(nan, nan.clone());
        for compare in [less, less_equal, greater, greater_equal] {
            assert_eq!(compare(&nan, &nan), Ok(false));
            assert_eq!(compare(&Value::from(1_i64), &nan), Ok(false));
        }
    }

    #[test]
    fn integers_compare_by_sign_first() {
        let minus_one = Value::from(-1_i64);
        assert_eq!(less(&minus_one, &Value::from(1_u64)), Ok(true));
        assert_eq!(greater(&Value::from(u64::MAX), &minus_one), Ok(true));
        let beyond = Value::from(9_223_372_036_854_777_857.0);
        assert_eq!(less(&Value::from(i64::MAX), &beyond), Ok(true));
    }

    #[test]
    fn only_some_types_have_an_order() {
        assert_eq!(less(&Value::from(false), &Value::from(true)), Ok(true));
        assert_eq!(less(&Value::from("a"), &Value::from("b")), Ok(true));
        let none = Err(Error::NoSuchOverload);
        assert_eq!(less(&list([]), &list([])), none);
        assert_eq!(less(&Value::Null, &Value::Null), none);
        assert_eq!(less(&Value::from(1_i64), &Value::from("2")), none);
    }

    #[test]
    fn containers_are_equal_in_depth() {
        let map = |key: &'static str, value| Value::Map(Map::new([(key.into(), value)]).unwrap());
        let one = map("a", list([list([]), Value::Null]));
        assert_eq!(one, map("a", list([list([]), Value::Null])));
        assert_ne!(one, map("b", list([list([]), Value::Null])));
        assert_ne!(one, map("a", list([list([Value::Null]), Value::Null])));
        let optional = |value| Value::Optional(Optional::of(value));
        assert_eq!(optional(Value::from(1_i64)), optional(Value::from(1.0)));
        assert_ne!(optional(Value::Null), Value::Optional(Optional::none()));
        assert_ne!(optional(Value::Null), Value::Null);
    }

    #[test]
    fn deep_values_compare_without_recursion() {
        let deep = || {
            let mut value = list([]);
            for _ in 0..2_000 {
                value = list([value]);
            }
            value
        };
        assert_eq!(deep(), deep());
    }

    #[test]
    fn doubles_that_are_whole_are_integers() {
        assert!(matches!(whole(3.0), Some(Key::Int(3))));
        assert!(matches!(whole(-0.0), Some(Key::Int(0))));
        assert!(matches!(
            whole(INT_END),
            Some(Key::Uint(0x8000_0000_0000_0000))
        ));
        for none in [3.1, f64::NAN, f64::INFINITY, UINT_END, -2.0 * INT_END] {
            assert!(whole(none).is_none());
        }
    }
}
