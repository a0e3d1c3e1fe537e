//! Points in time.

use std::fmt;

use jiff::civil;
use jiff::tz::Offset;

use super::duration::write_fraction;
use super::rfc3339;
use super::{Duration, Error, Type, Zone};

/// A point in time with nanoseconds, from the year 1 to the end of the year 9999.
///
/// ```
/// use watershed::cel::{Duration, Timestamp, Zone};
///
/// let time = Timestamp::parse("2009-02-13T23:31:30.5Z").unwrap();
/// assert_eq!((time.month(&Zone::UTC), time.day_of_month(&Zone::UTC)), (1, 12));
/// let later = time.plus(Duration::parse("30m").unwrap()).unwrap();
/// assert_eq!(later.to_string(), "2009-02-14T00:01:30.5Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
}

/// 0001-01-01T00:00:00Z
const FIRST_SECOND: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z
const LAST_SECOND: i64 = 253_402_300_799;
/// The calendar repeats after 400 years, weekdays included.
pub(super) const SECONDS_PER_CYCLE: i64 = 146_097 * 86_400;
pub(super) const YEARS_PER_CYCLE: i16 = 400;
const NANOSECONDS_PER_SECOND: i64 = 1_000_000_000;

impl Timestamp {
    /// 1970-01-01T00:00:00Z
    pub const UNIX_EPOCH: Self = Self {
        seconds: 0,
        nanoseconds: 0,
    };

    /// A time in nanoseconds since 1970, as OTLP has it. All of them are in range: the last is in 2554.
    pub const fn from_unix_nanoseconds(nanoseconds: u64) -> Self {
        Self {
            seconds: (nanoseconds / NANOSECONDS_PER_SECOND.unsigned_abs()).cast_signed(),
            nanoseconds: (nanoseconds % NANOSECONDS_PER_SECOND.unsigned_abs()) as u32,
        }
    }

    /// CEL `timestamp(int)`: seconds since 1970.
    pub fn from_unix_seconds(seconds: i64) -> Result<Self, Error> {
        Self::new(seconds, 0)
    }

    fn new(seconds: i64, nanoseconds: u32) -> Result<Self, Error> {
        if (FIRST_SECOND..=LAST_SECOND).contains(&seconds) {
            Ok(Self {
                seconds,
                nanoseconds,
            })
        } else {
            Err(Error::Overflow)
        }
    }

    /// CEL `timestamp(string)`: RFC 3339, with an offset from UTC that may not be left out. Digits beyond
    /// nanoseconds are dropped; a leap second is the second after it.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (seconds, nanoseconds) = rfc3339::parse(text).ok_or(Error::InvalidConversion {
            from: Type::String,
            to: Type::Timestamp,
        })?;
        Self::new(seconds, nanoseconds)
    }

    /// CEL `int(timestamp)`: whole seconds since 1970, rounded down.
    #[inline]
    pub const fn unix_seconds(self) -> i64 {
        self.seconds
    }

    /// CEL `timestamp + duration`.
    pub fn plus(self, duration: Duration) -> Result<Self, Error> {
        // Both are far from the ends of 64 bits: 2^63 nanoseconds are 9.2e9 seconds.
        let nanoseconds =
            i64::from(self.nanoseconds) + duration.nanoseconds() % NANOSECONDS_PER_SECOND;
        let seconds = self.seconds
            + duration.nanoseconds() / NANOSECONDS_PER_SECOND
            + nanoseconds.div_euclid(NANOSECONDS_PER_SECOND);
        let nanoseconds = nanoseconds.rem_euclid(NANOSECONDS_PER_SECOND);
        Self::new(
            seconds,
            u32::try_from(nanoseconds).map_err(|_| Error::Overflow)?,
        )
    }

    /// CEL `timestamp - duration`.
    pub fn minus(self, duration: Duration) -> Result<Self, Error> {
        let negated = duration
            .nanoseconds()
            .checked_neg()
            .ok_or(Error::Overflow)?;
        self.plus(Duration::from_nanoseconds(negated))
    }

    /// CEL `timestamp - timestamp`: an error when they are more than about 292 years apart.
    pub fn since(self, earlier: Self) -> Result<Duration, Error> {
        let seconds = self.seconds - earlier.seconds;
        let nanoseconds = i64::from(self.nanoseconds) - i64::from(earlier.nanoseconds);
        let total =
            i128::from(seconds) * i128::from(NANOSECONDS_PER_SECOND) + i128::from(nanoseconds);
        let total = i64::try_from(total).map_err(|_| Error::Overflow)?;
        Ok(Duration::from_nanoseconds(total))
    }

    /// `getFullYear()`
    pub fn full_year(self, zone: &Zone) -> i64 {
        let (date, cycle) = (self.civil(zone), YEARS_PER_CYCLE);
        i64::from(date.year() + cycle)
    }

    /// `getMonth()`: January is 0.
    pub fn month(self, zone: &Zone) -> i64 {
        i64::from(self.civil(zone).month()) - 1
    }

    /// `getDate()`: the first day of a month is 1.
    pub fn date(self, zone: &Zone) -> i64 {
        i64::from(self.civil(zone).day())
    }

    /// `getDayOfMonth()`: the first day of a month is 0.
    pub fn day_of_month(self, zone: &Zone) -> i64 {
        self.date(zone) - 1
    }

    /// `getDayOfWeek()`: Sunday is 0.
    pub fn day_of_week(self, zone: &Zone) -> i64 {
        i64::from(self.civil(zone).weekday().to_sunday_zero_offset())
    }

    /// `getDayOfYear()`: the first of January is 0.
    pub fn day_of_year(self, zone: &Zone) -> i64 {
        i64::from(self.civil(zone).day_of_year()) - 1
    }

    /// `getHours()`
    pub fn hours(self, zone: &Zone) -> i64 {
        i64::from(self.civil(zone).hour())
    }

    /// `getMinutes()`
    pub fn minutes(self, zone: &Zone) -> i64 {
        i64::from(self.civil(zone).minute())
    }

    /// `getSeconds()`
    pub fn seconds(self, zone: &Zone) -> i64 {
        i64::from(self.civil(zone).second())
    }

    /// `getMilliseconds()`: those beyond whole seconds.
    pub fn milliseconds(self) -> i64 {
        i64::from(self.nanoseconds / 1_000_000)
    }

    /// Local date and time, one cycle of the calendar early: so it never leaves the range of the library, not even
    /// on the last day of 9999 to the east of Greenwich.
    fn civil(self, zone: &Zone) -> civil::DateTime {
        let local = self.seconds + zone.seconds_east(self.seconds);
        let early = jiff::Timestamp::from_second(local - SECONDS_PER_CYCLE);
        Offset::UTC.to_datetime(early.unwrap_or_default())
    }
}

/// CEL `string(timestamp)`: RFC 3339 in UTC with the fraction that is needed.
impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.civil(&Zone::UTC);
        let (year, month, day) = (self.full_year(&Zone::UTC), time.month(), time.day());
        let (hour, minute, second) = (time.hour(), time.minute(), time.second());
        write!(
            formatter,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        write_fraction(formatter, u64::from(self.nanoseconds))?;
        formatter.write_str("Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn duration(text: &str) -> Duration {
        Duration::parse(text).unwrap()
    }

    const INVALID: Error = Error::InvalidConversion {
        from: Type::String,
        to: Type::Timestamp,
    };

    #[test]
    fn timestamps_are_read_and_written() {
        for (text, written) in [
            ("2009-02-13T23:31:30Z", "2009-02-13T23:31:30Z"),
            ("2023-02-03T23:31:20+00:00", "2023-02-03T23:31:20Z"),
            ("2009-02-13T23:31:30.50-01:30", "2009-02-14T01:01:30.5Z"),
            (
                "0001-01-01T00:00:00.000000001Z",
                "0001-01-01T00:00:00.000000001Z",
            ),
            (
                "9999-12-31T23:59:59.9999999999Z",
                "9999-12-31T23:59:59.999999999Z",
            ),
            ("0000-12-31T23:00:00-02:00", "0001-01-01T01:00:00Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("2000-02-29t12:00:00z", "2000-02-29T12:00:00Z"),
        ] {
            assert_eq!(at(text).to_string(), written);
        }
    }

    #[test]
    fn what_is_no_timestamp_is_refused() {
        for text in [
            "",
            "2020-01-01",
            "2020-01-01T00:00:00",
            "2020-01-01 00:00:00Z",
            "2020-02-30T00:00:00Z",
            "2020-13-01T00:00:00Z",
            "2020-01-01T24:00:00Z",
            "2020-01-01T00:00:61Z",
            "2020-01-01T00:00:00.Z",
            "2020-01-01T00:00:00,5Z",
            "2020-01-01T0:00:00Z",
            "10000-01-01T00:00:00Z",
            "2020-01-01T00:00:00+24:00",
            "2020-01-01T00:00:00ZZ",
            "2020-01-01T00:00:00+0100",
        ] {
            assert_eq!(Timestamp::parse(text), Err(INVALID), "{text}");
        }
        assert_eq!(
            Timestamp::parse("0000-01-01T00:00:00Z"),
            Err(Error::Overflow)
        );
    }

    #[test]
    fn times_out_of_range_are_errors() {
        assert_eq!(
            Timestamp::from_unix_seconds(-62_135_596_801),
            Err(Error::Overflow)
        );
        assert_eq!(
            Timestamp::from_unix_seconds(253_402_300_800),
            Err(Error::Overflow)
        );
        let first = at("0001-01-01T00:00:00Z");
        let last = at("9999-12-31T23:59:59.999999999Z");
        assert_eq!(first.plus(duration("-1ns")), Err(Error::Overflow));
        assert_eq!(last.plus(duration("1ns")), Err(Error::Overflow));
        assert_eq!(last.minus(duration("-1ns")), Err(Error::Overflow));
        assert_eq!(last.since(first), Err(Error::Overflow));
        assert_eq!(first.since(last), Err(Error::Overflow));
        assert_eq!(
            first.minus(Duration::from_nanoseconds(i64::MIN)),
            Err(Error::Overflow)
        );
    }

    #[test]
    fn arithmetic_carries_nanoseconds() {
        let time = at("0001-01-01T00:00:01.000000001Z");
        let earlier = at("0001-01-01T00:00:00.000000002Z");
        assert_eq!(time.plus(duration("-999999999ns")), Ok(earlier));
        assert_eq!(time.since(earlier), Ok(duration("999999999ns")));
        assert_eq!(time.minus(duration("999999999ns")), Ok(earlier));
    }

    #[test]
    fn seconds_round_down() {
        assert_eq!(at("1969-12-31T23:59:59.5Z").unix_seconds(), -1);
        assert_eq!(at("2004-09-16T23:59:59Z").unix_seconds(), 1_095_379_199);
        let nanoseconds = Timestamp::from_unix_nanoseconds(1_500_000_000);
        assert_eq!(nanoseconds, at("1970-01-01T00:00:01.5Z"));
        assert_eq!(
            Timestamp::from_unix_nanoseconds(u64::MAX).full_year(&Zone::UTC),
            2554
        );
    }

    #[test]
    fn parts_count_as_cel_counts() {
        let time = at("2009-02-13T23:31:20.123456789Z");
        let utc = &Zone::UTC;
        assert_eq!((time.full_year(utc), time.month(utc)), (2009, 1));
        assert_eq!((time.date(utc), time.day_of_month(utc)), (13, 12));
        assert_eq!((time.day_of_week(utc), time.day_of_year(utc)), (5, 43));
        assert_eq!(
            (time.hours(utc), time.minutes(utc), time.seconds(utc)),
            (23, 31, 20)
        );
        assert_eq!(time.milliseconds(), 123);
        assert_eq!(at("2000-12-31T00:00:00Z").day_of_year(utc), 365);
    }

    #[test]
    fn zones_shift_the_parts() {
        let time = at("2009-02-13T23:31:30Z");
        let in_zone = |name| Zone::parse(name).unwrap();
        assert_eq!(time.date(&in_zone("Australia/Sydney")), 14);
        assert_eq!(time.day_of_month(&in_zone("+11:00")), 13);
        assert_eq!(time.minutes(&in_zone("Asia/Kathmandu")), 16);
        assert_eq!(time.hours(&in_zone("02:00")), 1);
        let early = at("2009-02-13T02:00:00Z");
        assert_eq!(early.day_of_month(&in_zone("America/St_Johns")), 11);
        let last = at("9999-12-31T23:00:00Z");
        assert_eq!(last.full_year(&in_zone("+02:00")), 10_000);
        assert_eq!(at("0001-01-01T00:00:00Z").full_year(&in_zone("-02:00")), 0);
    }
}
