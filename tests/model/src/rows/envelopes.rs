//! Envelopes: what stands around records, in another order, twice, or not at all.

use super::Case;
use super::wire::{Schema, attribute, field, tag, varint};

/// Requests with unusual envelopes.
pub(super) fn cases(schema: Schema) -> Vec<Case> {
    [groups(schema), scopes(schema), requests(schema)].concat()
}

/// What stands in a resource group.
fn groups(schema: Schema) -> Vec<Case> {
    let resource = field(1, &field(1, &attribute("team", "b")));
    let (first, second) = (schema.scope(1), schema.scope(3));
    let url = field(3, b"ab");
    let unknown = varint(900, 1);
    let group = |fields: &[&[u8]]| [field(1, &fields.concat()), schema.group(11)].concat();
    vec![
        (
            "a resource behind its scopes",
            group(&[&first, &second, &resource]),
            true,
        ),
        (
            "a resource between its scopes",
            group(&[&first, &resource, &second]),
            true,
        ),
        (
            "a schema before the resource",
            group(&[&url, &first, &resource]),
            true,
        ),
        ("no resource", group(&[&first]), true),
        ("an empty resource", group(&[&field(1, &[]), &first]), true),
        ("no scopes", group(&[&resource]), true),
        ("an empty group", group(&[]), true),
        (
            "unknown fields between scopes",
            group(&[&unknown, &first, &unknown, &second, &resource, &unknown]),
            true,
        ),
        (
            "a resource twice",
            group(&[&resource, &first, &resource]),
            false,
        ),
        ("a schema twice", group(&[&url, &first, &url]), false),
    ]
}

/// What stands in a scope group.
fn scopes(schema: Schema) -> Vec<Case> {
    let scope = field(1, &field(1, b"b"));
    let records = [schema.record(1, &[], &[]), schema.record(2, &[], &[])];
    let [first, second] = &records;
    let unknown = field(900, b"\xff");
    let group = |fields: &[&[u8]]| {
        let resource = field(1, &field(1, &attribute("team", "b")));
        let group = [resource, field(2, &fields.concat())].concat();
        [field(1, &group), schema.group(11)].concat()
    };
    vec![
        (
            "a scope behind its records",
            group(&[first, second, &scope]),
            true,
        ),
        (
            "a scope between its records",
            group(&[first, &scope, second]),
            true,
        ),
        ("no scope", group(&[first]), true),
        ("no records", group(&[&scope]), true),
        ("an empty scope group", group(&[]), true),
        (
            "unknown fields between records",
            group(&[&unknown, first, &unknown, &scope, second, &unknown]),
            true,
        ),
        ("a scope twice", group(&[&scope, first, &scope]), false),
        (
            "a name of a scope twice",
            group(&[&field(1, &field(1, b"a").repeat(2)), first]),
            false,
        ),
    ]
}

/// What stands in a request.
fn requests(schema: Schema) -> Vec<Case> {
    let (first, second) = (schema.group(1), schema.group(3));
    let group = [tag(900, 3), tag(900, 4)].concat();
    let cut = first.split_last().map_or(&[][..], |(_, rest)| rest);
    let padded = [
        &[0x0a, first[1] | 0x80, 0x80, 0x80, 0][..],
        first.get(2..).unwrap_or_default(),
    ];
    vec![
        ("an empty request", Vec::new(), true),
        (
            "unknown fields between groups",
            [&varint(900, 1), &first[..], &field(900, b"\xff"), &second].concat(),
            true,
        ),
        (
            "a padded length of a group",
            [padded.concat(), second.clone()].concat(),
            true,
        ),
        (
            "a group of protobuf",
            [first.clone(), group].concat(),
            false,
        ),
        ("a cut request", [&second[..], cut].concat(), false),
        (
            "a resource group with the wrong wire type",
            [varint(1, 1), second].concat(),
            false,
        ),
    ]
}
