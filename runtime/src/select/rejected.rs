//! Records that are refused for good, each identified, so that it counts once.

/// Why records are refused for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RejectReason {
    /// A token of the subject has more than 128 bytes.
    TokenTooLong,
    /// The subject has more than 1 KiB.
    SubjectTooLong,
    /// The event has more than 1,024 subjects.
    TooManySubjects,
    /// The outputs of the event have more than four times the bytes of its input and 1 MiB.
    OutputTooLarge,
    /// A single record is larger than a message may be.
    Oversize,
}

/// Records refused for one reason.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// Why.
    pub reason: RejectReason,
    /// Which.
    pub records: RejectedRecords,
}

/// A set of records of one event, by contributor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RejectedRecords {}

impl RejectedRecords {
    /// True without a record.
    pub fn is_empty(&self) -> bool {
        todo!()
    }

    /// Records in the set.
    pub fn count(&self) -> u64 {
        todo!()
    }

    /// Records of each contributor in the set, by contributor number.
    pub fn by_contributor(&self) -> Vec<(u32, u64)> {
        todo!()
    }

    /// Adds the records of `other`; those in both count once.
    pub fn merge(&mut self, other: &Self) {
        todo!()
    }
}
