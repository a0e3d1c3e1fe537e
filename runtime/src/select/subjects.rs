//! A selection for a target whose subject is made from data: one part for each subject.
use std::marker::PhantomData;

use super::Parts;
use crate::otlp::{DataPoint, Record, Request, ResourceGroup, ScopeGroup};
use crate::subject::SubjectWriter;

/// The output of one leaf whose target has a subject.
#[derive(Clone, Debug, Default)]
pub struct SubjectSelection<'a> {
    request: PhantomData<Request<'a>>,
}

/// Where the records of one subject go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubjectHandle(u32);

impl<'a> SubjectSelection<'a> {
    /// A selection of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The handle of the subject that `write` writes.
    pub fn subject(&mut self, write: impl FnOnce(&mut SubjectWriter)) -> SubjectHandle {
        todo!()
    }

    /// Keeps a whole request.
    pub fn keep_request(&mut self, subject: SubjectHandle, request: &Request<'a>) {
        todo!()
    }

    /// Keeps a resource with everything that it sent.
    pub fn keep_all(&mut self, subject: SubjectHandle, group: &ResourceGroup<'a>) {
        todo!()
    }

    /// Keeps a scope group.
    pub fn keep_scope(&mut self, subject: SubjectHandle, scope: &ScopeGroup<'a>) {
        todo!()
    }

    /// Keeps a log record, a span or a metric with all its points.
    pub fn keep(&mut self, subject: SubjectHandle, record: &Record<'a>) {
        todo!()
    }

    /// Keeps one data point.
    pub fn keep_point(&mut self, subject: SubjectHandle, point: &DataPoint<'a>) {
        todo!()
    }

    /// Copies what was kept, one part for each subject.
    pub fn finish(self) -> Parts {
        todo!()
    }
}
