//! The own fields of envelopes: resource, scope, schema URL, and whatever the schema does not know.
//!
//! In the usual layout an envelope's children lie together: its own fields are the bytes before the first
//! and behind the last of them. Where fields of an envelope stand between its children
//! (`Layout::interleaved`) the gaps are walked field by field instead. Where no envelope of a request has fields behind its
//! first child (`Layout::trailing` is not set) nothing is looked for behind the last one.

use super::super::common::Common;
use super::super::path::is_child;
use super::changed::omits;
use super::{Chunk, Marks};
use crate::otlp::Fields;

impl<'a> Marks<'a> {
    /// The bytes of the open request.
    pub(super) fn data(&self) -> &'a [u8] {
        self.request
            .map(|request| request.data())
            .unwrap_or_default()
    }

    /// Takes the own fields of the innermost envelope up to its first child, which is searched unless its offset is
    /// known (not 0).
    #[inline]
    pub(super) fn take_prefix(&mut self, first_child: u32) {
        let prefix = match first_child {
            0 => self.find_first_child(),
            known => known,
        };
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        if level.omit != 0 {
            return self.take_gap(prefix);
        }
        let start = level.cursor;
        level.cursor = prefix;
        level.length += prefix - start;
        if prefix > start {
            // The header that stands in front keeps it apart from what was kept before.
            self.chunks.push(Chunk { start, end: prefix });
        }
    }

    /// The offset of the first child of the innermost envelope; its end when it has none.
    fn find_first_child(&self) -> u32 {
        let depth = self.levels.len() - 1;
        let Some(level) = self.levels.last() else {
            return 0;
        };
        let (start, end) = (level.cursor as usize, level.extent.end as usize);
        let mut fields = Fields::within(self.data(), start, end);
        let first = fields.find(|field| is_child(depth, field.number()));
        first.map_or(end, |field| field.start()) as u32
    }

    /// Takes the own fields of the innermost envelope behind its last child.
    pub(super) fn take_suffix(&mut self, common: &mut Common) {
        let Some(request) = self.request else { return };
        if !request.piece.layout.trailing {
            return;
        }
        let depth = self.levels.len() - 1;
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let end = level.extent.end;
        if request.piece.layout.interleaved {
            return self.take_gap(end);
        }
        let start = common.suffixes.find(
            request.data(),
            request.index,
            depth,
            level.extent,
            level.cursor,
        );
        if level.omit != 0 {
            level.cursor = start;
            return self.take_gap(end);
        }
        if start < end {
            level.length += end - start;
            self.push(Chunk { start, end });
        }
    }

    /// Takes the own fields of the innermost envelope up to offset `to`, past children that were not kept.
    pub(super) fn take_gap(&mut self, to: u32) {
        let data = self.data();
        let depth = self.levels.len() - 1;
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let from = level.cursor;
        if to <= from {
            return;
        }
        level.cursor = to;
        let omit = level.omit;
        for field in Fields::within(data, from as usize, to as usize) {
            if is_child(depth, field.number()) || omits(omit, field.number()) {
                continue;
            }
            let own = Chunk {
                start: field.start() as u32,
                end: field.end() as u32,
            };
            if let Some(level) = self.levels.last_mut() {
                level.length += own.end - own.start;
            }
            self.push(own);
        }
    }
}
