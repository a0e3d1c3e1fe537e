//! Arithmetic. Types never mix: `1 + 1u` has no overload, even through `dyn`.

use crate::cel::{Error, Value, arithmetic, strings};

/// CEL `left + right`: numbers, strings, bytes, lists, durations and timestamps.
///
/// ```
/// use watershed::cel::{Error, Value, dynamic};
///
/// let text = dynamic::add(&Value::from("stream."), &Value::from("500"));
/// assert_eq!(text, Ok(Value::from("stream.500")));
/// let mixed = dynamic::add(&Value::from("stream."), &Value::from(500_i64));
/// assert_eq!(mixed, Err(Error::NoSuchOverload));
/// ```
pub fn add<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>, Error> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => arithmetic::add_int(*left, *right).map(Value::Int),
        (Value::Uint(left), Value::Uint(right)) => {
            arithmetic::add_uint(*left, *right).map(Value::Uint)
        }
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left + right)),
        (Value::String(left), Value::String(right)) => Ok(strings::concat(left, right).into()),
        (Value::Bytes(left), Value::Bytes(right)) => Ok([&**left, &**right].concat().into()),
        (Value::List(left), Value::List(right)) => Ok(left.concat(right).into()),
        (Value::Duration(left), Value::Duration(right)) => left.plus(*right).map(Value::Duration),
        (Value::Timestamp(time), Value::Duration(duration))
        | (Value::Duration(duration), Value::Timestamp(time)) => {
            time.plus(*duration).map(Value::Timestamp)
        }
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `left - right`: numbers, durations and timestamps.
pub fn subtract(left: &Value<'_>, right: &Value<'_>) -> Result<Value<'static>, Error> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            arithmetic::subtract_int(*left, *right).map(Value::Int)
        }
        (Value::Uint(left), Value::Uint(right)) => {
            arithmetic::subtract_uint(*left, *right).map(Value::Uint)
        }
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left - right)),
        (Value::Duration(left), Value::Duration(right)) => left.minus(*right).map(Value::Duration),
        (Value::Timestamp(time), Value::Duration(duration)) => {
            time.minus(*duration).map(Value::Timestamp)
        }
        (Value::Timestamp(left), Value::Timestamp(right)) => {
            left.since(*right).map(Value::Duration)
        }
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `left * right`: numbers.
pub fn multiply(left: &Value<'_>, right: &Value<'_>) -> Result<Value<'static>, Error> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            arithmetic::multiply_int(*left, *right).map(Value::Int)
        }
        (Value::Uint(left), Value::Uint(right)) => {
            arithmetic::multiply_uint(*left, *right).map(Value::Uint)
        }
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left * right)),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `left / right`: numbers. A double divided by zero is infinite or NaN.
pub fn divide(left: &Value<'_>, right: &Value<'_>) -> Result<Value<'static>, Error> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            arithmetic::divide_int(*left, *right).map(Value::Int)
        }
        (Value::Uint(left), Value::Uint(right)) => {
            arithmetic::divide_uint(*left, *right).map(Value::Uint)
        }
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left / right)),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `left % right`: integers.
pub fn remainder(left: &Value<'_>, right: &Value<'_>) -> Result<Value<'static>, Error> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            arithmetic::remainder_int(*left, *right).map(Value::Int)
        }
        (Value::Uint(left), Value::Uint(right)) => {
            arithmetic::remainder_uint(*left, *right).map(Value::Uint)
        }
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `-operand`: signed integers and doubles.
pub fn negate(operand: &Value<'_>) -> Result<Value<'static>, Error> {
    match operand {
        Value::Int(operand) => arithmetic::negate_int(*operand).map(Value::Int),
        Value::Double(operand) => Ok(Value::Double(-operand)),
        _ => Err(Error::NoSuchOverload),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::{Duration, List, Timestamp};

    #[test]
    fn types_do_not_mix() {
        let none = Err(Error::NoSuchOverload);
        let (int, uint, double) = (Value::from(1_i64), Value::from(1_u64), Value::from(1.0));
        for function in [subtract, multiply, divide, remainder] {
            assert_eq!(function(&int, &uint), none);
            assert_eq!(function(&double, &int), none);
        }
        assert_eq!(add(&int, &double), Err(Error::NoSuchOverload));
        assert_eq!(remainder(&double, &double), none);
        assert_eq!(negate(&uint), none);
    }

    #[test]
    fn overloads_are_found() {
        assert_eq!(add(&7_i64.into(), &(-2_i64).into()), Ok(5_i64.into()));
        assert_eq!(subtract(&7_u64.into(), &9_u64.into()), Err(Error::Overflow));
        assert_eq!(divide(&1.0.into(), &0.0.into()), Ok(f64::INFINITY.into()));
        assert_eq!(
            multiply(&2.0.into(), &8.988466e307.into()),
            Ok(f64::INFINITY.into())
        );
        assert_eq!(
            remainder(&5_i64.into(), &0_i64.into()),
            Err(Error::ModulusByZero)
        );
        assert_eq!(negate(&503_i64.into()), Ok((-503_i64).into()));
        let bytes = add(&Value::from(&b"a"[..]), &Value::from(&b"\xff"[..]));
        assert_eq!(bytes, Ok(Value::from(&b"a\xff"[..])));
        let list = Value::List(List::from(vec![Value::Null]));
        assert_eq!(add(&list, &list).unwrap().as_list().unwrap().size(), 2);
    }

    #[test]
    fn times_and_durations_add_up() {
        let time = Value::from(Timestamp::parse("2009-02-13T23:00:00Z").unwrap());
        let later = Value::from(Timestamp::parse("2009-02-13T23:04:00Z").unwrap());
        let duration = Value::from(Duration::parse("240s").unwrap());
        assert_eq!(add(&time, &duration), Ok(later.clone()));
        assert_eq!(add(&duration, &time), Ok(later.clone()));
        assert_eq!(subtract(&later, &time), Ok(duration.clone()));
        assert_eq!(subtract(&later, &duration), Ok(time.clone()));
        assert_eq!(subtract(&duration, &time), Err(Error::NoSuchOverload));
        assert_eq!(add(&time, &time), Err(Error::NoSuchOverload));
    }
}
