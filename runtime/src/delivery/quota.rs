//! Quotas: how many records a place of a flow lets pass in some time; what `limit` does.
//!
//! Input: how many records of an event come to the place. Output: nothing, or the verdicts of an event over the
//! quota, of which nothing is delivered. The state is one moment: the one at which the quota would be whole again
//! if nothing more came (the generic cell rate algorithm), so nothing has to tick.
//!
//! What a quota was charged for stays charged when the event fails later: a sender that tries again asks again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::{Event, Failure, FailureReason, Node, RefusalReason, Verdicts};
use crate::select::{Part, RejectReason};

/// A quota of records. Clones share it.
#[derive(Clone)]
pub struct Quota {
    node: Node,
    records: u64,
    per: Duration,
    /// When the quota is whole again.
    whole_at: Arc<Mutex<Option<Instant>>>,
}

impl Quota {
    /// A quota of `records` in every `per`; at first it is whole.
    pub(crate) fn new(node: Node, records: u64, per: Duration) -> Self {
        Self {
            node,
            records: records.max(1),
            per,
            whole_at: Arc::default(),
        }
    }

    /// Charges the quota for `records` of `event`; what to tell its sender when there is no room for them.
    ///
    /// An event with more records than the quota ever has could be sent again for ever; it is refused for good.
    pub fn refuse(&self, event: &Event, records: u64) -> Option<Verdicts> {
        if records > self.records {
            let mut verdicts = Verdicts::accepted();
            let all = Part::whole(event.payload().clone(), None).reject();
            verdicts.reject(&all, RefusalReason::Limit(RejectReason::OverQuota));
            return Some(verdicts);
        }
        let wait = self.charge(records, Instant::now())?;
        let failure = Failure::new(&self.node, FailureReason::OverQuota).retry_after(wait);
        Some(Verdicts::failed(event.contributors(), &failure))
    }

    /// Charges the quota at `now`; when there is no room, how long it takes until there is.
    fn charge(&self, records: u64, now: Instant) -> Option<Duration> {
        // Nothing can panic while the lock is held, so what it holds is whole.
        let mut whole_at = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        let from = whole_at.map_or(now, |at| at.max(now));
        let then = from + self.time_of(records);
        let wait = then.saturating_duration_since(now + self.per);
        if wait.is_zero() {
            *whole_at = Some(then);
            None
        } else {
            Some(wait)
        }
    }

    /// How long it takes until `records` may pass again, rounded up.
    fn time_of(&self, records: u64) -> Duration {
        let nanoseconds = self.per.as_nanos() * u128::from(records);
        let nanoseconds = nanoseconds.div_ceil(u128::from(self.records));
        Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX)).min(self.per)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Telemetry;

    fn quota(records: u64, per: Duration) -> Quota {
        Quota::new(Telemetry::new().node("limit_1"), records, per)
    }

    #[tokio::test(start_paused = true)]
    async fn as_many_records_pass_in_some_time_as_the_quota_has() {
        let quota = quota(10, Duration::from_secs(1));
        let start = Instant::now();
        assert_eq!(quota.charge(6, start), None);
        assert_eq!(quota.charge(4, start), None);
        assert_eq!(quota.charge(1, start), Some(Duration::from_millis(100)));
        let later = start + Duration::from_millis(300);
        assert_eq!(quota.charge(4, later), Some(Duration::from_millis(100)));
        assert_eq!(quota.charge(3, later), None);
        assert_eq!(quota.charge(1, later), Some(Duration::from_millis(100)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_quota_stays_charged_for_what_the_next_one_refuses() {
        let (first, second) = (
            quota(10, Duration::from_secs(1)),
            quota(5, Duration::from_secs(1)),
        );
        let start = Instant::now();
        for _ in 0..2 {
            // An event comes to the second quota only when the first lets it pass.
            let passed = first.charge(4, start).is_none() && second.charge(4, start).is_none();
            assert_eq!(passed, second.charge(1, start).is_none());
        }
        assert_eq!(first.charge(3, start), Some(Duration::from_millis(100)));
        assert_eq!(first.charge(2, start), None);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_quota_saves_nothing_up() {
        let quota = quota(3, Duration::from_secs(1));
        let start = Instant::now();
        assert_eq!(quota.charge(3, start), None);
        let later = start + Duration::from_secs(60);
        assert_eq!(quota.charge(3, later), None);
        assert!(quota.charge(1, later).is_some());
        // A third of a second is not a whole number of nanoseconds: rounding never gives more than the quota.
        let again = later + Duration::from_nanos(333_333_333);
        assert!(quota.charge(1, again).is_some());
        assert_eq!(quota.charge(1, again + Duration::from_nanos(1)), None);
    }

    #[tokio::test(start_paused = true)]
    async fn clones_share_one_quota() {
        let quota = quota(1, Duration::from_secs(1));
        let now = Instant::now();
        assert_eq!(quota.clone().charge(1, now), None);
        assert!(quota.charge(1, now).is_some());
    }
}
