//! Everything that generated code names: `use watershed::generated::*;`.
//!
//! The list is the contract between the compiler and this crate.

pub use std::sync::LazyLock;
pub use std::time::Duration;

pub use regex::bytes::Regex;

#[cfg(feature = "flows")]
pub use crate::batch::{Batch, BatchOptions};
pub use crate::branches::OpenBranches;
pub use crate::cel;
pub use crate::config::{ConfigError, ConfigReader, ConfigValues, Secret};
#[cfg(feature = "flows")]
pub use crate::delivery::{Event, Quota, Refused, Stage, Target, Unconnected, Verdicts, deliver};
pub use crate::error::{RunError, StartError};
pub use crate::instances::{Instanced, Instances, InstancesByInt, InstancesByText, instance_node};
#[cfg(feature = "nats")]
pub use crate::nats::{NatsConnection, NatsConnectionOptions};
pub use crate::otlp::{
    DataPoint, Kept, LogRecord, Messages, Metric, MetricData, MetricKind, PointView, RawField,
    Record, Request, Resource, ResourceGroup, Scope, ScopeGroup, Span, SpanEvent, SpanLink, Status,
};
pub use crate::payload::{Payload, Piece, Signal};
#[cfg(feature = "flows")]
pub use crate::runtime::{Running, Runtime, RuntimeOptions};
#[cfg(feature = "flows")]
pub use crate::sample::{is_sampled, is_sampled_at_random};
pub use crate::select::{Changes, Count, Part, Parts, Selection, SubjectHandle, SubjectSelection};
#[cfg(feature = "file")]
pub use crate::sink::{FileFormat, FileSink, FileSinkOptions, StdoutSink, StdoutSinkOptions};
#[cfg(feature = "nats")]
pub use crate::sink::{NatsSink, NatsSinkOptions};
#[cfg(feature = "otlp")]
pub use crate::source::{OtlpSourceOptions, OtlpStages};
pub use crate::subject::{Subject, SubjectWriter};
pub use crate::value::{
    AnyValue, Attribute, Attributes, IntSet, List, Map, Needle, Text, TextSet, TextTable, Truth,
    elapsed,
};
