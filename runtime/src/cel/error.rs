//! What can go wrong while an expression is evaluated.

use std::fmt;

use super::Type;

/// Why an expression has no value.
///
/// A predicate turns an error into "neither true nor false"; `&&`, `||`, `all` and `exists` absorb it as CEL says.
///
/// ```
/// use watershed::cel::{Error, arithmetic};
///
/// let error = arithmetic::divide_int(1, 0).unwrap_err();
/// assert_eq!(error, Error::DivisionByZero);
/// assert_eq!(error.code(), "division_by_zero");
/// assert_eq!(error.to_string(), "division by zero");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// A map has no such key, or a value is missing.
    NoSuchKey,
    /// An operator or a function does not take a value of this type.
    NoSuchOverload,
    /// `value()` of an optional that has none.
    NoValue,
    /// `/` with a zero to its right.
    DivisionByZero,
    /// `%` with a zero to its right.
    ModulusByZero,
    /// An integer, a duration or a timestamp leaves its range.
    Overflow,
    /// A position outside of a list or a string.
    IndexOutOfRange {
        /// The position that was asked for.
        index: i64,
    },
    /// A stretch of a string or list that ends before it starts.
    InvalidRange {
        /// Where it was to start.
        start: i64,
        /// Where it was to end.
        end: i64,
    },
    /// A conversion of a value that its target type cannot hold or that it cannot read.
    InvalidConversion {
        /// The type of the value.
        from: Type,
        /// The type asked for.
        to: Type,
    },
    /// An argument that a function does not take, such as a negative shift or an empty list of numbers.
    InvalidArgument,
    /// A map literal that has a key twice.
    RepeatedKey,
    /// A map key that is neither a boolean, an integer nor a string.
    UnsupportedKeyType,
    /// A time zone that is neither an IANA name nor an offset such as `+02:00`.
    UnknownTimeZone,
    /// A pattern that is not valid RE2, or too large to compile.
    InvalidRegex,
    /// A format string with a clause that does not exist.
    InvalidFormatClause,
    /// A format clause that does not take an argument of this type.
    InvalidFormatArgument {
        /// The letter of the clause.
        clause: char,
        /// The type it was given.
        given: Type,
    },
    /// A format string with more clauses than arguments.
    MissingFormatArgument {
        /// The position of the argument that is missing.
        index: i64,
    },
    /// A value that would be larger or nested deeper than this library builds.
    TooLarge,
}

impl Error {
    /// The stable name of the error, for metrics and logs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoSuchKey => "no_such_key",
            Self::NoSuchOverload => "no_such_overload",
            Self::NoValue => "no_value",
            Self::DivisionByZero => "division_by_zero",
            Self::ModulusByZero => "modulus_by_zero",
            Self::Overflow => "overflow",
            Self::IndexOutOfRange { .. } => "index_out_of_range",
            Self::InvalidRange { .. } => "invalid_range",
            Self::InvalidConversion { .. } => "invalid_conversion",
            Self::InvalidArgument => "invalid_argument",
            Self::RepeatedKey => "repeated_key",
            Self::UnsupportedKeyType => "unsupported_key_type",
            Self::UnknownTimeZone => "unknown_time_zone",
            Self::InvalidRegex => "invalid_regex",
            Self::InvalidFormatClause => "invalid_format_clause",
            Self::InvalidFormatArgument { .. } => "invalid_format_argument",
            Self::MissingFormatArgument { .. } => "missing_format_argument",
            Self::TooLarge => "too_large",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match *self {
            Self::NoSuchKey => "no such key",
            Self::NoSuchOverload => "no such overload",
            Self::NoValue => "the optional has no value",
            Self::DivisionByZero => "division by zero",
            Self::ModulusByZero => "modulus by zero",
            Self::Overflow => "the result is out of range",
            Self::IndexOutOfRange { index } => {
                return write!(formatter, "index out of range: {index}");
            }
            Self::InvalidRange { start, end } => {
                return write!(formatter, "invalid range: start {start}, end {end}");
            }
            Self::InvalidConversion { from, to } => {
                return write!(formatter, "this {from} does not convert to {to}");
            }
            Self::InvalidArgument => "invalid argument",
            Self::RepeatedKey => "a map has the same key twice",
            Self::UnsupportedKeyType => "unsupported key type",
            Self::UnknownTimeZone => "unknown time zone",
            Self::InvalidRegex => "invalid regular expression",
            Self::InvalidFormatClause => "unrecognised formatting clause",
            Self::InvalidFormatArgument { clause, given } => {
                return write!(formatter, "%{clause} does not format {given}");
            }
            Self::MissingFormatArgument { index } => {
                return write!(formatter, "no argument at index {index} to format");
            }
            Self::TooLarge => "the value is too large",
        };
        formatter.write_str(words)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_small() {
        assert!(size_of::<Error>() <= 24);
        assert!(size_of::<Result<bool, Error>>() <= 24);
    }

    #[test]
    fn words_name_the_facts() {
        let error = Error::InvalidConversion {
            from: Type::Double,
            to: Type::Int,
        };
        assert_eq!(error.to_string(), "this double does not convert to int");
        let error = Error::InvalidFormatArgument {
            clause: 'd',
            given: Type::Duration,
        };
        assert_eq!(
            error.to_string(),
            "%d does not format google.protobuf.Duration"
        );
        assert_eq!(
            Error::IndexOutOfRange { index: 30 }.to_string(),
            "index out of range: 30"
        );
    }
}
