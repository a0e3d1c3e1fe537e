//! Batches: requests of many senders delivered as one event, each answered for its own records.
//!
//! Input: the parts that walks selected for the batch. Output: merged events for the stage behind
//! it, and to every caller the verdict on exactly its records. One task per batch holds what waits;
//! flushes run beside it, a bounded number at a time, so a slow sink pushes back on callers instead
//! of growing memory.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use smallvec::SmallVec;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::delivery::{Event, Failure, FailureReason, Sent, Target, Verdicts};
use crate::error::StartError;
use crate::payload::{Piece, Signal};
use crate::select::Part;
use crate::source::admission::Charge;
use crate::telemetry::Node;

mod collector;
mod flush;

pub(crate) use collector::{BatchContext, start};

/// When a batch is passed on. Whatever comes first counts; each signal is held by itself.
#[derive(Clone, Debug)]
pub struct BatchOptions {
    /// Records that fill a batch. A request is never cut, so a batch may hold more. Default 8,192.
    pub max_records: u64,
    /// Bytes that fill a batch. Default 4 MiB.
    pub max_bytes: u64,
    /// Longest wait of the first request. Must be shorter than the event deadline. Default 200 ms.
    pub timeout: Duration,
}

impl Default for BatchOptions {
    fn default() -> Self {
        Self {
            max_records: 8_192,
            max_bytes: 4 << 20,
            timeout: Duration::from_millis(200),
        }
    }
}

impl BatchOptions {
    /// Refuses a batch that could hold a request longer than its sender waits, or nothing at all.
    pub(crate) fn check(&self, node: &str, deadline: Duration) -> Result<(), StartError> {
        if self.timeout >= deadline {
            return Err(StartError::BatchTimeout {
                node: node.to_owned(),
                timeout: self.timeout,
                deadline,
            });
        }
        let zero = [
            ("max_records", self.max_records),
            ("max_bytes", self.max_bytes),
        ];
        match zero.into_iter().find(|(_, value)| *value == 0) {
            None => Ok(()),
            Some((option, _)) => Err(StartError::Option {
                node: node.to_owned(),
                option,
                expected: "more than zero",
            }),
        }
    }
}

/// A batch in front of the stage `S`. Clones are the same batch.
pub struct Batch<S> {
    node: Node,
    entries: mpsc::Sender<Entry>,
    stage: PhantomData<fn() -> S>,
}

impl<S> Clone for Batch<S> {
    fn clone(&self) -> Self {
        Self {
            node: self.node.clone(),
            entries: self.entries.clone(),
            stage: PhantomData,
        }
    }
}

/// What one event left in a batch.
struct Entry {
    signal: Signal,
    /// Whose contributor number is a position in the caller's list of contributors.
    pieces: SmallVec<[Piece; 1]>,
    contributors: u32,
    records: u64,
    bytes: u64,
    deadline: Instant,
    /// Pays for the pieces also after their event was given up, and for the outputs of the merged event.
    charge: Option<Arc<Charge>>,
    outcome: oneshot::Sender<Verdicts>,
}

impl<S> Batch<S> {
    async fn push(&self, parts: &[Part], event: &Event) -> Verdicts {
        let (outcome, answer) = oneshot::channel();
        let (entry, contributors) = Entry::new(parts, event, outcome);
        let waited = tokio::time::timeout_at(event.deadline(), async {
            self.entries.send(entry).await.ok()?;
            answer.await.ok()
        });
        let failure = match waited.await {
            Ok(Some(verdicts)) => return translate(&verdicts, parts, &contributors),
            Ok(None) => Failure::new(&self.node, FailureReason::Stopped),
            Err(_) => Failure::new(&self.node, FailureReason::DeadlinePassed),
        };
        let mut verdicts = Verdicts::accepted();
        for contributor in contributors {
            verdicts.fail(contributor, failure.clone());
        }
        verdicts
    }
}

/// From positions and pieces of an entry to contributors and records of the event.
fn translate(verdicts: &Verdicts, parts: &[Part], contributors: &[u32]) -> Verdicts {
    let mut translated = Verdicts::accepted();
    for (position, contributor) in (0..).zip(contributors) {
        if let Some(failure) = verdicts.failure(position) {
            translated.fail(*contributor, failure.clone());
        }
    }
    let Some(reason) = verdicts.reason() else {
        return translated;
    };
    let mut piece_of_entry = 0;
    for part in parts {
        let mut rejected = Vec::new();
        let mut records_before = 0;
        for piece in part.payload().pieces() {
            let numbers = verdicts.rejected().of_request(piece_of_entry).iter();
            rejected.extend(numbers.map(|numbers| {
                records_before + u64::from(numbers.start)..records_before + u64::from(numbers.end)
            }));
            records_before += piece.records();
            piece_of_entry += 1;
        }
        translated.reject(&part.reject_numbers(rejected), reason.clone());
    }
    translated
}

impl Entry {
    /// The entry for `parts`, and which contributor of the event each position stands for.
    fn new(
        parts: &[Part],
        event: &Event,
        outcome: oneshot::Sender<Verdicts>,
    ) -> (Self, SmallVec<[u32; 4]>) {
        let mut contributors: SmallVec<[u32; 4]> = SmallVec::new();
        let mut pieces = SmallVec::new();
        let (mut records, mut bytes) = (0, 0);
        for piece in parts.iter().flat_map(|part| part.payload().pieces()) {
            let known = contributors
                .iter()
                .position(|owner| *owner == piece.contributor());
            let position = known.unwrap_or_else(|| {
                contributors.push(piece.contributor());
                contributors.len() - 1
            });
            records += piece.records();
            bytes += piece.bytes().len() as u64;
            // There are fewer contributors than bytes in a request, and those fit 32 bits.
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            pieces.push(piece.clone().with_contributor(position));
        }
        let entry = Self {
            signal: event.signal(),
            pieces,
            contributors: u32::try_from(contributors.len()).unwrap_or(u32::MAX),
            records,
            bytes,
            deadline: event.deadline(),
            charge: event.charge(),
            outcome,
        };
        (entry, contributors)
    }
}

impl<S: Send + Sync> Target for Batch<S> {
    fn node(&self) -> &Node {
        &self.node
    }

    fn check(&self) -> Result<(), Failure> {
        if self.entries.is_closed() {
            return Err(Failure::new(&self.node, FailureReason::Stopped));
        }
        Ok(())
    }

    async fn send(&self, parts: Vec<Part>, event: &Event) -> Sent {
        let owners: SmallVec<[(u32, u64); 4]> = parts
            .iter()
            .flat_map(|part| part.payload().pieces())
            .map(|piece| (piece.contributor(), piece.records()))
            .collect();
        let verdicts = self.push(&parts, event).await;
        let of_failed = |counts: &[(u32, u64)]| -> u64 {
            let failed = counts
                .iter()
                .filter(|(owner, _)| verdicts.failure(*owner).is_some());
            failed.map(|(_, records)| records).sum()
        };
        // A record that is refused for good counts as that, also where its sender fails.
        let refused = of_failed(&verdicts.rejected().by_contributor());
        Sent {
            failed_records: of_failed(&owners).saturating_sub(refused),
            verdicts,
        }
    }
}
