//! The short way of log records and spans: scope group after scope group, each within its resource group.
//!
//! Input: a record of another scope group than that before. Output: the envelopes around it, open. It goes where envelopes hold
//! their own fields in front of their children and nowhere else, and where no envelope changes: then there is nothing to look
//! at behind the last child of the envelopes that close. All others go the long way of `envelopes`.

use super::super::common::Common;
use super::super::path::{Envelope, Level, Path};
use super::{Chunk, Insert, Inserted, Marks, Run};
use crate::otlp::{Record, Request, ScopeGroup, length_delimited, number};

/// With room for no more chunks than this, a list has not been made ready for records.
const FEW_CHUNKS: usize = 16;

/// Room for this many chunks is made at once. There may be a thousand outputs, of which most keep little.
const MOST_RESERVED: usize = 128;

impl<'a> Marks<'a> {
    /// Keeps a record of a plain scope group, of which a run begins with it.
    pub(super) fn begin_run(&mut self, record: &Record<'a>, common: &mut Common) {
        let scope = &record.scope;
        let request = scope.group.request;
        let open = self.is_open(request, 2, scope.extent.start);
        if !open && !self.open_scope(scope, common) {
            return;
        }
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let (start, end) = (record.extent.start, record.extent.end);
        if start < level.cursor {
            return;
        }
        level.cursor = end;
        level.length += end - start;
        self.records += 1;
        self.push(Chunk { start, end });
        self.run = Run::behind(scope, end);
        self.reserve(request);
    }

    /// Opens a scope group and the resource group around it; false when one of them was passed before.
    #[inline(always)]
    fn open_scope(&mut self, scope: &ScopeGroup<'a>, common: &mut Common) -> bool {
        let group = &scope.group;
        let is_plain = self.is_current(group.request)
            && !group.request.piece.layout.trailing
            && group.first_child != 0
            && scope.first_child != 0
            && !common.changes_envelopes();
        if !is_plain {
            return self.open(&Path::into_scope(scope), common);
        }
        let around = self.levels.get(1);
        let shared = around.is_some_and(|level| level.extent.start == group.extent.start);
        let kept = if shared { 2 } else { 1 };
        while self.levels.len() > kept {
            self.close_plain();
        }
        (shared || self.open_plain(Envelope::group(group), number::RESOURCE_GROUP))
            && self.open_plain(Envelope::scope(scope), number::SCOPE_GROUP)
    }

    /// Opens an envelope that is field `field` of the innermost open one.
    #[inline(always)]
    fn open_plain(&mut self, around: Envelope, field: u32) -> bool {
        let Envelope {
            extent,
            first_child,
        } = around;
        let Some(parent) = self.levels.last_mut() else {
            return false;
        };
        if extent.start < parent.cursor {
            return false;
        }
        parent.cursor = extent.start;
        let mut level = Level::new(extent, self.inserts.len() as u32, self.records);
        level.cursor = first_child;
        level.length = first_child - extent.payload;
        if !self.push_level(level) {
            return false;
        }
        self.inserts.push(Insert {
            chunk: self.chunks.len() as u32,
            bytes: Inserted::Header {
                tag: length_delimited(field),
                length: 0,
            },
        });
        if first_child > extent.payload {
            self.chunks.push(Chunk {
                start: extent.payload,
                end: first_child,
            });
        }
        true
    }

    /// Closes the innermost envelope, a scope group or a resource group.
    #[inline(always)]
    fn close_plain(&mut self) {
        // Field by field: some were written just now, and reading them together with others would wait for that.
        let Some(level) = self.levels.last() else {
            return;
        };
        let (extent, header) = (level.extent, level.header);
        let (kept, before) = (level.length, level.records);
        self.levels.pop();
        let length = self.finish_header(extent, header, kept);
        if self.levels.len() == 1 {
            self.group_records.push(self.records - before);
        }
        if let Some(parent) = self.levels.last_mut() {
            parent.length += length;
            parent.cursor = extent.end;
        }
    }

    /// Makes room for the records of `request`, when single ones are kept. Whole groups need next to none.
    fn reserve(&mut self, request: Request<'a>) {
        if self.chunks.capacity() <= FEW_CHUNKS {
            let expected = request.piece.records as usize / 2;
            self.chunks.reserve(expected.min(MOST_RESERVED));
        }
    }
}
