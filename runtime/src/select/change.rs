//! Changes of one message: fields and attributes that get another value or go.
//!
//! In: a message as it was sent and, from generated code, what is set and removed. Out: which ranges of the
//! message go, and the new bytes that stand in their places. Whatever is not named stays as it was sent, byte
//! for byte: the order of fields, fields that no schema knows, padded lengths.
//!
//! A new value stands where the first occurrence of what it replaces stood, else behind everything else.

use std::ops::Range;

use smallvec::SmallVec;

use super::arena::Arena;
use crate::otlp::{Fields, varint_length, write_varint};
use crate::value::{AnyValue, Attribute, Text};

/// What is set and removed in one message.
///
/// Each attribute and each field is named once at most: where a flow changes one twice, the last change counts.
#[derive(Debug)]
pub struct Changes<'c> {
    arena: &'c mut Arena,
    edits: &'c mut Edits,
    /// The number of the field that holds attributes; 0 where there is none.
    attributes: u32,
    /// The message, for changes inside of one of its fields.
    message: &'c [u8],
}

/// One attribute or field that changes.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    number: u32,
    /// The key, when it is an attribute.
    key: Option<&'static str>,
    /// The field with its new value; empty when it is removed.
    new: Range<u32>,
    /// Whether the new value has its place.
    placed: bool,
}

/// The edits of one message; few, so they need no allocation.
pub(super) type Edits = SmallVec<[Edit; 4]>;

/// What the edits of one message come to, in order.
pub(super) type Cuts = SmallVec<[Cut; 4]>;

/// A range of the source that goes, and what stands in its place.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) source: Range<u32>,
    pub(super) new: Range<u32>,
}

impl<'c> Changes<'c> {
    pub(super) fn new(
        arena: &'c mut Arena,
        edits: &'c mut Edits,
        attributes: u32,
        message: &'c [u8],
    ) -> Self {
        Self {
            arena,
            edits,
            attributes,
            message,
        }
    }

    /// Sets an attribute: every occurrence of its key is replaced by one.
    pub fn set_attribute<'v>(&mut self, key: &'static str, value: impl Into<AnyValue<'v>>) {
        let (number, value) = (self.attributes, value.into());
        let length = any_value_length(value);
        let key_value = field_length(key.len()) + field_length(length);
        let new = self.arena.write(key_value + 2 * HEAD, |out| {
            write_head(number, key_value, out);
            write_head(1, key.len(), out);
            out.extend_from_slice(key.as_bytes());
            write_head(2, length, out);
            write_any_value(value, out);
        });
        self.edit(number, Some(key), new);
    }

    /// Removes every occurrence of an attribute.
    pub fn remove_attribute(&mut self, key: &'static str) {
        self.edit(self.attributes, Some(key), 0..0);
    }

    /// Removes a field, which is then read as its default.
    pub fn remove(&mut self, number: u32) {
        self.edit(number, None, 0..0);
    }

    /// Sets a `string` field.
    pub fn set_text<'v>(&mut self, number: u32, value: impl Into<Text<'v>>) {
        let text = value.into().as_bytes();
        let new = self.arena.write(text.len() + HEAD, |out| {
            write_head(number, text.len(), out);
            out.extend_from_slice(text);
        });
        self.edit(number, None, new);
    }

    /// Sets an enumeration; the upper half of `value` is cut off, as protobuf says.
    pub fn set_enumeration(&mut self, number: u32, value: i64) {
        self.varint(number, i64::from(value as i32).cast_unsigned());
    }

    /// Sets a `uint32`; the upper half of `value` is cut off, as protobuf says.
    pub fn set_unsigned(&mut self, number: u32, value: u64) {
        self.varint(number, value & u64::from(u32::MAX));
    }

    /// Sets a `fixed32`; the upper half of `value` is cut off.
    pub fn set_fixed32(&mut self, number: u32, value: u64) {
        let new = self.arena.write(HEAD, |out| {
            write_varint(u64::from(number << 3 | 5), out);
            out.extend_from_slice(&(value as u32).to_le_bytes());
        });
        self.edit(number, None, new);
    }

    /// Sets a `fixed64`.
    pub fn set_fixed64(&mut self, number: u32, value: u64) {
        let new = self.arena.write(HEAD + 8, |out| {
            write_varint(u64::from(number << 3 | 1), out);
            out.extend_from_slice(&value.to_le_bytes());
        });
        self.edit(number, None, new);
    }

    /// Sets a field that is an `AnyValue`.
    pub fn set_any<'v>(&mut self, number: u32, value: impl Into<AnyValue<'v>>) {
        let value = value.into();
        let length = any_value_length(value);
        let new = self.arena.write(length + HEAD, |out| {
            write_head(number, length, out);
            write_any_value(value, out);
        });
        self.edit(number, None, new);
    }

    /// Changes fields of the message that field `number` is; without one, of an empty message.
    pub fn inside(&mut self, number: u32, change: impl FnOnce(&mut Changes<'_>)) {
        let found = Fields::new(self.message).first(number);
        let message = found.map(|field| field.bytes()).unwrap_or_default();
        let mut edits = Edits::new();
        let mut inner = Changes::new(self.arena, &mut edits, 0, message);
        change(&mut inner);
        if let Some(new) = rewrite(number, message, self.arena, &mut edits) {
            self.edit(number, None, new);
        }
    }

    fn varint(&mut self, number: u32, value: u64) {
        let new = self.arena.write(HEAD + 10, |out| {
            write_varint(u64::from(number << 3), out);
            write_varint(value, out);
        });
        self.edit(number, None, new);
    }

    fn edit(&mut self, number: u32, key: Option<&'static str>, new: Range<u32>) {
        self.edits.push(Edit {
            number,
            key,
            new,
            placed: false,
        });
    }
}

impl Edit {
    /// The number of the field that changes.
    pub(super) fn number(&self) -> u32 {
        self.number
    }
}

/// The ranges of the message at `from..to` of `data` that `edits` replace, in order. What replaces nothing stands
/// behind the last field.
pub(super) fn cuts(data: &[u8], from: u32, to: u32, edits: &mut [Edit]) -> Cuts {
    let mut cuts = Cuts::new();
    for field in Fields::within(data, from as usize, to as usize) {
        let number = field.number();
        let Some(edit) = edits.iter_mut().find(|edit| {
            edit.number == number
                && edit
                    .key
                    .is_none_or(|key| Attribute::new(field.bytes()).key() == key.as_bytes())
        }) else {
            continue;
        };
        let new = if edit.placed { 0..0 } else { edit.new.clone() };
        edit.placed = true;
        cuts.push(Cut {
            source: field.start() as u32..field.end() as u32,
            new,
        });
    }
    for edit in edits
        .iter()
        .filter(|edit| !edit.placed && !edit.new.is_empty())
    {
        cuts.push(Cut {
            source: to..to,
            new: edit.new.clone(),
        });
    }
    cuts
}

/// Writes `message` with its changes as field `number`; the range of the whole field, or `None` when they change
/// nothing.
pub(super) fn rewrite(
    number: u32,
    message: &[u8],
    arena: &mut Arena,
    edits: &mut [Edit],
) -> Option<Range<u32>> {
    let list = cuts(message, 0, message.len() as u32, edits);
    if list.is_empty() {
        return None;
    }
    let length = changed_length(message.len() as u32, &list);
    let head = arena.write(length as usize + HEAD, |out| {
        write_head(number, length as usize, out)
    });
    let mut at = 0;
    for cut in list {
        copy(message, at..cut.source.start, arena);
        arena.repeat(cut.new);
        at = cut.source.end;
    }
    copy(message, at..message.len() as u32, arena);
    Some(arena.since(head.start))
}

fn copy(message: &[u8], range: Range<u32>, arena: &mut Arena) {
    let bytes = message.get(range.start as usize..range.end as usize);
    let bytes = bytes.unwrap_or_default();
    arena.write(bytes.len(), |out| out.extend_from_slice(bytes));
}

/// The length of a message of `length` bytes with `cuts`.
pub(super) fn changed_length(length: u32, cuts: &[Cut]) -> u32 {
    let removed: u32 = cuts
        .iter()
        .map(|cut| cut.source.end - cut.source.start)
        .sum();
    let added: u32 = cuts.iter().map(|cut| cut.new.end - cut.new.start).sum();
    length - removed + added
}

/// The most bytes of a tag and a length; the numbers of fields that are written are small.
const HEAD: usize = 8;

/// Writes the tag of a length-delimited field and its length.
fn write_head(number: u32, length: usize, out: &mut Vec<u8>) {
    write_varint(u64::from(number << 3 | 2), out);
    write_varint(length as u64, out);
}

/// The length of a length-delimited field with a number below 16.
fn field_length(length: usize) -> usize {
    1 + varint_length(length as u64) + length
}

/// The length of an encoded `AnyValue`.
fn any_value_length(value: AnyValue<'_>) -> usize {
    match value {
        AnyValue::Text(text) => field_length(text.as_bytes().len()),
        AnyValue::Bytes(bytes) => field_length(bytes.len()),
        AnyValue::Bool(_) => 2,
        AnyValue::Int(value) => 1 + varint_length(value.cast_unsigned()),
        AnyValue::Uint(value) => 1 + varint_length(value),
        AnyValue::Double(_) => 9,
        AnyValue::Missing | AnyValue::Null | AnyValue::List(_) | AnyValue::Map(_) => 0,
    }
}

/// Writes an `AnyValue`. The compiler lets flows set scalars only; anything else is written as null.
fn write_any_value(value: AnyValue<'_>, out: &mut Vec<u8>) {
    match value {
        AnyValue::Text(text) => {
            write_head(1, text.as_bytes().len(), out);
            out.extend_from_slice(text.as_bytes());
        }
        AnyValue::Bytes(bytes) => {
            write_head(7, bytes.len(), out);
            out.extend_from_slice(bytes);
        }
        AnyValue::Bool(value) => out.extend_from_slice(&[2 << 3, value.into()]),
        AnyValue::Int(value) => write_number(value.cast_unsigned(), out),
        AnyValue::Uint(value) => write_number(value, out),
        AnyValue::Double(value) => {
            out.push(4 << 3 | 1);
            out.extend_from_slice(&value.to_le_bytes());
        }
        AnyValue::Missing | AnyValue::Null | AnyValue::List(_) | AnyValue::Map(_) => {}
    }
}

/// Writes an `int_value`.
fn write_number(value: u64, out: &mut Vec<u8>) {
    out.push(3 << 3);
    write_varint(value, out);
}
