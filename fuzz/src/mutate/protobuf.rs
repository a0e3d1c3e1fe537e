//! Changes to the fields of a message, whose lengths stay right.
//!
//! In: a byte and a message. Out: the same with one change somewhere in the tree of its fields. What a field means is
//! not known: a payload that can be read as fields is taken for a message.

use fastrand::Rng;

/// The deepest message that is taken apart.
const MAX_DEPTH: usize = 12;

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

/// A field of a message.
#[derive(Clone, Debug)]
struct Field {
    number: u64,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Varint(u64),
    Fixed64([u8; 8]),
    Fixed32([u8; 4]),
    Bytes(Vec<u8>),
    Message(Vec<Field>),
}

/// One change to the message behind the first byte of `input`; `other` gives a field.
pub(super) fn change(input: &[u8], other: &[u8], random: &mut Rng) -> Vec<u8> {
    let (first, message) = input.split_first().unwrap_or((&0, &[]));
    let other = other.get(1..).unwrap_or_default();
    let Some(mut fields) = read(message, 0) else {
        return super::bytes::change(input.to_vec(), &[], random);
    };
    let others = read(other, 0).unwrap_or_default();
    change_somewhere(&mut fields, &others, random);
    let mut output = vec![*first];
    write(&fields, random, &mut output);
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

/// The fields of a message; `None` when it is none.
fn read(mut message: &[u8], depth: usize) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let tag = varint(&mut message)?;
        let value = match tag & 7 {
            0 => Value::Varint(varint(&mut message)?),
            1 => Value::Fixed64(*take(&mut message, 8)?.first_chunk()?),
            5 => Value::Fixed32(*take(&mut message, 4)?.first_chunk()?),
            2 => {
                let length = usize::try_from(varint(&mut message)?).ok()?;
                let payload = take(&mut message, length)?;
                let is_text = payload.iter().all(u8::is_ascii_graphic);
                match read(payload, depth + 1).filter(|_| depth < MAX_DEPTH && !is_text) {
                    Some(fields) => Value::Message(fields),
                    None => Value::Bytes(payload.to_vec()),
                }
            }
            _ => return None,
        };
        fields.push(Field {
            number: tag >> 3,
            value,
        });
    }
    Some(fields)
}

fn take<'m>(message: &mut &'m [u8], length: usize) -> Option<&'m [u8]> {
    let (taken, rest) = message.split_at_checked(length)?;
    *message = rest;
    Some(taken)
}

fn varint(message: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = message.split_first()?;
        *message = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn write(fields: &[Field], random: &mut Rng, output: &mut Vec<u8>) {
    for Field { number, value } in fields {
        let wire_type = match value {
            Value::Varint(_) => 0,
            Value::Fixed64(_) => 1,
            Value::Bytes(_) | Value::Message(_) => 2,
            Value::Fixed32(_) => 5,
        };
        write_varint(number << 3 | wire_type, 0, output);
        match value {
            Value::Varint(value) => write_varint(*value, 0, output),
            Value::Fixed64(bytes) => output.extend_from_slice(bytes),
            Value::Fixed32(bytes) => output.extend_from_slice(bytes),
            Value::Bytes(bytes) => write_payload(bytes, random, output),
            Value::Message(fields) => {
                let mut payload = Vec::new();
                write(fields, random, &mut payload);
                write_payload(&payload, random, output);
            }
        }
    }
}

/// A length is now and then longer than it needs to be, which is allowed.
fn write_payload(payload: &[u8], random: &mut Rng, output: &mut Vec<u8>) {
    let padding = if random.u8(..64) == 0 {
        random.usize(1..3)
    } else {
        0
    };
    write_varint(payload.len() as u64, padding, output);
    output.extend_from_slice(payload);
}

fn write_varint(mut value: u64, mut padding: usize, output: &mut Vec<u8>) {
    loop {
        let byte = value as u8 & 0x7f;
        value >>= 7;
        if value == 0 && padding == 0 {
            output.push(byte);
            return;
        }
        if value == 0 {
            padding -= 1;
        }
        output.push(byte | 0x80);
    }
}
