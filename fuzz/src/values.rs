//! The texts that expressions and configuration read at run time: any text in, a value or an error out.
//!
//! What is written reads back as the same value. What the compiler knows of a literal is what the run finds. The
//! input is a text and, behind a line end, another one for functions of two.

use watershed::cel::{
    Cidr, Duration, Ip, List, Map, Optional, Timestamp, Value, Zone, convert, dynamic, encoders,
    format, number, strings,
};
use watershed::config::{ConfigReader, ConfigValues};
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::{Environment, Mode, check};
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

use crate::constants;

/// Functions of one text, which the compiler may know the value of.
const OF_ONE: &[&str] = &[
    "int",
    "uint",
    "double",
    "bool",
    "bytes",
    "duration",
    "timestamp",
    "size",
];

/// Reads `input` as everything that it could be.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    let input = String::from_utf8_lossy(input);
    let (text, other) = input.split_once('\n').unwrap_or((&input, ""));
    moments(text, other);
    numbers(text);
    networks(text, other);
    encodings(text, input.as_bytes());
    positions(text, other);
    keys(text, other);
    templates(text, other);
    configuration(text);
    literals(text);
}

/// A text that is quoted is the literal of that text, and what the compiler makes of it is what the run does.
fn literals(text: &str) {
    let quoted = strings::quote(text);
    for function in OF_ONE {
        let call = format!("{function}({quoted})");
        let mut diagnostics = Diagnostics::new();
        let expression = parse_expression(FileId(0), &call, &mut diagnostics);
        let found = diagnostics.into_sorted();
        assert!(found.is_empty(), "{quoted} is no literal: {found:?}");
        let tree = check(&expression, &Environment::default(), Mode::Static).tree;
        let is_text = |constant: &Constant| *constant == Constant::String(text.to_owned());
        let mut known = tree.nodes().filter_map(|(_, node)| node.constant.as_ref());
        assert!(known.any(is_text), "{quoted} is another text");
        constants::check(&tree);
    }
}

fn moments(text: &str, zone: &str) {
    if let Ok(duration) = Duration::parse(text) {
        assert_eq!(Duration::parse(&duration.to_string()), Ok(duration));
    }
    let zone = Zone::parse(zone).unwrap_or(Zone::UTC);
    if let Ok(time) = Timestamp::parse(text) {
        assert_eq!(Timestamp::parse(&time.to_string()), Ok(time));
        assert!(
            (0..12).contains(&time.month(&zone)) && (0..31).contains(&time.day_of_month(&zone))
        );
        assert!(
            (0..366).contains(&time.day_of_year(&zone))
                && (0..7).contains(&time.day_of_week(&zone))
        );
        assert!((0..24).contains(&time.hours(&zone)) && (0..60).contains(&time.minutes(&zone)));
        assert_eq!(time.date(&zone), time.day_of_month(&zone) + 1);
        let since = time.since(Timestamp::UNIX_EPOCH);
        if let Ok(since) = since {
            assert_eq!(Timestamp::UNIX_EPOCH.plus(since), Ok(time));
        }
    }
}

fn numbers(text: &str) {
    if let Ok(value) = convert::int_from_string(text) {
        assert_eq!(convert::int_from_string(&value.to_string()), Ok(value));
    }
    if let Ok(value) = convert::uint_from_string(text) {
        assert_eq!(convert::uint_from_string(&value.to_string()), Ok(value));
    }
    if let Ok(value) = convert::double_from_string(text) {
        let read = convert::double_from_string(&number::shortest(value));
        let read = read.expect("what is written is read");
        assert!(
            read == value || read.is_nan() && value.is_nan(),
            "{value} and {read}"
        );
        let _ = (
            convert::int_from_double(value),
            convert::uint_from_double(value),
        );
    }
    let _ = convert::bool_from_string(text);
}

fn networks(text: &str, other: &str) {
    assert_eq!(Ip::is_valid(text), Ip::parse(text).is_ok());
    assert_eq!(Cidr::is_valid(text), Cidr::parse(text).is_ok());
    if let Ok(ip) = Ip::parse(text) {
        let written = ip.to_string();
        assert_eq!(Ip::parse(&written), Ok(ip));
        assert_eq!(
            Ip::is_canonical(text),
            Ok(written == text),
            "{text} and {written}"
        );
    }
    if let Ok(range) = Cidr::parse(text) {
        assert_eq!(Cidr::parse(&range.to_string()), Ok(range));
        assert!(range.contains_ip(range.ip()) && range.contains_cidr(range));
        assert!(range.masked().contains_cidr(range), "{range}");
        if let Ok(ip) = Ip::parse(other) {
            assert_eq!(range.contains_ip(ip), range.masked().contains_ip(ip));
        }
    }
}

fn encodings(text: &str, bytes: &[u8]) {
    let encoded = encoders::base64_encode(bytes);
    assert_eq!(encoders::base64_decode(&encoded).as_deref(), Ok(bytes));
    if let Ok(bytes) = encoders::base64_decode(text) {
        let encoded = encoders::base64_encode(&bytes);
        assert_eq!(encoded.trim_end_matches('='), text.trim_end_matches('='));
    }
    let quoted = strings::quote(text);
    assert!(quoted.starts_with('"') && quoted.ends_with('"') && quoted.len() >= text.len() + 2);
}

/// Positions count characters, whatever their length.
/// `has(m.key)` and `m[?"key"].hasValue()` are the same for every operand: the formatter writes one for the other.
fn keys(text: &str, key: &str) {
    let list = || Value::from(List::from(vec![Value::from(text), Value::from(key)]));
    let map = |known: &str| Map::new([(known.to_owned().into(), list())]).map(Value::from);
    let operands = [
        Ok(list()),
        map(text),
        map(key),
        Ok(text.into()),
        Ok(Value::Null),
    ];
    let check = |operand: &Value<'_>| {
        let found = dynamic::optional_index(operand, &key.into());
        let found = found.map(|found| found.has_value());
        assert_eq!(dynamic::has(operand, key), found, "{key:?} in {operand:?}");
    };
    for operand in operands.into_iter().flatten() {
        check(&operand);
        check(&Value::Optional(Optional::of(operand)));
    }
    check(&Value::Optional(Optional::none()));
}

fn positions(text: &str, other: &str) {
    let size = strings::size(text);
    let found = strings::index_of(text, other);
    assert_eq!(found >= 0, strings::contains(text, other));
    if found >= 0 {
        let end = found + strings::size(other);
        assert_eq!(strings::substring_between(text, found, end), Ok(other));
        assert!(strings::last_index_of(text, other) >= found);
    }
    for from in (-1..4).chain(size - 3..=size + 1) {
        let is_inside = (0..=size).contains(&from);
        assert_eq!(strings::char_at(text, from).is_ok(), is_inside);
        assert_eq!(strings::substring(text, from).is_ok(), is_inside);
        assert_eq!(strings::index_of_from(text, other, from).is_ok(), is_inside);
        let last = strings::last_index_of_from(text, other, from);
        assert_eq!(last.is_ok(), is_inside);
        assert!(
            last.is_ok_and(|last| last <= from) || !is_inside,
            "{last:?} behind {from}"
        );
    }
    let joined = strings::join(&strings::split(text, other), other);
    assert_eq!(joined.as_deref(), Ok(text), "split by {other:?}");
    for limit in [-1, 0, 1, 2] {
        let _ = strings::replace_limited(text, other, "\u{e4}", limit);
        let parts = strings::split_limited(text, other, limit);
        assert!(limit < 0 || parts.size() <= limit, "{parts:?}");
    }
    assert_eq!(strings::reverse(&strings::reverse(text)), text);
    assert_eq!(strings::trim(strings::trim(text)), strings::trim(text));
    assert_eq!(
        strings::lower_ascii(&strings::upper_ascii(text)),
        strings::lower_ascii(text)
    );
}

fn templates(text: &str, other: &str) {
    let nested = List::from(vec![Value::Null, Value::from(other)]);
    let arguments = [
        Value::from(other),
        Value::from(i64::MIN),
        Value::from(u64::MAX),
        Value::from(-0.5),
        Value::from(other.as_bytes()),
        Value::List(nested),
    ];
    for first in 0..arguments.len() {
        let arguments: List<'_> = arguments
            .iter()
            .cycle()
            .skip(first)
            .take(3)
            .cloned()
            .collect();
        let _ = format::format(text, &arguments);
    }
}

/// A wrong value is an error that names it, and never stops the program.
fn configuration(text: &str) {
    let mut values = ConfigValues::default();
    let names = [
        "string", "int", "double", "boolean", "duration", "bytes", "secret",
    ];
    for name in names {
        values.set(name, text);
    }
    let mut reader = ConfigReader::with_environment(values, |_| None);
    assert_eq!(reader.string("string", None), text);
    let int = reader.int("int", None);
    let _ = (
        reader.double("double", None),
        reader.boolean("boolean", None),
    );
    let _ = (
        reader.duration("duration", None),
        reader.bytes("bytes", None),
    );
    assert_eq!(reader.secret("secret").reveal(), text);
    let faults = reader
        .finish()
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert_eq!(
        faults.contains("a whole number"),
        text.parse::<i64>().is_err(),
        "{int}: {faults}"
    );
}
