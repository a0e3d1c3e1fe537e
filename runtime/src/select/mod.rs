//! Selections: which records of a payload go to one target, as byte ranges that are copied once.
//!
//! A walk keeps handles in a [`Selection`] (or, under subjects, in a [`SubjectSelection`]); `finish` gives
//! the [`Parts`] of the target. `marks` notes ranges, `copy` makes export requests of them, `split` cuts
//! those under a limit, `origin` and `rejected` name records that are refused.

mod arena;
mod change;
mod common;
mod copy;
mod count;
mod leaves;
mod limits;
mod marks;
mod origin;
mod parts;
mod path;
mod rejected;
mod split;
mod subjects;
mod suffix;
#[cfg(test)]
mod tests;

pub use change::Changes;
pub use count::Count;
pub(crate) use limits::{MAX_SUBJECTS, output_limit};
pub use parts::{Part, Parts, Split};
pub use rejected::{RejectReason, RejectedRecords, Rejection};
pub use subjects::{SubjectHandle, SubjectSelection};

use crate::otlp::{DataPoint, Record, Request, ResourceGroup, ScopeGroup};
use common::Common;
use marks::Marks;
use origin::Origin;

/// The output of one leaf of a walk: the records that one target gets.
///
/// Handles are kept in the order of the walk; what lies before something that was kept already is
/// passed over, so a record is in an output at most once. What is kept comes with the envelopes around
/// it, their schema URLs and unknown fields; envelopes without records do not appear.
///
/// ```
/// use bytes::Bytes;
/// use watershed::{Payload, Piece, Selection, Signal};
///
/// // One resource group, one scope group, two log records of severity 9 and 17.
/// let request = [0x0a, 10, 0x12, 8, 0x12, 2, 0x10, 9, 0x12, 2, 0x10, 17];
/// let payload = Payload::from(Piece::validate(Signal::Logs, Bytes::copy_from_slice(&request))?);
/// let mut errors = Selection::new();
/// for request in payload.requests() {
///     for record in request.resources().flat_map(|group| group.records()) {
///         if record.log().fields().any(|field| field.number() == 2 && field.int() >= 17) {
///             errors.keep(&record);
///         }
///     }
/// }
/// let parts = errors.finish();
/// assert_eq!(parts.records(), 1);
/// assert_eq!(&parts.parts[0].payload().bytes()[..], [0x0a, 6, 0x12, 4, 0x12, 2, 0x10, 17]);
/// # Ok::<(), watershed::Malformed>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Selection<'a> {
    marks: Marks<'a>,
    common: Common,
}

impl<'a> Selection<'a> {
    /// A selection of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a whole request, which is handed on without a copy.
    pub fn keep_request(&mut self, request: &Request<'a>) {
        self.marks.keep_request(*request, &mut self.common);
    }

    /// Keeps a resource with everything that it sent.
    #[inline]
    pub fn keep_all(&mut self, group: &ResourceGroup<'a>) {
        self.marks.keep_group(group, &mut self.common);
    }

    /// Keeps a scope with everything that it sent.
    pub fn keep_scope(&mut self, scope: &ScopeGroup<'a>) {
        self.marks.keep_scope(scope, &mut self.common);
    }

    /// Keeps a log record, a span or a metric with all its points. A metric without points is an empty
    /// envelope and is left out.
    #[inline(always)]
    pub fn keep(&mut self, record: &Record<'a>) {
        self.marks.keep_record(record, &mut self.common);
    }

    /// Keeps one data point.
    #[inline]
    pub fn keep_point(&mut self, point: &DataPoint<'a>) {
        self.marks.keep_point(point, &mut self.common);
    }

    /// Changes the resource of a group for all that is kept of the group from now on. A group without a
    /// resource gets one.
    pub fn change_resource(
        &mut self,
        group: &ResourceGroup<'a>,
        change: impl FnOnce(&mut Changes<'_>),
    ) {
        self.common.change_resource(group, change);
    }

    /// Changes the scope of a group for all that is kept of the group from now on. A group without a scope
    /// gets one.
    pub fn change_scope(&mut self, scope: &ScopeGroup<'a>, change: impl FnOnce(&mut Changes<'_>)) {
        self.common.change_scope(scope, change);
    }

    /// Changes fields of a metric itself for all that is kept of the metric from now on.
    pub fn change_metric(&mut self, metric: &Record<'a>, change: impl FnOnce(&mut Changes<'_>)) {
        self.common.change_metric(metric, change);
    }

    /// Keeps a log record or span with changes.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use watershed::otlp::LogRecord;
    /// use watershed::{Payload, Piece, Selection, Signal};
    ///
    /// // One resource group, one scope group, one log record of severity 9.
    /// let request = Bytes::from_static(&[0x0a, 6, 0x12, 4, 0x12, 2, 0x10, 9]);
    /// let payload = Payload::from(Piece::validate(Signal::Logs, request)?);
    /// let mut selection = Selection::new();
    /// for request in payload.requests() {
    ///     for record in request.resources().flat_map(|group| group.records()) {
    ///         selection.keep_changed(&record, |log| {
    ///             log.set_enumeration(LogRecord::SEVERITY_NUMBER, 17);
    ///             log.set_text(LogRecord::SEVERITY_TEXT, "E");
    ///         });
    ///     }
    /// }
    /// let parts = selection.finish();
    /// let changed = [0x0a, 9, 0x12, 7, 0x12, 5, 0x10, 17, 0x1a, 1, b'E'];
    /// assert_eq!(&parts.parts[0].payload().bytes()[..], changed);
    /// # Ok::<(), watershed::Malformed>(())
    /// ```
    #[inline]
    pub fn keep_changed(&mut self, record: &Record<'a>, change: impl FnOnce(&mut Changes<'_>)) {
        let cuts = self.common.change_record(record, change);
        self.marks
            .keep_changed_record(record, &cuts, &mut self.common);
    }

    /// Keeps a data point with changes.
    #[inline]
    pub fn keep_changed_point(
        &mut self,
        point: &DataPoint<'a>,
        change: impl FnOnce(&mut Changes<'_>),
    ) {
        let cuts = self.common.change_point(point, change);
        self.marks
            .keep_changed_point(point, &cuts, &mut self.common);
    }

    /// Copies what was kept, with exact lengths.
    #[inline]
    pub fn finish(mut self) -> Parts {
        self.marks.close_request(&mut self.common);
        if self.common.arena.overflowed() {
            let records = Origin::of(&mut self.marks).rejected(std::iter::once(0..u64::MAX));
            return Parts {
                parts: Vec::new(),
                rejected: vec![Rejection {
                    reason: RejectReason::OutputTooLarge,
                    records,
                }],
            };
        }
        let part = Part::of(&mut self.marks, &self.common.arena, None);
        Parts {
            parts: part.into_iter().collect(),
            rejected: Vec::new(),
        }
    }

    /// Names what was kept and copies nothing: for records that are refused.
    pub fn into_records(mut self) -> RejectedRecords {
        self.marks.close_request(&mut self.common);
        Origin::of(&mut self.marks).rejected(std::iter::once(0..u64::MAX))
    }
}
