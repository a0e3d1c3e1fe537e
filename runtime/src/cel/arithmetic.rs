//! Arithmetic on integers: every result that leaves its range is an error.
//!
//! Doubles follow IEEE 754 as Rust's operators do and need no functions: `5.0 / 0.0` is infinite. There is no `%`
//! on doubles. Durations and timestamps bring their own methods.

use super::Error;

/// CEL `left + right`.
#[inline]
pub fn add_int(left: i64, right: i64) -> Result<i64, Error> {
    left.checked_add(right).ok_or(Error::Overflow)
}

/// CEL `left - right`.
#[inline]
pub fn subtract_int(left: i64, right: i64) -> Result<i64, Error> {
    left.checked_sub(right).ok_or(Error::Overflow)
}

/// CEL `left * right`.
#[inline]
pub fn multiply_int(left: i64, right: i64) -> Result<i64, Error> {
    left.checked_mul(right).ok_or(Error::Overflow)
}

/// CEL `left / right`, which truncates: `-7 / 2` is -3.
#[inline]
pub fn divide_int(left: i64, right: i64) -> Result<i64, Error> {
    if right == 0 {
        return Err(Error::DivisionByZero);
    }
    left.checked_div(right).ok_or(Error::Overflow)
}

/// CEL `left % right`, with the sign of `left`.
#[inline]
pub fn remainder_int(left: i64, right: i64) -> Result<i64, Error> {
    if right == 0 {
        return Err(Error::ModulusByZero);
    }
    left.checked_rem(right).ok_or(Error::Overflow)
}

/// CEL `-operand`.
#[inline]
pub fn negate_int(operand: i64) -> Result<i64, Error> {
    operand.checked_neg().ok_or(Error::Overflow)
}

/// CEL `left + right`.
#[inline]
pub fn add_uint(left: u64, right: u64) -> Result<u64, Error> {
    left.checked_add(right).ok_or(Error::Overflow)
}

/// CEL `left - right`.
#[inline]
pub fn subtract_uint(left: u64, right: u64) -> Result<u64, Error> {
    left.checked_sub(right).ok_or(Error::Overflow)
}

/// CEL `left * right`.
#[inline]
pub fn multiply_uint(left: u64, right: u64) -> Result<u64, Error> {
    left.checked_mul(right).ok_or(Error::Overflow)
}

/// CEL `left / right`.
#[inline]
pub fn divide_uint(left: u64, right: u64) -> Result<u64, Error> {
    left.checked_div(right).ok_or(Error::DivisionByZero)
}

/// CEL `left % right`.
#[inline]
pub fn remainder_uint(left: u64, right: u64) -> Result<u64, Error> {
    left.checked_rem(right).ok_or(Error::ModulusByZero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_out_of_range_are_errors() {
        let overflow = Err(Error::Overflow);
        assert_eq!(add_int(i64::MAX, 1), overflow);
        assert_eq!(subtract_int(i64::MIN, 1), overflow);
        assert_eq!(multiply_int(5_000_000_000, 5_000_000_000), overflow);
        assert_eq!(divide_int(i64::MIN, -1), overflow);
        assert_eq!(remainder_int(i64::MIN, -1), overflow);
        assert_eq!(negate_int(i64::MIN), overflow);
        assert_eq!(add_uint(u64::MAX, 1), Err(Error::Overflow));
        assert_eq!(subtract_uint(0, 1), Err(Error::Overflow));
        assert_eq!(multiply_uint(u64::MAX, 2), Err(Error::Overflow));
    }

    #[test]
    fn zero_does_not_divide() {
        assert_eq!(divide_int(5, 0), Err(Error::DivisionByZero));
        assert_eq!(remainder_int(5, 0), Err(Error::ModulusByZero));
        assert_eq!(divide_uint(5, 0), Err(Error::DivisionByZero));
        assert_eq!(remainder_uint(5, 0), Err(Error::ModulusByZero));
    }

    #[test]
    fn division_truncates() {
        assert_eq!(divide_int(-7, 2), Ok(-3));
        assert_eq!(remainder_int(-7, 2), Ok(-1));
        assert_eq!(remainder_int(43, -5), Ok(3));
        assert_eq!(divide_uint(7, 2), Ok(3));
        assert_eq!(remainder_uint(42, 5), Ok(2));
        assert_eq!(negate_int(-42), Ok(42));
    }
}
