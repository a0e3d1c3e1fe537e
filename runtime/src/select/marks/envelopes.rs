//! Opening and closing of the envelopes around what is kept.
//!
//! Input: the path to the next record. Output: headers whose lengths are settled when their envelopes
//! close, so that the copy writes exact lengths without looking back.

use super::super::common::Common;
use super::super::path::{Envelope, Level, Path};
use super::{Chunk, Insert, Inserted, MarkedPiece, Marks};
use crate::otlp::{Extent, Request, tag, varint_length};

impl<'a> Marks<'a> {
    /// Opens the envelopes of `path`; false when one of them was passed before.
    #[inline]
    pub(super) fn open(&mut self, path: &Path<'a>, common: &mut Common) -> bool {
        if !self.is_current(path.request) {
            if !self.start_request(path.request, common) {
                return false;
            }
            self.take_prefix(0);
        }
        let shared = self.common_depth(path);
        while self.levels.len() > shared {
            self.close_level(common);
        }
        for envelope in path.envelopes().iter().skip(shared - 1) {
            if !self.open_level(*envelope, common) {
                return false;
            }
        }
        true
    }

    /// How many open levels `path` shares, the request included.
    fn common_depth(&self, path: &Path<'a>) -> usize {
        let open = self.levels.iter().skip(1).zip(path.envelopes());
        1 + open
            .take_while(|(level, envelope)| level.extent.start == envelope.extent.start)
            .count()
    }

    /// Begins with `request`; false when it was passed before.
    pub(super) fn start_request(&mut self, request: Request<'a>, common: &mut Common) -> bool {
        self.close_request(common);
        if self
            .pieces
            .last()
            .is_some_and(|piece| piece.index >= request.index)
        {
            return false;
        }
        self.request = Some(request);
        self.records = 0;
        self.changed = false;
        let end = request.piece.bytes.len() as u32;
        let extent = Extent {
            start: 0,
            payload: 0,
            end,
        };
        self.push_level(Level::new(extent, 0, 0))
    }

    /// Goes into an envelope; false below the deepest one that there is.
    #[inline]
    pub(super) fn push_level(&mut self, level: Level) -> bool {
        self.levels.try_push(level).is_ok()
    }

    /// Opens an envelope inside the innermost open one.
    #[inline]
    fn open_level(&mut self, around: Envelope, common: &Common) -> bool {
        let envelope = around.extent;
        if self
            .request
            .is_some_and(|request| request.piece.layout.interleaved)
        {
            self.take_gap(envelope.start);
        }
        let Some(parent) = self.levels.last_mut() else {
            return false;
        };
        if envelope.start < parent.cursor {
            return false;
        }
        parent.cursor = envelope.start;
        let tag = tag(self.data(), envelope.start as usize).map_or(0, |(tag, _)| tag);
        if !self.push_level(Level::new(
            envelope,
            self.inserts.len() as u32,
            self.records,
        )) {
            return false;
        }
        self.inserts.push(Insert {
            chunk: self.chunks.len() as u32,
            bytes: Inserted::Header { tag, length: 0 },
        });
        self.change_level(envelope, common);
        self.take_prefix(around.first_child);
        true
    }

    /// Notes what changes among the own fields of the innermost envelope; the new ones come first.
    fn change_level(&mut self, envelope: Extent, common: &Common) {
        let depth = self.levels.len() - 1;
        let Some(request) = self.request else { return };
        let Some(change) = common.change_of(request, depth, envelope.start) else {
            return;
        };
        if let Some(level) = self.levels.last_mut() {
            level.omit = change.omit;
        }
        self.insert(change.new.clone());
    }

    /// Closes the innermost envelope: its last own fields, its header, its share in the parent's length.
    fn close_level(&mut self, common: &mut Common) {
        self.take_suffix(common);
        let depth = self.levels.len() - 1;
        let Some(level) = self.levels.pop() else {
            return;
        };
        let mut length = level.length;
        if depth > 0 {
            length = self.finish_header(level.extent, level.header, level.length);
        }
        if depth == 1 {
            self.group_records.push(self.records - level.records);
        }
        match self.levels.last_mut() {
            Some(parent) => {
                parent.length += length;
                parent.cursor = level.extent.end;
            }
            None => self.finish_piece(length),
        }
    }

    /// Settles the header of a closed envelope of which `kept` bytes are kept; the encoded length of the envelope with it.
    #[inline(always)]
    pub(super) fn finish_header(&mut self, extent: Extent, header: u32, kept: u32) -> u32 {
        if kept == extent.end - extent.payload
            && let Some(length) = self.join_whole(extent, header)
        {
            return length;
        }
        let header = self.inserts.get_mut(header as usize);
        let Some(Inserted::Header { tag, length }) = header.map(|header| &mut header.bytes) else {
            return 0;
        };
        *length = kept;
        let head = varint_length((*tag).into()) + varint_length(kept.into());
        kept + head as u32
    }

    /// Makes one range of an envelope of which everything is kept, header included; its encoded length.
    #[inline(never)]
    fn join_whole(&mut self, extent: Extent, header: u32) -> Option<u32> {
        let whole = Chunk {
            start: extent.payload,
            end: extent.end,
        };
        let alone = self.inserts.len() as u32 == header + 1
            && self.inserts.last().map(|header| header.chunk as usize + 1)
                == Some(self.chunks.len());
        if !alone || self.rewrite || self.chunks.last() != Some(&whole) {
            return None;
        }
        self.inserts.pop();
        self.chunks.pop();
        self.push(Chunk {
            start: extent.start,
            end: extent.end,
        });
        Some(extent.end - extent.start)
    }

    /// Notes what was kept of the request that ends.
    fn finish_piece(&mut self, length: u32) {
        let Some(request) = self.request.take() else {
            return;
        };
        self.pieces.push(MarkedPiece {
            source: request.piece,
            index: request.index,
            chunks: self.chunks.len(),
            inserts: self.inserts.len(),
            groups: self.group_records.len(),
            length,
            records: self.records,
            changed: self.changed,
        });
    }

    /// Closes every open envelope and the request.
    pub(in crate::select) fn close_request(&mut self, common: &mut Common) {
        self.settle();
        while !self.levels.is_empty() {
            self.close_level(common);
        }
    }
}
