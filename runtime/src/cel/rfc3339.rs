//! Timestamps as RFC 3339 writes them, read strictly.

use jiff::civil;
use jiff::tz::Offset;

use super::timestamp::{SECONDS_PER_CYCLE, YEARS_PER_CYCLE};

/// Seconds since 1970 and nanoseconds of `YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm)`; letters of either case.
pub(super) fn parse(text: &str) -> Option<(i64, u32)> {
    let mut reader = Reader(text.as_bytes());
    let year = reader.number(4)?;
    reader.expect(b'-')?;
    let month = reader.number(2)?;
    reader.expect(b'-')?;
    let day = reader.number(2)?;
    reader.expect(b'T').or_else(|| reader.expect(b't'))?;
    let hour = reader.number(2)?;
    reader.expect(b':')?;
    let minute = reader.number(2)?;
    reader.expect(b':')?;
    let second = reader.number(2)?;
    let nanoseconds = reader.fraction()?;
    let offset = reader.offset()?;
    let date = civil::Date::new(
        i16::try_from(year).ok()? - YEARS_PER_CYCLE,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
    );
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let midnight = Offset::UTC.to_timestamp(date.ok()?.to_datetime(civil::Time::midnight()));
    let seconds = midnight.ok()?.as_second() + SECONDS_PER_CYCLE;
    let of_day = i64::from(hour) * 3_600 + i64::from(minute) * 60 + i64::from(second);
    Some((seconds + of_day - offset, nanoseconds))
}

/// Reads a text of fixed form from its start.
struct Reader<'t>(&'t [u8]);

impl Reader<'_> {
    fn expect(&mut self, wanted: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[wanted])?;
        Some(())
    }

    fn digit(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first()?;
        let digit = char::from(*first).to_digit(10)?;
        self.0 = rest;
        Some(digit)
    }

    /// A number of exactly so many digits.
    fn number(&mut self, digits: usize) -> Option<u32> {
        let mut value = 0;
        for _ in 0..digits {
            value = value * 10 + self.digit()?;
        }
        Some(value)
    }

    /// `.5` and so on, in nanoseconds; zero when there is none.
    fn fraction(&mut self) -> Option<u32> {
        if self.expect(b'.').is_none() {
            return Some(0);
        }
        let mut scale = 100_000_000;
        let mut nanoseconds = self.digit()? * scale;
        while let Some(digit) = self.digit() {
            scale /= 10;
            nanoseconds += digit * scale;
        }
        Some(nanoseconds)
    }

    /// `Z` or `±hh:mm` at the end, in seconds.
    fn offset(&mut self) -> Option<i64> {
        let sign = match *self.0 {
            [b'Z' | b'z'] => return Some(0),
            [b'+', ..] => 1,
            [b'-', ..] => -1,
            _ => return None,
        };
        self.0 = self.0.get(1..)?;
        let hours = self.number(2)?;
        self.expect(b':')?;
        let minutes = self.number(2)?;
        let valid = self.0.is_empty() && hours <= 23 && minutes <= 59;
        valid.then_some(sign * i64::from(hours * 3_600 + minutes * 60))
    }
}
