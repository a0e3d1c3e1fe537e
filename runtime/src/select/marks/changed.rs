//! Keeping what changes: the ranges that stay are noted as everywhere, and new bytes stand between them.
//!
//! Input: the cuts of a record, or an envelope whose own fields change. Output: chunks and inserts with exact
//! lengths.

use std::ops::Range;

use super::super::change::{Cuts, changed_length};
use super::super::common::Common;
use super::super::path::{Path, is_child};
use super::{Chunk, Insert, Inserted, Marks};
use crate::otlp::{DataPoint, Extent, Fields, Record};

impl<'a> Marks<'a> {
    /// Keeps a log record or span with `cuts`.
    pub(in crate::select) fn keep_changed_record(
        &mut self,
        record: &Record<'a>,
        cuts: &Cuts,
        common: &mut Common,
    ) {
        self.settle();
        let scope = &record.scope;
        let open = self.is_open(scope.group.request, 2, scope.extent.start);
        if open || self.open(&Path::of_record(record), common) {
            self.changed_child(record.extent, cuts, common);
        }
    }

    /// Keeps a data point with `cuts`.
    pub(in crate::select) fn keep_changed_point(
        &mut self,
        point: &DataPoint<'a>,
        cuts: &Cuts,
        common: &mut Common,
    ) {
        self.settle();
        let open = self.is_open(point.metric.request(), 4, point.data.start);
        if open || self.open(&Path::of_point(point), common) {
            self.changed_child(point.extent, cuts, common);
        }
    }

    /// Notes a child of the innermost open envelope. Its tag stays that of the source: by the place of the tag
    /// the origin of a part knows its records.
    fn changed_child(&mut self, child: Extent, cuts: &Cuts, common: &mut Common) {
        if cuts.is_empty() {
            self.child(child, 1);
            return;
        }
        let tag = Extent {
            end: child.start + 1,
            ..child
        };
        if !self.child(tag, 1) {
            return;
        }
        let length = changed_length(child.end - child.payload, cuts);
        self.insert(common.arena.write_length(length));
        let mut at = child.payload;
        for cut in cuts {
            self.take(at..cut.source.start);
            self.insert(cut.new.clone());
            at = cut.source.end;
        }
        self.take(at..child.end);
        if let Some(level) = self.levels.last_mut() {
            level.cursor = child.end;
        }
    }

    /// Keeps everything in the innermost envelope of `path`, whose own fields change.
    pub(super) fn keep_changed_envelope(
        &mut self,
        path: &Path<'a>,
        records: u32,
        common: &mut Common,
    ) {
        let depth = path.envelopes().len();
        let innermost = path.envelopes().last();
        let start = innermost.map_or(0, |envelope| envelope.extent.start);
        let begun = self.is_current(path.request)
            && self
                .levels
                .get(depth)
                .is_some_and(|level| level.extent.start == start);
        // Of an envelope that is open something was kept before.
        if records > 0 && !begun && self.open(path, common) {
            self.take_rest(depth);
            self.records += records;
        }
    }

    /// Takes the children of the innermost envelope, and its own fields that stay.
    fn take_rest(&mut self, depth: usize) {
        let data = self.data();
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let (from, end, omit) = (level.cursor, level.extent.end, level.omit);
        level.cursor = end;
        for field in Fields::within(data, from as usize, end as usize) {
            if is_child(depth, field.number()) || !omits(omit, field.number()) {
                self.take(field.start() as u32..field.end() as u32);
            }
        }
    }

    /// Takes a range of the source into the innermost envelope.
    fn take(&mut self, range: Range<u32>) {
        if let Some(level) = self.levels.last_mut() {
            level.length += range.end - range.start;
        }
        self.push(Chunk {
            start: range.start,
            end: range.end,
        });
    }

    /// Takes new bytes into the innermost envelope.
    pub(super) fn insert(&mut self, new: Range<u32>) {
        self.changed = true;
        if new.is_empty() {
            return;
        }
        if let Some(level) = self.levels.last_mut() {
            level.length += new.end - new.start;
        }
        self.inserts.push(Insert {
            chunk: self.chunks.len() as u32,
            bytes: Inserted::New {
                start: new.start,
                end: new.end,
            },
        });
    }
}

/// Whether field `number` is among those that go.
#[inline]
pub(super) fn omits(omit: u32, number: u32) -> bool {
    number < u32::BITS && omit >> number & 1 == 1
}
