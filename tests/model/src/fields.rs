//! A message as a tree of its fields, whatever its schema: read, changed and written again with lengths that are right.

/// The deepest message that is taken apart.
const MAX_DEPTH: usize = 12;

/// The most bytes of a varint.
const LONGEST_VARINT: usize = 10;

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its number.
    pub number: u64,
    /// What it holds.
    pub value: Value,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Wire type 0.
    Varint(u64),
    /// Wire type 1.
    Fixed64([u8; 8]),
    /// Wire type 5.
    Fixed32([u8; 4]),
    /// Wire type 2, not taken apart.
    Bytes(Vec<u8>),
    /// Wire type 2, taken apart.
    Message(Vec<Field>),
}

impl Field {
    /// A field of any kind.
    pub const fn new(number: u64, value: Value) -> Self {
        Self { number, value }
    }
}

/// The fields of a message; `None` when it is none. A payload that can be read as fields is taken for a message, unless
/// it is empty or plain text.
pub fn read(message: &[u8]) -> Option<Vec<Field>> {
    read_level(message, 0)
}

fn read_level(mut message: &[u8], depth: usize) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let tag = read_varint(&mut message)?;
        let value = match tag & 7 {
            0 => Value::Varint(read_varint(&mut message)?),
            1 => Value::Fixed64(*take(&mut message, 8)?.first_chunk()?),
            5 => Value::Fixed32(*take(&mut message, 4)?.first_chunk()?),
            2 => {
                let length = usize::try_from(read_varint(&mut message)?).ok()?;
                let payload = take(&mut message, length)?;
                let is_text = payload.iter().all(u8::is_ascii_graphic);
                match read_level(payload, depth + 1).filter(|_| depth < MAX_DEPTH && !is_text) {
                    Some(fields) => Value::Message(fields),
                    None => Value::Bytes(payload.to_vec()),
                }
            }
            _ => return None,
        };
        fields.push(Field::new(tag >> 3, value));
    }
    Some(fields)
}

fn take<'m>(message: &mut &'m [u8], length: usize) -> Option<&'m [u8]> {
    let (taken, rest) = message.split_at_checked(length)?;
    *message = rest;
    Some(taken)
}

fn read_varint(message: &mut &[u8]) -> Option<u64> {
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

/// Writes the fields. Lengths and numbers may be longer than they need to be: `padding` says by how many bytes.
pub fn write(fields: &[Field], padding: &mut dyn FnMut() -> usize, output: &mut Vec<u8>) {
    for Field { number, value } in fields {
        let wire_type = match value {
            Value::Varint(_) => 0,
            Value::Fixed64(_) => 1,
            Value::Bytes(_) | Value::Message(_) => 2,
            Value::Fixed32(_) => 5,
        };
        write_varint(number << 3 | wire_type, 0, output);
        match value {
            Value::Varint(value) => write_varint(*value, padding(), output),
            Value::Fixed64(bytes) => output.extend_from_slice(bytes),
            Value::Fixed32(bytes) => output.extend_from_slice(bytes),
            Value::Bytes(bytes) => write_payload(bytes, padding(), output),
            Value::Message(fields) => {
                let mut payload = Vec::new();
                write(fields, padding, &mut payload);
                write_payload(&payload, padding(), output);
            }
        }
    }
}

fn write_payload(payload: &[u8], padding: usize, output: &mut Vec<u8>) {
    write_varint(payload.len() as u64, padding, output);
    output.extend_from_slice(payload);
}

/// Writes a varint with up to `padding` bytes more than it needs, as far as they are allowed.
pub fn write_varint(mut value: u64, padding: usize, output: &mut Vec<u8>) {
    let start = output.len();
    while value > 0x7f {
        output.push(value as u8 | 0x80);
        value >>= 7;
    }
    let room = LONGEST_VARINT - 1 - (output.len() - start);
    let padding = padding.min(room);
    if padding == 0 {
        output.push(value as u8);
        return;
    }
    output.push(value as u8 | 0x80);
    output.extend(std::iter::repeat_n(0x80, padding - 1));
    output.push(0);
}
