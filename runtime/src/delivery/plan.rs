//! Plan, then publish: nothing goes out before every target of an event was looked at.
//!
//! Input: an event and the deliveries of its walk. Output: [`Verdicts`]. A plan does no input or
//! output, so that refusing it costs nothing: an open circuit or a passed limit is answered while no
//! sink holds a part of the event.

use super::target::Deliveries;
use super::{Event, Failure, FailureReason, RefusalReason, Verdicts};
use crate::select::{MAX_SUBJECTS, Part, RejectReason, RejectedRecords, output_limit};

/// Plans every delivery, then sends all of them at the same time; returns the folded outcome.
///
/// Where the plan is refused nothing is sent: a contributor whose records a target with an open
/// circuit should get is told so; the other contributors of a batch are told to regroup.
pub async fn deliver<D: Deliveries>(event: &Event, mut deliveries: D) -> Verdicts {
    let mut plan = Plan::new(event);
    deliveries.plan(&mut plan);
    let (mut verdicts, output_bytes) = match plan.finish() {
        Decision::Send(verdicts, output_bytes) => (verdicts, output_bytes),
        Decision::Refuse(verdicts) => {
            deliveries.give_up(event);
            return verdicts;
        }
    };
    let _output = event.charge_output(output_bytes);
    verdicts.fold(deliveries.send(event).await);
    verdicts
}

/// Whether a planned event goes out.
enum Decision {
    /// It does: what is rejected already, and the bytes to pay for.
    Send(Verdicts, u64),
    /// Nothing of it does.
    Refuse(Verdicts),
}

/// What is known about an event before any of it goes out.
pub struct Plan<'e> {
    event: &'e Event,
    input_bytes: u64,
    copied_bytes: u64,
    subjects: usize,
    too_large: Option<RejectReason>,
    verdicts: Verdicts,
    /// Records that the flow refused before any target.
    invalid: u64,
    refused: Verdicts,
    refused_by: Option<Failure>,
}

impl<'e> Plan<'e> {
    fn new(event: &'e Event) -> Self {
        Self {
            event,
            input_bytes: event.payload().len() as u64,
            copied_bytes: 0,
            subjects: 0,
            too_large: None,
            verdicts: Verdicts::accepted(),
            invalid: 0,
            refused: Verdicts::accepted(),
            refused_by: None,
        }
    }

    pub(super) fn event(&self) -> &'e Event {
        self.event
    }

    /// Notes records that cannot be sent. Where senders share the limit, the event as a whole is too
    /// large: none of them loses records because of what another one sent.
    pub(super) fn reject(&mut self, records: &RejectedRecords, reason: RejectReason) {
        if reason.is_of_event() && self.event.contributors() > 1 {
            self.too_large = Some(reason);
        }
        self.verdicts.reject(records, RefusalReason::Limit(reason));
    }

    /// Notes records that the flow refuses. On every edge behind they count as rejected.
    pub(super) fn refuse_records(&mut self, records: &RejectedRecords, reason: RejectReason) {
        self.invalid += records.count();
        self.reject(records, reason);
    }

    /// Records that the flow refused before any target.
    pub(super) fn invalid(&self) -> u64 {
        self.invalid
    }

    /// Counts the subjects of one target; each has one part, which is not cut yet.
    pub(super) fn count_subjects(&mut self, parts: &[Part]) {
        self.subjects += parts.iter().filter_map(Part::subject).count();
        if self.subjects > MAX_SUBJECTS {
            self.too_large = Some(RejectReason::TooManySubjects);
        }
    }

    /// Cuts parts that are longer than `max_bytes`; returns the records that do not fit alone. An
    /// event that is too large is not cut any further, because nothing of it goes out.
    pub(super) fn fit(&mut self, parts: &mut Vec<Part>, max_bytes: usize) -> u64 {
        if parts.iter().all(|part| part.payload().len() <= max_bytes) {
            return 0;
        }
        let mut oversize = 0;
        let mut budget = self.output_limit();
        for part in std::mem::take(parts) {
            let split = match self.too_large {
                None => part.split(max_bytes, budget),
                Some(_) => None,
            };
            let Some(mut split) = split else {
                self.too_large.get_or_insert(RejectReason::OutputTooLarge);
                parts.push(part);
                continue;
            };
            let bytes: usize = split.parts.iter().map(Part::len).sum();
            budget = budget.saturating_sub(bytes as u64);
            oversize += split.oversize.count();
            self.reject(&split.oversize, RejectReason::Oversize);
            parts.append(&mut split.parts);
        }
        oversize
    }

    /// Counts the parts of one target against the limits of the event; returns their bytes.
    pub(super) fn measure(&mut self, parts: &[Part]) -> u64 {
        let mut bytes: u64 = 0;
        for part in parts {
            bytes = bytes.saturating_add(part.payload().len() as u64);
            self.copied_bytes = self
                .copied_bytes
                .saturating_add(part.payload().copied_bytes());
        }
        if bytes > self.output_limit() {
            self.too_large = Some(RejectReason::OutputTooLarge);
        }
        bytes
    }

    /// How many bytes each target may get.
    fn output_limit(&self) -> u64 {
        output_limit(self.input_bytes)
    }

    /// Notes that a target with `parts` must not be offered anything now.
    pub(super) fn refuse(&mut self, parts: &[Part], failure: &Failure) {
        for piece in parts.iter().flat_map(|part| part.payload().pieces()) {
            self.refused.fail(piece.contributor(), failure.clone());
        }
        self.refused_by.get_or_insert_with(|| failure.clone());
    }

    fn finish(mut self) -> Decision {
        if let Some(reason) = self.too_large {
            return Decision::Refuse(self.all_too_large(reason));
        }
        let Some(failure) = self.refused_by.take() else {
            return Decision::Send(self.verdicts, self.copied_bytes);
        };
        for contributor in 0..self.event.contributors() {
            self.refused.fail(contributor, regroup(&failure));
        }
        Decision::Refuse(self.refused)
    }

    /// A lone sender's event is refused for good; senders that share one are regrouped.
    fn all_too_large(&self, reason: RejectReason) -> Verdicts {
        if self.event.contributors() > 1 {
            let failure = Failure::new(self.event.origin(), FailureReason::Regroup);
            return Verdicts::failed(self.event.contributors(), &failure);
        }
        let mut verdicts = Verdicts::accepted();
        let all = Part::whole(self.event.payload().clone(), None).reject();
        verdicts.reject(&all, RefusalReason::Limit(reason));
        verdicts
    }
}

fn regroup(failure: &Failure) -> Failure {
    failure.with_reason(FailureReason::Regroup)
}
