//! Laws that hold for all values: what is written reads back, and no text makes a function panic.

use proptest::prelude::*;

use super::{
    Cidr, Duration, Ip, List, Map, Timestamp, Value, Zone, compare, convert, encoders, format,
    lists, number, pattern, strings,
};

fn scalars() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3_i64..3).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0_u64..3).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-3_i32..3).prop_map(|number| Value::from(f64::from(number))),
        ".{0,4}".prop_map(Value::from),
        any::<Vec<u8>>().prop_map(Value::from),
    ]
}

fn values() -> impl Strategy<Value = Value<'static>> {
    scalars().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|list| List::from(list).into()),
            prop::collection::btree_map(".{0,2}", inner, 0..4).prop_map(|map| {
                let entries = map.into_iter().map(|(key, value)| (key.into(), value));
                Map::new(entries).unwrap().into()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn doubles_read_back(number in any::<f64>()) {
        let read = convert::double_from_string(&number::shortest(number)).unwrap();
        prop_assert!(read == number || number.is_nan() && read.is_nan());
    }

    #[test]
    fn timestamps_read_back(seconds in -62_135_596_800_i64..=253_402_300_799, nanoseconds in 0..1_000_000_000_i64) {
        let time = Timestamp::from_unix_seconds(seconds).unwrap();
        let time = time.plus(Duration::from_nanoseconds(nanoseconds)).unwrap();
        prop_assert_eq!(Timestamp::parse(&time.to_string()), Ok(time));
        prop_assert_eq!(time.unix_seconds(), seconds);
        let of_day = time.hours(&Zone::UTC) * 3_600 + time.minutes(&Zone::UTC) * 60 + time.seconds(&Zone::UTC);
        prop_assert_eq!(of_day, seconds.rem_euclid(86_400));
        prop_assert_eq!(time.day_of_week(&Zone::UTC), (seconds.div_euclid(86_400) + 4).rem_euclid(7));
    }

    #[test]
    fn durations_read_back(nanoseconds in any::<i64>()) {
        let duration = Duration::from_nanoseconds(nanoseconds);
        prop_assert_eq!(Duration::parse(&duration.to_string()), Ok(duration));
    }

    #[test]
    fn bytes_read_back(bytes in any::<Vec<u8>>()) {
        prop_assert_eq!(encoders::base64_decode(&encoders::base64_encode(&bytes)).unwrap(), bytes);
    }

    #[test]
    fn splitting_undoes_joining(parts in prop::collection::vec("[a-c]{0,3}", 1..5)) {
        let list: List<'_> = parts.iter().map(|part| Value::from(part.as_str())).collect();
        let joined = strings::join(&list, ",").unwrap();
        prop_assert_eq!(Value::List(strings::split(&joined, ",")), Value::List(list));
    }

    #[test]
    fn equality_is_symmetric_and_agrees_with_order(left in values(), right in values()) {
        prop_assert_eq!(left == right, right == left);
        if let (Ok(order), Ok(reverse)) = (compare::order(&left, &right), compare::order(&right, &left)) {
            prop_assert_eq!(order.map(std::cmp::Ordering::reverse), reverse);
            prop_assert_eq!(order.is_some_and(std::cmp::Ordering::is_eq), left == right);
        }
        let pair = List::from(vec![left.clone(), right.clone()]);
        prop_assert!(lists::distinct(&pair).size() <= 2);
        prop_assert_eq!(left == left.clone(), pair.contains(&left));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,12}", other in "\\PC{0,3}", from in -2_i64..14, to in -2_i64..14) {
        let _ = (Timestamp::parse(&text), Duration::parse(&text), Zone::parse(&text));
        let _ = (Ip::parse(&text), Cidr::parse(&text), encoders::base64_decode(&text));
        let _ = pattern::matches(&other, &text);
        let _ = format::format(&text, &List::from(vec![Value::from(from)]));
        let length = strings::size(&text);
        let inside = |index| (0..=length).contains(&index);
        prop_assert_eq!(strings::char_at(&text, from).is_ok(), inside(from));
        let between = strings::substring_between(&text, from, to);
        prop_assert_eq!(between.is_ok(), inside(from) && inside(to) && from <= to);
        if let Ok(found) = strings::index_of_from(&text, &other, from) {
            let rest = strings::substring(&text, from).unwrap();
            let expected = strings::index_of(rest, &other);
            prop_assert_eq!(found, if expected < 0 { -1 } else { from + expected });
        }
        if let Ok(found) = strings::last_index_of_from(&text, &other, from) {
            let characters: Vec<char> = text.chars().collect();
            let wanted: Vec<char> = other.chars().collect();
            let starts = (0..=usize::try_from(from).unwrap()).rev();
            let expected = starts.into_iter().find(|start| characters[*start..].starts_with(&wanted));
            prop_assert_eq!(found, expected.map_or(-1, |start| start as i64));
        }
    }
}
