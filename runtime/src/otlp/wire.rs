//! The cursor over raw protobuf that everything else reads through.
//!
//! Input is the bytes of one message (or a prefix of a request that ends where the message ends, so
//! that offsets stay those of the request). Output is one [`RawField`] after another. Nothing is
//! decoded before it is asked for and nothing panics: at the first malformed byte the iteration ends.
//! Data from outside is validated first ([`Piece::validate`](crate::Piece::validate)), so for it the
//! early end never happens.

use super::handles::Extent;
use crate::value::{AnyValue, Attribute, Text};

/// How the payload of a field is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireType {
    /// A varint: integers, booleans and enumerations.
    Varint,
    /// Eight bytes, little endian.
    Fixed64,
    /// A length and that many bytes: strings, bytes, messages, packed scalars.
    Length,
    /// Four bytes, little endian.
    Fixed32,
}

/// The bits of the first two bytes of a field that tell whether it is length-delimited, with a number below 16 and a
/// payload of fewer than 128 bytes.
const SHORT: u16 = 0x8087;
/// What [`SHORT`] gives when it is.
const SHORT_PAYLOAD: u16 = 0x0002;
/// The bits that tell whether a field has eight bytes and a number below 16.
const SHORT_TAG: u16 = 0x0087;
/// What [`SHORT_TAG`] gives when it has.
const SHORT_FIXED64: u16 = 0x0001;

/// Where a length-delimited field lies in the data.
struct Place {
    /// Offset of the tag.
    start: usize,
    /// Offset of the payload.
    payload: usize,
    /// Offset behind the field.
    end: usize,
}

/// The fields of one message, in the order in which they were sent.
///
/// ```
/// use watershed::otlp::Fields;
///
/// // Field 2 is the varint 9, field 3 the text `ok`.
/// let message = [0x10, 9, 0x1a, 2, b'o', b'k'];
/// let fields: Vec<_> = Fields::new(&message).collect();
/// assert_eq!(fields[0].int(), 9);
/// assert_eq!(fields[1].bytes(), b"ok");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Fields<'a> {
    /// Ends where the message ends; offsets count from its start.
    data: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    /// Reads `message` from its first byte.
    #[inline]
    pub fn new(message: &'a [u8]) -> Self {
        Self {
            data: message,
            at: 0,
        }
    }

    /// Reads the bytes `at..end` of `data`; offsets are those in `data`.
    #[inline]
    pub(crate) fn within(data: &'a [u8], at: usize, end: usize) -> Self {
        Self {
            data: data.get(..end).unwrap_or_default(),
            at,
        }
    }

    /// The first field `number` that is not read yet; the fields before it are passed.
    #[expect(
        clippy::manual_find,
        reason = "`find` is not inlined, which doubles the cost of a walk"
    )]
    #[inline(always)]
    pub fn first(&mut self, number: u32) -> Option<RawField<'a>> {
        for field in self.by_ref() {
            if field.number() == number {
                return Some(field);
            }
        }
        None
    }

    /// The payload of the first length-delimited field with this tag that is not read yet. The fields before it are
    /// passed.
    #[inline(always)]
    pub(crate) fn first_payload(&mut self, wanted: u32) -> Option<&'a [u8]> {
        let place = self.pass_to(wanted)?;
        self.data.get(place.payload..place.end)
    }

    /// Where the first length-delimited field with this tag lies that is not read yet. The fields before it are passed.
    #[inline(always)]
    pub(crate) fn first_extent(&mut self, wanted: u32) -> Option<Extent> {
        let place = self.pass_to(wanted)?;
        // Requests are shorter than 4 GiB, so offsets fit.
        Some(Extent {
            start: place.start as u32,
            payload: place.payload as u32,
            end: place.end as u32,
        })
    }

    /// Passes fields, up to and including the first one with this tag, with as little work as can be: most fields of most
    /// messages are passed. Where the message is cut short, the place may reach behind its end.
    #[inline(always)]
    fn pass_to(&mut self, wanted: u32) -> Option<Place> {
        let data = self.data;
        loop {
            let start = self.at;
            // No field is shorter than two bytes, and in most of them these are the tag and the length.
            let head = u16::from_le_bytes(*data.get(start..)?.first_chunk()?);
            let place = if head & SHORT == SHORT_PAYLOAD {
                let payload = start + 2;
                let end = payload + usize::from(head >> 8);
                Place {
                    start,
                    payload,
                    end,
                }
            } else if head & SHORT_TAG == SHORT_FIXED64 {
                self.at = start + 9;
                continue;
            } else {
                let (tag, at) = tag(data, start)?;
                if tag & 7 != 2 {
                    self.at = behind_number(data, at, tag & 7)?;
                    continue;
                }
                let (length, payload) = varint(data, at)?;
                let end = payload.checked_add(usize::try_from(length).ok()?)?;
                self.at = end;
                if tag == wanted {
                    return Some(Place {
                        start,
                        payload,
                        end,
                    });
                }
                continue;
            };
            self.at = place.end;
            if u32::from(head & 0xff) == wanted {
                return Some(place);
            }
        }
    }

    /// The bytes that are not read yet.
    #[inline]
    pub fn remaining(&self) -> &'a [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = RawField<'a>;

    // Plain comparisons instead of a `match`: a jump table costs a mispredicted branch in most records.
    #[inline(always)]
    fn next(&mut self) -> Option<RawField<'a>> {
        let data = self.data;
        let start = self.at;
        let (tag, at) = tag(data, start)?;
        let (bytes, end, value) = if tag & 7 == 2 {
            let (length, payload) = varint(data, at)?;
            let length = usize::try_from(length).ok()?;
            (data.get(payload..)?.get(..length)?, payload + length, 0)
        } else if tag & 7 == 0 {
            let (value, end) = varint(data, at)?;
            (&[][..], end, value)
        } else if tag & 3 == 1 {
            let (value, length) = fixed(data, at, tag & 7)?;
            (&[][..], at + length, value)
        } else {
            return None;
        };
        self.at = end;
        Some(RawField {
            data,
            start,
            end,
            tag,
            bytes,
            value,
        })
    }
}

/// One field as it was sent: its number, its wire type and where its payload lies.
///
/// The typed readers do not check the wire type: reading a field as something it is not gives a
/// default or a meaningless number, never a panic. Validated data has the types of the schema.
#[derive(Clone, Copy, Debug)]
pub struct RawField<'a> {
    data: &'a [u8],
    start: usize,
    end: usize,
    tag: u32,
    /// The payload of a length-delimited field.
    bytes: &'a [u8],
    /// The varint or the bits of a fixed number.
    value: u64,
}

impl<'a> RawField<'a> {
    /// The field number.
    #[inline(always)]
    pub fn number(&self) -> u32 {
        self.tag >> 3
    }

    /// The wire type.
    #[inline]
    pub fn wire_type(&self) -> WireType {
        match self.tag & 7 {
            0 => WireType::Varint,
            1 => WireType::Fixed64,
            5 => WireType::Fixed32,
            _ => WireType::Length,
        }
    }

    /// An `int64`, `sfixed64` or other signed 64-bit integer.
    #[inline]
    pub fn int(&self) -> i64 {
        self.value.cast_signed()
    }

    /// A `uint64` or `fixed64`.
    #[inline]
    pub fn unsigned(&self) -> u64 {
        self.value
    }

    /// A `uint32` or `fixed32`; the upper half of a longer varint is cut off, as protobuf says.
    #[inline]
    pub fn unsigned32(&self) -> u64 {
        self.value & u64::from(u32::MAX)
    }

    /// An enumeration or `int32`: the varint truncated to 32 bits, then signed.
    #[inline]
    pub fn enumeration(&self) -> i64 {
        i64::from(self.value as i32)
    }

    /// A `sint32`: zigzag encoded.
    #[inline]
    pub fn zigzag32(&self) -> i64 {
        let bits = self.value as u32;
        i64::from((bits >> 1) as i32 ^ -((bits & 1) as i32))
    }

    /// A `double`.
    #[inline]
    pub fn double(&self) -> f64 {
        f64::from_bits(self.value)
    }

    /// A `bool`: every varint but zero is true.
    #[inline]
    pub fn boolean(&self) -> bool {
        self.value != 0
    }

    /// A `bytes` field, or the encoded payload of another length-delimited field.
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// A `string` field.
    #[inline]
    pub fn text(&self) -> Text<'a> {
        Text::from_validated(self.bytes())
    }

    /// The fields of a message field.
    #[inline]
    pub fn message(&self) -> Fields<'a> {
        Fields::new(self.bytes)
    }

    /// An `AnyValue`; without a variant it is null.
    #[inline]
    pub fn any_value(&self) -> AnyValue<'a> {
        AnyValue::decode(self.bytes())
    }

    /// A `KeyValue`.
    #[inline]
    pub fn attribute(&self) -> Attribute<'a> {
        Attribute::new(self.bytes())
    }

    /// The bytes from the tag of the field to the end of the message around it.
    #[inline]
    pub(crate) fn remaining(&self) -> &'a [u8] {
        self.data.get(self.start..).unwrap_or_default()
    }

    /// The offset of the tag.
    #[inline]
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The offset of the payload of a length-delimited field.
    #[inline]
    pub(crate) fn payload(&self) -> usize {
        self.end - self.bytes.len()
    }

    /// The offset behind the field.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.end
    }
}

/// Reads the tag at `at`: the tag and the offset behind it.
#[inline(always)]
pub(crate) fn tag(data: &[u8], at: usize) -> Option<(u32, usize)> {
    let first = *data.get(at)?;
    if first < 0x80 {
        return Some((u32::from(first), at + 1));
    }
    long_tag(data, at)
}

/// The offset behind the number of this wire type at `at`; `None` for wire types that do not exist here.
#[inline(always)]
fn behind_number(data: &[u8], at: usize, wire_type: u32) -> Option<usize> {
    match wire_type {
        0 => Some(varint(data, at)?.1),
        1 => Some(at + 8),
        5 => Some(at + 4),
        _ => None,
    }
}

/// The tag at `at` when it has more than one byte, which no field below number 16 has. Out of line, so that the loops
/// around it stay small.
#[cold]
#[inline(never)]
fn long_tag(data: &[u8], at: usize) -> Option<(u32, usize)> {
    let (tag, end) = varint(data, at)?;
    Some((u32::try_from(tag).ok()?, end))
}

/// The payload of the length-delimited field `number`, below 16, that `data` starts with, and the data behind it; `None`
/// when it starts with something else or the payload has 128 bytes or more.
#[inline(always)]
pub(crate) fn split_short(number: u32, data: &[u8]) -> Option<(&[u8], &[u8])> {
    match data {
        [tag, length, rest @ ..] if u32::from(*tag) == (number << 3 | 2) && *length < 0x80 => {
            rest.split_at_checked(usize::from(*length))
        }
        _ => None,
    }
}

/// Reads the number of wire type 1 (eight bytes) or 5 (four bytes) at `at`: its bits and its length.
#[inline(always)]
fn fixed(data: &[u8], at: usize, wire_type: u32) -> Option<(u64, usize)> {
    let rest = data.get(at..)?;
    if wire_type == 1 {
        Some((u64::from_le_bytes(*rest.first_chunk()?), 8))
    } else {
        Some((u32::from_le_bytes(*rest.first_chunk()?).into(), 4))
    }
}

/// Reads the varint at `at`: its value and the offset behind it.
#[inline(always)]
pub(crate) fn varint(data: &[u8], at: usize) -> Option<(u64, usize)> {
    let first = *data.get(at)?;
    if first < 0x80 {
        return Some((u64::from(first), at + 1));
    }
    let second = *data.get(at + 1)?;
    if second < 0x80 {
        return Some((u64::from(first & 0x7f) | u64::from(second) << 7, at + 2));
    }
    long_varint(data, at)
}

/// The varint at `at`, of any length; at most ten bytes, and 64 bits.
#[cold]
#[inline(never)]
fn long_varint(data: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut value = 0;
    for (index, byte) in data.get(at..)?.iter().take(10).enumerate() {
        if index == 9 && *byte > 1 {
            return None;
        }
        value |= u64::from(byte & 0x7f) << (7 * index);
        if *byte < 0x80 {
            return Some((value, at + index + 1));
        }
    }
    None
}

/// How many bytes `value` takes as a varint.
#[inline]
pub(crate) fn varint_length(value: u64) -> usize {
    let bits = 64 - (value | 1).leading_zeros() as usize;
    // The same as to divide by 7 and round up, for up to 64 bits.
    (bits * 9 + 64) / 64
}

/// Appends `value` as the shortest varint.
#[inline]
pub(crate) fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
