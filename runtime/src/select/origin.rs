//! Where the records of a part came from, so that refused records can be named.
//!
//! Naming is rare, so it costs nothing until it is asked for: a part keeps the ranges that it was copied
//! from, and only a refusal walks the source again.

use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::leaves::leaves;
use super::marks::{Chunk, Chunks, Marks};
use super::rejected::RejectedRecords;
use crate::payload::{Payload, Piece};

/// The source of a part; parts that were split from one share it.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    kept: Arc<Kept>,
}

/// What was kept of a payload.
#[derive(Debug)]
struct Kept {
    sources: SmallVec<[Source; 1]>,
    /// What was kept of all sources, in order.
    chunks: Chunks,
}

/// A request of which something was kept.
#[derive(Debug)]
struct Source {
    /// Without the records of its resource groups: they are not needed to name records, and with many
    /// groups and many parts their copies would be far longer than the request.
    piece: Piece,
    /// Place of the request in the payload that was walked.
    index: u32,
    /// End of its chunks, which start where those of the source before end.
    chunks: usize,
}

impl Origin {
    /// The origin of what `marks` keep, which are empty then.
    #[inline]
    pub(super) fn of(marks: &mut Marks<'_>) -> Self {
        let sources = marks.pieces.iter().map(|marked| Source {
            piece: without_groups(marked.source),
            index: marked.index,
            chunks: marked.chunks,
        });
        let sources = sources.collect();
        let mut chunks = std::mem::take(&mut marks.chunks);
        // It lives as long as the part does, so it must not hold on to much that it does not use.
        if chunks.len() < chunks.capacity() / 2 {
            chunks.shrink_to_fit();
        }
        Self {
            kept: Arc::new(Kept { sources, chunks }),
        }
    }

    /// How many counts of resource groups it holds on to.
    #[cfg(test)]
    pub(super) fn group_counts(&self) -> usize {
        let sources = self.kept.sources.iter();
        sources.map(|source| source.piece.group_records.len()).sum()
    }

    /// The origin of a whole payload.
    pub(super) fn of_payload(payload: &Payload) -> Self {
        let pieces = payload.pieces().iter();
        let chunks = pieces.clone().map(|piece| Chunk {
            start: 0,
            end: piece.bytes.len() as u32,
        });
        let chunks = chunks.collect();
        let sources = pieces.zip(0..).map(|(piece, index)| Source {
            piece: without_groups(piece),
            index,
            chunks: index as usize + 1,
        });
        let sources = sources.collect();
        Self {
            kept: Arc::new(Kept { sources, chunks }),
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
        let mut start = 0;
        for source in &self.kept.sources {
            let chunks = self.kept.chunks.get(start..source.chunks);
            start = source.chunks;
            source.reject(
                chunks.unwrap_or_default(),
                &mut windows,
                &mut number,
                &mut rejected,
            );
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
    /// Adds the records that `chunks` keep and whose numbers are in `windows`; `number` counts the kept records.
    fn reject(
        &self,
        chunks: &[Chunk],
        windows: &mut Peekable<impl Iterator<Item = Range<u64>>>,
        number: &mut u64,
        rejected: &mut RejectedRecords,
    ) {
        let payload = Payload::from(self.piece.clone());
        let mut chunks = chunks.iter().peekable();
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
