//! What goes to one target.

use std::ops::Range;

use super::arena::Arena;
use super::copy::copy;
use super::marks::Marks;
use super::origin::Origin;
use super::rejected::{RejectedRecords, Rejection};
use super::split;
use crate::payload::Payload;
use crate::subject::Subject;

/// Everything that one target gets of one event.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The parts: one for each subject, or a single one for a target without subjects. Parts without
    /// records do not exist.
    pub parts: Vec<Part>,
    /// Records that cannot be sent, and why.
    pub rejected: Vec<Rejection>,
}

impl Parts {
    /// True when there is nothing to send; there may be rejected records.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Records in all parts.
    pub fn records(&self) -> u64 {
        self.parts.iter().map(Part::records).sum()
    }

    /// Encoded bytes of all parts.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(Part::len).sum()
    }
}

/// One message for one target: a payload and where its records came from.
///
/// The pieces of the payload are the borders between contributors.
#[derive(Clone, Debug)]
pub struct Part {
    subject: Option<Subject>,
    payload: Payload,
    pub(super) origin: Origin,
    /// Which of the records kept from the origin these are.
    window: Range<u64>,
}

impl Part {
    /// Copies what `marks` keep, with the new bytes from `arena`; nothing when they keep nothing.
    #[inline]
    pub(super) fn of(
        marks: &mut Marks<'_>,
        arena: &Arena,
        subject: Option<Subject>,
    ) -> Option<Self> {
        let signal = marks.pieces.first()?.source.signal;
        let payload = copy(signal, marks, arena);
        let window = 0..payload.records();
        Some(Self {
            subject,
            payload,
            origin: Origin::of(marks),
            window,
        })
    }

    /// A part of a whole payload, which is not copied.
    pub fn whole(payload: Payload, subject: Option<Subject>) -> Self {
        let window = 0..payload.records();
        Self {
            subject,
            origin: Origin::of_payload(&payload),
            payload,
            window,
        }
    }

    /// The subject, for targets that have subjects.
    pub fn subject(&self) -> Option<&Subject> {
        self.subject.as_ref()
    }

    /// The export requests of the part; each piece names its contributor.
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// Log records, spans or data points.
    pub fn records(&self) -> u64 {
        self.payload.records()
    }

    /// Encoded bytes.
    pub fn len(&self) -> usize {
        self.payload.len()
    }

    /// True without a byte.
    pub fn is_empty(&self) -> bool {
        self.payload.is_empty()
    }

    /// All records of the part as rejected: what to count when its target refuses it for good.
    pub fn reject(&self) -> RejectedRecords {
        self.origin.rejected(std::iter::once(self.window.clone()))
    }

    /// The records with these `numbers`, counted over the part, as rejected. The ranges are in order.
    pub(crate) fn reject_numbers(
        &self,
        numbers: impl IntoIterator<Item = Range<u64>>,
    ) -> RejectedRecords {
        let start = self.window.start;
        let windows = numbers.into_iter();
        self.origin
            .rejected(windows.map(|numbers| start + numbers.start..start + numbers.end))
    }

    /// One part for each run of pieces of one contributor, in order.
    pub fn by_contributor(&self) -> Vec<Self> {
        let mut parts: Vec<Self> = Vec::new();
        let mut number = self.window.start;
        for piece in self.payload.pieces() {
            let end = number + piece.records();
            let last = parts
                .last_mut()
                .filter(|part| part.is_of(piece.contributor()));
            if let Some(part) = last {
                part.payload.append(piece.clone());
                part.window.end = end;
            } else {
                parts.push(Self {
                    subject: self.subject.clone(),
                    payload: Payload::from(piece.clone()),
                    origin: self.origin.clone(),
                    window: number..end,
                });
            }
            number = end;
        }
        parts
    }

    fn is_of(&self, contributor: u32) -> bool {
        let mut pieces = self.payload.pieces().iter();
        pieces.all(|piece| piece.contributor() == contributor)
    }

    /// Cuts the part at record borders into parts of at most `max_bytes`. A single record above the
    /// limit is left out and named; the others are not lost with it. The envelopes around records repeat
    /// in every part, so a long envelope makes many bytes of few: `None` when the parts together would
    /// have more than `budget` bytes.
    pub fn split(&self, max_bytes: usize, budget: u64) -> Option<Split> {
        if self.len() <= max_bytes {
            return Some(Split {
                parts: vec![self.clone()],
                oversize: RejectedRecords::default(),
            });
        }
        let mut parts = Vec::new();
        let mut oversize = Vec::new();
        for cut in split::cut(&self.payload, max_bytes, budget)? {
            match cut.payload {
                Some(payload) => parts.push(Self {
                    subject: self.subject.clone(),
                    payload,
                    origin: self.origin.clone(),
                    window: self.window.start + cut.window.start
                        ..self.window.start + cut.window.end,
                }),
                None => oversize.push(cut.window),
            }
        }
        let oversize = self.reject_numbers(oversize);
        Some(Split { parts, oversize })
    }
}

/// A part cut into parts under a limit.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// The parts, in order, each within the limit.
    pub parts: Vec<Part>,
    /// Single records above the limit ([`RejectReason::Oversize`](super::RejectReason::Oversize)).
    pub oversize: RejectedRecords,
}
