//! Changes to the fields of a message, whose lengths stay right.
//!
//! In: some bytes and a message. Out: the same with one change somewhere in the tree of its fields. What a field means is
//! not known: a payload that can be read as fields is taken for a message.

use fastrand::Rng;
use watershed_model::fields::{Field, Value, read, write};

/// The deepest nesting that is made at once: more than a reader allows.
const MAX_NESTING: usize = 110;

/// Numbers at the ends of ranges.
const EXTREMES: &[u64] = &[
    0,
    1,
    0x7f,
    0x80,
    0x3fff,
    0x4000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// One change to `input`, mostly to the message behind the first `head` bytes; `other` gives a field.
pub(super) fn change(input: &[u8], other: &[u8], head: usize, random: &mut Rng) -> Vec<u8> {
    let (first, message) = input.split_at(head.min(input.len()));
    let other = other.get(head..).unwrap_or_default();
    let mut output = first.to_vec();
    if head > 1 && random.u8(..4) == 0 {
        output.fill_with(|| random.u8(..));
        output.extend_from_slice(message);
        return output;
    }
    let Some(mut fields) = read(message) else {
        return super::bytes::change(input.to_vec(), &[], random);
    };
    let others = read(other).unwrap_or_default();
    change_somewhere(&mut fields, &others, random);
    // A length or a number is now and then longer than it needs to be, which is allowed.
    let mut padding = || match random.u8(..64) {
        0 => random.usize(1..3),
        _ => 0,
    };
    write(&fields, &mut padding, &mut output);
    output
}

/// Goes down the tree by chance, and changes one list of fields.
fn change_somewhere(fields: &mut Vec<Field>, others: &[Field], random: &mut Rng) {
    let inner = random.usize(..=fields.len());
    let others_inside = random.choice(others).and_then(|field| match &field.value {
        Value::Message(inner) => Some(inner.as_slice()),
        _ => None,
    });
    match fields.get_mut(inner) {
        Some(Field {
            value: Value::Message(inner),
            ..
        }) if random.u8(..8) > 0 => {
            change_somewhere(inner, others_inside.unwrap_or(others), random);
        }
        _ => change_here(fields, others, random),
    }
}

fn change_here(fields: &mut Vec<Field>, others: &[Field], random: &mut Rng) {
    let at = random.usize(..=fields.len());
    let Some(field) = fields.get(at).cloned() else {
        fields.push(
            random
                .choice(others)
                .cloned()
                .unwrap_or_else(|| any_field(random)),
        );
        return;
    };
    match random.u8(..9) {
        0 => drop(fields.remove(at)),
        1 => fields.insert(at, field),
        2 => fields.insert(at, any_field(random)),
        3 => fields.insert(at, random.choice(others).cloned().unwrap_or(field)),
        4 => {
            let to = random.usize(..fields.len());
            fields.swap(at, to);
        }
        5 => replace(
            fields,
            at,
            Field {
                number: number(random),
                ..field
            },
        ),
        6 => replace(
            fields,
            at,
            Field {
                value: any_field(random).value,
                ..field
            },
        ),
        7 => {
            let depth = random.usize(1..=MAX_NESTING);
            let nested = (0..depth).fold(field.value, |value, level| {
                // A list within a value within a list, as an attribute has them.
                let number = if level % 2 == 0 { 1 } else { 5 };
                Value::Message(vec![Field { number, value }])
            });
            replace(
                fields,
                at,
                Field {
                    value: nested,
                    ..field
                },
            );
        }
        _ => replace(
            fields,
            at,
            Field {
                value: changed(field.value, random),
                ..field
            },
        ),
    }
}

fn replace(fields: &mut [Field], at: usize, field: Field) {
    if let Some(place) = fields.get_mut(at) {
        *place = field;
    }
}

/// Mostly numbers that messages use.
fn number(random: &mut Rng) -> u64 {
    if random.u8(..8) == 0 {
        1 << random.u8(..30)
    } else {
        random.u64(..20)
    }
}

fn any_field(random: &mut Rng) -> Field {
    let extreme = random.choice(EXTREMES).copied().unwrap_or_default();
    let value = match random.u8(..5) {
        0 => Value::Varint(extreme),
        1 => Value::Fixed64(extreme.to_le_bytes()),
        2 => Value::Fixed32([random.u8(..); 4]),
        3 => Value::Bytes(vec![random.u8(..); random.usize(..18)]),
        _ => Value::Message(Vec::new()),
    };
    Field {
        number: number(random),
        value,
    }
}

/// Another value of the same type.
fn changed(value: Value, random: &mut Rng) -> Value {
    let extreme = random.choice(EXTREMES).copied().unwrap_or_default();
    match value {
        Value::Varint(_) => Value::Varint(extreme),
        Value::Fixed64(_) => Value::Fixed64(extreme.to_le_bytes()),
        Value::Fixed32(bytes) => Value::Fixed32(bytes.map(|byte| byte.wrapping_add(random.u8(..)))),
        Value::Bytes(bytes) => Value::Bytes(super::bytes::change(bytes, &[], random)),
        Value::Message(fields) => Value::Message([fields.clone(), fields].concat()),
    }
}
