//! The walk over a request: every byte is looked at once, against the tables of the schema.

use super::duplicates::{self, Keys};
use super::schema::{ANY_VALUE, KEY_VALUE, Kind, LOG_RECORD, Message, NO_WIRE, Rule};
use super::{Counts, Fault, Malformed, shortcut};
use crate::otlp::number;
use crate::otlp::wire::{Fields, varint, varint_length};
use crate::value::Attribute;

/// Messages may be nested this deep; the request itself is depth 0.
const MAX_DEPTH: u32 = 100;

/// Checks one request and counts on the way.
pub(super) struct Walk<'a> {
    data: &'a [u8],
    keys: Keys,
    pub(super) counts: Counts,
}

/// A message that is being checked: its type, where it ends and how deep it lies.
#[derive(Clone, Copy)]
struct Level<'a> {
    message: &'static Message,
    /// The request up to the end of the message.
    data: &'a [u8],
    depth: u32,
}

impl<'a> Walk<'a> {
    /// A walk over the request `data`.
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self {
            data,
            keys: Keys::default(),
            counts: Counts::default(),
        }
    }

    /// Checks the whole request as a message of type `request`.
    pub(super) fn request(&mut self, request: &'static Message) -> Result<(), Malformed> {
        self.envelope(
            Level {
                message: request,
                data: self.data,
                depth: 0,
            },
            0,
        )
    }

    /// Checks a message that holds records, directly or not, and notes whether its children lie together.
    fn envelope(&mut self, level: Level<'a>, mut at: usize) -> Result<(), Malformed> {
        let mut seen = 0;
        let mut inside = false;
        let mut behind = false;
        while at < level.data.len() {
            let start = at;
            let (tag, payload) = read_tag(level.data, at)?;
            let rule = level.message.rule(tag >> 3);
            if rule.kind.is_child() {
                self.counts.layout.interleaved |= behind;
                inside = true;
            } else {
                behind = inside;
                self.counts.layout.trailing |= inside;
            }
            let records = self.counts.records;
            at = self.field(level, rule, tag, start, payload, &mut seen)?;
            match rule.kind {
                Kind::Group(_) => self
                    .counts
                    .group_records
                    .push(self.counts.records - records),
                Kind::Unknown => self.counts.layout.unknown_top_level |= level.depth == 0,
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks any other message.
    fn message(&mut self, level: Level<'a>, mut at: usize) -> Result<(), Malformed> {
        let mut seen = 0;
        while at < level.data.len() {
            let start = at;
            let (tag, payload) = read_tag(level.data, at)?;
            let rule = level.message.rule(tag >> 3);
            at = self.field(level, rule, tag, start, payload, &mut seen)?;
        }
        Ok(())
    }

    /// Checks a message with attributes and counts their duplicate keys.
    fn keyed(&mut self, level: Level<'a>, at: usize) -> Result<(), Malformed> {
        self.message(level, at)?;
        self.finish_keys(level, at);
        Ok(())
    }

    /// Checks a log record that the short way does not know.
    #[inline(never)]
    fn log_record(&mut self, level: Level<'a>, at: usize) -> Result<(), Malformed> {
        self.message(level, at)?;
        self.finish_keys(level, at);
        Ok(())
    }

    /// Checks the log records from the one at `start` on, as far as one follows the other and the short way knows them; the
    /// offset behind them.
    #[inline(always)]
    fn plain_log_records(&mut self, level: Level<'a>, start: usize) -> usize {
        let mut at = start;
        // Records that lie too deep are left to the long way, which refuses them.
        while level.depth < MAX_DEPTH
            && let Some((payload, data)) = log_record_at(level.data, at)
            && let Some(mut keys) = shortcut::log_record(data.get(payload..).unwrap_or_default())
        {
            if keys.finish() {
                self.count_duplicates(
                    Level {
                        message: &LOG_RECORD,
                        data,
                        ..level
                    },
                    payload,
                );
            }
            self.counts.records += 1;
            at = data.len();
        }
        at
    }

    /// Counts the duplicate keys of a message whose attributes are checked and begin at or behind `at`.
    #[inline(always)]
    fn finish_keys(&mut self, level: Level<'a>, at: usize) {
        if self.keys.finish() {
            self.count_duplicates(level, at);
        }
    }

    #[cold]
    fn count_duplicates(&mut self, level: Level<'a>, at: usize) {
        self.counts.duplicate_attributes += duplicates::count(level.keys(at));
    }

    /// Checks an attribute, which has its payload between `payload` and the end of `data`.
    #[inline(always)]
    fn attribute(
        &mut self,
        level: Level<'a>,
        data: &'a [u8],
        start: usize,
        payload: usize,
    ) -> Result<(), Malformed> {
        let key_value = data.get(payload..).unwrap_or_default();
        if let Some(key) = shortcut::key_of(key_value) {
            self.keys.add(key);
            return Ok(());
        }
        self.message(level.below(&KEY_VALUE, data, start)?, payload)?;
        self.keys.add(Attribute::new(key_value).key());
        Ok(())
    }

    /// Checks the field whose tag stands at `start` and whose payload at `at`; the offset behind it.
    #[inline(always)]
    fn field(
        &mut self,
        level: Level<'a>,
        rule: &'static Rule,
        tag: u32,
        start: usize,
        at: usize,
        seen: &mut u32,
    ) -> Result<usize, Malformed> {
        if *seen & rule.presence != 0 {
            return Err(repeated(rule, start));
        }
        *seen |= rule.presence;
        if tag & 7 != rule.wire {
            return other_wire(level.data, rule, tag, start, at);
        }
        match rule.kind {
            Kind::Varint => Ok(read_varint(level.data, at)?.1),
            Kind::Fixed64 => skip(level.data, start, at, 8),
            Kind::Fixed32 => skip(level.data, start, at, 4),
            _ => self.delimited(level, rule.kind, start, at),
        }
    }

    /// Checks a length-delimited field; the offset behind it.
    #[inline(always)]
    fn delimited(
        &mut self,
        level: Level<'a>,
        kind: Kind,
        start: usize,
        at: usize,
    ) -> Result<usize, Malformed> {
        let (payload, data) = read_length(level.data, at)?;
        let end = data.len();
        match kind {
            Kind::Text => check_text(data, payload)?,
            Kind::TraceId if !matches!(end - payload, 0 | 16) => {
                return Err(malformed(start, Fault::TraceIdLength));
            }
            Kind::SpanId if !matches!(end - payload, 0 | 8) => {
                return Err(malformed(start, Fault::SpanIdLength));
            }
            Kind::PackedFixed64 if !(end - payload).is_multiple_of(8) => {
                return Err(malformed(start, Fault::PackedLength));
            }
            Kind::PackedVarint => check_packed(data, payload)?,
            Kind::Attribute => self.attribute(level, data, start, payload)?,
            Kind::Value => {
                let below = level.below(&ANY_VALUE, data, start)?;
                if !shortcut::is_value(data.get(payload..).unwrap_or_default()) {
                    self.message(below, payload)?;
                }
            }
            Kind::Message(message) => self.message(level.below(message, data, start)?, payload)?,
            Kind::Keyed(message) => self.keyed(level.below(message, data, start)?, payload)?,
            Kind::Group(message) | Kind::Envelope(message) => {
                self.envelope(level.below(message, data, start)?, payload)?;
            }
            Kind::LogRecord => {
                let behind = self.plain_log_records(level, start);
                if behind > start {
                    return Ok(behind);
                }
                self.counts.records += 1;
                self.log_record(level.below(&LOG_RECORD, data, start)?, payload)?;
            }
            Kind::Record(message) => {
                self.counts.records += 1;
                self.keyed(level.below(message, data, start)?, payload)?;
            }
            _ => {}
        }
        Ok(end)
    }
}

impl<'a> Level<'a> {
    /// The level of a message of type `message` in this one; its field starts at `start`.
    #[inline(always)]
    fn below(
        self,
        message: &'static Message,
        data: &'a [u8],
        start: usize,
    ) -> Result<Self, Malformed> {
        if self.depth == MAX_DEPTH {
            return Err(malformed(start, Fault::TooDeep));
        }
        Ok(Self {
            message,
            data,
            depth: self.depth + 1,
        })
    }

    /// The keys of the attributes of this message, which was checked.
    #[cold]
    fn keys(self, at: usize) -> Vec<&'a [u8]> {
        let fields = Fields::within(self.data, at, self.data.len());
        let attributes = fields.filter(|field| {
            let rule = self.message.rule(field.number());
            matches!(rule.kind, Kind::Attribute)
        });
        attributes.map(|field| field.attribute().key()).collect()
    }
}

/// The log record whose tag stands at `at`: the offset of its payload, and the data up to its end. `None` where anything
/// else stands.
#[inline(always)]
fn log_record_at(data: &[u8], at: usize) -> Option<(usize, &[u8])> {
    data.get(at)
        .filter(|tag| **tag == (number::RECORD << 3 | 2) as u8)?;
    let (length, payload) = varint(data, at + 1)?;
    let end = payload.checked_add(usize::try_from(length).ok()?)?;
    Some((payload, data.get(..end)?))
}

/// A fault at `offset`.
#[cold]
fn malformed(offset: usize, fault: Fault) -> Malformed {
    Malformed { offset, fault }
}

/// The fault of a field that may not stand here again.
#[cold]
fn repeated(rule: &Rule, start: usize) -> Malformed {
    let fault = if rule.oneof {
        Fault::OneofRepeated
    } else {
        Fault::FieldRepeated
    };
    malformed(start, fault)
}

/// Checks a field whose wire type is not the usual one of its rule: an unknown field, repeated scalars that
/// are not packed, or a fault.
#[cold]
fn other_wire(
    data: &[u8],
    rule: &Rule,
    tag: u32,
    start: usize,
    at: usize,
) -> Result<usize, Malformed> {
    if tag >> 3 == 0 {
        return Err(malformed(start, Fault::FieldNumberZero));
    }
    let known = rule.wire != NO_WIRE;
    match (tag & 7, rule.kind) {
        (3 | 4 | 6 | 7, _) => Err(malformed(start, Fault::WireTypeUnknown)),
        (0, Kind::PackedVarint) => Ok(read_varint(data, at)?.1),
        (1, Kind::PackedFixed64) => skip(data, start, at, 8),
        _ if known => Err(malformed(start, Fault::WireTypeWrong)),
        (0, _) => Ok(read_varint(data, at)?.1),
        (1, _) => skip(data, start, at, 8),
        (5, _) => skip(data, start, at, 4),
        _ => Ok(read_length(data, at)?.1.len()),
    }
}

/// The offset behind `length` bytes at `at` of the field at `start`.
#[inline(always)]
fn skip(data: &[u8], start: usize, at: usize, length: usize) -> Result<usize, Malformed> {
    let end = at + length;
    if end > data.len() {
        return Err(malformed(start, Fault::Truncated));
    }
    Ok(end)
}

/// Reads the length at `at`: the offset behind it, and the data up to the end of the payload.
#[inline(always)]
fn read_length(data: &[u8], at: usize) -> Result<(usize, &[u8]), Malformed> {
    let (length, payload) = read_varint(data, at)?;
    let end = usize::try_from(length)
        .ok()
        .and_then(|length| payload.checked_add(length));
    match end.and_then(|end| data.get(..end)) {
        Some(data) => Ok((payload, data)),
        None => Err(malformed(at, Fault::LengthPastEnd)),
    }
}

/// Reads the tag at `at`, which must be as short as can be: the tag and the offset behind it.
#[inline(always)]
fn read_tag(data: &[u8], at: usize) -> Result<(u32, usize), Malformed> {
    match data.get(at) {
        Some(first) if *first < 0x80 => Ok((u32::from(*first), at + 1)),
        _ => read_long_tag(data, at),
    }
}

/// The tag at `at` when it has more than one byte.
fn read_long_tag(data: &[u8], at: usize) -> Result<(u32, usize), Malformed> {
    let (value, end) = read_varint(data, at)?;
    match u32::try_from(value) {
        Ok(tag) if varint_length(value) == end - at => Ok((tag, end)),
        _ => Err(malformed(at, Fault::TagTooLong)),
    }
}

/// Reads the varint at `at`: its value and the offset behind it.
#[inline(always)]
fn read_varint(data: &[u8], at: usize) -> Result<(u64, usize), Malformed> {
    varint(data, at).ok_or_else(|| varint_fault(data, at))
}

/// Why there is no varint at `at`.
#[cold]
fn varint_fault(data: &[u8], at: usize) -> Malformed {
    let rest = data.get(at..).unwrap_or_default();
    let open = rest.len() < 10 && rest.iter().all(|byte| *byte >= 0x80);
    malformed(
        at,
        if open {
            Fault::Truncated
        } else {
            Fault::VarintTooLong
        },
    )
}

/// Checks that the bytes from `payload` to the end of `data` are varints.
fn check_packed(data: &[u8], payload: usize) -> Result<(), Malformed> {
    let mut at = payload;
    while at < data.len() {
        at = read_varint(data, at)?.1;
    }
    Ok(())
}

/// Checks that the bytes from `payload` to the end of `data` are UTF-8.
#[inline(always)]
fn check_text(data: &[u8], payload: usize) -> Result<(), Malformed> {
    let bytes = data.get(payload..).unwrap_or_default();
    if shortcut::is_ascii(bytes) {
        return Ok(());
    }
    check_utf8(bytes, payload)
}

/// Checks that `bytes`, which stand at `payload`, are UTF-8.
fn check_utf8(bytes: &[u8], payload: usize) -> Result<(), Malformed> {
    simdutf8::compat::from_utf8(bytes)
        .map(|_| ())
        .map_err(|error| malformed(payload + error.valid_up_to(), Fault::InvalidUtf8))
}

#[cfg(test)]
mod tests;
