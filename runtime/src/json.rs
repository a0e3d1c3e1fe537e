//! OTLP in its JSON form, written straight from validated protobuf.
//!
//! Input: the fields of an export request. Output: one JSON object without line ends, in the
//! mapping of the OTLP specification: lowerCamelCase keys, trace and span ids in hex, other bytes in
//! base64, 64-bit integers as strings, enumerations as numbers, no `null`. Structs are never built:
//! the tables in [`schema`] say what each field is. Fields that the schema does not know have no
//! name and are left out.
//!
//! The serde support of `opentelemetry-proto` is not used: it writes `null` for empty values and for
//! NaN, and would bring the whole SDK along.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use smallvec::SmallVec;

use crate::otlp::{Fields, RawField, WireType};
use crate::payload::Signal;

mod schema;

use schema::{Kind, Message, Property};

/// Appends the export request that `fields` stands at the start of, as one object.
pub(crate) fn write_request(output: &mut Vec<u8>, signal: Signal, fields: Fields<'_>) {
    let message = match signal {
        Signal::Logs => &schema::LOGS_REQUEST,
        Signal::Metrics => &schema::METRICS_REQUEST,
        Signal::Traces => &schema::TRACES_REQUEST,
    };
    write_message(output, message, fields);
}

/// Appends `text` as a JSON string.
pub(crate) fn write_string(output: &mut Vec<u8>, text: &[u8]) {
    output.push(b'"');
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| needs_escape(*byte)) {
        let (plain, escaped) = rest.split_at(at);
        output.extend_from_slice(plain);
        if let Some((byte, after)) = escaped.split_first() {
            write_escape(output, *byte);
            rest = after;
        }
    }
    output.extend_from_slice(rest);
    output.push(b'"');
}

fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn write_escape(output: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' => output.extend_from_slice(b"\\\""),
        b'\\' => output.extend_from_slice(b"\\\\"),
        b'\n' => output.extend_from_slice(b"\\n"),
        b'\r' => output.extend_from_slice(b"\\r"),
        b'\t' => output.extend_from_slice(b"\\t"),
        control => print(output, format_args!("\\u{control:04x}")),
    }
}

/// Depth is bounded by the validation, so recursion is safe.
fn write_message(output: &mut Vec<u8>, message: &Message, fields: Fields<'_>) {
    let fields: SmallVec<[RawField<'_>; 16]> = fields.collect();
    output.push(b'{');
    let mut first = true;
    for property in message.properties {
        let mut values = fields
            .iter()
            .filter(|field| field.number() == property.number)
            .peekable();
        if values.peek().is_none() && !property.required {
            continue;
        }
        separate(output, &mut first);
        write_string(output, property.name.as_bytes());
        output.push(b':');
        write_property(output, property, values);
    }
    output.push(b'}');
}

fn write_property<'a, 'f: 'a>(
    output: &mut Vec<u8>,
    property: &Property,
    mut values: impl Iterator<Item = &'a RawField<'f>>,
) {
    if !property.repeated {
        match values.next() {
            Some(value) => write_value(output, property.kind, value),
            // Only texts are required.
            None => write_string(output, b""),
        }
        return;
    }
    output.push(b'[');
    let mut first = true;
    for value in values {
        match (property.kind, value.wire_type()) {
            (Kind::Unsigned64 | Kind::FixedUnsigned64 | Kind::Double, WireType::Length) => {
                write_packed(output, property.kind, value.bytes(), &mut first);
            }
            (kind, _) => {
                separate(output, &mut first);
                write_value(output, kind, value);
            }
        }
    }
    output.push(b']');
}

fn separate(output: &mut Vec<u8>, first: &mut bool) {
    if !std::mem::replace(first, false) {
        output.push(b',');
    }
}

fn write_value(output: &mut Vec<u8>, kind: Kind, value: &RawField<'_>) {
    match kind {
        Kind::Text => write_string(output, value.bytes()),
        Kind::Bytes => write_quoted(output, &STANDARD.encode(value.bytes())),
        Kind::Identifier => write_hex(output, value.bytes()),
        Kind::Boolean => print(output, format_args!("{}", value.boolean())),
        Kind::Signed32 => print(output, format_args!("{}", value.enumeration())),
        Kind::Zigzag32 => print(output, format_args!("{}", value.zigzag32())),
        Kind::Unsigned32 => print(output, format_args!("{}", value.unsigned32())),
        Kind::Signed64 => print(output, format_args!("\"{}\"", value.int())),
        Kind::Unsigned64 | Kind::FixedUnsigned64 => {
            print(output, format_args!("\"{}\"", value.unsigned()));
        }
        Kind::Double => write_double(output, value.double()),
        Kind::Message(message) => write_message(output, message, value.message()),
    }
}

/// Numbers that were packed into one field.
fn write_packed(output: &mut Vec<u8>, kind: Kind, mut bytes: &[u8], first: &mut bool) {
    while !bytes.is_empty() {
        let Some((value, rest)) = split_number(kind, bytes) else {
            return;
        };
        separate(output, first);
        match kind {
            Kind::Double => write_double(output, f64::from_bits(value)),
            _ => print(output, format_args!("\"{value}\"")),
        }
        bytes = rest;
    }
}

fn split_number(kind: Kind, bytes: &[u8]) -> Option<(u64, &[u8])> {
    if !matches!(kind, Kind::Unsigned64) {
        let (number, rest) = bytes.split_first_chunk()?;
        return Some((u64::from_le_bytes(*number), rest));
    }
    let last = bytes.iter().position(|byte| byte & 0x80 == 0)?;
    let (varint, rest) = bytes.split_at_checked(last + 1)?;
    let value = varint
        .iter()
        .rev()
        .fold(0u64, |value, byte| (value << 7) | u64::from(byte & 0x7f));
    Some((value, rest))
}

/// JSON has no number for these three; protobuf's mapping gives them names.
fn write_double(output: &mut Vec<u8>, value: f64) {
    if value.is_nan() {
        write_quoted(output, "NaN");
    } else if value.is_infinite() {
        write_quoted(output, if value > 0.0 { "Infinity" } else { "-Infinity" });
    } else {
        print(output, format_args!("{value:?}"));
    }
}

fn write_quoted(output: &mut Vec<u8>, plain: &str) {
    output.push(b'"');
    output.extend_from_slice(plain.as_bytes());
    output.push(b'"');
}

fn write_hex(output: &mut Vec<u8>, bytes: &[u8]) {
    output.push(b'"');
    for byte in bytes {
        print(output, format_args!("{byte:02x}"));
    }
    output.push(b'"');
}

fn print(output: &mut Vec<u8>, arguments: std::fmt::Arguments<'_>) {
    // Writing to a vector cannot fail.
    let _infallible = output.write_fmt(arguments);
}

#[cfg(test)]
mod tests;
