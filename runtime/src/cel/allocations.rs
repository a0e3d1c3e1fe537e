//! What builds nothing allocates nothing.

use allocation_counter::measure;

use super::{
    Key, List, Map, Optional, Timestamp, Value, Zone, compare, dynamic, logic, pattern, strings,
};
use crate::value::{self, AnyValue};

/// `{ "code": 503, "name": "checkout", "tags": ["a"] }` as an encoded `KeyValueList`.
const ATTRIBUTES: &[u8] = b"\x0a\x0b\x0a\x04code\x12\x03\x18\xf7\x03\
    \x0a\x12\x0a\x04name\x12\x0a\x0a\x08checkout\
    \x0a\x0f\x0a\x04tags\x12\x07\x2a\x05\x0a\x03\x0a\x01a";

/// Fails when `work` allocates, the second time it is done.
fn builds_nothing(what: &str, mut work: impl FnMut() -> bool) {
    assert!(work(), "{what}");
    let allocations = measure(|| {
        work();
    });
    assert_eq!(allocations.count_total, 0, "{what}");
}

fn attributes() -> Value<'static> {
    let map = value::Map::key_value_list(ATTRIBUTES);
    Value::try_from(AnyValue::Map(map)).unwrap()
}

#[test]
fn a_payload_is_looked_into_where_it_lies() {
    let attributes = attributes();
    builds_nothing("select", || {
        dynamic::select(&attributes, "name").unwrap() == "checkout".into()
    });
    builds_nothing("has", || dynamic::has(&attributes, "code").unwrap());
    builds_nothing("in", || {
        let tags = dynamic::select(&attributes, "tags").unwrap();
        dynamic::is_in(&"a".into(), &tags).unwrap()
    });
    builds_nothing("size", || dynamic::size(&attributes).unwrap() == 3);
    builds_nothing("order", || {
        let code = dynamic::select(&attributes, "code").unwrap();
        compare::greater_equal(&code, &500_i64.into()).unwrap()
    });
    builds_nothing("exists", || {
        let keys = logic::elements(&attributes).unwrap();
        logic::exists(keys, |key| Ok(key == "tags".into())).unwrap()
    });
}

#[test]
fn parts_of_strings_are_borrowed() {
    builds_nothing("substring", || {
        strings::substring("checkout", 5) == Ok("out")
    });
    builds_nothing("charAt", || strings::char_at("checkout", 5) == Ok("o"));
    builds_nothing("trim", || strings::trim(" x ") == "x");
    builds_nothing("lowerAscii", || strings::lower_ascii("lower") == "lower");
    builds_nothing("replace", || strings::replace("abc", "x", "y") == "abc");
    builds_nothing("matches", || {
        pattern::matches("checkout", "^check") == Ok(true)
    });
}

#[test]
fn what_was_built_is_shared() {
    let list = List::from(vec![Value::from(String::from("built")), Value::Null]);
    let map = Map::new([(1_i64.into(), Value::List(list.clone()))]).unwrap();
    let optional = Value::Optional(Optional::of(Value::Map(map.clone())));
    builds_nothing("clone", || {
        (optional.clone(), map.clone()).1.get(Key::Int(1)).is_some()
    });
    builds_nothing("at", || list.at(0) == Ok("built".into()));
}

#[test]
fn times_need_no_memory() {
    let zone = Zone::parse("Europe/Berlin").unwrap();
    builds_nothing("timestamp", || {
        let time = Timestamp::parse("2009-02-13T23:31:30.5Z").unwrap();
        time.day_of_month(&zone) == 13
    });
}
