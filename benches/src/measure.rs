//! Times several pieces of work side by side.
//!
//! Rounds alternate between the pieces, so that a slow moment of the machine meets all of them. What is read is the
//! CPU time of this thread: other programs cost cache but not time. The smallest round is the figure, because noise only adds;
//! the median stands beside it and shows how calm the machine was.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Time of one run of a piece of work, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The smallest round.
    pub least: f64,
    /// The median of the rounds.
    pub median: f64,
}

/// Rounds of each piece of work.
const ROUNDS: usize = 60;

/// Least length of a round: the clock's own cost disappears in it.
const ROUND: Duration = Duration::from_millis(4);

/// Times every piece of `work`, in rounds that alternate.
pub fn interleaved<const N: usize>(work: &mut [&mut dyn FnMut(); N]) -> [Timing; N] {
    let mut repeats = [1_u32; N];
    for (run, repeats) in work.iter_mut().zip(&mut repeats) {
        *repeats = repeats_for(run);
    }
    let mut rounds: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        for ((run, repeats), rounds) in work.iter_mut().zip(repeats).zip(&mut rounds) {
            rounds.push(time(run, repeats).as_nanos() as f64 / f64::from(repeats));
        }
    }
    rounds.map(summary)
}

/// How often `run` must be repeated to fill a round. Warms caches on the way.
fn repeats_for(run: &mut dyn FnMut()) -> u32 {
    let mut repeats = 1;
    while time(run, repeats) < ROUND {
        repeats *= 2;
    }
    repeats
}

fn time(run: &mut dyn FnMut(), repeats: u32) -> Duration {
    let start = thread_time();
    for _ in 0..repeats {
        run();
    }
    thread_time().saturating_sub(start)
}

/// CPU time of one run, on whatever threads of this process it works.
pub fn process_time(run: impl FnOnce()) -> Duration {
    let start = cpu_time(ClockId::ProcessCPUTime);
    run();
    cpu_time(ClockId::ProcessCPUTime).saturating_sub(start)
}

/// CPU time that this thread has used.
fn thread_time() -> Duration {
    cpu_time(ClockId::ThreadCPUTime)
}

fn cpu_time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(time.tv_sec.cast_unsigned(), nanoseconds)
}

fn summary(mut rounds: Vec<f64>) -> Timing {
    rounds.sort_by(f64::total_cmp);
    Timing {
        least: rounds.first().copied().unwrap_or_default(),
        median: rounds.get(rounds.len() / 2).copied().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn twice_the_work_takes_longer() {
        let spin = |times: u64| {
            for number in 0..times {
                black_box(number);
            }
        };
        let [once, thrice] = interleaved(&mut [&mut || spin(20_000), &mut || spin(60_000)]);
        assert!(thrice.least > 2.0 * once.least, "{once:?} {thrice:?}");
        assert!(once.least <= once.median);
    }
}
