//! Moments and durations from their texts.

use super::Constant;
use crate::cel::failure::Failure;

/// Nanoseconds of a second.
pub(super) const SECOND: i128 = 1_000_000_000;

/// Nanoseconds from 1970 to the beginning of the year 1.
const FIRST: i128 = -62_135_596_800 * SECOND;
/// Nanoseconds from 1970 to the beginning of the year 10000.
const END: i128 = 253_402_300_800 * SECOND;

/// The moment, when it lies within the years 1 to 9999.
pub(super) fn timestamp(nanoseconds: i128) -> Constant {
    if (FIRST..END).contains(&nanoseconds) {
        Constant::Timestamp(nanoseconds)
    } else {
        Constant::Failed(Failure::Overflow)
    }
}

/// A duration such as `1h30m`, `-1.5s` or `0`, in nanoseconds; `None` when the text is none, or out of range.
///
/// ```
/// use watershed_compiler::cel::fold::parse_duration;
///
/// assert_eq!(parse_duration("1.5h"), Some(5_400_000_000_000));
/// assert_eq!(parse_duration("1d"), None);
/// ```
#[must_use]
pub fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    let mut total: i128 = 0;
    loop {
        let (value, behind) = quantity(rest)?;
        total = total.checked_add(value)?;
        rest = behind;
        if rest.is_empty() {
            break;
        }
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

/// One number with its unit, and the text behind it.
fn quantity(text: &str) -> Option<(i128, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = text.split_at_checked(digits(text))?;
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(behind) => behind.split_at_checked(digits(behind))?,
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (unit, rest) = unit(rest)?;
    let whole: i128 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let value = whole.checked_mul(unit)?.checked_add(part(fraction, unit))?;
    Some((value, rest))
}

/// The fraction of a unit that the digits behind the point stand for; what is below a nanosecond is cut.
fn part(digits: &str, unit: i128) -> i128 {
    let mut value = 0;
    let mut place = 1;
    for digit in digits.bytes().take(18) {
        value = value * 10 + i128::from(digit - b'0');
        place *= 10;
    }
    value * unit / place
}

fn unit(text: &str) -> Option<(i128, &str)> {
    const UNITS: [(&str, i128); 8] = [
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("μs", 1_000),
        ("ms", 1_000_000),
        ("s", SECOND),
        ("m", 60 * SECOND),
        ("h", 3_600 * SECOND),
    ];
    UNITS
        .iter()
        .find_map(|(name, value)| Some((*value, text.strip_prefix(name)?)))
}

/// A moment in RFC 3339, in nanoseconds since 1970; `None` when the text is none, or out of range.
///
/// ```
/// use watershed_compiler::cel::fold::parse_timestamp;
///
/// assert_eq!(parse_timestamp("1970-01-01T00:00:01.5Z"), Some(1_500_000_000));
/// assert_eq!(parse_timestamp("2020-02-30T00:00:00Z"), None);
/// ```
#[must_use]
pub fn parse_timestamp(text: &str) -> Option<i128> {
    moment(text).filter(|moment| (FIRST..END).contains(moment))
}

/// A moment that may be out of range. What the run time takes is taken here too: small letters, the second 60, any
/// number of digits behind the point.
pub(super) fn moment(text: &str) -> Option<i128> {
    let number = |from: usize, to: usize| -> Option<i128> {
        let digits = text.get(from..to)?;
        digits
            .bytes()
            .all(|digit| digit.is_ascii_digit())
            .then(|| digits.parse().ok())?
    };
    let is = |position: usize, mark: &str| text.get(position..position + 1) == Some(mark);
    if !(is(4, "-") && is(7, "-") && (is(10, "T") || is(10, "t")) && is(13, ":") && is(16, ":")) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
        return None;
    }
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, zone) = fraction(text.get(19..)?)?;
    let days = days_since_1970(year, month, day);
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset(zone)?;
    Some(seconds * SECOND + fraction)
}

/// The nanoseconds of `.5`, and what stands behind it.
fn fraction(text: &str) -> Option<(i128, &str)> {
    let Some(behind) = text.strip_prefix('.') else {
        return Some((0, text));
    };
    let count = behind.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, zone) = behind.split_at_checked(count)?;
    (count > 0).then(|| (part(digits, SECOND), zone))
}

/// The seconds that `Z`, `+01:00` or `-01:30` is ahead of UTC.
fn offset(zone: &str) -> Option<i128> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match zone.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let two = |text: &str| -> Option<i128> {
        (text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit()))
            .then(|| text.parse().ok())?
    };
    let (hours, minutes) = (two(hours)?, two(minutes)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

const fn is_leap(year: i128) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in(year: i128, month: i128) -> i128 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a day of the Gregorian calendar.
fn days_since_1970(year: i128, month: i128, day: i128) -> i128 {
    // The year 0 is valid where the zone makes the year 1 of it, so what lies before must be rounded down.
    let before = year - 1;
    let leap_days = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    let days_of_years = before * 365 + leap_days;
    let days_of_months: i128 = (1..month).map(|month| days_in(year, month)).sum();
    days_of_years + days_of_months + day - 1 - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("-1h30m"), Some(-5_400_000_000_000));
        assert_eq!(parse_duration("1us"), Some(1_000));
        assert_eq!(parse_duration("0"), Some(0));
        for wrong in ["", "-", "1", "1x", "s", "1s2", ".s", "320000000000s"] {
            assert_eq!(parse_duration(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn moments_have_an_offset_and_a_day_that_exists() {
        assert_eq!(parse_timestamp("0001-01-01T00:00:00Z"), Some(FIRST));
        assert_eq!(
            parse_timestamp("9999-12-31T23:59:59.999999999Z"),
            Some(END - 1)
        );
        assert_eq!(
            parse_timestamp("2000-03-01T00:00:00+01:00"),
            Some(951_865_200 * SECOND)
        );
        for wrong in [
            "1970-01-01T00:00:00",
            "0000-01-01T00:00:00Z",
            "1970-01-01 00:00:00Z",
            "1970-13-01T00:00:00Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:61Z",
            "1970-01-01T00:00:00+24:00",
            "garbage",
            "",
        ] {
            assert_eq!(parse_timestamp(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn moments_may_be_written_as_the_run_time_reads_them() {
        for text in [
            "1970-01-01t00:01:00z",
            "1970-01-01T00:00:60Z",
            "1970-01-01T00:01:00.0000000000001Z",
        ] {
            assert_eq!(parse_timestamp(text), Some(60 * SECOND), "{text}");
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let days = (0..1_000).flat_map(|year| {
            let months = (1..=12).map(move |month| (year, month));
            months.flat_map(|(year, month)| {
                (1..=days_in(year, month)).map(move |day| (year, month, day))
            })
        });
        let first = days_since_1970(0, 1, 1);
        for ((year, month, day), expected) in days.zip(first..) {
            let found = days_since_1970(year, month, day);
            assert_eq!(found, expected, "{year}-{month}-{day}");
        }
        assert_eq!(days_since_1970(1970, 1, 1), 0);
    }

    #[test]
    fn a_zone_carries_over_the_first_and_the_last_year() {
        assert_eq!(
            parse_timestamp("0000-12-31T23:00:00-02:00"),
            Some(FIRST + 3_600 * SECOND)
        );
        assert_eq!(parse_timestamp("0001-01-01T01:00:00+02:00"), None);
        assert_eq!(parse_timestamp("9999-12-31T23:00:00-02:00"), None);
    }
}
