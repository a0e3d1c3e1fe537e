//! Selections: which records of a payload go to one target, as byte ranges that are copied once.
//!
//! A walk keeps handles in a [`Selection`] (or, under subjects, in a [`SubjectSelection`]); `finish` gives
//! the [`Parts`] of the target. `marks` notes ranges, `copy` makes export requests of them, `split` cuts
//! those under a limit, `origin` and `rejected` name records that are refused.

mod copy;
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

pub(crate) use limits::{MAX_SUBJECTS, output_limit};
pub use parts::{Part, Parts, Split};
pub use rejected::{RejectReason, RejectedRecords, Rejection};
pub use subjects::{SubjectHandle, SubjectSelection};

use crate::otlp::{DataPoint, Record, Request, ResourceGroup, ScopeGroup};
use marks::Marks;
use suffix::Suffixes;

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
    suffixes: Suffixes,
}

impl<'a> Selection<'a> {
    /// A selection of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a whole request, which is handed on without a copy.
    pub fn keep_request(&mut self, request: &Request<'a>) {
        self.marks.keep_request(*request, &mut self.suffixes);
    }

    /// Keeps a resource with everything that it sent.
    #[inline]
    pub fn keep_all(&mut self, group: &ResourceGroup<'a>) {
        self.marks.keep_group(group, &mut self.suffixes);
    }

    /// Keeps a scope with everything that it sent.
    pub fn keep_scope(&mut self, scope: &ScopeGroup<'a>) {
        self.marks.keep_scope(scope, &mut self.suffixes);
    }

    /// Keeps a log record, a span or a metric with all its points. A metric without points is an empty
    /// envelope and is left out.
    #[inline(always)]
    pub fn keep(&mut self, record: &Record<'a>) {
        self.marks.keep_record(record, &mut self.suffixes);
    }

    /// Keeps one data point.
    #[inline]
    pub fn keep_point(&mut self, point: &DataPoint<'a>) {
        self.marks.keep_point(point, &mut self.suffixes);
    }

    /// Copies what was kept, with exact lengths.
    pub fn finish(mut self) -> Parts {
        self.marks.close_request(&mut self.suffixes);
        Parts {
            parts: Part::of(&self.marks, None).into_iter().collect(),
            rejected: Vec::new(),
        }
    }
}
