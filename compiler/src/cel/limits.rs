//! What the run time refuses for its size alone, so that the checker can tell before.
//!
//! The run time has the same numbers; a test of the macros compares them, for it sees both.

/// How many digits behind the point a clause of `format` may ask for.
pub const MAX_PRECISION: usize = 1_000;

/// How many levels `flatten` takes away at most.
pub const MAX_FLATTEN: i64 = 128;

/// How many numbers `lists.range` gives at most.
pub const MAX_RANGE: i64 = 1_000_000;
