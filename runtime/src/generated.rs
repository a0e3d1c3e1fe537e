//! Everything that generated code names: `use watershed::generated::*;`.
//!
//! The list is the contract between the compiler and this crate.

pub use std::time::Duration;

pub use regex::bytes::Regex;

pub use crate::otlp::{
    DataPoint, LogRecord, Metric, MetricData, MetricKind, PointView, RawField, Record, Request,
    Resource, ResourceGroup, Scope, ScopeGroup, Span, Status,
};
pub use crate::payload::{Payload, Piece, Signal};
pub use crate::select::{Part, Parts, Selection, SubjectHandle, SubjectSelection};
pub use crate::subject::{Subject, SubjectWriter};
pub use crate::value::{AnyValue, Attribute, Attributes, List, Map, Text, Truth};
