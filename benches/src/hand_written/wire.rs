//! A cursor over protobuf fields and the look-up of text attributes.

/// The field number of a group in a request, and of a resource in a group.
pub(super) const FIRST: u32 = 1 << 3 | 2;
/// The field number of a scope group in a group, and of a record in a scope group.
pub(super) const SECOND: u32 = 2 << 3 | 2;
/// The tag of an attribute of a resource.
pub(super) const RESOURCE_ATTRIBUTE: u32 = 1 << 3 | 2;
/// The tag of an attribute of a log record.
pub(super) const LOG_ATTRIBUTE: u32 = 6 << 3 | 2;

/// A field: its tag and where it lies in the request.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) tag: u32,
    /// Offset of the tag.
    pub(super) start: usize,
    /// Offset of the payload of a length-delimited field.
    pub(super) payload: usize,
    /// Offset behind the field.
    pub(super) end: usize,
}

/// The fields of a message that reaches from `at` to the end of `data`.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    /// The fields of a whole request.
    #[inline(always)]
    pub(super) fn of(data: &'a [u8]) -> Self {
        Self { data, at: 0 }
    }

    /// The fields of the message `field` of the request `data`.
    #[inline(always)]
    pub(super) fn inside(data: &'a [u8], field: Field) -> Self {
        Self {
            data: data.get(..field.end).unwrap_or_default(),
            at: field.payload,
        }
    }
}

impl Iterator for Fields<'_> {
    type Item = Field;

    #[inline(always)]
    fn next(&mut self) -> Option<Field> {
        let start = self.at;
        let (tag, payload) = varint(self.data, start)?;
        let (payload, end) = match tag & 7 {
            2 => {
                let (length, payload) = varint(self.data, payload)?;
                (payload, payload + length as usize)
            }
            0 => (payload, varint(self.data, payload)?.1),
            1 => (payload, payload + 8),
            _ => (payload, payload + 4),
        };
        self.at = end;
        Some(Field {
            tag: tag as u32,
            start,
            payload,
            end,
        })
    }
}

/// The varint at `at` and the offset behind it.
#[inline(always)]
pub(super) fn varint(data: &[u8], at: usize) -> Option<(u64, usize)> {
    let first = *data.get(at)?;
    if first < 0x80 {
        return Some((first.into(), at + 1));
    }
    let second = *data.get(at + 1)?;
    if second < 0x80 {
        let value = u64::from(first & 0x7f) | u64::from(second) << 7;
        return Some((value, at + 2));
    }
    long_varint(data, at)
}

/// Any varint: at most ten bytes, of which the last has one bit.
#[cold]
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

/// The text of the first attribute `key` of the message `fields`, whose attributes have the tag `attribute`.
#[inline(always)]
pub(super) fn text_attribute<'a>(
    fields: Fields<'a>,
    attribute: u32,
    key: &[u8],
) -> Option<&'a [u8]> {
    let data = fields.data;
    for field in fields {
        if field.tag == attribute {
            let key_value = data.get(field.payload..field.end)?;
            if let Some(value) = value_of(key_value, key) {
                return text(value);
            }
        }
    }
    None
}

/// The encoded value of an attribute when it has this key.
#[inline(always)]
fn value_of<'a>(key_value: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    match key_value {
        [0x0a, length, rest @ ..] if *length < 0x80 => {
            let rest = rest
                .strip_prefix(key)
                .filter(|_| usize::from(*length) == key.len())?;
            match rest {
                [0x12, length, value @ ..] if usize::from(*length) == value.len() => Some(value),
                _ => unusual_value(key_value, key),
            }
        }
        _ => unusual_value(key_value, key),
    }
}

/// [`value_of`] for any order and any lengths.
#[cold]
fn unusual_value<'a>(key_value: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let content = |tag| {
        let field = Fields::of(key_value).find(|field| field.tag == tag);
        field.map_or(Some(&[][..]), |field| {
            key_value.get(field.payload..field.end)
        })
    };
    content(FIRST).filter(|found| *found == key)?;
    content(SECOND)
}

/// The text of an encoded value, when it is one.
#[inline(always)]
fn text(value: &[u8]) -> Option<&[u8]> {
    match value {
        [0x0a, length, text @ ..] if usize::from(*length) == text.len() => Some(text),
        _ => unusual_text(value),
    }
}

/// [`text`] for long texts and values behind unknown fields.
#[cold]
fn unusual_text(value: &[u8]) -> Option<&[u8]> {
    let field = Fields::of(value).find(|field| field.tag >> 3 <= 8)?;
    let text = value.get(field.payload..field.end);
    text.filter(|_| field.tag == FIRST)
}

/// How many bytes `value` takes as a varint.
pub(super) fn varint_length(value: usize) -> usize {
    ((value | 1).ilog2() as usize + 7) / 7
}

/// Appends `value` as a varint.
pub(super) fn write_varint(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
