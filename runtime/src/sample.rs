//! Sampling: which records a flow with `sample(ratio)` keeps.
//!
//! Input: a threshold that the compiler made of the ratio, and the trace id of a record. Output: whether it is
//! kept. The rule is that of consistent probability sampling of W3C Trace Context and OpenTelemetry: the last 56
//! bits of a trace id are random, and the trace is kept when they are not below the threshold. So all spans of a
//! trace are kept together, here and by every sampler that keeps to the rule.

/// How many of the last bytes of a trace id are random.
const RANDOM_BYTES: usize = 7;

/// Whether a record of this trace is kept; without a trace id chance decides.
///
/// ```
/// use watershed::generated::is_sampled;
///
/// let half = 1 << 55;
/// let mut trace_id = [0; 16];
/// assert!(!is_sampled(half, &trace_id));
/// trace_id[9] = 0x80;
/// assert!(is_sampled(half, &trace_id));
/// ```
#[inline]
pub fn is_sampled(threshold: u64, trace_id: &[u8]) -> bool {
    match trace_id.last_chunk::<RANDOM_BYTES>() {
        Some(random) => {
            let random = random
                .iter()
                .fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            random >= threshold
        }
        None => is_sampled_at_random(threshold),
    }
}

/// Whether a record that belongs to no trace is kept.
#[inline]
pub fn is_sampled_at_random(threshold: u64) -> bool {
    fastrand::u64(0..1 << 56) >= threshold
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The threshold of a quarter: three quarters of all random values lie below it.
    const QUARTER: u64 = 3 << 54;

    #[test]
    fn the_last_seven_bytes_decide() {
        let id = |value: u64| {
            let mut id = [0xff; 16];
            id[8..].copy_from_slice(&(value | 0xab << 56).to_be_bytes());
            id
        };
        assert!(!is_sampled(QUARTER, &id(QUARTER - 1)));
        assert!(is_sampled(QUARTER, &id(QUARTER)));
        assert!(is_sampled(0, &id(0)));
        assert!(is_sampled(QUARTER, &[0xff; 16]));
    }

    #[test]
    fn who_keeps_less_keeps_no_other_traces() {
        for number in 0..10_000_u64 {
            let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let id = u128::from(random).to_be_bytes();
            assert!(!is_sampled(QUARTER, &id) || is_sampled(1 << 55, &id));
        }
    }

    #[test]
    fn without_a_trace_about_the_ratio_is_kept() {
        fastrand::seed(7);
        let kept = (0..100_000).filter(|_| is_sampled(QUARTER, &[])).count();
        assert!((24_000..26_000).contains(&kept), "{kept}");
        assert!((0..1_000).all(|_| is_sampled_at_random(0)));
    }
}
