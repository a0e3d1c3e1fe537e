//! The fields that expressions can read.
//!
//! Names follow OTTL, types follow the protobuf binding of CEL: unsigned fields are `uint`, enumerations are
//! `int`, attribute values and the body of a log are `dyn`. An unset field reads as its default and never fails.

use std::fmt;

use super::elements::Element;
use super::table::FIELDS;
use super::{Signal, Signals};
use crate::cel::types::Type;
use crate::level::Level;

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
    /// A protobuf `bool`.
    Boolean,
    /// An `AnyValue`.
    AnyValue,
    /// Repeated `KeyValue`: a map whose keys are strings; of equal keys the first wins.
    Attributes,
    /// Repeated messages that are read in place: a list of records.
    Messages(Element),
    /// `end_time_unix_nano - start_time_unix_nano` of a span, held within the bounds of a duration.
    SpanDuration,
    /// The name of the payload's signal.
    SignalName,
}

impl Reader {
    /// The least and the greatest whole number that it can yield, where its type holds more than 32 bits.
    #[must_use]
    pub const fn bounds(&self) -> Option<(i64, i64)> {
        match self {
            Self::Unsigned | Self::Fixed32 => Some((0, u32::MAX as i64)),
            Self::Enumeration => Some((i32::MIN as i64, i32::MAX as i64)),
            Self::Text
            | Self::Bytes
            | Self::Fixed64
            | Self::Boolean
            | Self::AnyValue
            | Self::Attributes
            | Self::Messages(_)
            | Self::SpanDuration
            | Self::SignalName => None,
        }
    }

    /// The type of the values that it makes.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self {
            Self::Text | Self::SignalName => Type::String,
            Self::Bytes => Type::Bytes,
            Self::Unsigned | Self::Fixed32 | Self::Fixed64 => Type::Uint,
            Self::Enumeration => Type::Int,
            Self::Boolean => Type::Bool,
            Self::AnyValue => Type::Dyn,
            Self::Attributes => Type::map(Type::String, Type::Dyn),
            Self::Messages(element) => Type::list(Type::Record(element.name().to_owned())),
            Self::SpanDuration => Type::Duration,
        }
    }
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
        self.reader.ty()
    }

    /// Whether it is one value, and not a map or a list that is looked into where it lies.
    #[must_use]
    pub const fn is_single(&self) -> bool {
        !matches!(self.reader, Reader::Attributes | Reader::Messages(_))
    }

    /// Whether the view of its message has a method of its name for it: what lies in no one field, because the numbers
    /// differ between the kinds of metrics, and what is looked into later.
    #[must_use]
    pub fn has_method(&self) -> bool {
        let is_computed = matches!(self.reader, Reader::SignalName | Reader::SpanDuration);
        self.root == Root::DataPoint || !self.is_single() || (self.path.is_empty() && !is_computed)
    }

    /// Whether it is there for every kind of message that has the root: the value of a data point is not.
    #[must_use]
    pub fn is_always_there(&self) -> bool {
        self.root != Root::DataPoint || self.reader != Reader::AnyValue
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
}
