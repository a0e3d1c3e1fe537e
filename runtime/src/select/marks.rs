//! Marks: which byte ranges of a payload make up one output.
//!
//! Keeping a record notes its range; nothing is copied. The envelopes around kept records (request,
//! resource group, scope group, metric, metric data) are opened when their first record is kept and
//! closed when the walk goes on elsewhere. An envelope's own fields (resource, schema URL, whatever
//! the schema does not know) are noted as ranges too, in their places, and its header gets its new length
//! when it closes, so the copy that follows writes exact lengths without looking back.
//!
//! Neighbouring ranges become one. An envelope whose content is kept whole becomes one range with its
//! header, and a request that is kept whole is not copied at all.
//!
//! Here records and whole envelopes are kept; `envelopes` opens and closes what is around them,
//! `own_fields` takes the fields that belong to an envelope itself, `changed` keeps what gets new bytes, and `plain` is the
//! short way of records in requests that look as nearly all do.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use super::common::Common;
use super::path::{Level, Path};
use crate::otlp::{DataPoint, Extent, Record, Request, ResourceGroup, ScopeGroup};
use crate::payload::{Piece, Signal};

mod changed;
mod envelopes;
mod own_fields;
mod plain;

/// A range of bytes of a source request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Ranges in order.
pub(super) type Chunks = Vec<Chunk>;

/// Bytes that are not those of the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Insert {
    /// The chunk in front of which they stand.
    pub(super) chunk: u32,
    pub(super) bytes: Inserted,
}

/// What stands between chunks of the source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inserted {
    /// The tag and length of an envelope whose content was not kept whole.
    Header { tag: u32, length: u32 },
    /// A range of the new bytes that changes made.
    New { start: u32, end: u32 },
}

/// What is kept of one source request.
#[derive(Clone, Debug)]
pub(super) struct MarkedPiece<'a> {
    pub(super) source: &'a Piece,
    /// Place of the request in its payload.
    pub(super) index: u32,
    /// Ends of its chunks, inserts and resource groups; they start where those of the piece before end.
    pub(super) chunks: usize,
    pub(super) inserts: usize,
    pub(super) groups: usize,
    /// Encoded length of what is kept.
    pub(super) length: u32,
    pub(super) records: u32,
    /// Whether something in it changes.
    pub(super) changed: bool,
}

/// Records that are kept one after another of one plain scope group: one comparison finds the place of
/// each, and what they add up to is settled when something else is kept.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// The scope group; 0 without one.
    scope: u64,
    /// The range that is growing.
    chunk: Chunk,
    /// Where the first range began, at or behind which all of them lie.
    start: u32,
    /// Bytes of the ranges before the one that is growing.
    length: u32,
    records: u32,
}

impl Run {
    /// A run in `scope` that goes on behind `end`.
    fn behind(scope: &ScopeGroup<'_>, end: u32) -> Self {
        Self {
            scope: Self::name(scope),
            chunk: Chunk { start: end, end },
            start: end,
            length: 0,
            records: 0,
        }
    }

    /// Which scope group of which request it is: a group never starts at 0.
    #[inline(always)]
    fn name(scope: &ScopeGroup<'_>) -> u64 {
        u64::from(scope.group.request.index) << 32 | u64::from(scope.extent.start)
    }

    /// True when the run is in `scope`.
    #[inline(always)]
    fn is_in(&self, scope: &ScopeGroup<'_>) -> bool {
        self.scope == Self::name(scope)
    }
}

/// What is kept of a payload for one output.
///
/// Of many outputs each gets a record now and then, and none of them is in the processor's nearest cache by then: what a record
/// needs that is kept in the run stands together in front, within one line of the cache.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Marks<'a> {
    run: Run,
    pub(super) chunks: Chunks,
    /// Records kept of the open request.
    records: u32,
    /// Whether something of the open request changes.
    changed: bool,
    /// Headers are rewritten even where an envelope is kept whole, so that sizes can be foretold.
    rewrite: bool,
    /// The request that is being marked.
    request: Option<Request<'a>>,
    pub(super) inserts: Vec<Insert>,
    levels: ArrayVec<Level, 5>,
    /// Kept records of each resource group that is in the output.
    pub(super) group_records: SmallVec<[u32; 6]>,
    pub(super) pieces: SmallVec<[MarkedPiece<'a>; 1]>,
}

impl<'a> Marks<'a> {
    /// Marks whose output has the shortest possible header on every envelope.
    pub(super) fn rewriting() -> Self {
        Self {
            rewrite: true,
            ..Self::default()
        }
    }

    /// True when nothing was kept.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.request.is_none()
    }

    /// Keeps a log record, a span or a whole metric.
    #[inline(always)]
    pub(super) fn keep_record(&mut self, record: &Record<'a>, common: &mut Common) {
        let scope = &record.scope;
        if self.run.is_in(scope) {
            return self.keep_in_run(record.extent);
        }
        // By value: the handle of a record is in memory only when it comes here.
        self.keep_record_anywhere(*record, common);
    }

    /// Keeps a record of the scope group that a run is in.
    #[inline(always)]
    fn keep_in_run(&mut self, record: Extent) {
        let chunk = self.run.chunk;
        if record.start < chunk.end {
            return;
        }
        self.run.chunk.end = record.end;
        self.run.records += 1;
        if record.start > chunk.end {
            self.run.chunk.start = record.start;
            self.run.length += chunk.end - chunk.start;
            if chunk.start == self.run.start {
                // It may prolong what was kept before the run.
                self.push(chunk);
            } else {
                self.chunks.push(chunk);
            }
        }
    }

    /// Keeps a record that is not in the scope group of the run.
    #[inline(never)]
    fn keep_record_anywhere(&mut self, record: Record<'a>, common: &mut Common) {
        self.settle();
        let request = record.request();
        let plain = !request.piece.layout.interleaved && request.signal() != Signal::Metrics;
        if plain {
            self.begin_run(&record, common);
        } else {
            self.keep_single_record(&record, common);
        }
    }

    /// Keeps a metric, or a record beside which own fields of its scope group may stand.
    fn keep_single_record(&mut self, record: &Record<'a>, common: &mut Common) {
        let scope = &record.scope;
        let request = scope.group.request;
        let records = record.record_count();
        if common.change_of(request, 3, record.extent.start).is_some() {
            return self.keep_changed_envelope(&Path::into_metric(record), records, common);
        }
        let open = self.is_open(request, 2, scope.extent.start);
        if records > 0 && (open || self.open(&Path::of_record(record), common)) {
            self.child(record.extent, records);
        }
    }

    /// Ends the run: what it kept joins the rest.
    #[inline(always)]
    fn settle(&mut self) {
        if self.run.scope != 0 {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        level.cursor = run.chunk.end;
        level.length += run.length + run.chunk.end - run.chunk.start;
        self.records += run.records;
        self.push(run.chunk);
    }

    /// Keeps one data point.
    #[inline]
    pub(super) fn keep_point(&mut self, point: &DataPoint<'a>, common: &mut Common) {
        self.settle();
        let open = self.is_open(point.metric.request(), 4, point.data.start);
        if open || self.open(&Path::of_point(point), common) {
            self.child(point.extent, 1);
        }
    }

    /// Keeps a whole scope group.
    pub(super) fn keep_scope(&mut self, scope: &ScopeGroup<'a>, common: &mut Common) {
        self.settle();
        let records = scope.records().map(|record| record.record_count()).sum();
        let request = scope.group.request;
        if common.change_of(request, 2, scope.extent.start).is_some() {
            return self.keep_changed_envelope(&Path::into_scope(scope), records, common);
        }
        let open = self.is_open(scope.group.request, 1, scope.group.extent.start);
        if records > 0 && (open || self.open(&Path::of_scope(scope), common)) {
            self.child(scope.extent, records);
        }
    }

    /// Keeps a whole resource group.
    #[inline]
    pub(super) fn keep_group(&mut self, group: &ResourceGroup<'a>, common: &mut Common) {
        self.settle();
        let request = group.request;
        if common.change_of(request, 1, group.extent.start).is_some() {
            return self.keep_changed_envelope(&Path::into_group(group), group.records, common);
        }
        let open = self.is_open(request, 0, 0);
        if group.records > 0
            && (open || self.open(&Path::of_request(request), common))
            && self.child(group.extent, group.records)
        {
            self.group_records.push(group.records);
        }
    }

    /// Keeps a whole request.
    pub(super) fn keep_request(&mut self, request: Request<'a>, common: &mut Common) {
        self.settle();
        let piece = request.piece;
        if self.rewrite || self.is_current(request) {
            request
                .resources()
                .for_each(|group| self.keep_group(&group, common));
            return;
        }
        if piece.records == 0 || !self.start_request(request, common) {
            return;
        }
        self.group_records.extend_from_slice(&piece.group_records);
        self.child(
            Extent {
                start: 0,
                payload: 0,
                end: piece.bytes.len() as u32,
            },
            piece.records,
        );
    }

    /// Notes a child of the innermost open envelope; false when it was passed before.
    #[inline(always)]
    fn child(&mut self, child: Extent, records: u32) -> bool {
        let interleaved = self
            .request
            .is_some_and(|request| request.piece.layout.interleaved);
        if interleaved {
            self.take_gap(child.start);
        }
        let Some(level) = self.levels.last_mut() else {
            return false;
        };
        if child.start < level.cursor {
            return false;
        }
        level.cursor = child.end;
        level.length += child.end - child.start;
        self.records += records;
        self.push(Chunk {
            start: child.start,
            end: child.end,
        });
        true
    }

    /// Appends a chunk, or prolongs the last one when nothing stands between them.
    #[inline(always)]
    fn push(&mut self, chunk: Chunk) {
        if chunk.start == chunk.end {
            return;
        }
        let mergeable = self.chunks.len() > self.first_mergeable();
        match self.chunks.last_mut() {
            Some(last) if mergeable && last.end == chunk.start => last.end = chunk.end,
            _ => self.chunks.push(chunk),
        }
    }

    /// Chunks before this one belong to another request or stand in front of the last insert.
    #[inline(always)]
    fn first_mergeable(&self) -> usize {
        let header = self
            .inserts
            .last()
            .map_or(0, |insert| insert.chunk as usize);
        let piece = self.pieces.last().map_or(0, |piece| piece.chunks);
        header.max(piece)
    }

    /// True when `request` is the one being marked.
    #[inline(always)]
    fn is_current(&self, request: Request<'a>) -> bool {
        self.request
            .is_some_and(|current| current.index == request.index)
    }

    /// True when the innermost open envelope of `request` has `depth` envelopes around it, itself included,
    /// and starts at `start`.
    #[inline(always)]
    fn is_open(&self, request: Request<'a>, depth: usize, start: u32) -> bool {
        self.is_current(request)
            && self.levels.len() == depth + 1
            && self
                .levels
                .last()
                .is_some_and(|level| level.extent.start == start)
    }
}
