//! Records that are refused for good, each identified, so that it counts once.
//!
//! A record is identified by its request's place in the payload that was walked and by its number in the
//! request. Sets of one walk can be merged: a record that two targets refuse counts once.

use std::collections::BTreeMap;
use std::ops::Range;

/// Why records are refused for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RejectReason {
    /// A token of the subject has more than 128 bytes.
    TokenTooLong,
    /// The subject has more than 1 KiB.
    SubjectTooLong,
    /// The subject starts with `$` or `_INBOX`, which belong to the server.
    SubjectReserved,
    /// The subject has an empty token, white space, a control character or a wildcard.
    SubjectInvalid,
    /// The event has more than 1,024 subjects.
    TooManySubjects,
    /// The outputs have more than four times the bytes of their input and 1 MiB.
    OutputTooLarge,
    /// A single record is larger than a message may be.
    Oversize,
    /// A condition that the flow holds records to is not true for them; the flow says why.
    Invalid(&'static str),
    /// A condition that the flow holds records to fails on them; the flow says what it is for.
    NotChecked(&'static str),
    /// The event has more records than its quota allows at once.
    OverQuota,
}

impl RejectReason {
    /// A stable word for metrics and logs.
    pub fn code(self) -> &'static str {
        match self {
            Self::TokenTooLong => "token_too_long",
            Self::SubjectTooLong => "subject_too_long",
            Self::SubjectReserved => "subject_reserved",
            Self::SubjectInvalid => "subject_invalid",
            Self::TooManySubjects => "too_many_subjects",
            Self::OutputTooLarge => "output_too_large",
            Self::Oversize => "oversize",
            Self::Invalid(_) => "invalid",
            Self::NotChecked(_) => "not_checked",
            Self::OverQuota => "over_quota",
        }
    }

    /// True for the limits that all records of an event share: who comes last is refused because of
    /// what came first.
    pub(crate) fn is_of_event(self) -> bool {
        matches!(self, Self::TooManySubjects | Self::OutputTooLarge)
    }
}

impl std::fmt::Display for RejectReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TokenTooLong => "a token of the subject has more than 128 bytes",
            Self::SubjectTooLong => "the subject has more than 1 KiB",
            Self::SubjectReserved => "the subject starts with `$` or `_INBOX`",
            Self::SubjectInvalid => {
                "the subject has an empty token, white space, a control character or a wildcard"
            }
            Self::TooManySubjects => "the records have more than 1,024 subjects",
            Self::OutputTooLarge => "the output is more than four times its input",
            Self::Oversize => "the record is larger than a message may be",
            Self::Invalid(reason) => reason,
            Self::NotChecked(reason) => return write!(f, "cannot be checked: {reason}"),
            Self::OverQuota => "the event has more records than its quota allows at once",
        })
    }
}

/// Records refused for one reason.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// Why.
    pub reason: RejectReason,
    /// Which.
    pub records: RejectedRecords,
}

/// A set of records of one payload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RejectedRecords {
    /// By the request's place in the payload.
    requests: BTreeMap<u32, OfRequest>,
}

/// The records of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OfRequest {
    contributor: u32,
    /// Record numbers, sorted, without overlaps.
    ranges: Vec<Range<u32>>,
}

impl RejectedRecords {
    /// True without a record.
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Records in the set.
    pub fn count(&self) -> u64 {
        self.requests.values().map(OfRequest::count).sum()
    }

    /// Records of each contributor that has any in the set, as pairs of contributor and count.
    pub fn by_contributor(&self) -> Vec<(u32, u64)> {
        let mut counts = BTreeMap::new();
        for request in self.requests.values() {
            *counts.entry(request.contributor).or_insert(0) += request.count();
        }
        counts.into_iter().collect()
    }

    /// Adds the records of `other`, a set over the same payload; those in both count once.
    pub fn merge(&mut self, other: &Self) {
        for (index, theirs) in &other.requests {
            match self.requests.get_mut(index) {
                Some(ours) => ours.ranges = union(&ours.ranges, &theirs.ranges),
                None => {
                    self.requests.insert(*index, theirs.clone());
                }
            }
        }
    }

    /// The records of the request at `index`, as ranges of record numbers.
    pub(crate) fn of_request(&self, index: u32) -> &[Range<u32>] {
        self.requests
            .get(&index)
            .map_or(&[], |request| request.ranges.as_slice())
    }

    /// Adds the records that `other` has of its request at `from`, as those of the request at `index`.
    pub(crate) fn adopt(&mut self, index: u32, contributor: u32, other: &Self, from: u32) {
        let ranges = other.of_request(from).to_vec();
        if !ranges.is_empty() {
            let adopted = OfRequest {
                contributor,
                ranges,
            };
            self.requests.insert(index, adopted);
        }
    }

    /// Adds record `number` of the request at `index`; numbers of a request come in ascending order.
    pub(super) fn add(&mut self, index: u32, contributor: u32, number: u32) {
        let empty = || OfRequest {
            contributor,
            ranges: Vec::new(),
        };
        let request = self.requests.entry(index).or_insert_with(empty);
        match request.ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => request.ranges.push(number..number + 1),
        }
    }
}

impl OfRequest {
    fn count(&self) -> u64 {
        self.ranges
            .iter()
            .map(|range| u64::from(range.end - range.start))
            .sum()
    }
}

/// The union of two sorted lists of ranges.
fn union(left: &[Range<u32>], right: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut all: Vec<_> = left.iter().chain(right).cloned().collect();
    all.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u32>> = Vec::with_capacity(all.len());
    for range in all {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::RejectedRecords;

    fn set(records: &[(u32, u32, u32)]) -> RejectedRecords {
        let mut set = RejectedRecords::default();
        records
            .iter()
            .for_each(|(index, contributor, number)| set.add(*index, *contributor, *number));
        set
    }

    #[test]
    fn a_record_in_two_sets_counts_once() {
        let mut first = set(&[(0, 7, 1), (0, 7, 2), (0, 7, 5)]);
        let second = set(&[(0, 7, 2), (0, 7, 3), (1, 7, 0), (2, 8, 4)]);
        first.merge(&second);
        assert_eq!(first.count(), 6);
        assert_eq!(first.by_contributor(), [(7, 5), (8, 1)]);
        let again = first.clone();
        first.merge(&again);
        assert_eq!(first, again);
    }

    #[test]
    fn an_empty_set_has_no_contributors() {
        assert!(RejectedRecords::default().is_empty());
        assert_eq!(RejectedRecords::default().by_contributor(), []);
    }
}
