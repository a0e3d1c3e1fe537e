//! Selections: which records of a payload go to one target, as byte ranges that are copied once.
pub use parts::{Part, Parts, Split};
pub use rejected::{RejectReason, RejectedRecords, Rejection};
pub use subjects::{SubjectHandle, SubjectSelection};
mod parts;
mod rejected;
mod subjects;

use std::marker::PhantomData;

use crate::otlp::{DataPoint, Record, Request, ResourceGroup, ScopeGroup};

/// The output of one leaf of a walk.
#[derive(Clone, Debug, Default)]
pub struct Selection<'a> {
    request: PhantomData<Request<'a>>,
}

impl<'a> Selection<'a> {
    /// A selection of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a whole request.
    pub fn keep_request(&mut self, request: &Request<'a>) {
        todo!()
    }

    /// Keeps a resource with everything that it sent.
    pub fn keep_all(&mut self, group: &ResourceGroup<'a>) {
        todo!()
    }

    /// Keeps a scope group.
    pub fn keep_scope(&mut self, scope: &ScopeGroup<'a>) {
        todo!()
    }

    /// Keeps a log record, a span or a metric with all its points.
    pub fn keep(&mut self, record: &Record<'a>) {
        todo!()
    }

    /// Keeps one data point.
    pub fn keep_point(&mut self, point: &DataPoint<'a>) {
        todo!()
    }

    /// Copies what was kept, with exact lengths.
    pub fn finish(self) -> Parts {
        todo!()
    }
}
