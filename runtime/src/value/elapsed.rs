//! The time between two points, as CEL durations hold it.

/// `end - start` in nanoseconds, both in nanoseconds since the epoch, held within the range of a
/// duration: what does not fit becomes the longest duration of its sign.
///
/// ```
/// use watershed::generated::elapsed;
///
/// assert_eq!(elapsed(1_000, 1_500), 500);
/// assert_eq!(elapsed(1_500, 1_000), -500);
/// assert_eq!(elapsed(0, u64::MAX), i64::MAX);
/// ```
#[inline]
pub fn elapsed(start: u64, end: u64) -> i64 {
    let nanoseconds = i128::from(end) - i128::from(start);
    let longest = if nanoseconds < 0 { i64::MIN } else { i64::MAX };
    i64::try_from(nanoseconds).unwrap_or(longest)
}
