//! The functions of `math`.

use std::cmp::Ordering;

use super::{Error, List, Value, compare};

/// CEL `math.greatest(a, b, …)` and `math.greatest(list)`: the first of the greatest, in its own type.
///
/// ```
/// use watershed::cel::{List, Value, math};
///
/// let numbers = List::from(vec![Value::from(5.4), Value::from(10_i64), Value::from(3_u64)]);
/// assert_eq!(math::greatest(&numbers), Ok(Value::from(10_i64)));
/// ```
pub fn greatest<'a>(numbers: &List<'a>) -> Result<Value<'a>, Error> {
    extreme(numbers, Ordering::Greater)
}

/// CEL `math.least(a, b, …)` and `math.least(list)`: the first of the least, in its own type.
pub fn least<'a>(numbers: &List<'a>) -> Result<Value<'a>, Error> {
    extreme(numbers, Ordering::Less)
}

fn extreme<'a>(numbers: &List<'a>, wanted: Ordering) -> Result<Value<'a>, Error> {
    let mut numbers = numbers.iter();
    let mut best = numbers.next().ok_or(Error::InvalidArgument)?;
    if !matches!(best, Value::Int(_) | Value::Uint(_) | Value::Double(_)) {
        return Err(Error::NoSuchOverload);
    }
    for number in numbers {
        let order = compare::numbers(&number, &best).ok_or(Error::NoSuchOverload)?;
        if order == Some(wanted) {
            best = number;
        }
    }
    Ok(best)
}

/// CEL `math.abs(int)`: an error for the least integer.
#[inline]
pub fn abs_int(value: i64) -> Result<i64, Error> {
    value.checked_abs().ok_or(Error::Overflow)
}

/// CEL `math.round(double)`: halves away from zero.
#[inline]
pub fn round(value: f64) -> f64 {
    value.round()
}

/// CEL `math.sign(double)`: -1, 0 or 1; NaN stays.
#[inline]
pub fn sign_double(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

/// CEL `math.sign(uint)`: 0 or 1.
#[inline]
pub fn sign_uint(value: u64) -> u64 {
    value.min(1)
}

/// CEL `math.bitShiftLeft(int, int)`: 64 and more give 0; a negative offset is an error.
#[inline]
pub fn shift_left_int(value: i64, offset: i64) -> Result<i64, Error> {
    shift_left_uint(value.cast_unsigned(), offset).map(u64::cast_signed)
}

/// CEL `math.bitShiftLeft(uint, int)`: 64 and more give 0; a negative offset is an error.
#[inline]
pub fn shift_left_uint(value: u64, offset: i64) -> Result<u64, Error> {
    let offset = u64::try_from(offset).map_err(|_| Error::InvalidArgument)?;
    let offset = u32::try_from(offset).unwrap_or(u32::MAX);
    Ok(value.checked_shl(offset).unwrap_or(0))
}

/// CEL `math.bitShiftRight(int, int)`: zeros come in from the left, also for negative integers.
#[inline]
pub fn shift_right_int(value: i64, offset: i64) -> Result<i64, Error> {
    shift_right_uint(value.cast_unsigned(), offset).map(u64::cast_signed)
}

/// CEL `math.bitShiftRight(uint, int)`: 64 and more give 0; a negative offset is an error.
#[inline]
pub fn shift_right_uint(value: u64, offset: i64) -> Result<u64, Error> {
    let offset = u64::try_from(offset).map_err(|_| Error::InvalidArgument)?;
    let offset = u32::try_from(offset).unwrap_or(u32::MAX);
    Ok(value.checked_shr(offset).unwrap_or(0))
}

/// CEL `math.sqrt(number)` for numbers of every type.
pub fn sqrt(value: &Value<'_>) -> Result<f64, Error> {
    let number = match value {
        Value::Int(value) => *value as f64,
        Value::Uint(value) => *value as f64,
        Value::Double(value) => *value,
        _ => return Err(Error::NoSuchOverload),
    };
    Ok(number.sqrt())
}

/// CEL `math.abs(number)` for numbers of every type.
pub fn abs(value: &Value<'_>) -> Result<Value<'static>, Error> {
    match value {
        Value::Int(value) => abs_int(*value).map(Value::Int),
        Value::Uint(value) => Ok(Value::Uint(*value)),
        Value::Double(value) => Ok(Value::Double(value.abs())),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `math.sign(number)` for numbers of every type.
pub fn sign(value: &Value<'_>) -> Result<Value<'static>, Error> {
    match value {
        Value::Int(value) => Ok(Value::Int(value.signum())),
        Value::Uint(value) => Ok(Value::Uint(sign_uint(*value))),
        Value::Double(value) => Ok(Value::Double(sign_double(*value))),
        _ => Err(Error::NoSuchOverload),
    }
}

/// A function of the bits of two integers of the same type.
pub type BitFunction = fn(u64, u64) -> u64;

/// CEL `math.bitAnd`, `math.bitOr` and `math.bitXor` for integers of either type; both must have the same.
///
/// ```
/// use watershed::cel::{Value, math};
///
/// let both = math::bits(&Value::from(6_i64), &Value::from(3_i64), |left, right| left & right);
/// assert_eq!(both, Ok(Value::from(2_i64)));
/// ```
pub fn bits(
    left: &Value<'_>,
    right: &Value<'_>,
    function: BitFunction,
) -> Result<Value<'static>, Error> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            let bits = function(left.cast_unsigned(), right.cast_unsigned());
            Ok(Value::Int(bits.cast_signed()))
        }
        (Value::Uint(left), Value::Uint(right)) => Ok(Value::Uint(function(*left, *right))),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `math.bitNot` for integers of either type.
pub fn bit_not(value: &Value<'_>) -> Result<Value<'static>, Error> {
    match value {
        Value::Int(value) => Ok(Value::Int(!value)),
        Value::Uint(value) => Ok(Value::Uint(!value)),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `math.bitShiftLeft` for integers of either type.
pub fn shift_left(value: &Value<'_>, offset: &Value<'_>) -> Result<Value<'static>, Error> {
    match value {
        Value::Int(value) => shift_left_int(*value, offset.as_int()?).map(Value::Int),
        Value::Uint(value) => shift_left_uint(*value, offset.as_int()?).map(Value::Uint),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `math.bitShiftRight` for integers of either type.
pub fn shift_right(value: &Value<'_>, offset: &Value<'_>) -> Result<Value<'static>, Error> {
    match value {
        Value::Int(value) => shift_right_int(*value, offset.as_int()?).map(Value::Int),
        Value::Uint(value) => shift_right_uint(*value, offset.as_int()?).map(Value::Uint),
        _ => Err(Error::NoSuchOverload),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_keep_their_type() {
        let numbers = |values: Vec<Value<'static>>| List::from(values);
        let mixed = numbers(vec![5.4.into(), 10_i64.into(), 3_u64.into(), (-5.0).into()]);
        assert!(matches!(greatest(&mixed), Ok(Value::Int(10))));
        assert!(matches!(least(&mixed), Ok(Value::Double(-5.0))));
        let ties = numbers(vec![1_u64.into(), 1.0.into(), 1_i64.into()]);
        assert!(matches!(greatest(&ties), Ok(Value::Uint(1))));
        assert_eq!(greatest(&numbers(vec![])), Err(Error::InvalidArgument));
        assert_eq!(
            least(&numbers(vec!["a".into()])),
            Err(Error::NoSuchOverload)
        );
        let wrong = numbers(vec![1_i64.into(), true.into()]);
        assert_eq!(least(&wrong), Err(Error::NoSuchOverload));
    }

    #[test]
    fn shifts_are_logical_and_bounded() {
        assert_eq!(shift_left_int(1, 2), Ok(4));
        assert_eq!(shift_left_int(1, 200), Ok(0));
        assert_eq!(shift_left_int(1, i64::MAX), Ok(0));
        assert_eq!(shift_left_uint(1, -1), Err(Error::InvalidArgument));
        assert_eq!(shift_right_int(-1024, 64), Ok(0));
        assert_eq!(shift_right_int(-1024, 3), Ok(2_305_843_009_213_693_824));
        assert_eq!(shift_right_uint(1024, 2), Ok(256));
    }

    #[test]
    fn signs_and_magnitudes() {
        assert_eq!(abs_int(i64::MIN), Err(Error::Overflow));
        assert_eq!(abs(&Value::from(-11.5)), Ok(Value::from(11.5)));
        assert_eq!(abs(&Value::from("1")), Err(Error::NoSuchOverload));
        assert_eq!(sign(&Value::from(-11_i64)), Ok(Value::from(-1_i64)));
        assert_eq!(sign(&Value::from(100_u64)), Ok(Value::from(1_u64)));
        assert!(sign_double(-0.0).is_sign_positive());
        assert_eq!(sign_double(-32.0), -1.0);
        assert!(sign_double(f64::NAN).is_nan());
        assert_eq!((round(-1.5), round(1.5), round(-1.4)), (-2.0, 2.0, -1.0));
        assert_eq!(sqrt(&Value::from(9_u64)), Ok(3.0));
    }

    #[test]
    fn bits_need_two_of_a_kind() {
        let and = |left: Value<'_>, right: Value<'_>| bits(&left, &right, |a, b| a & b);
        assert_eq!(and(1_i64.into(), (-1_i64).into()), Ok(1_i64.into()));
        assert_eq!(and(1_u64.into(), 3_u64.into()), Ok(1_u64.into()));
        assert_eq!(and(1_u64.into(), 3_i64.into()), Err(Error::NoSuchOverload));
        assert_eq!(bit_not(&Value::from(1_i64)), Ok(Value::from(-2_i64)));
        assert_eq!(bit_not(&Value::from(0_u64)), Ok(Value::from(u64::MAX)));
        let four = Value::from(4.3);
        assert_eq!(
            shift_left(&four, &Value::from(1_i64)),
            Err(Error::NoSuchOverload)
        );
    }
}
