//! Spans of time.

use std::fmt;

use super::{Error, Type};

/// A span of time in nanoseconds, at most about 292 years either way.
///
/// ```
/// use watershed::cel::{Duration, Error};
///
/// let duration = Duration::parse("1h30m0.5s").unwrap();
/// assert_eq!(duration.minutes(), 90);
/// assert_eq!(duration.milliseconds(), 500);
/// assert_eq!(duration.to_string(), "5400.5s");
/// assert!(Duration::parse("1d").is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    nanoseconds: i64,
}

const NANOSECONDS_PER_SECOND: i64 = 1_000_000_000;

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self::from_nanoseconds(0);

    /// A span of this many nanoseconds.
    #[inline]
    pub const fn from_nanoseconds(nanoseconds: i64) -> Self {
        Self { nanoseconds }
    }

    /// The span in nanoseconds.
    #[inline]
    pub const fn nanoseconds(self) -> i64 {
        self.nanoseconds
    }

    /// CEL `duration("1h30m")`, in Go's syntax: decimal numbers with the units `h m s ms us µs ns`, one sign for
    /// all, and `0` alone.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let nanoseconds = parse_nanoseconds(text).ok_or(Error::InvalidConversion {
            from: Type::String,
            to: Type::Duration,
        })?;
        let nanoseconds = i64::try_from(nanoseconds).map_err(|_| Error::Overflow)?;
        Ok(Self { nanoseconds })
    }

    /// CEL `left + right`.
    #[inline]
    pub fn plus(self, other: Self) -> Result<Self, Error> {
        let sum = self.nanoseconds.checked_add(other.nanoseconds);
        sum.map(Self::from_nanoseconds).ok_or(Error::Overflow)
    }

    /// CEL `left - right`.
    #[inline]
    pub fn minus(self, other: Self) -> Result<Self, Error> {
        let difference = self.nanoseconds.checked_sub(other.nanoseconds);
        difference
            .map(Self::from_nanoseconds)
            .ok_or(Error::Overflow)
    }

    /// `getHours()`: all of it in whole hours, towards zero.
    pub const fn hours(self) -> i64 {
        self.seconds() / 3_600
    }

    /// `getMinutes()`: all of it in whole minutes, towards zero.
    pub const fn minutes(self) -> i64 {
        self.seconds() / 60
    }

    /// `getSeconds()`: all of it in whole seconds, towards zero.
    pub const fn seconds(self) -> i64 {
        self.nanoseconds / NANOSECONDS_PER_SECOND
    }

    /// `getMilliseconds()`: the milliseconds beyond whole seconds.
    pub const fn milliseconds(self) -> i64 {
        self.nanoseconds % NANOSECONDS_PER_SECOND / 1_000_000
    }
}

/// CEL `string(duration)`: seconds in decimal with the fraction that is needed.
impl fmt::Display for Duration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.nanoseconds < 0 { "-" } else { "" };
        let magnitude = self.nanoseconds.unsigned_abs();
        let seconds = magnitude / NANOSECONDS_PER_SECOND.unsigned_abs();
        write!(formatter, "{sign}{seconds}")?;
        write_fraction(formatter, magnitude % NANOSECONDS_PER_SECOND.unsigned_abs())?;
        formatter.write_str("s")
    }
}

/// A fraction of a second, without zeros at its end; nothing for zero.
pub(super) fn write_fraction(formatter: &mut fmt::Formatter<'_>, nanoseconds: u64) -> fmt::Result {
    if nanoseconds == 0 {
        return Ok(());
    }
    let digits = format!("{nanoseconds:09}");
    write!(formatter, ".{}", digits.trim_end_matches('0'))
}

/// The nanoseconds of a duration in Go's syntax; `None` when it is none. Saturates far outside of 64 bits.
fn parse_nanoseconds(text: &str) -> Option<i128> {
    let (sign, mut rest) = match text.as_bytes().first()? {
        b'-' => (-1, text.get(1..)?),
        b'+' => (1, text.get(1..)?),
        _ => (1, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total = 0_i128;
    while !rest.is_empty() {
        let (nanoseconds, after) = parse_part(rest)?;
        total = total.saturating_add(nanoseconds);
        rest = after;
    }
    Some(total.saturating_mul(sign))
}

/// One decimal number with its unit, such as `1.5h`, and what follows it.
fn parse_part(text: &str) -> Option<(i128, &str)> {
    let (whole, rest) = split_digits(text);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => split_digits(rest),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let unit_end = rest
        .find(|character: char| character == '.' || character.is_ascii_digit())
        .unwrap_or(rest.len());
    let (unit, rest) = rest.split_at_checked(unit_end)?;
    let unit = unit_nanoseconds(unit)?;
    let whole = digits_value(whole, usize::MAX).saturating_mul(unit);
    // Eighteen digits tell less than a nanosecond of an hour; what follows cannot matter.
    let scale = 10_i128.pow(u32::try_from(fraction.len().min(18)).ok()?);
    let fraction = digits_value(fraction, 18) * unit / scale;
    Some((whole.saturating_add(fraction), rest))
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn digits_value(digits: &str, limit: usize) -> i128 {
    let digits = digits.bytes().take(limit);
    digits.fold(0_i128, |value, digit| {
        value
            .saturating_mul(10)
            .saturating_add(i128::from(digit - b'0'))
    })
}

fn unit_nanoseconds(unit: &str) -> Option<i128> {
    Some(match unit {
        "ns" => 1,
        // The micro sign and the Greek letter look alike, and both are written.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_in_go_syntax() {
        for (text, nanoseconds) in [
            ("0", 0),
            ("-0", 0),
            ("1ns", 1),
            ("1us", 1_000),
            ("2µs", 2_000),
            ("1.5h", 5_400_000_000_000),
            ("-1.5h", -5_400_000_000_000),
            ("1h30m", 5_400_000_000_000),
            (".5s", 500_000_000),
            ("5.s", 5_000_000_000),
            ("+1m1ms", 60_001_000_000),
            ("0.0000000009s", 0),
            ("9223372036854775807ns", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
        ] {
            assert_eq!(
                Duration::parse(text),
                Ok(Duration::from_nanoseconds(nanoseconds)),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in [
            "", "-", "1", "1d", "s", ".s", "1 s", "1.5", "--1s", "1s-1s", "1S", "é",
        ] {
            let invalid = Error::InvalidConversion {
                from: Type::String,
                to: Type::Duration,
            };
            assert_eq!(Duration::parse(text), Err(invalid), "{text}");
        }
        for text in ["320000000000s", "-320000000000s", "9223372036854775808ns"] {
            assert_eq!(Duration::parse(text), Err(Error::Overflow), "{text}");
        }
        let endless = "9".repeat(100) + "h";
        assert_eq!(Duration::parse(&endless), Err(Error::Overflow));
    }

    #[test]
    fn durations_are_written_in_seconds() {
        for (text, written) in [
            ("1h1m", "3660s"),
            ("1000000s", "1000000s"),
            ("-1.25s", "-1.25s"),
            ("1ns", "0.000000001s"),
            ("0", "0s"),
        ] {
            assert_eq!(Duration::parse(text).unwrap().to_string(), written);
        }
    }

    #[test]
    fn parts_are_totals_but_milliseconds() {
        let duration = Duration::parse("3730.5s").unwrap();
        assert_eq!(
            (duration.hours(), duration.minutes(), duration.seconds()),
            (1, 62, 3730)
        );
        assert_eq!(duration.milliseconds(), 500);
        let negative = Duration::parse("-1.5s").unwrap();
        assert_eq!((negative.seconds(), negative.milliseconds()), (-1, -500));
    }

    #[test]
    fn sums_out_of_range_are_errors() {
        let longest = Duration::from_nanoseconds(i64::MAX);
        assert_eq!(
            longest.plus(Duration::from_nanoseconds(1)),
            Err(Error::Overflow)
        );
        let shortest = Duration::from_nanoseconds(i64::MIN);
        assert_eq!(
            shortest.minus(Duration::from_nanoseconds(1)),
            Err(Error::Overflow)
        );
        assert_eq!(longest.minus(longest), Ok(Duration::ZERO));
    }
}
