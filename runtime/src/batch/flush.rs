//! One flush: delivers a group of entries and answers every caller.
//!
//! Input: entries of one signal. Output: each entry's verdicts. Senders are merged into one event
//! where that is safe. When the plan of the merged event is refused because of some of them, the
//! others are tried again without them; when no one in particular is to blame, or the event ended in
//! a panic, in two halves, so that a single one to blame is alone after few steps.

use std::collections::VecDeque;
use std::sync::Arc;

use smallvec::SmallVec;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::Entry;
use crate::delivery::{self, Event, FailureReason, Stage, Verdicts};
use crate::payload::{Payload, Piece, Signal};
use crate::select::RejectedRecords;
use crate::source::admission::Charge;
use crate::telemetry::Node;

/// The requests of one sender in one entry: the unit that succeeds or fails.
struct Share {
    entry: usize,
    position: u32,
    /// With the place of each among the pieces of the entry.
    pieces: SmallVec<[(u32, Piece); 1]>,
    deadline: Instant,
    /// Pays for the pieces, and for the outputs of the merged event.
    charge: Option<Arc<Charge>>,
}

impl Share {
    fn is_mergeable(&self) -> bool {
        self.pieces.iter().all(|(_, piece)| piece.is_mergeable())
    }
}

/// A caller that waits, and how many of its shares are not decided yet.
struct Caller {
    outcome: Option<oneshot::Sender<Verdicts>>,
    verdicts: Verdicts,
    undecided: u32,
}

impl Caller {
    /// True when its event is over, so that nobody wants the records delivered any more.
    fn is_gone(&self) -> bool {
        self.outcome.as_ref().is_none_or(oneshot::Sender::is_closed)
    }

    /// Adds the outcome of one share; the last one lets the caller go on.
    fn decide(&mut self, outcome: Verdicts) {
        self.verdicts.fold(outcome);
        self.undecided = self.undecided.saturating_sub(1);
        if self.undecided == 0
            && let Some(outcome) = self.outcome.take()
        {
            // The caller may have given up meanwhile.
            let _gone = outcome.send(std::mem::take(&mut self.verdicts));
        }
    }
}

/// Delivers `entries` through `stage` and answers every caller.
pub(super) async fn run<S: Stage>(stage: &S, node: &Node, entries: Vec<Entry>) {
    let Some(signal) = entries.first().map(|entry| entry.signal) else {
        return;
    };
    let (mut callers, shares) = split(entries);
    let mut groups = group(shares);
    while let Some(shares) = groups.pop_front() {
        let shares: Vec<Share> = shares
            .into_iter()
            .filter(|share| {
                callers
                    .get(share.entry)
                    .is_some_and(|caller| !caller.is_gone())
            })
            .collect();
        if let Some(event) = merge(signal, &shares, node) {
            let verdicts = delivery::run(stage, event).await;
            groups.extend(settle(&mut callers, shares, &verdicts));
        }
    }
}

fn split(entries: Vec<Entry>) -> (Vec<Caller>, Vec<Share>) {
    let mut callers = Vec::with_capacity(entries.len());
    let mut shares: Vec<Share> = Vec::with_capacity(entries.len());
    for (entry, content) in entries.into_iter().enumerate() {
        let first = shares.len();
        shares.extend((0..content.contributors).map(|position| Share {
            entry,
            position,
            pieces: SmallVec::new(),
            deadline: content.deadline,
            charge: content.charge.clone(),
        }));
        for (place, piece) in (0..).zip(content.pieces) {
            let share = first.saturating_add(piece.contributor() as usize);
            if let Some(share) = shares.get_mut(share) {
                share.pieces.push((place, piece));
            }
        }
        callers.push(Caller {
            outcome: Some(content.outcome),
            verdicts: Verdicts::accepted(),
            undecided: content.contributors,
        });
    }
    (callers, shares)
}

/// All that may be merged together; what may not, each by itself.
fn group(shares: Vec<Share>) -> VecDeque<Vec<Share>> {
    let (together, alone): (Vec<Share>, Vec<Share>) =
        shares.into_iter().partition(Share::is_mergeable);
    let mut groups: VecDeque<Vec<Share>> = alone.into_iter().map(|share| vec![share]).collect();
    if !together.is_empty() {
        groups.push_front(together);
    }
    groups
}

/// The event of `shares`; the number of a share is its contributor number.
fn merge(signal: Signal, shares: &[Share], node: &Node) -> Option<Event> {
    // A sender that gave up earlier answers its own caller; the others get all the time they have.
    let deadline = shares.iter().map(|share| share.deadline).max()?;
    let mut payload = Payload::new(signal);
    for (contributor, share) in (0..).zip(shares) {
        for (_, piece) in &share.pieces {
            // Entries are held by signal, so the payload never refuses.
            let _refused = payload.push(piece.clone().with_contributor(contributor));
        }
    }
    let contributors = u32::try_from(shares.len()).unwrap_or(u32::MAX);
    // A part of the event may live longer than its callers wait, whichever of them it came from.
    let charge = Charge::together(shares.iter().filter_map(|share| share.charge.clone()));
    let event = Event::new(payload, deadline, node.clone(), charge);
    Some(event.with_contributors(contributors))
}

/// Tells callers what is decided; returns the groups that are to be tried again.
fn settle(callers: &mut [Caller], shares: Vec<Share>, verdicts: &Verdicts) -> Vec<Vec<Share>> {
    let total = shares.len();
    let mut again = Vec::new();
    let mut first_piece = 0;
    for (contributor, share) in (0..).zip(shares) {
        let pieces = share.pieces.len();
        let failure = verdicts.failure(contributor);
        let regroup = failure.is_some_and(|failure| is_for_others(failure.reason()));
        if regroup && total > 1 {
            again.push(share);
        } else if let Some(caller) = callers.get_mut(share.entry) {
            caller.decide(outcome_of(&share, contributor, first_piece, verdicts));
        }
        first_piece += u32::try_from(pieces).unwrap_or(u32::MAX);
    }
    match again.len() {
        0 => Vec::new(),
        all if all == total => {
            let second = again.split_off(all / 2);
            vec![again, second]
        }
        _ => vec![again],
    }
}

/// True for failures that another sender's records may have caused: a plan that was refused because of
/// them, or a panic over them. Where something of a panicked event went out it goes out again, which
/// is better than a sender whose records fail everybody who shares a batch with it.
fn is_for_others(reason: &FailureReason) -> bool {
    matches!(reason, FailureReason::Regroup | FailureReason::Panicked)
}

/// What `verdicts` on a merged event say about `share`, whose pieces begin with `first_piece`, in the
/// terms of its entry.
fn outcome_of(share: &Share, contributor: u32, first_piece: u32, verdicts: &Verdicts) -> Verdicts {
    let mut outcome = Verdicts::accepted();
    if let Some(failure) = verdicts.failure(contributor) {
        outcome.fail(share.position, failure.clone());
    }
    if let Some(reason) = verdicts.reason() {
        let mut rejected = RejectedRecords::default();
        for (merged, (place, _)) in (first_piece..).zip(&share.pieces) {
            rejected.adopt(*place, share.position, verdicts.rejected(), merged);
        }
        outcome.reject(&rejected, reason.clone());
    }
    outcome
}

#[cfg(test)]
mod tests;
