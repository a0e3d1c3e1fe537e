//! Time zones.

use jiff::tz::TimeZone;

use super::Error;

/// A time zone: what the argument of `getHours("Europe/Berlin")` and its kin means.
///
/// The rules come with the program (the IANA database that `jiff` bundles), so the same flow gives the same answers
/// on every machine. Reading a zone from its name takes a lock and a search: do it once for a literal.
///
/// ```
/// use watershed::cel::{Timestamp, Zone};
///
/// let time = Timestamp::parse("2009-02-13T23:31:30Z").unwrap();
/// assert_eq!(time.hours(&Zone::parse("Australia/Sydney").unwrap()), 10);
/// assert_eq!(time.hours(&Zone::parse("-02:30").unwrap()), 21);
/// assert!(Zone::parse("Nowhere/Else").is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Zone(Rules);

#[derive(Clone, Debug)]
enum Rules {
    Fixed { seconds_east: i32 },
    Named(TimeZone),
}

impl Zone {
    /// Coordinated universal time, which counts where no zone is named.
    pub const UTC: Self = Self(Rules::Fixed { seconds_east: 0 });

    /// The zone with an IANA name (`America/St_Johns`), or at a fixed offset (`+02:00`, `-09:30`, `02:00`) of less
    /// than 15 hours. An empty name is UTC.
    pub fn parse(name: &str) -> Result<Self, Error> {
        if name.is_empty() || name == "UTC" {
            return Ok(Self::UTC);
        }
        if name.contains(':') {
            let seconds_east = parse_offset(name).ok_or(Error::UnknownTimeZone)?;
            return Ok(Self(Rules::Fixed { seconds_east }));
        }
        let zone = TimeZone::get(name).map_err(|_| Error::UnknownTimeZone)?;
        // The library takes names in any case; CEL has one spelling.
        if zone.iana_name() == Some(name) {
            Ok(Self(Rules::Named(zone)))
        } else {
            Err(Error::UnknownTimeZone)
        }
    }

    /// How many seconds local time is ahead of UTC at `unix_seconds`.
    pub(super) fn seconds_east(&self, unix_seconds: i64) -> i64 {
        match &self.0 {
            Rules::Fixed { seconds_east } => i64::from(*seconds_east),
            Rules::Named(zone) => {
                // The last day of the year 9999 is beyond what the library takes; no zone changes its offset there.
                let timestamp = jiff::Timestamp::from_second(unix_seconds);
                let timestamp = timestamp.unwrap_or(jiff::Timestamp::MAX);
                i64::from(zone.to_offset(timestamp).seconds())
            }
        }
    }
}

/// The seconds of `[+-]hh:mm`.
fn parse_offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] | digits => (1, digits),
    };
    let [h1, h2, b':', m1, m2] = digits else {
        return None;
    };
    let number = |tens: &u8, ones: &u8| {
        let digit = |byte: &u8| char::from(*byte).to_digit(10);
        i32::try_from(digit(tens)? * 10 + digit(ones)?).ok()
    };
    let (hours, minutes) = (number(h1, h2)?, number(m1, m2)?);
    (hours <= 14 && minutes <= 59).then_some(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_do_not_need_a_sign() {
        for (text, seconds) in [
            ("+11:00", 39_600),
            ("-02:30", -9_000),
            ("02:00", 7_200),
            ("-00:00", 0),
            ("", 0),
            ("Etc/GMT+5", -18_000),
            ("+14:59", 53_940),
        ] {
            assert_eq!(
                Zone::parse(text).unwrap().seconds_east(0),
                seconds,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_zone_is_an_error() {
        for text in [
            "Nowhere/X",
            "europe/berlin",
            "utc",
            "Z",
            "+1:00",
            "+15:00",
            "+02:60",
            "02:0",
            ":",
            "+:00",
            "++2:00",
            "é:00",
        ] {
            assert!(
                matches!(Zone::parse(text), Err(Error::UnknownTimeZone)),
                "{text}"
            );
        }
    }

    #[test]
    fn named_zones_know_their_summers() {
        let zone = Zone::parse("Europe/Berlin").unwrap();
        assert_eq!(zone.seconds_east(1_700_000_000), 3_600);
        assert_eq!(zone.seconds_east(1_690_000_000), 7_200);
        assert_eq!(
            zone.seconds_east(253_402_300_799),
            3_600,
            "the last second of all"
        );
    }
}
