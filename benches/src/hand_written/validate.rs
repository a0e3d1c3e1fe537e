//! The check of a request of logs against the canonical reading.
//!
//! It holds every rule that our validation holds: singular fields once, one member of a oneof, no groups, tags in their
//! shortest form, known fields with their wire types, lengths of ids, UTF-8, depth. It counts records and duplicate
//! keys, as the validation must. It knows logs alone, and says of a mistake only that there is one.

use super::wire::{Fields, varint};

/// Messages may be nested this deep; the request itself is depth 0.
const MAX_DEPTH: u32 = 100;

/// How many records a canonical request of logs has; `None` for any other.
pub fn validate(request: &[u8]) -> Option<u64> {
    let mut check = Check::default();
    let mut cursor = Cursor::new(request);
    while let Some(tag) = cursor.tag()? {
        match tag {
            0x0a => check.group(cursor.bytes()?)?,
            _ => cursor.unknown(tag, 0b10)?,
        }
    }
    Some(check.records)
}

/// What is counted on the way.
#[derive(Default)]
struct Check<'a> {
    records: u64,
    duplicate_keys: usize,
    keys: Vec<&'a [u8]>,
    /// A bit for each key; two keys that share one are compared.
    filter: u64,
    suspicious: bool,
}

impl<'a> Check<'a> {
    fn group(&mut self, group: &'a [u8]) -> Option<()> {
        let mut cursor = Cursor::new(group);
        while let Some(tag) = cursor.tag()? {
            match tag {
                0x0a => self.resource(cursor.once(tag)?.bytes()?)?,
                0x12 => self.scope_group(cursor.bytes()?)?,
                0x1a => text(cursor.once(tag)?.bytes()?)?,
                _ => cursor.unknown(tag, 0b1110)?,
            }
        }
        Some(())
    }

    fn resource(&mut self, resource: &'a [u8]) -> Option<()> {
        let mut cursor = Cursor::new(resource);
        while let Some(tag) = cursor.tag()? {
            match tag {
                0x0a => self.attribute(cursor.bytes()?, 3)?,
                0x10 => cursor.once(tag)?.skip_varint()?,
                0x1a => entity_reference(cursor.bytes()?)?,
                _ => cursor.unknown(tag, 0b1110)?,
            }
        }
        self.finish_keys();
        Some(())
    }

    fn scope_group(&mut self, scope: &'a [u8]) -> Option<()> {
        let mut cursor = Cursor::new(scope);
        while let Some(tag) = cursor.tag()? {
            match tag {
                0x12 => self.record(cursor.bytes()?)?,
                0x0a => self.scope(cursor.once(tag)?.bytes()?)?,
                0x1a => text(cursor.once(tag)?.bytes()?)?,
                _ => cursor.unknown(tag, 0b1110)?,
            }
        }
        Some(())
    }

    fn scope(&mut self, scope: &'a [u8]) -> Option<()> {
        let mut cursor = Cursor::new(scope);
        while let Some(tag) = cursor.tag()? {
            match tag {
                0x0a | 0x12 => text(cursor.once(tag)?.bytes()?)?,
                0x1a => self.attribute(cursor.bytes()?, 4)?,
                0x20 => cursor.once(tag)?.skip_varint()?,
                _ => cursor.unknown(tag, 0b1_1110)?,
            }
        }
        self.finish_keys();
        Some(())
    }

    #[inline(always)]
    fn record(&mut self, record: &'a [u8]) -> Option<()> {
        self.records += 1;
        let mut cursor = Cursor::new(record);
        while let Some(tag) = cursor.tag()? {
            match tag {
                0x32 => self.attribute(cursor.bytes()?, 4)?,
                0x09 | 0x59 => cursor.once(tag)?.skip(8)?,
                0x10 | 0x38 => cursor.once(tag)?.skip_varint()?,
                0x2a => value(cursor.once(tag)?.bytes()?, 4)?,
                0x1a | 0x62 => text(cursor.once(tag)?.bytes()?)?,
                0x45 => cursor.once(tag)?.skip(4)?,
                0x4a => length_is(cursor.once(tag)?.bytes()?, 16)?,
                0x52 => length_is(cursor.once(tag)?.bytes()?, 8)?,
                _ => cursor.unknown(tag, 0b1_1111_1110_1110)?,
            }
        }
        self.finish_keys();
        Some(())
    }

    /// Checks an attribute and notes its key.
    #[inline(always)]
    fn attribute(&mut self, attribute: &'a [u8], depth: u32) -> Option<()> {
        let key = match plain_key(attribute) {
            Some(key) => key,
            None => unusual_key(attribute, depth)?,
        };
        let first = key.first().copied().unwrap_or_default();
        let bit = 1 << ((usize::from(first) ^ key.len()) & 63);
        self.suspicious |= self.filter & bit != 0;
        self.filter |= bit;
        self.keys.push(key);
        Some(())
    }

    /// Counts the duplicates of the list of keys that ends.
    #[inline(always)]
    fn finish_keys(&mut self) {
        if self.suspicious {
            self.count_duplicates();
        }
        self.keys.clear();
        self.filter = 0;
        self.suspicious = false;
    }

    #[cold]
    fn count_duplicates(&mut self) {
        let before = self.keys.len();
        self.keys.sort_unstable();
        self.keys.dedup();
        self.duplicate_keys += before - self.keys.len();
    }
}

fn entity_reference(reference: &[u8]) -> Option<()> {
    let mut cursor = Cursor::new(reference);
    while let Some(tag) = cursor.tag()? {
        match tag {
            0x0a | 0x12 => text(cursor.once(tag)?.bytes()?)?,
            0x1a | 0x22 => text(cursor.bytes()?)?,
            _ => cursor.unknown(tag, 0b1_1110)?,
        }
    }
    Some(())
}

/// The key of an attribute in its usual form: a short ASCII key and a plain value.
#[inline(always)]
fn plain_key(attribute: &[u8]) -> Option<&[u8]> {
    let [0x0a, length @ 0..=0x7f, rest @ ..] = attribute else {
        return None;
    };
    let (key, rest) = rest.split_at_checked(usize::from(*length))?;
    let [0x12, length @ 0..=0x7f, value @ ..] = rest else {
        return None;
    };
    (usize::from(*length) == value.len() && is_plain(value) && is_ascii(key)).then_some(key)
}

/// Whether an encoded value of less than 128 bytes is nothing but a short ASCII text or a number.
#[inline(always)]
fn is_plain(value: &[u8]) -> bool {
    match value {
        [0x0a, length, text @ ..] => usize::from(*length) == text.len() && is_ascii(text),
        [0x10 | 0x18, 0..=0x7f] | [0x18, 0x80..=0xff, 0..=0x7f] => true,
        [0x21, double @ ..] => double.len() == 8,
        _ => false,
    }
}

/// Checks any attribute; its key.
#[cold]
fn unusual_key(attribute: &[u8], depth: u32) -> Option<&[u8]> {
    key_value(attribute, depth)?;
    let key = Fields::of(attribute).find(|field| field.tag == 0x0a);
    key.map_or(Some(&[][..]), |key| attribute.get(key.payload..key.end))
}

fn key_value(key_value: &[u8], depth: u32) -> Option<()> {
    within(depth)?;
    let mut cursor = Cursor::new(key_value);
    while let Some(tag) = cursor.tag()? {
        match tag {
            0x0a => text(cursor.once(tag)?.bytes()?)?,
            0x12 => value(cursor.once(tag)?.bytes()?, depth + 1)?,
            0x18 => cursor.once(tag)?.skip_varint()?,
            _ => cursor.unknown(tag, 0b1110)?,
        }
    }
    Some(())
}

#[inline(always)]
fn value(value: &[u8], depth: u32) -> Option<()> {
    if value.len() < 0x82 && is_plain(value) {
        return within(depth);
    }
    unusual_value(value, depth)
}

#[cold]
fn unusual_value(value: &[u8], depth: u32) -> Option<()> {
    /// All members of the oneof set one bit.
    const ONEOF: u32 = 0x0a;
    within(depth)?;
    let mut cursor = Cursor::new(value);
    while let Some(tag) = cursor.tag()? {
        match tag {
            0x0a => text(cursor.once(ONEOF)?.bytes()?)?,
            0x10 | 0x18 | 0x40 => cursor.once(ONEOF)?.skip_varint()?,
            0x21 => cursor.once(ONEOF)?.skip(8)?,
            0x2a => list(cursor.once(ONEOF)?.bytes()?, depth + 1, unusual_value)?,
            0x32 => list(cursor.once(ONEOF)?.bytes()?, depth + 1, key_value)?,
            0x3a => drop(cursor.once(ONEOF)?.bytes()?),
            _ => cursor.unknown(tag, 0b1_1111_1110)?,
        }
    }
    Some(())
}

/// Checks an array or a map, which both have their items in field 1.
fn list(list: &[u8], depth: u32, item: fn(&[u8], u32) -> Option<()>) -> Option<()> {
    within(depth)?;
    let mut cursor = Cursor::new(list);
    while let Some(tag) = cursor.tag()? {
        match tag {
            0x0a => item(cursor.bytes()?, depth + 1)?,
            _ => cursor.unknown(tag, 0b10)?,
        }
    }
    Some(())
}

#[inline(always)]
fn within(depth: u32) -> Option<()> {
    (depth <= MAX_DEPTH).then_some(())
}

#[inline(always)]
fn length_is(bytes: &[u8], length: usize) -> Option<()> {
    (bytes.is_empty() || bytes.len() == length).then_some(())
}

#[inline(always)]
fn text(text: &[u8]) -> Option<()> {
    if is_ascii(text) {
        return Some(());
    }
    std::str::from_utf8(text).ok().map(|_| ())
}

/// Whether no byte has its highest bit; made for short texts.
#[inline(always)]
fn is_ascii(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    let all = words
        .iter()
        .fold(0, |all, word| all | u64::from_le_bytes(*word));
    let last = text.last_chunk::<8>().map_or_else(
        || u64::from(rest.iter().fold(0, |all, byte| all | byte)),
        |last| u64::from_le_bytes(*last),
    );
    (all | last) & 0x8080_8080_8080_8080 == 0
}

/// What is left of a message, and which of its fields were seen.
struct Cursor<'a> {
    rest: &'a [u8],
    seen: u32,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    fn new(rest: &'a [u8]) -> Self {
        Self { rest, seen: 0 }
    }

    /// The next tag; `Some(None)` at the end, `None` when there is no canonical one.
    #[inline(always)]
    fn tag(&mut self) -> Option<Option<u32>> {
        match self.rest {
            [] => Some(None),
            [tag @ 0..=0x7f, rest @ ..] => {
                self.rest = rest;
                Some(Some(u32::from(*tag)))
            }
            _ => self.long_tag().map(Some),
        }
    }

    #[cold]
    fn long_tag(&mut self) -> Option<u32> {
        let before = self.rest.len();
        let tag = u32::try_from(self.varint()?).ok()?;
        let shortest = (tag | 1).ilog2() as usize / 7 + 1;
        (before - self.rest.len() == shortest).then_some(tag)
    }

    /// Notes that the field with this tag stands here, where it may stand once.
    #[inline(always)]
    fn once(&mut self, tag: u32) -> Option<&mut Self> {
        let bit = 1 << (tag >> 3);
        let first = self.seen & bit == 0;
        self.seen |= bit;
        first.then_some(self)
    }

    #[inline(always)]
    fn varint(&mut self) -> Option<u64> {
        let (value, end) = varint(self.rest, 0)?;
        self.skip(end)?;
        Some(value)
    }

    #[inline(always)]
    fn skip_varint(&mut self) -> Option<()> {
        self.varint().map(|_| ())
    }

    #[inline(always)]
    fn skip(&mut self, length: usize) -> Option<()> {
        self.rest = self.rest.get(length..)?;
        Some(())
    }

    #[inline(always)]
    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    /// Passes a field that the schema does not know; `known` has a bit for each number that it does.
    #[cold]
    fn unknown(&mut self, tag: u32, known: u32) -> Option<()> {
        let number = tag >> 3;
        if number == 0 || number < 32 && known >> number & 1 == 1 {
            return None;
        }
        match tag & 7 {
            0 => self.skip_varint(),
            1 => self.skip(8),
            2 => self.bytes().map(|_| ()),
            5 => self.skip(4),
            _ => None,
        }
    }
}
