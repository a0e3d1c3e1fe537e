//! Conversions between types that the checker knows: `int("5")`, `string(2.5)`, …
//!
//! Conversions that cannot fail need no function here: `double(int)` is a Rust cast, `bytes(string)` borrows,
//! timestamps and durations read and write themselves.

use super::compare::{INT_END, UINT_END};
use super::{Error, Type};

const fn invalid(from: Type, to: Type) -> Error {
    Error::InvalidConversion { from, to }
}

/// CEL `int(uint)`
#[inline]
pub fn int_from_uint(value: u64) -> Result<i64, Error> {
    i64::try_from(value).map_err(|_| Error::Overflow)
}

/// CEL `int(double)`: without the fraction. Both 2^63 and -2^63 are out of range, and so is NaN.
pub fn int_from_double(value: f64) -> Result<i64, Error> {
    if value > -INT_END && value < INT_END {
        Ok(value as i64)
    } else {
        Err(Error::Overflow)
    }
}

/// CEL `int(string)`: decimal digits with or without a sign.
pub fn int_from_string(text: &str) -> Result<i64, Error> {
    text.parse().map_err(|_| invalid(Type::String, Type::Int))
}

/// CEL `uint(int)`
#[inline]
pub fn uint_from_int(value: i64) -> Result<u64, Error> {
    u64::try_from(value).map_err(|_| Error::Overflow)
}

/// CEL `uint(double)`: without the fraction. Negative numbers, NaN and 2^64 are out of range.
pub fn uint_from_double(value: f64) -> Result<u64, Error> {
    if (0.0..UINT_END).contains(&value) {
        Ok(value as u64)
    } else {
        Err(Error::Overflow)
    }
}

/// CEL `uint(string)`: decimal digits.
pub fn uint_from_string(text: &str) -> Result<u64, Error> {
    text.parse().map_err(|_| invalid(Type::String, Type::Uint))
}

/// CEL `double(string)`: decimal with or without an exponent, and the names of infinity and NaN. What is too large
/// is infinite.
pub fn double_from_string(text: &str) -> Result<f64, Error> {
    text.parse()
        .map_err(|_| invalid(Type::String, Type::Double))
}

/// CEL `string(bytes)`: an error when they are not UTF-8.
pub fn string_from_bytes(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| invalid(Type::Bytes, Type::String))
}

/// CEL `bool(string)`: `true`, `True`, `TRUE`, `t`, `T`, `1`, and the same for false.
pub fn bool_from_string(text: &str) -> Result<bool, Error> {
    match text {
        "true" | "True" | "TRUE" | "t" | "T" | "1" => Ok(true),
        "false" | "False" | "FALSE" | "f" | "F" | "0" => Ok(false),
        _ => Err(invalid(Type::String, Type::Bool)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_lose_their_fraction_and_have_a_range() {
        assert_eq!(int_from_double(3.9), Ok(3));
        assert_eq!(int_from_double(-3.9), Ok(-3));
        for outside in [1e30, INT_END, -INT_END, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(int_from_double(outside), Err(Error::Overflow));
        }
        assert_eq!(uint_from_double(25.5), Ok(25));
        assert_eq!(uint_from_double(-0.0), Ok(0));
        for outside in [-1.0, UINT_END, f64::NAN] {
            assert_eq!(uint_from_double(outside), Err(Error::Overflow));
        }
    }

    #[test]
    fn integers_keep_their_value_or_fail() {
        assert_eq!(int_from_uint(i64::MAX.unsigned_abs()), Ok(i64::MAX));
        assert_eq!(int_from_uint(u64::MAX), Err(Error::Overflow));
        assert_eq!(uint_from_int(-1), Err(Error::Overflow));
    }

    #[test]
    fn strings_are_read_or_refused() {
        assert_eq!(int_from_string("987"), Ok(987));
        assert_eq!(int_from_string("-9223372036854775808"), Ok(i64::MIN));
        for text in ["0x1F", "", "1.0", " 1", "9223372036854775808"] {
            assert!(int_from_string(text).is_err(), "{text}");
        }
        assert_eq!(uint_from_string("300"), Ok(300));
        assert!(uint_from_string("-1").is_err() && uint_from_string("abc").is_err());
        assert_eq!(double_from_string("-84.32e7"), Ok(-843_200_000.0));
        assert_eq!(double_from_string("1e400"), Ok(f64::INFINITY));
        assert_eq!(double_from_string("-Infinity"), Ok(f64::NEG_INFINITY));
        assert!(double_from_string("NaN").unwrap().is_nan());
        assert!(double_from_string("one").is_err());
    }

    #[test]
    fn booleans_have_few_spellings() {
        for (text, value) in [
            ("TRUE", true),
            ("1", true),
            ("t", true),
            ("F", false),
            ("0", false),
        ] {
            assert_eq!(bool_from_string(text), Ok(value));
        }
        for text in ["tRuE", "FaLsE", "yes", ""] {
            assert!(bool_from_string(text).is_err());
        }
    }

    #[test]
    fn bytes_must_be_utf8() {
        assert_eq!(string_from_bytes(b"\xc3\xbf"), Ok("ÿ"));
        let error = Error::InvalidConversion {
            from: Type::Bytes,
            to: Type::String,
        };
        assert_eq!(string_from_bytes(b"\xff"), Err(error));
    }
}
