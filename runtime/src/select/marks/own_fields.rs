//! The own fields of envelopes: resource, scope, schema URL, and whatever the schema does not know.
//!
//! In the usual layout an envelope's children lie together: its own fields are the bytes before the first
//! and behind the last of them. Where fields of an envelope stand between its children
//! (`Layout::interleaved`) the gaps are walked field by field instead.

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

    /// Takes the own fields of the innermost envelope up to its first child.
    pub(super) fn take_prefix(&mut self) {
        let data = self.data();
        let depth = self.levels.len() - 1;
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let (start, end) = (level.cursor as usize, level.extent.end as usize);
        let first = Fields::within(data, start, end).find(|field| is_child(depth, field.number()));
        let prefix = first.map_or(end, |field| field.start()) as u32;
        if level.omit != 0 {
            return self.take_gap(prefix);
        }
        level.cursor = prefix;
        level.length += prefix - start as u32;
        if prefix > start as u32 {
            self.push(Chunk {
                start: start as u32,
                end: prefix,
            });
        }
    }

    /// Takes the own fields of the innermost envelope behind its last child.
    pub(super) fn take_suffix(&mut self, common: &mut Common) {
        let depth = self.levels.len() - 1;
        let Some(request) = self.request else { return };
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
