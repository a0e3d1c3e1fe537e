//! Where the records of a part came from, so that refused records can be named.
//!
//! Naming is rare, so it costs nothing until it is asked for: a part keeps the ranges that it was copied
//! from, and only a refusal walks the source again.

use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::leaves::leaves;
use super::marks::{Chunk, Marks};
use super::rejected::RejectedRecords;
use crate::payload::{Payload, Piece};

/// The source of a part; parts that were split from one share it.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    sources: Arc<[Source]>,
}

/// What was kept of one request.
#[derive(Debug)]
struct Source {
    /// Without the records of its resource groups: they are not needed to name records, and with many
    /// groups and many parts their copies would be far longer than the request.
    piece: Piece,
    /// Place of the request in the payload that was walked.
    index: u32,
    /// What was kept of it, in order.
    chunks: Vec<Chunk>,
}

impl Origin {
    /// The origin of what `marks` keep.
    pub(super) fn of(marks: &Marks<'_>) -> Self {
        let mut start = 0;
        let sources = marks.pieces.iter().map(|marked| {
            let chunks = marks
                .chunks
                .get(start..marked.chunks)
                .unwrap_or_default()
                .to_vec();
            start = marked.chunks;
            Source {
                piece: without_groups(marked.source),
                index: marked.index,
                chunks,
            }
        });
        Self {
            sources: sources.collect(),
        }
    }

    /// How many counts of resource groups it holds on to.
    #[cfg(test)]
    pub(super) fn group_counts(&self) -> usize {
        let sources = self.sources.iter();
        sources.map(|source| source.piece.group_records.len()).sum()
    }

    /// The origin of a whole payload.
    pub(super) fn of_payload(payload: &Payload) -> Self {
        let sources = payload
            .pieces()
            .iter()
            .zip(0..)
            .map(|(piece, index)| Source {
                piece: without_groups(piece),
                index,
                chunks: vec![Chunk {
                    start: 0,
                    end: piece.bytes.len() as u32,
                }],
            });
        Self {
            sources: sources.collect(),
        }
    }

    /// The records with numbers in `windows`, counted over everything that was kept. The windows are in
    /// order and do not overlap: all of them cost one walk over the source.
    pub(super) fn rejected(
        &self,
        windows: impl IntoIterator<Item = Range<u64>>,
    ) -> RejectedRecords {
        let mut rejected = RejectedRecords::default();
        let mut windows = windows.into_iter().peekable();
        let mut number = 0;
        for source in self.sources.iter() {
            source.reject(&mut windows, &mut number, &mut rejected);
        }
        rejected
    }
}

/// `piece` for the naming of its records.
fn without_groups(piece: &Piece) -> Piece {
    Piece {
        bytes: piece.bytes.clone(),
        group_records: SmallVec::new(),
        ..*piece
    }
}

impl Source {
    /// Adds the kept records with numbers in `windows`; `number` counts the kept records.
    fn reject(
        &self,
        windows: &mut Peekable<impl Iterator<Item = Range<u64>>>,
        number: &mut u64,
        rejected: &mut RejectedRecords,
    ) {
        let payload = Payload::from(self.piece.clone());
        let mut chunks = self.chunks.iter().peekable();
        let records = payload.requests().flat_map(leaves);
        for (ordinal, leaf) in (0..).zip(records) {
            let start = leaf.extent().start;
            while chunks.next_if(|chunk| chunk.end <= start).is_some() {}
            let Some(chunk) = chunks.peek() else { return };
            if chunk.start > start {
                continue;
            }
            while windows.next_if(|window| window.end <= *number).is_some() {}
            let Some(window) = windows.peek() else { return };
            if window.start <= *number {
                rejected.add(self.index, self.piece.contributor, ordinal);
            }
            *number += 1;
        }
    }
}
