//! The pauses between attempts: doubling from 50 ms to 2 s, each with jitter, so that events which
//! failed together do not come back together.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(2);

/// The pauses of one event at one sink.
pub(crate) struct Backoff {
    next: Duration,
}

impl Backoff {
    /// Starts with the shortest pause.
    pub(crate) fn new() -> Self {
        Self { next: SHORTEST }
    }

    /// The next pause: between half of the current step and all of it.
    pub(crate) fn pause(&mut self) -> Duration {
        let step = self.next;
        self.next = (step * 2).min(LONGEST);
        step.mul_f64(0.5 + fastrand::f64() / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_differ() {
        let mut backoff = Backoff::new();
        let mut step = SHORTEST;
        for _ in 0..10 {
            let pause = backoff.pause();
            assert!(pause >= step / 2 && pause <= step, "{pause:?} of {step:?}");
            step = (step * 2).min(LONGEST);
        }
        assert_eq!(step, LONGEST);
    }
}
