//! The predicates written by hand over the raw bytes of a request: what a careful person would write who needs this
//! one predicate and nothing else.
//!
//! It shares no code with the runtime. It counts what it keeps and marks nothing, trusts the data to have been
//! validated, decides the resource once for all of its records where that is allowed, and leaves a record as soon as it knows enough.

use std::hint::black_box;

use super::Expression;

/// How many records of an encoded request a predicate keeps.
pub fn count(expression: Expression, request: &[u8]) -> u64 {
    match expression {
        Expression::AttributeEquals => {
            count_records(request, |_| true, |_, record| attribute_equals(record))
        }
        Expression::SeverityAndStatus => {
            count_records(request, |_| true, |_, record| severity_and_status(record))
        }
        Expression::ServiceAndBody => {
            let healthz = memchr::memmem::Finder::new("healthz");
            count_records(request, is_checkout, |_, record| {
                has_other_body(record, &healthz)
            })
        }
        Expression::ServiceAndBodyFlat => {
            let healthz = memchr::memmem::Finder::new("healthz");
            count_records(
                request,
                |_| true,
                |resource, record| {
                    is_checkout(black_box(resource)) && has_other_body(record, &healthz)
                },
            )
        }
    }
}

/// E1 of a log record.
fn attribute_equals(record: &[u8]) -> bool {
    let team = find_attribute(record, 6, b"team");
    matches!(team, Some(Value { tag: TEXT, bytes, .. }) if bytes == b"team-0")
}

/// E2 of a log record.
fn severity_and_status(record: &[u8]) -> bool {
    let severity = find(record, 2).map_or(0, |field| field.value as i32);
    severity >= 9
        && match find_attribute(record, 6, b"http.status_code") {
            Some(Value {
                tag: INT, value, ..
            }) => value.cast_signed() >= 500,
            Some(Value {
                tag: DOUBLE, value, ..
            }) => f64::from_bits(value) >= 500.0,
            _ => false,
        }
}

/// The left side of E3, of a resource.
fn is_checkout(resource: &[u8]) -> bool {
    let service = find_attribute(resource, 1, b"service.name");
    matches!(service, Some(Value { tag: TEXT, bytes, .. }) if bytes.starts_with(b"checkout"))
}

/// The right side of E3, of a log record.
fn has_other_body(record: &[u8], healthz: &memchr::memmem::Finder<'_>) -> bool {
    let body = find(record, 5).and_then(|body| Reader::new(body.bytes).next());
    matches!(body, Some(Value { tag: TEXT, bytes, .. }) if healthz.find(bytes).is_none())
}

/// Counts the records that `record_holds` for with their resource, in the resources that `resource_holds` for.
#[inline(always)]
fn count_records(
    request: &[u8],
    resource_holds: impl Fn(&[u8]) -> bool,
    record_holds: impl Fn(&[u8], &[u8]) -> bool,
) -> u64 {
    let mut kept = 0;
    for group in Reader::new(request).filter(|field| field.is_message(1)) {
        let resource = find(group.bytes, 1).map_or(&[][..], |field| field.bytes);
        if !resource_holds(resource) {
            continue;
        }
        for scope in Reader::new(group.bytes).filter(|field| field.is_message(2)) {
            for record in Reader::new(scope.bytes).filter(|field| field.is_message(2)) {
                kept += u64::from(record_holds(resource, record.bytes));
            }
        }
    }
    kept
}

/// The value of the first attribute `key`, in field `number` of a message.
#[inline(always)]
fn find_attribute<'a>(message: &'a [u8], number: u32, key: &[u8]) -> Option<Value<'a>> {
    for field in Reader::new(message) {
        if field.is_message(number) {
            let mut attribute = Reader::new(field.bytes);
            if attribute.next()?.bytes == key {
                return Reader::new(attribute.next()?.bytes).next();
            }
        }
    }
    None
}

/// The first field `number` of a message.
#[expect(
    clippy::manual_find,
    reason = "`find` is not inlined, which makes the walk slower than it has to be"
)]
#[inline(always)]
fn find(message: &[u8], number: u32) -> Option<Value<'_>> {
    for field in Reader::new(message) {
        if field.tag >> 3 == number {
            return Some(field);
        }
    }
    None
}

/// Tag of the text of an `AnyValue`.
const TEXT: u32 = 1 << 3 | 2;
/// Tag of its integer.
const INT: u32 = 3 << 3;
/// Tag of its double.
const DOUBLE: u32 = 4 << 3 | 1;

/// A field as it was sent.
#[derive(Clone, Copy)]
struct Value<'a> {
    /// Number and wire type.
    tag: u32,
    /// The varint or the bits of a fixed number.
    value: u64,
    /// The content of a length-delimited field.
    bytes: &'a [u8],
}

impl Value<'_> {
    /// Whether it is the length-delimited field `number`.
    #[inline(always)]
    fn is_message(&self, number: u32) -> bool {
        self.tag == number << 3 | 2
    }
}

/// The fields of a message, in order.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    #[inline(always)]
    fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    #[inline(always)]
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    #[inline(always)]
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Value<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Value<'a>> {
        let tag = self.varint()? as u32;
        let (mut value, mut bytes) = (0, &[][..]);
        match tag & 7 {
            0 => value = self.varint()?,
            1 => value = u64::from_le_bytes(*self.take(8)?.first_chunk()?),
            2 => {
                let length = self.varint()? as usize;
                bytes = self.take(length)?;
            }
            _ => value = u64::from(u32::from_le_bytes(*self.take(4)?.first_chunk()?)),
        }
        Some(Value { tag, value, bytes })
    }
}
