//! What the checker knows of the limits of the run time is what they are.

use watershed::cel::{format, lists};
use watershed_compiler::cel::limits;

#[test]
fn checker_and_run_time_have_the_same_limits() {
    assert_eq!(limits::MAX_PRECISION, format::MAX_PRECISION);
    assert_eq!(limits::MAX_FLATTEN, lists::MAX_FLATTEN);
    assert_eq!(limits::MAX_RANGE, lists::MAX_RANGE);
}
