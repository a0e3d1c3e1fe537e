//! OTLP without decoding: a cursor over raw protobuf, views of the messages, handles on their places,
//! and the validation that lets everything else trust the bytes.

mod elements;
mod handles;
mod messages;
mod validate;
mod views;
mod wire;

pub use handles::{
    DataPoint, DataPoints, Record, Records, Request, Requests, ResourceGroup, ResourceGroups,
    ScopeGroup, ScopeGroups,
};
pub use messages::{Kept, Messages, View};
pub use validate::{Fault, Malformed};
pub use views::{
    LogRecord, Metric, MetricData, MetricKind, PointView, Resource, Scope, Span, SpanEvent,
    SpanLink, Status,
};
pub use wire::{Fields, RawField, WireType};

pub(crate) use handles::{Extent, length_delimited, number};
pub(crate) use validate::validate;
pub(crate) use wire::{split_short, tag, varint_length, write_varint};
