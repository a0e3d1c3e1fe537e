//! What goes to one target.
use super::{RejectReason, RejectedRecords, Rejection};
use crate::payload::Payload;
use crate::subject::Subject;

/// Everything that one target gets of one event.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The parts, one for each subject; without subjects one, or none when nothing was kept.
    pub parts: Vec<Part>,
    /// Records that cannot be sent, and why.
    pub rejected: Vec<Rejection>,
}

/// One message for one target: a payload and where its records came from.
#[derive(Clone, Debug)]
pub struct Part {
    subject: Option<Subject>,
    payload: Payload,
}

impl Part {
    /// The subject, for targets that have subjects.
    pub fn subject(&self) -> Option<&Subject> {
        self.subject.as_ref()
    }

    /// The export requests of the part; each piece names its contributor.
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// All records of the part as rejected: what to count when the target refuses it for good.
    pub fn reject(&self) -> RejectedRecords {
        todo!()
    }

    /// Cuts the part at record borders so that no piece of it has more than `max_bytes`.
    pub fn split(self, max_bytes: usize) -> Split {
        todo!()
    }
}

/// A part cut into parts under a limit.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// The parts, in order, each within the limit.
    pub parts: Vec<Part>,
    /// Single records above the limit ([`RejectReason::Oversize`]).
    pub oversize: RejectedRecords,
}
