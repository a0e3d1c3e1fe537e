//! The signals of OTLP, and the fields that expressions can read.
//!
//! Names follow OTTL, types follow the protobuf binding of CEL: unsigned fields are `uint`, enumerations are
//! `int`, attribute values and the body of a log are `dyn`. An unset field reads as its default and never fails.

use std::fmt;

use crate::check::types::{Level, Type};

/// A kind of telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// Log records.
    Logs,
    /// Metrics with their data points.
    Metrics,
    /// Spans.
    Traces,
}

impl Signal {
    /// Every signal, in the order of the language.
    pub const ALL: [Self; 3] = [Self::Logs, Self::Metrics, Self::Traces];

    /// The name as it is written behind a source.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logs => "logs",
            Self::Metrics => "metrics",
            Self::Traces => "traces",
        }
    }

    /// The signal with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|signal| signal.name() == name)
    }
}

/// A set of signals: what an edge carries.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signals(u8);

impl Signals {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Logs, metrics and traces.
    pub const ALL: Self = Self(0b111);

    /// One signal.
    #[must_use]
    pub const fn only(signal: Signal) -> Self {
        Self(1 << signal as u8)
    }

    /// What is in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the signal is in the set.
    #[must_use]
    pub const fn contains(self, signal: Signal) -> bool {
        self.0 & Self::only(signal).0 != 0
    }

    /// Whether every signal of `other` is in the set.
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The signals of the set, in the order of the language.
    pub fn iter(self) -> impl Iterator<Item = Signal> {
        Signal::ALL
            .into_iter()
            .filter(move |signal| self.contains(*signal))
    }
}

/// `logs, metrics and traces`
impl fmt::Display for Signals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Signal::name).collect();
        formatter.write_str(&crate::check::words::and_list(&names))
    }
}

impl fmt::Debug for Signals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{{{self}}}")
    }
}

/// What an expression starts from to read the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// The payload itself: `signal`.
    Payload,
    /// `resource`
    Resource,
    /// `scope`
    Scope,
    /// `metric`
    Metric,
    /// `log`
    Log,
    /// `span`
    Span,
    /// `datapoint`
    DataPoint,
}

impl Root {
    /// The roots that are followed by a field.
    pub const WITH_FIELDS: [Self; 6] = [
        Self::Resource,
        Self::Scope,
        Self::Metric,
        Self::Log,
        Self::Span,
        Self::DataPoint,
    ];

    /// The name as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Payload => "signal",
            Self::Resource => "resource",
            Self::Scope => "scope",
            Self::Metric => "metric",
            Self::Log => "log",
            Self::Span => "span",
            Self::DataPoint => "datapoint",
        }
    }

    /// What it is, with an article, for messages.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Payload => "a payload",
            Self::Resource => "a resource",
            Self::Scope => "a scope",
            Self::Metric => "a metric",
            Self::Log => "a log record",
            Self::Span => "a span",
            Self::DataPoint => "a data point",
        }
    }

    /// The level of everything read from it.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::Payload => Level::Payload,
            Self::Resource => Level::Resource,
            Self::Scope => Level::Scope,
            Self::Metric => Level::Metric,
            Self::Log | Self::Span | Self::DataPoint => Level::Record,
        }
    }

    /// The signals that have it.
    #[must_use]
    pub const fn signals(self) -> Signals {
        match self {
            Self::Payload | Self::Resource | Self::Scope => Signals::ALL,
            Self::Metric | Self::DataPoint => Signals::only(Signal::Metrics),
            Self::Log => Signals::only(Signal::Logs),
            Self::Span => Signals::only(Signal::Traces),
        }
    }

    /// The root with this name that is followed by a field.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::WITH_FIELDS
            .into_iter()
            .find(|root| root.name() == name)
    }
}

/// How the value of a field is made from the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reader {
    /// A protobuf `string`.
    Text,
    /// Protobuf `bytes`.
    Bytes,
    /// A protobuf `uint32` as a varint.
    Unsigned,
    /// A protobuf `fixed32`.
    Fixed32,
    /// A protobuf `fixed64`.
    Fixed64,
    /// A protobuf enumeration, cut to 32 bits.
    Enumeration,
    /// An `AnyValue`.
    AnyValue,
    /// Repeated `KeyValue`: a map whose keys are strings; of equal keys the first wins.
    Attributes,
    /// `end_time_unix_nano - start_time_unix_nano` of a span, held within the bounds of a duration.
    SpanDuration,
    /// The name of the payload's signal.
    SignalName,
}

/// A field that expressions can read.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldSpec {
    /// What it is a field of.
    pub root: Root,
    /// Its name behind the root, dots included; empty for `signal`.
    pub name: &'static str,
    /// The constants of its protobuf fields, from the message of the root inwards; empty when it is computed.
    pub path: &'static [&'static str],
    /// How its value is made.
    pub reader: Reader,
    /// What it is, in one line.
    pub help: &'static str,
}

impl FieldSpec {
    /// The type of its values.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self.reader {
            Reader::Text | Reader::SignalName => Type::String,
            Reader::Bytes => Type::Bytes,
            Reader::Unsigned | Reader::Fixed32 | Reader::Fixed64 => Type::Uint,
            Reader::Enumeration => Type::Int,
            Reader::AnyValue => Type::Dyn,
            Reader::Attributes => Type::Map(Box::new(Type::Dyn)),
            Reader::SpanDuration => Type::Duration,
        }
    }

    /// The level at which it can be read.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.root.level()
    }
}

/// `log.severity_number`, as it is written.
impl fmt::Display for FieldSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            "" => formatter.write_str(self.root.name()),
            name => write!(formatter, "{}.{name}", self.root.name()),
        }
    }
}

/// One row of [`FIELDS`].
const fn row(
    root: Root,
    name: &'static str,
    path: &'static [&'static str],
    reader: Reader,
    help: &'static str,
) -> FieldSpec {
    FieldSpec {
        root,
        name,
        path,
        reader,
        help,
    }
}

/// Every field, in the order of the reference.
pub static FIELDS: &[FieldSpec] = &[
    row(
        Root::Payload,
        "",
        &[],
        Reader::SignalName,
        "\"logs\", \"metrics\" or \"traces\"",
    ),
    row(
        Root::Resource,
        "attributes",
        &["ATTRIBUTES"],
        Reader::Attributes,
        "what the resource is",
    ),
    row(
        Root::Resource,
        "dropped_attributes_count",
        &["DROPPED_ATTRIBUTES_COUNT"],
        Reader::Unsigned,
        "how many attributes the sender left out",
    ),
    row(
        Root::Scope,
        "name",
        &["NAME"],
        Reader::Text,
        "the name of the instrumentation",
    ),
    row(
        Root::Scope,
        "version",
        &["VERSION"],
        Reader::Text,
        "the version of the instrumentation",
    ),
    row(
        Root::Scope,
        "attributes",
        &["ATTRIBUTES"],
        Reader::Attributes,
        "what the instrumentation is",
    ),
    row(
        Root::Scope,
        "dropped_attributes_count",
        &["DROPPED_ATTRIBUTES_COUNT"],
        Reader::Unsigned,
        "how many attributes the sender left out",
    ),
    row(
        Root::Log,
        "time_unix_nano",
        &["TIME_UNIX_NANO"],
        Reader::Fixed64,
        "when it happened, in ns since 1970",
    ),
    row(
        Root::Log,
        "observed_time_unix_nano",
        &["OBSERVED_TIME_UNIX_NANO"],
        Reader::Fixed64,
        "when it was collected, in ns since 1970",
    ),
    row(
        Root::Log,
        "severity_number",
        &["SEVERITY_NUMBER"],
        Reader::Enumeration,
        "1 to 4 trace, 5 debug, 9 info, 13 warn, 17 error, 21 fatal; 0 when unset",
    ),
    row(
        Root::Log,
        "severity_text",
        &["SEVERITY_TEXT"],
        Reader::Text,
        "the severity as the sender calls it",
    ),
    row(
        Root::Log,
        "body",
        &["BODY"],
        Reader::AnyValue,
        "the message: text, or any other value",
    ),
    row(
        Root::Log,
        "attributes",
        &["ATTRIBUTES"],
        Reader::Attributes,
        "what else is known of the record",
    ),
    row(
        Root::Log,
        "dropped_attributes_count",
        &["DROPPED_ATTRIBUTES_COUNT"],
        Reader::Unsigned,
        "how many attributes the sender left out",
    ),
    row(
        Root::Log,
        "flags",
        &["FLAGS"],
        Reader::Fixed32,
        "the trace flags in the lowest 8 bits",
    ),
    row(
        Root::Log,
        "trace_id",
        &["TRACE_ID"],
        Reader::Bytes,
        "16 bytes, or none",
    ),
    row(
        Root::Log,
        "span_id",
        &["SPAN_ID"],
        Reader::Bytes,
        "8 bytes, or none",
    ),
    row(
        Root::Log,
        "event_name",
        &["EVENT_NAME"],
        Reader::Text,
        "the kind of event, when the record is one",
    ),
    row(
        Root::Span,
        "trace_id",
        &["TRACE_ID"],
        Reader::Bytes,
        "16 bytes",
    ),
    row(
        Root::Span,
        "span_id",
        &["SPAN_ID"],
        Reader::Bytes,
        "8 bytes",
    ),
    row(
        Root::Span,
        "trace_state",
        &["TRACE_STATE"],
        Reader::Text,
        "the W3C trace state",
    ),
    row(
        Root::Span,
        "parent_span_id",
        &["PARENT_SPAN_ID"],
        Reader::Bytes,
        "8 bytes, or none at the root",
    ),
    row(
        Root::Span,
        "flags",
        &["FLAGS"],
        Reader::Fixed32,
        "the trace flags in the lowest 8 bits",
    ),
    row(
        Root::Span,
        "name",
        &["NAME"],
        Reader::Text,
        "the name of the operation",
    ),
    row(
        Root::Span,
        "kind",
        &["KIND"],
        Reader::Enumeration,
        "1 internal, 2 server, 3 client, 4 producer, 5 consumer; 0 when unset",
    ),
    row(
        Root::Span,
        "start_time_unix_nano",
        &["START_TIME_UNIX_NANO"],
        Reader::Fixed64,
        "when it began, in ns since 1970",
    ),
    row(
        Root::Span,
        "end_time_unix_nano",
        &["END_TIME_UNIX_NANO"],
        Reader::Fixed64,
        "when it ended, in ns since 1970",
    ),
    row(
        Root::Span,
        "duration",
        &[],
        Reader::SpanDuration,
        "how long it took",
    ),
    row(
        Root::Span,
        "attributes",
        &["ATTRIBUTES"],
        Reader::Attributes,
        "what else is known of the span",
    ),
    row(
        Root::Span,
        "dropped_attributes_count",
        &["DROPPED_ATTRIBUTES_COUNT"],
        Reader::Unsigned,
        "how many attributes the sender left out",
    ),
    row(
        Root::Span,
        "dropped_events_count",
        &["DROPPED_EVENTS_COUNT"],
        Reader::Unsigned,
        "how many events the sender left out",
    ),
    row(
        Root::Span,
        "dropped_links_count",
        &["DROPPED_LINKS_COUNT"],
        Reader::Unsigned,
        "how many links the sender left out",
    ),
    row(
        Root::Span,
        "status.code",
        &["STATUS", "CODE"],
        Reader::Enumeration,
        "0 unset, 1 ok, 2 error",
    ),
    row(
        Root::Span,
        "status.message",
        &["STATUS", "MESSAGE"],
        Reader::Text,
        "what went wrong",
    ),
    row(
        Root::Metric,
        "name",
        &["NAME"],
        Reader::Text,
        "the name of the metric",
    ),
    row(
        Root::Metric,
        "description",
        &["DESCRIPTION"],
        Reader::Text,
        "what the metric measures",
    ),
    row(
        Root::Metric,
        "unit",
        &["UNIT"],
        Reader::Text,
        "the unit of the metric",
    ),
    row(
        Root::DataPoint,
        "attributes",
        &["ATTRIBUTES"],
        Reader::Attributes,
        "what the point was measured at",
    ),
    row(
        Root::DataPoint,
        "start_time_unix_nano",
        &["START_TIME_UNIX_NANO"],
        Reader::Fixed64,
        "when the interval began, in ns since 1970",
    ),
    row(
        Root::DataPoint,
        "time_unix_nano",
        &["TIME_UNIX_NANO"],
        Reader::Fixed64,
        "when it ended, in ns since 1970",
    ),
    row(
        Root::DataPoint,
        "flags",
        &["FLAGS"],
        Reader::Unsigned,
        "bit 0: no value was recorded",
    ),
];

/// The field of a root with this name, dots included.
#[must_use]
pub fn field(root: Root, name: &str) -> Option<&'static FieldSpec> {
    FIELDS
        .iter()
        .find(|field| field.root == root && field.name == name)
}

/// The fields of a root, in the order of the reference.
pub fn fields_of(root: Root) -> impl Iterator<Item = &'static FieldSpec> {
    FIELDS.iter().filter(move |field| field.root == root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_stands_twice() {
        let mut names: Vec<_> = FIELDS.iter().map(ToString::to_string).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn sets_of_signals_read_like_a_sentence() {
        assert_eq!(Signals::ALL.to_string(), "logs, metrics and traces");
        assert!(Signals::ALL.covers(Root::Log.signals()));
        assert!(!Root::Log.signals().covers(Signals::ALL));
    }
}
