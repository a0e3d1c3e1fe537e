//! The circuit of a sink: whether it makes sense to offer it anything now.
//!
//! Input: the outcome of each attempt. Output: closed, or open with the time until the next try. An
//! open circuit is seen when an event is planned, so an event with a dead sink is answered at once
//! and nothing of it is published.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// Failed attempts in a row that open the circuit.
const FAILURES_TO_OPEN: u32 = 5;
/// How long the circuit stays open before one event may try.
const OPEN_FOR: Duration = Duration::from_secs(1);

/// The circuit of one sink.
pub(crate) struct Circuit {
    /// Times are kept as milliseconds since then, so that they fit an atomic number.
    epoch: Instant,
    failures: AtomicU32,
    /// When the next event may try; 0 while the circuit is closed.
    next_try: AtomicU64,
}

impl Circuit {
    /// A closed circuit.
    pub(crate) fn new() -> Self {
        Self {
            epoch: Instant::now(),
            failures: AtomicU32::new(0),
            next_try: AtomicU64::new(0),
        }
    }

    /// Succeeds when an event may go out now. While the circuit is open, one event per second may:
    /// it finds out whether the sink is back. Otherwise the error is the time until the next one.
    ///
    /// Asking changes nothing, so an event that another sink keeps from going out uses up no try:
    /// sinks whose circuits opened at different times would never be tried together.
    pub(crate) fn check(&self) -> Result<(), Duration> {
        let next_try = self.next_try.load(Ordering::Acquire);
        match next_try.saturating_sub(self.now()) {
            0 => Ok(()),
            wait => Err(Duration::from_millis(wait)),
        }
    }

    /// Notes that an event goes out. Where the circuit is open it is the one that tries, and the next
    /// one has to wait. Events that were planned at the same moment all go out, which does no harm.
    pub(crate) fn begin(&self) {
        let next_try = self.next_try.load(Ordering::Acquire);
        if next_try != 0 {
            let after = self.now().saturating_add(open_milliseconds());
            // When it fails the circuit was closed or put off meanwhile, which is newer.
            let _newer = self.next_try.compare_exchange(
                next_try,
                after,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
        }
    }

    /// Notes an attempt that the sink answered, be it with a refusal: it is alive.
    pub(crate) fn succeeded(&self) {
        self.failures.store(0, Ordering::Release);
        self.next_try.store(0, Ordering::Release);
    }

    /// Notes an attempt that failed.
    pub(crate) fn failed(&self) {
        let failures = self
            .failures
            .fetch_add(1, Ordering::AcqRel)
            .saturating_add(1);
        if failures >= FAILURES_TO_OPEN {
            let next_try = self.now().saturating_add(open_milliseconds());
            self.next_try.store(next_try, Ordering::Release);
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

fn open_milliseconds() -> u64 {
    u64::try_from(OPEN_FOR.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_failures_in_a_row_and_lets_one_event_try() {
        let circuit = Circuit::new();
        for _ in 0..FAILURES_TO_OPEN {
            assert_eq!(circuit.check(), Ok(()));
            circuit.failed();
        }
        assert_eq!(circuit.check(), Err(OPEN_FOR));
        tokio::time::advance(OPEN_FOR).await;
        assert_eq!(circuit.check(), Ok(()), "one event may try");
        assert_eq!(circuit.check(), Ok(()), "asking is not trying");
        circuit.begin();
        assert_eq!(circuit.check(), Err(OPEN_FOR), "only one");
        circuit.succeeded();
        assert_eq!(circuit.check(), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_success_forgets_earlier_failures() {
        let circuit = Circuit::new();
        for _ in 0..3 * FAILURES_TO_OPEN {
            circuit.failed();
            circuit.succeeded();
        }
        assert_eq!(circuit.check(), Ok(()));
    }
}
