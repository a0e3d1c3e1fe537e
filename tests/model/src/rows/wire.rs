//! Protobuf by hand, and the places of a request of each signal into which hostile bytes are put.

use crate::fields::write_varint;
use crate::topology::Signal;

/// A field with its length.
pub(super) fn field(number: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = tag(number, 2);
    write_varint(payload.len() as u64, 0, &mut bytes);
    bytes.extend_from_slice(payload);
    bytes
}

/// A field with a number, in as few bytes as it can have.
pub(super) fn varint(number: u64, value: u64) -> Vec<u8> {
    let mut bytes = tag(number, 0);
    write_varint(value, 0, &mut bytes);
    bytes
}

/// A field of eight bytes.
pub(super) fn fixed(number: u64, value: u64) -> Vec<u8> {
    [tag(number, 1), value.to_le_bytes().to_vec()].concat()
}

/// A tag alone.
pub(super) fn tag(number: u64, wire_type: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_varint(number << 3 | wire_type, 0, &mut bytes);
    bytes
}

/// An attribute with a text.
pub(super) fn attribute(key: &str, value: &str) -> Vec<u8> {
    let value = field(1, value.as_bytes());
    [field(1, key.as_bytes()), field(2, &value)].concat()
}

/// What the messages of a signal are like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schema {
    signal: Signal,
    /// The number of the attributes of what counts as a record.
    pub(super) attributes: u64,
    /// The number of the field that tells records apart.
    time: u64,
}

impl Schema {
    pub(super) const fn of(signal: Signal) -> Self {
        let (attributes, time) = match signal {
            Signal::Logs => (6, 11),
            Signal::Traces => (9, 7),
            Signal::Metrics => (7, 3),
        };
        Self {
            signal,
            attributes,
            time,
        }
    }

    /// A log record, a span, or a metric with one data point. `own` belongs to the record or the point, `outer` to the
    /// record or the metric.
    pub(super) fn record(self, number: u64, own: &[u8], outer: &[u8]) -> Vec<u8> {
        let time = fixed(self.time, number);
        let attribute = field(self.attributes, &attribute("team", "a"));
        let leaf = [&time, own, &attribute].concat();
        let record = match self.signal {
            Signal::Logs | Signal::Traces => leaf,
            Signal::Metrics => field(5, &field(1, &leaf)),
        };
        field(2, &[&record, outer].concat())
    }

    /// A scope with two records, numbered from `first`.
    pub(super) fn scope(self, first: u64) -> Vec<u8> {
        let records = [
            self.record(first, &[], &[]),
            self.record(first + 1, &[], &[]),
        ];
        let scope = field(1, &field(1, b"ab"));
        field(2, &[scope, records.concat()].concat())
    }

    /// A resource with one such scope.
    pub(super) fn group(self, first: u64) -> Vec<u8> {
        let resource = field(1, &field(1, &attribute("team", "a")));
        field(1, &[resource, self.scope(first)].concat())
    }

    /// A request in which a resource begins with `fields`.
    pub(super) fn with_resource(self, fields: &[u8]) -> Vec<u8> {
        let resource = [fields, &field(1, &attribute("team", "b"))].concat();
        let group = [field(1, &resource), self.scope(1)].concat();
        [field(1, &group), self.group(3)].concat()
    }

    /// A request in which a scope begins with `fields`.
    pub(super) fn with_scope(self, fields: &[u8]) -> Vec<u8> {
        let scope = [fields, &field(3, &attribute("team", "b"))].concat();
        let records = self.record(1, &[], &[]);
        let group = field(2, &[field(1, &scope), records].concat());
        [field(1, &group), self.group(3)].concat()
    }

    /// A request in which what has the attributes of a record has `fields`.
    pub(super) fn with_point(self, fields: &[u8]) -> Vec<u8> {
        let records = [self.record(1, fields, &[]), self.record(2, &[], &[])];
        let group = field(2, &records.concat());
        [field(1, &group), self.group(3)].concat()
    }

    /// A request with this log record, span or metric.
    pub(super) fn with_whole(self, record: &[u8]) -> Vec<u8> {
        let group = field(2, &[field(2, record), self.record(3, &[], &[])].concat());
        [field(1, &group), self.group(4)].concat()
    }

    /// A request in which a log record, a span or a metric ends with `fields`.
    pub(super) fn with_record(self, fields: &[u8]) -> Vec<u8> {
        let records = [self.record(1, &[], fields), self.record(2, &[], &[])];
        let group = field(2, &records.concat());
        [field(1, &group), self.group(3)].concat()
    }
}
