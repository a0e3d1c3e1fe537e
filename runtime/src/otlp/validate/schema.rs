//! The messages of the three export requests, as tables: what each field number is and how often it may
//! stand. This is the only place that knows the proto files (opentelemetry-proto 1.9).

/// What the validation knows about one message type.
pub(super) struct Message {
    rules: [Rule; FIELDS],
}

/// One more than the highest field number of any message.
const FIELDS: usize = 17;

/// What the validation knows about one field.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// What the field holds.
    pub(super) kind: Kind,
    /// The wire type that the kind is written with; [`NO_WIRE`] for unknown fields.
    pub(super) wire: u32,
    /// The presence bit that the field sets and must not find set; none for repeated fields.
    pub(super) presence: u32,
    /// Whether the bit is shared with the other members of a oneof.
    pub(super) oneof: bool,
}

/// What a field holds.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Nothing that the schema knows.
    Unknown,
    /// Any varint.
    Varint,
    /// Eight bytes.
    Fixed64,
    /// Four bytes.
    Fixed32,
    /// A UTF-8 string.
    Text,
    /// Any bytes.
    Bytes,
    /// 0 or 16 bytes.
    TraceId,
    /// 0 or 8 bytes.
    SpanId,
    /// Varints, packed or one by one.
    PackedVarint,
    /// Eight-byte numbers, packed or one by one.
    PackedFixed64,
    /// A message that is checked and nothing else.
    Message(&'static Message),
    /// A message whose attributes are looked at for duplicate keys.
    Keyed(&'static Message),
    /// An `AnyValue`.
    Value,
    /// An attribute whose key is compared with its neighbours'.
    Attribute,
    /// A resource group: its records are counted by themselves.
    Group(&'static Message),
    /// A message between a resource group and a record.
    Envelope(&'static Message),
    /// A log record, which has a short way.
    LogRecord,
    /// A span or a data point.
    Record(&'static Message),
}

/// The wire type of no field.
pub(super) const NO_WIRE: u32 = u32::MAX;

/// The rule of a field that the schema does not know.
static UNKNOWN: Rule = Rule {
    kind: Kind::Unknown,
    wire: NO_WIRE,
    presence: 0,
    oneof: false,
};

impl Message {
    /// The rule of field `number`.
    #[inline(always)]
    pub(super) fn rule(&'static self, number: u32) -> &'static Rule {
        self.rules.get(number as usize).unwrap_or(&UNKNOWN)
    }
}

impl Kind {
    /// True for the fields that an envelope exists for: what else it holds is its own.
    #[inline(always)]
    pub(super) fn is_child(self) -> bool {
        matches!(
            self,
            Self::Group(_) | Self::Envelope(_) | Self::Record(_) | Self::LogRecord
        )
    }

    /// The wire type of the kind; for repeated scalars that of the packed form.
    const fn wire(self) -> u32 {
        match self {
            Self::Unknown => NO_WIRE,
            Self::Varint => 0,
            Self::Fixed64 => 1,
            Self::Fixed32 => 5,
            _ => 2,
        }
    }
}

/// How often a field may stand in its message.
#[derive(Clone, Copy)]
enum Presence {
    Singular,
    Repeated,
    /// A member of the oneof that is named after its first member.
    Oneof(u32),
}

use Kind::{
    Attribute, Bytes, Envelope, Fixed32, Fixed64, Group, Keyed, LogRecord, PackedFixed64,
    PackedVarint, Record, SpanId, Text, TraceId, Value, Varint,
};
use Presence::{Oneof, Repeated, Singular};

/// Builds the table of a message from its fields.
const fn message(mut fields: &[(u32, Kind, Presence)]) -> Message {
    let mut rules = [UNKNOWN; FIELDS];
    while let [(number, kind, presence), rest @ ..] = fields {
        let (bit, oneof) = match *presence {
            Singular => (1 << *number, false),
            Repeated => (0, false),
            Oneof(first) => (1 << first, true),
        };
        let rule = Rule {
            kind: *kind,
            wire: kind.wire(),
            presence: bit,
            oneof,
        };
        #[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
        {
            rules[*number as usize] = rule;
        }
        fields = rest;
    }
    Message { rules }
}

/// A message field without duties of its own.
const fn nested(message: &'static Message) -> Kind {
    Kind::Message(message)
}

pub(super) static LOGS_REQUEST: Message = message(&[(1, Group(&RESOURCE_LOGS), Repeated)]);
pub(super) static METRICS_REQUEST: Message = message(&[(1, Group(&RESOURCE_METRICS), Repeated)]);
pub(super) static TRACES_REQUEST: Message = message(&[(1, Group(&RESOURCE_SPANS), Repeated)]);

/// A resource group around scope groups of type `scope`.
const fn resource_group(scope: &'static Message) -> Message {
    message(&[
        (1, Keyed(&RESOURCE), Singular),
        (2, Envelope(scope), Repeated),
        (3, Text, Singular),
    ])
}

/// A scope group around children of kind `child`.
const fn scope_group(child: Kind) -> Message {
    message(&[
        (1, Keyed(&SCOPE), Singular),
        (2, child, Repeated),
        (3, Text, Singular),
    ])
}

static RESOURCE_LOGS: Message = resource_group(&SCOPE_LOGS);
static RESOURCE_METRICS: Message = resource_group(&SCOPE_METRICS);
static RESOURCE_SPANS: Message = resource_group(&SCOPE_SPANS);
static SCOPE_LOGS: Message = scope_group(LogRecord);
static SCOPE_METRICS: Message = scope_group(Envelope(&METRIC));
static SCOPE_SPANS: Message = scope_group(Record(&SPAN));

static RESOURCE: Message = message(&[
    (1, Attribute, Repeated),
    (2, Varint, Singular),
    (3, nested(&ENTITY_REF), Repeated),
]);

static ENTITY_REF: Message = message(&[
    (1, Text, Singular),
    (2, Text, Singular),
    (3, Text, Repeated),
    (4, Text, Repeated),
]);

static SCOPE: Message = message(&[
    (1, Text, Singular),
    (2, Text, Singular),
    (3, Attribute, Repeated),
    (4, Varint, Singular),
]);

pub(super) static KEY_VALUE: Message = message(&[
    (1, Text, Singular),
    (2, Value, Singular),
    (3, Varint, Singular),
]);

pub(super) static ANY_VALUE: Message = message(&[
    (1, Text, Oneof(1)),
    (2, Varint, Oneof(1)),
    (3, Varint, Oneof(1)),
    (4, Fixed64, Oneof(1)),
    (5, nested(&ARRAY_VALUE), Oneof(1)),
    (6, nested(&KEY_VALUE_LIST), Oneof(1)),
    (7, Bytes, Oneof(1)),
    (8, Varint, Oneof(1)),
]);

static ARRAY_VALUE: Message = message(&[(1, Value, Repeated)]);
static KEY_VALUE_LIST: Message = message(&[(1, nested(&KEY_VALUE), Repeated)]);

pub(super) static LOG_RECORD: Message = message(&[
    (1, Fixed64, Singular),
    (2, Varint, Singular),
    (3, Text, Singular),
    (5, Value, Singular),
    (6, Attribute, Repeated),
    (7, Varint, Singular),
    (8, Fixed32, Singular),
    (9, TraceId, Singular),
    (10, SpanId, Singular),
    (11, Fixed64, Singular),
    (12, Text, Singular),
]);

static SPAN: Message = message(&[
    (1, TraceId, Singular),
    (2, SpanId, Singular),
    (3, Text, Singular),
    (4, SpanId, Singular),
    (5, Text, Singular),
    (6, Varint, Singular),
    (7, Fixed64, Singular),
    (8, Fixed64, Singular),
    (9, Attribute, Repeated),
    (10, Varint, Singular),
    (11, nested(&SPAN_EVENT), Repeated),
    (12, Varint, Singular),
    (13, nested(&SPAN_LINK), Repeated),
    (14, Varint, Singular),
    (15, nested(&STATUS), Singular),
    (16, Fixed32, Singular),
]);

static SPAN_EVENT: Message = message(&[
    (1, Fixed64, Singular),
    (2, Text, Singular),
    (3, nested(&KEY_VALUE), Repeated),
    (4, Varint, Singular),
]);

static SPAN_LINK: Message = message(&[
    (1, TraceId, Singular),
    (2, SpanId, Singular),
    (3, Text, Singular),
    (4, nested(&KEY_VALUE), Repeated),
    (5, Varint, Singular),
    (6, Fixed32, Singular),
]);

static STATUS: Message = message(&[(2, Text, Singular), (3, Varint, Singular)]);

static METRIC: Message = message(&[
    (1, Text, Singular),
    (2, Text, Singular),
    (3, Text, Singular),
    (5, Envelope(&GAUGE), Oneof(5)),
    (7, Envelope(&SUM), Oneof(5)),
    (9, Envelope(&HISTOGRAM), Oneof(5)),
    (10, Envelope(&EXPONENTIAL_HISTOGRAM), Oneof(5)),
    (11, Envelope(&SUMMARY), Oneof(5)),
    (12, nested(&KEY_VALUE), Repeated),
]);

static GAUGE: Message = message(&[(1, Record(&NUMBER_POINT), Repeated)]);

static SUM: Message = message(&[
    (1, Record(&NUMBER_POINT), Repeated),
    (2, Varint, Singular),
    (3, Varint, Singular),
]);

static HISTOGRAM: Message = message(&[
    (1, Record(&HISTOGRAM_POINT), Repeated),
    (2, Varint, Singular),
]);

static EXPONENTIAL_HISTOGRAM: Message = message(&[
    (1, Record(&EXPONENTIAL_POINT), Repeated),
    (2, Varint, Singular),
]);

static SUMMARY: Message = message(&[(1, Record(&SUMMARY_POINT), Repeated)]);

static NUMBER_POINT: Message = message(&[
    (2, Fixed64, Singular),
    (3, Fixed64, Singular),
    (4, Fixed64, Oneof(4)),
    (5, nested(&EXEMPLAR), Repeated),
    (6, Fixed64, Oneof(4)),
    (7, Attribute, Repeated),
    (8, Varint, Singular),
]);

static HISTOGRAM_POINT: Message = message(&[
    (2, Fixed64, Singular),
    (3, Fixed64, Singular),
    (4, Fixed64, Singular),
    (5, Fixed64, Singular),
    (6, PackedFixed64, Repeated),
    (7, PackedFixed64, Repeated),
    (8, nested(&EXEMPLAR), Repeated),
    (9, Attribute, Repeated),
    (10, Varint, Singular),
    (11, Fixed64, Singular),
    (12, Fixed64, Singular),
]);

static EXPONENTIAL_POINT: Message = message(&[
    (1, Attribute, Repeated),
    (2, Fixed64, Singular),
    (3, Fixed64, Singular),
    (4, Fixed64, Singular),
    (5, Fixed64, Singular),
    (6, Varint, Singular),
    (7, Fixed64, Singular),
    (8, nested(&BUCKETS), Singular),
    (9, nested(&BUCKETS), Singular),
    (10, Varint, Singular),
    (11, nested(&EXEMPLAR), Repeated),
    (12, Fixed64, Singular),
    (13, Fixed64, Singular),
    (14, Fixed64, Singular),
]);

static BUCKETS: Message = message(&[(1, Varint, Singular), (2, PackedVarint, Repeated)]);

static SUMMARY_POINT: Message = message(&[
    (2, Fixed64, Singular),
    (3, Fixed64, Singular),
    (4, Fixed64, Singular),
    (5, Fixed64, Singular),
    (6, nested(&VALUE_AT_QUANTILE), Repeated),
    (7, Attribute, Repeated),
    (8, Varint, Singular),
]);

static VALUE_AT_QUANTILE: Message = message(&[(1, Fixed64, Singular), (2, Fixed64, Singular)]);

static EXEMPLAR: Message = message(&[
    (2, Fixed64, Singular),
    (3, Fixed64, Oneof(3)),
    (4, SpanId, Singular),
    (5, TraceId, Singular),
    (6, Fixed64, Oneof(3)),
    (7, nested(&KEY_VALUE), Repeated),
]);
