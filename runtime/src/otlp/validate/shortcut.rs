//! Short ways through what nearly all requests hold: log records with plain attributes, and attributes with plain
//! values anywhere.
//!
//! A shortcut only ever says "this is canonical". Whatever it does not know, valid or not, goes the long
//! way through the tables, which find the fault and its offset. Depth is checked by the caller: a plain
//! value holds no further messages, and the attributes of records lie far above the limit.

use super::duplicates::Keys;
use crate::otlp::wire::varint;

/// The keys of an encoded log record in its canonical reading whose fields are all known, once each but the attributes,
/// and whose values are texts and numbers; `None` for any other.
#[inline(always)]
pub(super) fn log_record(record: &[u8]) -> Option<Keys> {
    let mut keys = Keys::default();
    let mut seen = 0;
    let mut at = 0;
    while let Some(tag) = record.get(at) {
        at = log_field(record, *tag, at + 1, &mut keys, &mut seen)?;
    }
    // The last field may have told more bytes than there are.
    (at == record.len()).then_some(keys)
}

/// The offset behind the field `tag` of a log record, whose payload begins at `at`, when it is canonical as far as the record
/// reaches.
#[inline(always)]
fn log_field(record: &[u8], tag: u8, at: usize, keys: &mut Keys, seen: &mut u32) -> Option<usize> {
    if tag == 0x32 {
        let (attribute, behind) = delimited(record, at)?;
        keys.add(key_of(attribute)?);
        return Some(behind);
    }
    let bit = 1_u32.wrapping_shl(u32::from(tag >> 3));
    if *seen & bit != 0 {
        return None;
    }
    *seen |= bit;
    match tag {
        0x09 | 0x59 => return Some(at + 8),
        0x10 | 0x38 => return Some(varint(record, at)?.1),
        0x45 => return Some(at + 4),
        _ => {}
    }
    let (payload, behind) = delimited(record, at)?;
    let is_canonical = match tag {
        0x2a => is_value(payload),
        0x1a | 0x62 => is_text(payload),
        0x4a => matches!(payload.len(), 0 | 16),
        0x52 => matches!(payload.len(), 0 | 8),
        _ => false,
    };
    is_canonical.then_some(behind)
}

/// The payload whose length stands at `at`, and the offset behind it.
#[inline(always)]
fn delimited(data: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let (length, start) = varint(data, at)?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    Some((data.get(start..end)?, end))
}

/// The key of the encoded `KeyValue` when it is an ASCII key of less than 128 bytes with a plain value.
#[inline(always)]
pub(super) fn key_of(key_value: &[u8]) -> Option<&[u8]> {
    let [0x0a, length @ ..=0x7f, rest @ ..] = key_value else {
        return None;
    };
    let (key, rest) = rest.split_at_checked(usize::from(*length))?;
    let [0x12, length @ ..=0x7f, value @ ..] = rest else {
        return None;
    };
    if usize::from(*length) != value.len() {
        return None;
    }
    let is_plain = match value {
        // Tags and lengths are ASCII as well: one look at all bytes serves for both texts.
        [0x0a, length, text @ ..] if usize::from(*length) == text.len() => is_ascii(key_value),
        _ => false,
    };
    (is_plain || is_ascii(key) && is_value(value)).then_some(key)
}

/// True for an encoded `AnyValue` that holds nothing but one string, boolean, small integer or double.
#[inline(always)]
pub(super) fn is_value(value: &[u8]) -> bool {
    match value {
        [0x0a, length @ ..=0x7f, text @ ..] if usize::from(*length) == text.len() => is_text(text),
        [0x0a, ..] => {
            delimited(value, 1).is_some_and(|(text, end)| end == value.len() && is_text(text))
        }
        [0x10 | 0x18, number] => *number < 0x80,
        [0x18, low, high] => *low >= 0x80 && *high < 0x80,
        [0x21, double @ ..] => double.len() == 8,
        _ => false,
    }
}

/// True for UTF-8.
#[inline(always)]
fn is_text(text: &[u8]) -> bool {
    is_ascii(text) || is_utf8(text)
}

/// True for UTF-8; made for texts that are not ASCII or long.
#[inline(never)]
fn is_utf8(text: &[u8]) -> bool {
    simdutf8::basic::from_utf8(text).is_ok()
}

/// True when no byte has its highest bit set; made for short strings.
#[inline(always)]
pub(super) fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    if let Some(last) = bytes.last_chunk() {
        let (chunks, _) = bytes.as_chunks();
        let last = u64::from_le_bytes(*last);
        return chunks
            .iter()
            .fold(last, |all, chunk| all | u64::from_le_bytes(*chunk))
            & HIGH
            == 0;
    }
    bytes.iter().fold(0, |all, byte| all | byte) < 0x80
}
