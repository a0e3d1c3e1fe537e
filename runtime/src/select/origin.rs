//! Where the records of a part came from, so that refused records can be named.
//!
//! Naming is rare, so it costs nothing until it is asked for: a part keeps the ranges that it was copied
//! from, and only a refusal walks the source again.

use std::ops::Range;
use std::sync::Arc;

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
                piece: marked.source.clone(),
                index: marked.index,
                chunks,
            }
        });
        Self {
            sources: sources.collect(),
        }
    }

    /// The origin of a whole payload.
    pub(super) fn of_payload(payload: &Payload) -> Self {
        let sources = payload
            .pieces()
            .iter()
            .zip(0..)
            .map(|(piece, index)| Source {
                piece: piece.clone(),
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

    /// The records with the numbers `window`, counted over everything that was kept.
    pub(super) fn rejected(&self, window: &Range<u64>) -> RejectedRecords {
        let mut rejected = RejectedRecords::default();
        let mut number = 0;
        for source in self.sources.iter() {
            source.reject(window, &mut number, &mut rejected);
        }
        rejected
    }
}

impl Source {
    /// Adds the kept records with numbers in `window`; `number` counts the kept records.
    fn reject(&self, window: &Range<u64>, number: &mut u64, rejected: &mut RejectedRecords) {
        let payload = Payload::from(self.piece.clone());
        let mut chunks = self.chunks.iter().peekable();
        let records = payload.requests().flat_map(leaves);
        for (ordinal, leaf) in (0..).zip(records) {
            let start = leaf.extent().start;
            while chunks.next_if(|chunk| chunk.end <= start).is_some() {}
            if chunks.peek().is_none_or(|chunk| chunk.start > start) {
                continue;
            }
            if window.contains(number) {
                rejected.add(self.index, self.piece.contributor, ordinal);
            }
            *number += 1;
        }
    }
}
