//! Records that a flow refuses by a condition: what `validate` does.
//!
//! Input: the records of an event that do not hold, and why. Output: their share of the verdicts. They go
//! nowhere, so there is nothing to send; but they are planned with everything else, so that an event that is not
//! delivered is not partly refused.

use super::plan::Plan;
use super::target::Deliveries;
use super::{Event, Verdicts};
use crate::select::{RejectReason, RejectedRecords, Selection};

/// Records of one event that a flow refuses. It stands in front of the deliveries of what is left.
#[derive(Debug)]
pub struct Refused {
    records: RejectedRecords,
    reason: RejectReason,
}

impl Refused {
    /// The records for which a condition is not true.
    pub fn invalid(records: Selection<'_>, reason: &'static str) -> Self {
        Self {
            records: records.into_records(),
            reason: RejectReason::Invalid(reason),
        }
    }

    /// The records on which a condition fails.
    pub fn not_checked(records: Selection<'_>, reason: &'static str) -> Self {
        Self {
            records: records.into_records(),
            reason: RejectReason::NotChecked(reason),
        }
    }
}

impl Deliveries for Refused {
    fn plan(&mut self, plan: &mut Plan<'_>) {
        plan.refuse_records(&self.records, self.reason);
    }

    fn give_up(&mut self, _event: &Event) {}

    async fn send(self, _event: &Event) -> Verdicts {
        Verdicts::accepted()
    }
}
