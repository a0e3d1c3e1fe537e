//! What became of the records of an event, per contributor: facts first, words in one place.
//!
//! Verdicts of several targets are folded, and the worst wins: a failure that may be tried again
//! beats records refused for good, and those beat acceptance. A record that two sinks refuse counts
//! once.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::select::{RejectReason, RejectedRecords};
use crate::telemetry::Node;

/// When to come back after a failure that does not say so itself.
const USUAL_RETRY: Duration = Duration::from_secs(1);

/// Why a delivery failed in a way that may be tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureReason {
    /// The sink failed so often that it is left alone for a while.
    CircuitOpen,
    /// The connection of the sink is down.
    Disconnected,
    /// The deadline of the event passed before the sink accepted.
    DeadlinePassed,
    /// No one acknowledges messages for this stream now.
    NoResponders {
        /// The stream.
        stream: String,
    },
    /// The server refused for now.
    Server {
        /// Its error code.
        code: u64,
        /// Its words.
        description: String,
    },
    /// Writing failed.
    Write {
        /// What the operating system says.
        error: String,
    },
    /// The flow lets fewer records pass at this time.
    OverQuota,
    /// The event ended in a panic.
    Panicked,
    /// The task that held the records has ended.
    Stopped,
    /// Nothing was published because of what another sender's records in the same batch need; the
    /// batch tries again without them.
    Regroup,
}

/// A delivery that may be tried again.
#[derive(Clone, Debug)]
pub struct Failure {
    node: String,
    reason: FailureReason,
    retry_after: Duration,
}

impl Failure {
    pub(crate) fn new(node: &Node, reason: FailureReason) -> Self {
        Self {
            node: node.name().to_owned(),
            reason,
            retry_after: USUAL_RETRY,
        }
    }

    pub(crate) fn retry_after(mut self, retry_after: Duration) -> Self {
        self.retry_after = retry_after;
        self
    }

    /// The same place and time with another reason.
    pub(crate) fn with_reason(&self, reason: FailureReason) -> Self {
        Self {
            reason,
            ..self.clone()
        }
    }

    /// The sink or batch that failed.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Why.
    pub fn reason(&self) -> &FailureReason {
        &self.reason
    }

    /// When another attempt makes sense.
    pub fn when_to_retry(&self) -> Duration {
        self.retry_after
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let node = &self.node;
        match &self.reason {
            FailureReason::CircuitOpen => {
                write!(
                    formatter,
                    "`{node}` fails again and again; nothing was sent to it"
                )
            }
            FailureReason::Disconnected => write!(formatter, "`{node}` is not connected"),
            FailureReason::DeadlinePassed => write!(formatter, "`{node}` did not accept in time"),
            FailureReason::NoResponders { stream } => {
                write!(formatter, "`{node}`: stream {stream} does not answer")
            }
            FailureReason::Server { code, description } => {
                write!(
                    formatter,
                    "`{node}` cannot accept now: {description} ({code})"
                )
            }
            FailureReason::Write { error } => {
                write!(formatter, "`{node}` cannot be written: {error}")
            }
            FailureReason::OverQuota => {
                write!(formatter, "`{node}` lets no more records pass now")
            }
            FailureReason::Panicked => write!(formatter, "`{node}` hit an internal error"),
            FailureReason::Stopped => write!(formatter, "`{node}` has stopped"),
            FailureReason::Regroup => write!(formatter, "`{node}` was not attempted"),
        }
    }
}

/// Why records are refused for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalReason {
    /// They cannot be sent: a limit of the flow or of the target.
    Limit(RejectReason),
    /// The server refuses them for good.
    Server {
        /// The sink.
        node: String,
        /// The error code of the server.
        code: u64,
        /// Its words.
        description: String,
    },
    /// No stream stores their subject.
    NoStream {
        /// The sink.
        node: String,
        /// The stream that was declared.
        stream: String,
    },
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(reason) => write!(formatter, "{reason}"),
            Self::Server {
                node,
                code,
                description,
            } => write!(formatter, "`{node}` refuses them: {description} ({code})"),
            Self::NoStream { node, stream } => write!(
                formatter,
                "`{node}`: their subject is not among the subjects of stream {stream}"
            ),
        }
    }
}

/// The outcome for one contributor.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every record was accepted, dropped on purpose, or there was none.
    Accepted,
    /// Some records were refused for good, the others accepted.
    Rejected {
        /// How many; each counts once.
        records: u64,
        /// Why the first of them was.
        reason: RefusalReason,
    },
    /// Something failed that may be tried again; the whole request should be.
    Failed(Failure),
}

/// The outcomes for all contributors of an event. Empty means that everything was accepted, so the
/// usual case allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    failures: BTreeMap<u32, Failure>,
    rejected: RejectedRecords,
    reason: Option<RefusalReason>,
}

impl Verdicts {
    /// Everything was accepted.
    pub fn accepted() -> Self {
        Self::default()
    }

    /// Every contributor of an event of `contributors` fails with `failure`.
    pub(crate) fn failed(contributors: u32, failure: &Failure) -> Self {
        let mut verdicts = Self::default();
        for contributor in 0..contributors {
            verdicts.fail(contributor, failure.clone());
        }
        verdicts
    }

    /// Notes that something of `contributor` failed. The first failure of each is kept.
    pub(crate) fn fail(&mut self, contributor: u32, failure: Failure) {
        self.failures.entry(contributor).or_insert(failure);
    }

    /// Notes that `records` were refused for good.
    pub(crate) fn reject(&mut self, records: &RejectedRecords, reason: RefusalReason) {
        if !records.is_empty() {
            self.rejected.merge(records);
            self.reason.get_or_insert(reason);
        }
    }

    /// Adds the outcomes of another target of the same event.
    pub fn fold(&mut self, other: Self) {
        for (contributor, failure) in other.failures {
            self.fail(contributor, failure);
        }
        self.rejected.merge(&other.rejected);
        if self.reason.is_none() {
            self.reason = other.reason;
        }
    }

    /// What failed for `contributor` and may be tried again.
    pub fn failure(&self, contributor: u32) -> Option<&Failure> {
        self.failures.get(&contributor)
    }

    /// The worst outcome of `contributor`.
    pub fn verdict(&self, contributor: u32) -> Verdict {
        if let Some(failure) = self.failure(contributor) {
            return Verdict::Failed(failure.clone());
        }
        let Some(reason) = &self.reason else {
            return Verdict::Accepted;
        };
        match self.rejected_of(contributor) {
            0 => Verdict::Accepted,
            records => Verdict::Rejected {
                records,
                reason: reason.clone(),
            },
        }
    }

    /// The records that were refused for good, as records of the event's payload.
    pub(crate) fn rejected(&self) -> &RejectedRecords {
        &self.rejected
    }

    /// Why the first of them was.
    pub(crate) fn reason(&self) -> Option<&RefusalReason> {
        self.reason.as_ref()
    }

    fn rejected_of(&self, contributor: u32) -> u64 {
        let counts = self.rejected.by_contributor().into_iter();
        let own = counts.filter(|(owner, _)| *owner == contributor);
        own.map(|(_, records)| records).sum()
    }
}
