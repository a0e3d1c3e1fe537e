//! CEL's answers over encoded values.

use std::cmp::Ordering;

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{
    AnyValue as Encoded, ArrayValue, KeyValue, KeyValueList,
};
use prost::Message;
use regex::bytes::Regex;

use super::Truth::{Error, False, True};
use super::{AnyValue, Attribute, Attributes, Map, Text, Truth};
use crate::otlp::Fields;

fn encode(value: Value) -> Vec<u8> {
    Encoded { value: Some(value) }.encode_to_vec()
}

fn wrap(value: Value) -> Encoded {
    Encoded { value: Some(value) }
}

fn list(values: Vec<Value>) -> Value {
    Value::ArrayValue(ArrayValue {
        values: values.into_iter().map(wrap).collect(),
    })
}

fn map(entries: Vec<(&str, Value)>) -> Value {
    let values = entries.into_iter().map(|(key, value)| KeyValue {
        key: key.into(),
        value: Some(wrap(value)),
        ..Default::default()
    });
    Value::KvlistValue(KeyValueList {
        values: values.collect(),
    })
}

fn text(text: &str) -> Value {
    Value::StringValue(text.into())
}

#[test]
fn every_variant_decodes() {
    assert!(matches!(AnyValue::decode(&[]), AnyValue::Null));
    assert!(AnyValue::decode(&encode(text("a"))).is_text("a"));
    assert!(AnyValue::decode(&encode(Value::BoolValue(false))).is_bool(false));
    assert!(AnyValue::decode(&encode(Value::IntValue(-3))).is_int(-3));
    assert!(AnyValue::decode(&encode(Value::DoubleValue(2.5))).is_double(2.5));
    assert_eq!(
        AnyValue::decode(&encode(Value::BytesValue(vec![1]))).as_bytes(),
        Some(&[1][..])
    );
    assert_eq!(
        AnyValue::decode(&encode(list(vec![text("a"), text("b")]))).size(),
        Some(2)
    );
    assert_eq!(
        AnyValue::decode(&encode(map(vec![("a", text("b"))]))).size(),
        Some(1)
    );
    // A field that the schema does not know stands before the value, or alone.
    let unknown = [&[0x78, 1], &encode(Value::IntValue(7))[..]].concat();
    assert!(AnyValue::decode(&unknown).is_int(7));
    assert!(AnyValue::decode(&[0x78, 1]).is_null());
}

#[test]
fn attributes_read_in_any_order() {
    let ordered = [0x0a, 1, b'k', 0x12, 2, 0x18, 5];
    let reversed = [0x12, 2, 0x18, 5, 0x0a, 1, b'k'];
    for bytes in [&ordered[..], &reversed] {
        let attribute = Attribute::new(bytes);
        assert_eq!(attribute.key(), b"k");
        assert!(attribute.value().is_int(5));
    }
    assert_eq!(Attribute::new(&[]).key(), b"");
    assert!(Attribute::new(&[0x0a, 0]).value().is_null());
}

#[test]
fn the_first_of_equal_keys_counts() {
    let mut value = AnyValue::Missing;
    value.set_first(Attribute::new(&[0x0a, 1, b'k', 0x12, 2, 0x18, 1]));
    value.set_first(Attribute::new(&[0x0a, 1, b'k', 0x12, 2, 0x18, 2]));
    assert!(value.is_int(1));
    let bytes = encode(map(vec![
        ("a", text("first")),
        ("a", text("second")),
        ("b", text("c")),
    ]));
    let value = AnyValue::decode(&bytes);
    assert!(value.get("a").is_text("first"));
    assert_eq!(value.size(), Some(2));
}

#[test]
fn a_missing_value_makes_every_operation_an_error() {
    let missing = AnyValue::Missing;
    let pattern = Regex::new("a").unwrap();
    for truth in [
        missing.equals("x"),
        missing.differs("x"),
        AnyValue::from("x").equals(missing),
        missing.equals(missing),
        missing.less(1),
        missing.at_least(1),
        missing.starts_with("a"),
        missing.ends_with("a"),
        missing.contains_text("a"),
        missing.matches(&pattern),
        missing.has("a"),
        missing.is_one_of(["a"]),
        missing.contained_in(missing),
        missing.truth(),
        !missing.truth(),
    ] {
        assert_eq!(truth, Error);
    }
    assert!(!missing.is_text("x") && !missing.is_not_text("x"));
    assert!(!missing.is_int(1) && !missing.is_not_int(1));
    assert!(!missing.is_bool(true) && !missing.is_not_bool(true));
    assert!(!missing.is_null() && !missing.is_not_null());
    assert_eq!(missing.size(), None);
    assert!(!missing.is_present());
}

#[test]
fn equality_holds_across_numbers_and_not_across_kinds() {
    let cases: &[(AnyValue<'_>, AnyValue<'_>, Truth)] = &[
        (1.into(), 1_u64.into(), True),
        (1.into(), 1.0.into(), True),
        ((-1).into(), u64::MAX.into(), False),
        (u64::MAX.into(), (-1).into(), False),
        (1.5.into(), 1.into(), False),
        // An integer is compared with a double as a double.
        (
            9_007_199_254_740_993_i64.into(),
            9_007_199_254_740_992.0.into(),
            True,
        ),
        (1.into(), "1".into(), False),
        (AnyValue::Null, 0.into(), False),
        (AnyValue::Null, AnyValue::Null, True),
        (true.into(), 1.into(), False),
        (f64::NAN.into(), f64::NAN.into(), False),
        (0.0.into(), (-0.0).into(), True),
        ("a".into(), (&b"a"[..]).into(), False),
    ];
    for (left, right, expected) in cases {
        assert_eq!(left.equals(*right), *expected, "{left:?} {right:?}");
        assert_eq!(right.equals(*left), *expected, "{right:?} {left:?}");
        assert_eq!(left.differs(*right), !*expected);
    }
    assert!(AnyValue::from(500.0).is_int(500) && AnyValue::from("500").is_not_int(500));
}

#[test]
fn order_is_by_sign_first_and_false_with_nan() {
    let ordered: &[(AnyValue<'_>, AnyValue<'_>, Ordering)] = &[
        ((-1).into(), 1_u64.into(), Ordering::Less),
        (u64::MAX.into(), (-1).into(), Ordering::Greater),
        (i64::MAX.into(), (1_u64 << 63).into(), Ordering::Less),
        (1.into(), 1.5.into(), Ordering::Less),
        (2_u64.into(), 1.5.into(), Ordering::Greater),
        ("Z".into(), "a".into(), Ordering::Less),
        ("\u{ffff}".into(), "😀".into(), Ordering::Less),
        (false.into(), true.into(), Ordering::Less),
        ((&b"a"[..]).into(), (&b"ab"[..]).into(), Ordering::Less),
        (3.into(), 3.into(), Ordering::Equal),
    ];
    for (left, right, expected) in ordered {
        assert_eq!(
            left.less(*right),
            Truth::from(expected.is_lt()),
            "{left:?} {right:?}"
        );
        assert_eq!(
            left.at_most(*right),
            Truth::from(expected.is_le()),
            "{left:?} {right:?}"
        );
        assert_eq!(
            left.greater(*right),
            Truth::from(expected.is_gt()),
            "{left:?} {right:?}"
        );
        assert_eq!(
            left.at_least(*right),
            Truth::from(expected.is_ge()),
            "{left:?} {right:?}"
        );
        assert_eq!(
            right.less(*left),
            Truth::from(expected.is_gt()),
            "{left:?} {right:?}"
        );
    }
    let nan = AnyValue::from(f64::NAN);
    for truth in [
        nan.less(1),
        nan.at_most(nan),
        nan.greater(1_u64),
        AnyValue::from(1).at_least(nan),
    ] {
        assert_eq!(truth, False);
    }
    for (left, right) in [
        (AnyValue::from("1"), AnyValue::from(1)),
        (AnyValue::Null, AnyValue::from(1)),
        (AnyValue::from(true), AnyValue::from(1)),
        (AnyValue::Null, AnyValue::Null),
    ] {
        assert_eq!(left.less(right), Error);
        assert_eq!(left.at_least(right), Error);
    }
}

#[test]
fn collections_are_equal_in_depth() {
    let left = encode(list(vec![
        Value::IntValue(1),
        map(vec![("a", text("x")), ("b", text("y"))]),
    ]));
    let same = encode(list(vec![
        Value::DoubleValue(1.0),
        map(vec![("b", text("y")), ("a", text("x"))]),
    ]));
    let other = encode(list(vec![
        Value::IntValue(1),
        map(vec![("a", text("x")), ("c", text("y"))]),
    ]));
    let short = encode(list(vec![Value::IntValue(1)]));
    let left = AnyValue::decode(&left);
    assert_eq!(left.equals(AnyValue::decode(&same)), True);
    assert_eq!(left.equals(AnyValue::decode(&other)), False);
    assert_eq!(left.equals(AnyValue::decode(&short)), False);
    assert_eq!(AnyValue::decode(&short).equals(left), False);
    assert_eq!(left.equals(left.at(1)), False);
    assert_eq!(left.less(left), Error);
}

#[test]
fn large_maps_compare_and_count_without_quadratic_work() {
    let names: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
    let entries = |step: usize| {
        let entries = (0..names.len()).map(|index| names[index * step % names.len()].as_str());
        encode(map(entries.map(|name| (name, text(name))).collect()))
    };
    let (left, right) = (entries(1), entries(7));
    let (left, right) = (AnyValue::decode(&left), AnyValue::decode(&right));
    assert_eq!(left.size(), Some(100_000));
    assert_eq!(left.equals(right), True);
}

#[test]
fn membership_and_look_ups() {
    let values = encode(list(vec![Value::IntValue(1), text("a")]));
    let entries = encode(map(vec![("a", Value::IntValue(1)), ("n", list(vec![]))]));
    let (values, entries) = (AnyValue::decode(&values), AnyValue::decode(&entries));
    assert_eq!(AnyValue::from(1.0).contained_in(values), True);
    assert_eq!(AnyValue::from("b").contained_in(values), False);
    assert_eq!(AnyValue::from("a").contained_in(entries), True);
    assert_eq!(AnyValue::from(1).contained_in(entries), False);
    assert_eq!(AnyValue::from(1.5).contained_in(entries), False);
    let never_keys = [values, entries, AnyValue::Null, AnyValue::Bytes(b"a")];
    assert_eq!(never_keys.map(|one| one.contained_in(entries)), [Error; 4]);
    assert_eq!(AnyValue::from("a").contained_in("abc"), Error);
    assert_eq!(AnyValue::from(2).is_one_of([1, 2]), True);
    assert_eq!(AnyValue::from("b").is_one_of(["a", "c"]), False);
    assert_eq!(
        (entries.has("a"), entries.has("x"), values.has("a")),
        (True, False, Error)
    );
    assert!(values.at(1).is_text("a") && !values.at(2).is_present() && !values.at(-1).is_present());
    assert!(!entries.at(0).is_present() && !values.get("a").is_present());
    assert_eq!(entries.get("n").size(), Some(0));
}

#[test]
fn attributes_of_a_message_are_a_map() {
    let message = [0x78, 1, 0x32, 3, 0x0a, 1, b'k', 0x32, 3, 0x0a, 1, b'm'];
    let map = Map::from(Attributes::new(Fields::new(&message), 6));
    assert_eq!(map.size(), 2);
    assert_eq!(AnyValue::from("m").contained_in(map), True);
    assert!(map.get("k").is_null());
}

#[test]
fn text_functions() {
    let value = AnyValue::from("größe 😀");
    assert_eq!(value.size(), Some(7));
    assert_eq!(AnyValue::from("e\u{301}").size(), Some(2));
    assert_eq!(value.starts_with("grö"), True);
    assert_eq!(value.ends_with("grö"), False);
    assert_eq!(value.contains_text("öß"), True);
    assert_eq!(value.contains_text(""), True);
    assert_eq!(value.matches(&Regex::new("^g.*e").unwrap()), True);
    assert_eq!(AnyValue::from(1).starts_with("1"), Error);
    assert_eq!(AnyValue::from(&[0xc3, 0xa9][..]).size(), Some(2));
}

#[test]
fn defaults_replace_what_is_missing_or_of_another_kind() {
    assert_eq!(AnyValue::Missing.text_or("d"), "d");
    assert_eq!(AnyValue::from(1).text_or("d"), "d");
    assert_eq!(AnyValue::from("a").text_or("d"), "a");
    assert_eq!(AnyValue::from("a").int_or(3), 3);
    assert_eq!(AnyValue::from(4).int_or(3), 4);
    assert_eq!(AnyValue::Null.double_or(0.5), 0.5);
    assert!(AnyValue::Missing.bool_or(true));
    assert!(AnyValue::Missing.or("d").is_text("d"));
    assert!(AnyValue::Null.or("d").is_null());
}

#[test]
fn text_orders_and_prints() {
    assert!(Text::from("a") < Text::from("b"));
    assert_eq!(
        format!("{} {:?}", Text::from("ä"), Text::from("ä")),
        "ä \"ä\""
    );
}
