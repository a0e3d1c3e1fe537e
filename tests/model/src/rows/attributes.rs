//! Attributes: keys, values and what stands between them.

use super::Case;
use super::wire::{field, fixed, tag, varint};

/// The key of every attribute here.
const KEY: &[u8] = b"\x0a\x04team";

/// Unusual attributes.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = keys();
    let values = texts_and_numbers().into_iter().chain(collections());
    cases.extend(values.map(|(name, value, accepted)| {
        let attribute = [KEY, &field(2, &value)].concat();
        (name, attribute, accepted)
    }));
    cases
}

fn keys() -> Vec<Case> {
    let a = field(2, &field(1, b"a"));
    let group = [tag(900, 3), varint(1, 1), tag(900, 4)].concat();
    vec![
        ("a value before its key", [&a, KEY].concat(), true),
        ("no value", KEY.to_vec(), true),
        ("no key", a.clone(), true),
        ("neither key nor value", Vec::new(), true),
        ("an empty value", [KEY, &field(2, &[])].concat(), true),
        ("a key twice", [KEY, KEY, &a].concat(), false),
        ("a value twice", [KEY, &a, &a].concat(), false),
        (
            "an unknown field before the key",
            [&varint(900, 7), KEY, &a].concat(),
            true,
        ),
        (
            "a padded length of a key",
            [b"\x0a\x84\x80\x80\x00team", &a[..]].concat(),
            true,
        ),
        (
            "an over-long tag",
            [b"\x8a\x00\x04team", &a[..]].concat(),
            false,
        ),
        (
            "a length past the end",
            [KEY, &[0x12, 0x7f, 0x0a]].concat(),
            false,
        ),
        (
            "a length of 64 bits",
            [KEY, &[0x12], &[0xff; 9][..], &[1]].concat(),
            false,
        ),
        ("a cut tag", [KEY, &[0x80]].concat(), false),
        (
            "a key that is not UTF-8",
            [&field(1, b"te\xffm"), &a[..]].concat(),
            false,
        ),
        (
            "a key with the wrong wire type",
            [&varint(1, 4), &a[..]].concat(),
            false,
        ),
        ("an unknown group", [KEY, &group, &a].concat(), false),
        (
            "a value that is a group",
            [KEY, &tag(2, 3), &tag(2, 4)].concat(),
            false,
        ),
        ("an end of no group", [KEY, &tag(2, 4)].concat(), false),
        (
            "a field with the number zero",
            [KEY, &[0x02, 0], &a].concat(),
            false,
        ),
    ]
}

fn texts_and_numbers() -> Vec<Case> {
    let text = field(1, b"a");
    let long = |number: u64, first: u8, last: u8| {
        let value = [&[first][..], &[0x80; 8], &[last]].concat();
        [tag(number, 0), value].concat()
    };
    vec![
        (
            "two members of a value",
            [text.clone(), varint(3, 1)].concat(),
            false,
        ),
        (
            "one member twice",
            [text.clone(), text.clone()].concat(),
            false,
        ),
        (
            "an unknown field before the member",
            [varint(900, 1), text.clone()].concat(),
            true,
        ),
        (
            "an unknown field behind the member",
            [text, fixed(900, 1)].concat(),
            true,
        ),
        ("an empty text", field(1, b""), true),
        ("a text that is not UTF-8", field(1, b"\xc3("), false),
        ("bytes that are not UTF-8", field(7, b"\xc3("), true),
        ("a negative number", varint(3, u64::MAX), true),
        ("an over-long number", long(3, 0x85, 0), true),
        ("an over-long boolean", long(2, 0x81, 0), true),
        ("a number of more than 64 bits", long(3, 0x85, 2), false),
        (
            "a number of eleven bytes",
            [tag(3, 0), [0x80; 10].to_vec(), vec![0]].concat(),
            false,
        ),
        ("a boolean that is two", varint(2, 2), true),
        ("a double", fixed(4, 2.5_f64.to_bits()), true),
        ("a text with the wrong wire type", varint(1, 5), false),
        ("a number with the wrong wire type", fixed(3, 5), false),
    ]
}

fn collections() -> Vec<Case> {
    let entry = |value: &[u8]| field(1, &[KEY, &field(2, &field(1, value))].concat());
    vec![
        ("an empty list", field(5, &[]), true),
        ("an empty map", field(6, &[]), true),
        ("lists in lists", nested(40), true),
        ("lists that are nested too deep", nested(60), false),
        (
            "a map with a key twice",
            field(6, &[entry(b"a"), entry(b"b")].concat()),
            true,
        ),
        (
            "a value of two members in a list",
            field(5, &field(1, &[varint(2, 1), varint(3, 1)].concat())),
            false,
        ),
    ]
}

/// A number in so many lists.
fn nested(lists: usize) -> Vec<u8> {
    (0..lists).fold(varint(3, 1), |value, _| field(5, &field(1, &value)))
}
