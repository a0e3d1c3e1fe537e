//! Short ways through what nearly all requests hold: log records with plain attributes, and attributes with plain
//! values anywhere.
//!
//! A shortcut only ever says "this is canonical". Whatever it does not know, valid or not, goes the long
//! way through the tables, which find the fault and its offset. Depth is checked by the caller: a plain
//! value holds no further messages, and the attributes of records lie far above the limit.

use super::duplicates::Keys;
use crate::otlp::wire::{split_short, varint};

/// True for an encoded log record in its canonical reading whose fields are all known, once each but the attributes,
/// and whose values are texts and numbers. The keys of its attributes go to `keys`.
#[inline(always)]
pub(super) fn is_log_record(record: &[u8], keys: &mut Keys) -> bool {
    let mut rest = record;
    let mut seen = 0;
    while let [tag, payload @ ..] = rest {
        let behind = log_field(*tag, payload, keys, &mut seen);
        let Some(behind) = behind else {
            return false;
        };
        rest = behind;
    }
    true
}

/// What stands behind the payload of the field `tag` of a log record, when that is canonical.
#[inline(always)]
fn log_field<'a>(tag: u8, payload: &'a [u8], keys: &mut Keys, seen: &mut u32) -> Option<&'a [u8]> {
    if tag == 0x32 {
        let (attribute, behind) = delimited(payload)?;
        keys.add(key_of(attribute)?);
        return Some(behind);
    }
    let bit = 1_u32.wrapping_shl(u32::from(tag >> 3));
    if *seen & bit != 0 {
        return None;
    }
    *seen |= bit;
    match tag {
        0x09 | 0x59 => payload.get(8..),
        0x10 | 0x38 => payload.get(varint(payload, 0)?.1..),
        0x2a => checked(payload, is_value),
        0x1a | 0x62 => checked(payload, is_text),
        0x4a => checked(payload, |id| matches!(id.len(), 0 | 16)),
        0x52 => checked(payload, |id| matches!(id.len(), 0 | 8)),
        0x45 => payload.get(4..),
        _ => None,
    }
}

/// The payload of a length-delimited field, whose length `data` starts with, and the data behind it.
#[inline(always)]
fn delimited(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, at) = varint(data, 0)?;
    data.get(at..)?
        .split_at_checked(usize::try_from(length).ok()?)
}

/// The data behind a length-delimited payload that `is_canonical` accepts.
#[inline(always)]
fn checked(data: &[u8], is_canonical: impl FnOnce(&[u8]) -> bool) -> Option<&[u8]> {
    let (payload, behind) = delimited(data)?;
    is_canonical(payload).then_some(behind)
}

/// The key of the encoded `KeyValue` when it is an ASCII key of less than 128 bytes with a plain value.
#[inline(always)]
pub(super) fn key_of(key_value: &[u8]) -> Option<&[u8]> {
    let (key, rest) = split_short(1, key_value)?;
    let (value, behind) = split_short(2, rest)?;
    if !behind.is_empty() {
        return None;
    }
    // With a text for a value, tags and lengths are ASCII as well: one look at all bytes serves for both texts.
    let is_plain = match split_short(1, value) {
        Some((_, [])) if is_ascii(key_value) => true,
        _ => is_ascii(key) && is_value(value),
    };
    is_plain.then_some(key)
}

/// True for an encoded `AnyValue` that holds nothing but one string, boolean, small integer or double.
#[inline(always)]
pub(super) fn is_value(value: &[u8]) -> bool {
    match value {
        [0x0a, text @ ..] => checked(text, is_text).is_some_and(<[u8]>::is_empty),
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
