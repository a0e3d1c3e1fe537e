//! Functions with an overload for each of several types.

use crate::cel::{Cidr, Error, Ip, Value, Zone, lists, strings};

/// CEL `size(value)`: code points of a string, bytes, elements of a list, entries of a map.
///
/// ```
/// use watershed::cel::{Value, dynamic};
///
/// assert_eq!(dynamic::size(&Value::from("é")), Ok(1));
/// assert_eq!(dynamic::size(&Value::from("é".as_bytes())), Ok(2));
/// ```
pub fn size(value: &Value<'_>) -> Result<i64, Error> {
    match value {
        Value::String(text) => Ok(strings::size(text)),
        Value::Bytes(bytes) => Ok(i64::try_from(bytes.len()).unwrap_or(i64::MAX)),
        Value::List(list) => Ok(list.size()),
        Value::Map(map) => Ok(map.size()),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `value.reverse()`: strings and lists.
pub fn reverse<'a>(value: &Value<'a>) -> Result<Value<'a>, Error> {
    match value {
        Value::String(text) => Ok(strings::reverse(text).into()),
        Value::List(list) => Ok(lists::reverse(list).into()),
        _ => Err(Error::NoSuchOverload),
    }
}

/// A part of a timestamp or a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimePart {
    /// `getFullYear()`
    FullYear,
    /// `getMonth()`, from 0
    Month,
    /// `getDate()`, from 1
    Date,
    /// `getDayOfMonth()`, from 0
    DayOfMonth,
    /// `getDayOfWeek()`, from Sunday as 0
    DayOfWeek,
    /// `getDayOfYear()`, from 0
    DayOfYear,
    /// `getHours()`
    Hours,
    /// `getMinutes()`
    Minutes,
    /// `getSeconds()`
    Seconds,
    /// `getMilliseconds()`
    Milliseconds,
}

/// CEL `value.getHours()` and its kin, with the zone that was named. Durations have hours, minutes, seconds and
/// milliseconds, and take no zone.
pub fn time_part(value: &Value<'_>, part: TimePart, zone: Option<&Zone>) -> Result<i64, Error> {
    match (value, zone) {
        (Value::Timestamp(time), zone) => {
            let zone = zone.unwrap_or(&Zone::UTC);
            Ok(match part {
                TimePart::FullYear => time.full_year(zone),
                TimePart::Month => time.month(zone),
                TimePart::Date => time.date(zone),
                TimePart::DayOfMonth => time.day_of_month(zone),
                TimePart::DayOfWeek => time.day_of_week(zone),
                TimePart::DayOfYear => time.day_of_year(zone),
                TimePart::Hours => time.hours(zone),
                TimePart::Minutes => time.minutes(zone),
                TimePart::Seconds => time.seconds(zone),
                TimePart::Milliseconds => time.milliseconds(),
            })
        }
        (Value::Duration(duration), None) => match part {
            TimePart::Hours => Ok(duration.hours()),
            TimePart::Minutes => Ok(duration.minutes()),
            TimePart::Seconds => Ok(duration.seconds()),
            TimePart::Milliseconds => Ok(duration.milliseconds()),
            _ => Err(Error::NoSuchOverload),
        },
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `cidr.containsIP(value)`: an address or a string that is one.
pub fn contains_ip(cidr: Cidr, value: &Value<'_>) -> Result<bool, Error> {
    let ip = match value {
        Value::Ip(ip) => *ip,
        value => Ip::parse(value.as_str()?)?,
    };
    Ok(cidr.contains_ip(ip))
}

/// CEL `cidr.containsCIDR(value)`: a range or a string that is one.
pub fn contains_cidr(cidr: Cidr, value: &Value<'_>) -> Result<bool, Error> {
    let other = match value {
        Value::Cidr(other) => *other,
        value => Cidr::parse(value.as_str()?)?,
    };
    Ok(cidr.contains_cidr(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::{Duration, List, Map, Timestamp};

    #[test]
    fn sizes_of_every_type() {
        assert_eq!(size(&"e\u{301}".into()), Ok(2));
        assert_eq!(size(&List::from(vec![Value::Null]).into()), Ok(1));
        assert_eq!(size(&Map::new([]).unwrap().into()), Ok(0));
        assert_eq!(size(&1_i64.into()), Err(Error::NoSuchOverload));
    }

    #[test]
    fn strings_and_lists_reverse() {
        assert_eq!(reverse(&"ab".into()), Ok("ba".into()));
        let list = List::from(vec![1_i64.into(), 2_i64.into()]);
        let reversed = reverse(&list.into()).unwrap();
        assert_eq!(reversed.as_list().unwrap().at(0), Ok(2_i64.into()));
        assert!(reverse(&Value::Null).is_err());
    }

    #[test]
    fn parts_of_times_and_durations() {
        let time = Value::from(Timestamp::parse("2009-02-13T23:31:30Z").unwrap());
        let duration = Value::from(Duration::parse("3730.5s").unwrap());
        let sydney = Zone::parse("Australia/Sydney").unwrap();
        assert_eq!(time_part(&time, TimePart::Hours, Some(&sydney)), Ok(10));
        assert_eq!(time_part(&time, TimePart::DayOfWeek, None), Ok(5));
        assert_eq!(time_part(&duration, TimePart::Hours, None), Ok(1));
        assert_eq!(time_part(&duration, TimePart::Milliseconds, None), Ok(500));
        let none = Err(Error::NoSuchOverload);
        assert_eq!(time_part(&duration, TimePart::Month, None), none);
        assert_eq!(time_part(&duration, TimePart::Hours, Some(&sydney)), none);
        assert_eq!(time_part(&"x".into(), TimePart::Hours, None), none);
    }

    #[test]
    fn ranges_take_strings_too() {
        let cidr = Cidr::parse("192.168.0.0/24").unwrap();
        assert_eq!(contains_ip(cidr, &"192.168.0.1".into()), Ok(true));
        assert_eq!(contains_cidr(cidr, &"192.168.0.0/25".into()), Ok(true));
        assert!(contains_ip(cidr, &"x".into()).is_err());
        assert!(contains_cidr(cidr, &"192.168.0.1".into()).is_err());
        assert_eq!(contains_ip(cidr, &Value::Null), Err(Error::NoSuchOverload));
    }
}
