//! Fields of a log record, of a span and of a metric.

use super::Case;
use super::wire::{field, fixed, tag, varint};
use crate::topology::Signal;

/// A number whose lower half is 5 and whose upper half is not empty.
const WIDE: u64 = 5 | 1 << 40;

/// Unusual fields of a record.
pub(super) fn cases(signal: Signal) -> Vec<Case> {
    let mut cases = match signal {
        Signal::Logs => logs(),
        Signal::Traces => spans(),
        Signal::Metrics => metrics(),
    };
    cases.push(("an unknown field of a record", field(900, b"\xff"), true));
    cases.push((
        "an unknown group of a record",
        [tag(900, 3), tag(900, 4)].concat(),
        false,
    ));
    cases
}

fn logs() -> Vec<Case> {
    let body = field(5, &field(1, b"a"));
    vec![
        ("a negative enumeration", varint(2, u64::MAX), true),
        ("an enumeration of 64 bits", varint(2, WIDE), true),
        ("a severity of zero", varint(2, 0), true),
        ("an empty event name", field(12, b""), true),
        ("a severity twice", varint(2, 5).repeat(2), false),
        ("a body without a value", field(5, &[]), true),
        ("a body twice", body.repeat(2), false),
        (
            "a body of two members",
            field(5, &[varint(3, 1), field(1, b"a")].concat()),
            false,
        ),
        ("a trace id of one byte", field(9, &[1]), false),
        ("an empty trace id", field(9, &[]), true),
        ("a span id of seven bytes", field(10, &[1; 7]), false),
        ("an event name that is not UTF-8", field(12, b"\xff"), false),
        (
            "an event name with the wrong wire type",
            varint(12, 1),
            false,
        ),
    ]
}

fn spans() -> Vec<Case> {
    let status = field(15, &varint(3, 1));
    vec![
        ("a negative enumeration", varint(6, u64::MAX), true),
        ("an enumeration of 64 bits", varint(6, WIDE), true),
        ("a kind of zero", varint(6, 0), true),
        ("an empty name", field(5, b""), true),
        ("a kind twice", varint(6, 3).repeat(2), false),
        ("a status twice", status.repeat(2), false),
        ("a name twice", field(5, b"a").repeat(2), false),
        ("a trace id of one byte", field(1, &[1]), false),
        ("a parent of seven bytes", field(4, &[1; 7]), false),
        ("an event without a name", field(11, &[]), true),
        (
            "a link to a trace of one byte",
            field(13, &field(1, &[1])),
            false,
        ),
        (
            "an event with a name twice",
            field(11, &field(2, b"a").repeat(2)),
            false,
        ),
        ("a state that is not UTF-8", field(3, b"\xff"), false),
    ]
}

/// The metric is a gauge already.
fn metrics() -> Vec<Case> {
    vec![
        ("data twice", field(5, &[]), false),
        (
            "a sum beside a gauge",
            field(7, &varint(2, u64::MAX)),
            false,
        ),
        ("an empty name", field(1, b""), true),
        ("a unit twice", field(3, b"a").repeat(2), false),
        ("a description that is not UTF-8", field(2, b"\xff"), false),
        ("a name with the wrong wire type", varint(1, 1), false),
        ("metadata", field(12, &field(1, b"team")), true),
    ]
}

/// Whole metrics, each with a point whose number is 1.
pub(super) fn whole_metrics() -> Vec<Case> {
    let time = fixed(3, 1);
    let point = field(1, &time);
    let (one, packed) = (fixed(6, 1), field(6, &[0; 16]));
    let counts = [&time, &one[..], &packed, &one].concat();
    let bounds = [&time[..], &field(7, &[0; 8]), &fixed(7, 0)].concat();
    let buckets = [varint(2, 1), field(2, &[2, 3]), varint(1, 1)].concat();
    let buckets = [&time[..], &field(8, &buckets)].concat();
    let histogram = |point: &[u8]| field(9, &field(1, point));
    vec![
        ("counts packed and one by one", histogram(&counts), true),
        ("bounds packed and one by one", histogram(&bounds), true),
        (
            "half a bound",
            histogram(&[&time[..], &field(7, &[0; 7])].concat()),
            false,
        ),
        (
            "buckets packed and one by one",
            field(10, &field(1, &buckets)),
            true,
        ),
        (
            "a negative enumeration",
            field(7, &[&point[..], &varint(2, u64::MAX)].concat()),
            true,
        ),
        (
            "a flag between points",
            field(
                7,
                &[&point[..], &varint(3, 1), &field(1, &fixed(3, 2))].concat(),
            ),
            true,
        ),
        (
            "a flag twice",
            field(7, &[&point[..], &varint(3, 1).repeat(2)].concat()),
            false,
        ),
        (
            "a name behind the data",
            [field(11, &point), field(1, b"ab")].concat(),
            true,
        ),
        ("no data", field(1, b"ab"), true),
        ("no points", field(5, &[]), true),
        (
            "two values of a point",
            field(
                5,
                &field(1, &[&time[..], &fixed(4, 0), &fixed(6, 0)].concat()),
            ),
            false,
        ),
    ]
}
