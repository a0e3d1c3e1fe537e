//! A selection for a target whose subject is made from data: one part for each subject.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use super::change::Changes;
use super::common::Common;
use super::limits::{MAX_SUBJECTS, output_limit};
use super::marks::Marks;
use super::origin::Origin;
use super::parts::{Part, Parts};
use super::rejected::{RejectReason, RejectedRecords, Rejection};
use crate::otlp::{DataPoint, Record, Request, ResourceGroup, ScopeGroup};
use crate::subject::{Subject, SubjectWriter};

/// Room for this many subjects is made at once: their outputs are too large to be moved often.
const FEW_SUBJECTS: usize = 16;

/// The output of one leaf whose target has a subject: records are kept under a subject each.
///
/// A subject that may not be sent (too long, reserved, one too many) gives a handle too; what is kept under
/// it ends up in [`Parts::rejected`]. A handle is good until the next one is asked for: subjects under which
/// nothing was kept by then do not count, and their places are used again.
///
/// ```
/// use bytes::Bytes;
/// use watershed::{Payload, Piece, Signal, SubjectSelection};
///
/// // One resource group with one scope group with one empty log record.
/// let request = Bytes::from_static(&[0x0a, 4, 0x12, 2, 0x12, 0]);
/// let payload = Payload::from(Piece::validate(Signal::Logs, request)?);
/// let mut selection = SubjectSelection::new();
/// for request in payload.requests() {
///     for group in request.resources() {
///         let subject = selection.subject(|subject| {
///             subject.literal("logs.");
///             subject.token("a.b");
///         });
///         selection.keep_all(subject, &group);
///     }
/// }
/// let parts = selection.finish();
/// assert_eq!(parts.parts[0].subject().unwrap().as_str(), "logs.a%2Eb");
/// # Ok::<(), watershed::Malformed>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SubjectSelection<'a> {
    outputs: Vec<Output<'a>>,
    /// The outputs by subject.
    subjects: HashMap<Subject, SubjectHandle, RandomState>,
    /// The outputs of refused records by reason.
    refused: BTreeMap<RejectReason, SubjectHandle>,
    last: Option<SubjectHandle>,
    /// Outputs of subjects under which nothing was kept when the walk went on.
    vacant: Vec<SubjectHandle>,
    writer: SubjectWriter,
    common: Common,
}

/// The records of one subject, or those refused for one reason.
#[derive(Clone, Debug)]
struct Output<'a> {
    key: Result<Subject, RejectReason>,
    marks: Marks<'a>,
}

/// Where the records of one subject go; only for the selection that gave it, and until it gives the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubjectHandle(u32);

impl<'a> SubjectSelection<'a> {
    /// A selection of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The handle of the subject that `write` writes.
    pub fn subject(&mut self, write: impl FnOnce(&mut SubjectWriter)) -> SubjectHandle {
        self.leave_last();
        self.writer.clear();
        write(&mut self.writer);
        match self.writer.finish() {
            Ok(subject) => {
                if let Some(last) = self.last.filter(|last| self.is_subject(*last, subject)) {
                    return last;
                }
                if let Some(known) = self.subjects.get(subject) {
                    self.last = Some(*known);
                    return *known;
                }
                let subject = Subject::new(subject);
                self.new_subject(subject)
            }
            Err(reason) => self.refuse(reason),
        }
    }

    /// True when `handle` is that of `subject`.
    fn is_subject(&self, handle: SubjectHandle, subject: &str) -> bool {
        let output = self.outputs.get(handle.0 as usize);
        output.is_some_and(|output| matches!(&output.key, Ok(key) if key.as_str() == subject))
    }

    /// Notes the output that was asked for last as vacant when nothing was kept under it.
    fn leave_last(&mut self) {
        let last = self.last.filter(|last| self.is_vacant(*last));
        self.vacant
            .extend(last.filter(|last| self.vacant.last() != Some(last)));
    }

    fn is_vacant(&self, handle: SubjectHandle) -> bool {
        let output = self.outputs.get(handle.0 as usize);
        output.is_some_and(|output| output.marks.is_empty())
    }

    /// Gives a vacant output to `subject`.
    fn reuse(&mut self, subject: &Subject) -> Option<SubjectHandle> {
        while let Some(handle) = self.vacant.pop() {
            // Something may have been kept under it since.
            if self.is_vacant(handle) {
                let output = self.outputs.get_mut(handle.0 as usize)?;
                let before = std::mem::replace(&mut output.key, Ok(subject.clone()));
                before.ok().and_then(|before| self.subjects.remove(&before));
                return Some(handle);
            }
        }
        None
    }

    /// The handle of a subject that was not seen before.
    fn new_subject(&mut self, subject: Subject) -> SubjectHandle {
        if let Some(handle) = self.reuse(&subject) {
            self.subjects.insert(subject, handle);
            self.last = Some(handle);
            return handle;
        }
        if self.subjects.len() == MAX_SUBJECTS {
            return self.refuse(RejectReason::TooManySubjects);
        }
        let handle = self.add(Ok(subject.clone()));
        self.subjects.insert(subject, handle);
        self.last = Some(handle);
        handle
    }

    /// The handle of what is refused for `reason`.
    fn refuse(&mut self, reason: RejectReason) -> SubjectHandle {
        if let Some(known) = self.refused.get(&reason) {
            return *known;
        }
        let handle = self.add(Err(reason));
        self.refused.insert(reason, handle);
        handle
    }

    /// Adds an output.
    fn add(&mut self, key: Result<Subject, RejectReason>) -> SubjectHandle {
        if self.outputs.is_empty() {
            self.outputs.reserve(FEW_SUBJECTS);
            self.subjects.reserve(FEW_SUBJECTS);
        }
        let handle = SubjectHandle(self.outputs.len() as u32);
        self.outputs.push(Output {
            key,
            marks: Marks::default(),
        });
        handle
    }

    /// Keeps a whole request.
    pub fn keep_request(&mut self, subject: SubjectHandle, request: &Request<'a>) {
        if let Some(output) = self.outputs.get_mut(subject.0 as usize) {
            output.marks.keep_request(*request, &mut self.common);
        }
    }

    /// Keeps a resource with everything that it sent.
    pub fn keep_all(&mut self, subject: SubjectHandle, group: &ResourceGroup<'a>) {
        if let Some(output) = self.outputs.get_mut(subject.0 as usize) {
            output.marks.keep_group(group, &mut self.common);
        }
    }

    /// Keeps a scope with everything that it sent.
    pub fn keep_scope(&mut self, subject: SubjectHandle, scope: &ScopeGroup<'a>) {
        if let Some(output) = self.outputs.get_mut(subject.0 as usize) {
            output.marks.keep_scope(scope, &mut self.common);
        }
    }

    /// Keeps a log record, a span or a metric with all its points.
    #[inline(always)]
    pub fn keep(&mut self, subject: SubjectHandle, record: &Record<'a>) {
        if let Some(output) = self.outputs.get_mut(subject.0 as usize) {
            output.marks.keep_record(record, &mut self.common);
        }
    }

    /// Keeps one data point.
    #[inline]
    pub fn keep_point(&mut self, subject: SubjectHandle, point: &DataPoint<'a>) {
        if let Some(output) = self.outputs.get_mut(subject.0 as usize) {
            output.marks.keep_point(point, &mut self.common);
        }
    }

    /// Changes the resource of a group for all that is kept of the group from now on.
    pub fn change_resource(
        &mut self,
        group: &ResourceGroup<'a>,
        change: impl FnOnce(&mut Changes<'_>),
    ) {
        self.common.change_resource(group, change);
    }

    /// Changes the scope of a group for all that is kept of the group from now on.
    pub fn change_scope(&mut self, scope: &ScopeGroup<'a>, change: impl FnOnce(&mut Changes<'_>)) {
        self.common.change_scope(scope, change);
    }

    /// Changes fields of a metric itself for all that is kept of the metric from now on.
    pub fn change_metric(&mut self, metric: &Record<'a>, change: impl FnOnce(&mut Changes<'_>)) {
        self.common.change_metric(metric, change);
    }

    /// Keeps a log record or span with changes.
    #[inline]
    pub fn keep_changed(
        &mut self,
        subject: SubjectHandle,
        record: &Record<'a>,
        change: impl FnOnce(&mut Changes<'_>),
    ) {
        if let Some(output) = self.outputs.get_mut(subject.0 as usize) {
            let cuts = self.common.change_record(record, change);
            output
                .marks
                .keep_changed_record(record, &cuts, &mut self.common);
        }
    }

    /// Keeps a data point with changes.
    #[inline]
    pub fn keep_changed_point(
        &mut self,
        subject: SubjectHandle,
        point: &DataPoint<'a>,
        change: impl FnOnce(&mut Changes<'_>),
    ) {
        if let Some(output) = self.outputs.get_mut(subject.0 as usize) {
            let cuts = self.common.change_point(point, change);
            output
                .marks
                .keep_changed_point(point, &cuts, &mut self.common);
        }
    }

    /// Copies what was kept, one part for each subject in the order in which the subjects appeared.
    pub fn finish(mut self) -> Parts {
        for output in &mut self.outputs {
            output.marks.close_request(&mut self.common);
        }
        let mut budget = match self.common.arena.overflowed() {
            true => 0,
            false => self.output_budget(),
        };
        let mut parts = Parts::default();
        let mut rejected = BTreeMap::new();
        for Output { key, mut marks } in self.outputs {
            let length = marks
                .pieces
                .iter()
                .map(|piece| u64::from(piece.length))
                .sum();
            match key {
                Ok(subject) if budget >= length => {
                    budget -= length;
                    parts
                        .parts
                        .extend(Part::of(&mut marks, &self.common.arena, Some(subject)));
                }
                Ok(_) => reject(&mut rejected, RejectReason::OutputTooLarge, &mut marks),
                Err(reason) => reject(&mut rejected, reason, &mut marks),
            }
        }
        let rejected = rejected
            .into_iter()
            .filter(|(_, records)| !records.is_empty());
        parts.rejected = rejected
            .map(|(reason, records)| Rejection { reason, records })
            .collect();
        parts
    }

    /// How many bytes the parts may have together.
    fn output_budget(&self) -> u64 {
        let pieces = self.outputs.iter().flat_map(|output| &output.marks.pieces);
        let inputs: BTreeMap<_, _> = pieces
            .map(|piece| (piece.index, piece.source.bytes.len() as u64))
            .collect();
        output_limit(inputs.values().sum())
    }
}

/// Adds what `marks` keep to the records that are rejected for `reason`.
fn reject(
    rejected: &mut BTreeMap<RejectReason, RejectedRecords>,
    reason: RejectReason,
    marks: &mut Marks<'_>,
) {
    let records = Origin::of(marks).rejected(std::iter::once(0..u64::MAX));
    rejected.entry(reason).or_default().merge(&records);
}
