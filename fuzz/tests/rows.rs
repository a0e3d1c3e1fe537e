//! What has led readers of OTLP astray: the validated reading and that of `prost` agree, or it is refused.

#![allow(clippy::panic, reason = "a test stops at what should not be")]

use watershed::Piece;
use watershed_fuzz::otlp;
use watershed_model::rows::rows;
use watershed_model::topology::Signal;

#[test]
fn every_row_is_read_as_prost_reads_it_or_refused() {
    for (number, signal) in Signal::ALL.into_iter().enumerate() {
        let mut accepted = 0;
        for row in rows(signal) {
            let read = Piece::validate(signal.into(), row.request.clone().into());
            assert_eq!(
                read.is_ok(),
                row.accepted,
                "{}, {}: {read:?}",
                signal.name(),
                row.name
            );
            accepted += usize::from(row.accepted);
            // It compares both readings of what is accepted.
            otlp::run(&[&[number as u8], &row.request[..]].concat());
        }
        assert!(accepted > 80, "{accepted}");
    }
}
