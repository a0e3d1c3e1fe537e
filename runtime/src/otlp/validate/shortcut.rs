//! Short ways through the encodings that nearly all attributes have: key, then a plain value, nothing else.
//!
//! A shortcut only ever says "this is canonical". Whatever it does not know, valid or not, goes the long
//! way through the tables, which find the fault and its offset. Depth is checked by the caller: a plain
//! value holds no further messages, and the attributes of records lie far above the limit.

/// The key of the encoded `KeyValue` when it is an ASCII key of less than 128 bytes with a plain value.
#[inline(always)]
pub(super) fn key_of(key_value: &[u8]) -> Option<&[u8]> {
    let (key, rest) = short(0x0a, key_value)?;
    let (value, behind) = short(0x12, rest)?;
    (behind.is_empty() && is_ascii(key) && is_value(value)).then_some(key)
}

/// True for an encoded `AnyValue` that holds nothing but one ASCII string, boolean, small integer or double.
#[inline(always)]
pub(super) fn is_value(value: &[u8]) -> bool {
    match value {
        [0x0a, length, text @ ..] if *length < 0x80 => {
            text.len() == usize::from(*length) && is_ascii(text)
        }
        [0x10 | 0x18, number] => *number < 0x80,
        [0x18, low, high] => *low >= 0x80 && *high < 0x80,
        [0x21, double @ ..] => double.len() == 8,
        _ => false,
    }
}

/// The payload of the length-delimited field that `data` starts with, when it has this tag and less than
/// 128 bytes, and the data behind it.
#[inline(always)]
fn short(tag: u8, data: &[u8]) -> Option<(&[u8], &[u8])> {
    match data {
        [first, length, rest @ ..] if *first == tag && *length < 0x80 => {
            rest.split_at_checked(usize::from(*length))
        }
        _ => None,
    }
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
