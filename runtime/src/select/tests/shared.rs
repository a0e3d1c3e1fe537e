//! Resources that are kept whole: which of them are handed on as slices of the request, and which are copied.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::common::v1::AnyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};

use super::*;

/// Encoded groups of two records each, of about these many bytes.
fn groups(lengths: &[usize]) -> Vec<u8> {
    let record = |length: usize| LogRecord {
        body: Some(AnyValue {
            value: Some(Value::StringValue("x".repeat(length))),
        }),
        ..LogRecord::default()
    };
    let group = |length: &usize| ResourceLogs {
        scope_logs: vec![ScopeLogs {
            log_records: vec![record(length / 2), record(length / 2)],
            ..ScopeLogs::default()
        }],
        ..ResourceLogs::default()
    };
    let resource_logs = lengths.iter().map(group).collect();
    ExportLogsServiceRequest { resource_logs }.encode_to_vec()
}

/// What is kept of the groups of `payload` whose numbers are in `kept`.
fn keep_groups(payload: &Payload, kept: &[usize]) -> Part {
    let mut selection = Selection::new();
    for request in payload.requests() {
        for (number, group) in request.resources().enumerate() {
            if kept.contains(&number) {
                selection.keep_all(&group);
            }
        }
    }
    let part = selection.finish().parts.remove(0);
    check_pieces(&part);
    assert_eq!(part.records(), 2 * kept.len() as u64);
    assert_eq!(part.reject().count(), part.records());
    part
}

/// How many pieces of `part` lie in the buffer of `payload`.
fn shared(part: &Part, payload: &Payload) -> usize {
    let source = payload.pieces()[0].bytes().as_ptr_range();
    let pieces = part.payload().pieces().iter();
    pieces
        .filter(|piece| source.contains(&piece.bytes().as_ptr()))
        .count()
}

#[test]
fn long_resources_are_slices_of_the_request() {
    let payload = payload(Signal::Logs, &[groups(&[5_000; 6])]);
    let part = keep_groups(&payload, &[0, 2, 3, 5]);
    let records: Vec<_> = part.payload().pieces().iter().map(Piece::records).collect();
    assert_eq!((shared(&part, &payload), records), (3, vec![2, 4, 2]));
    // A target that wants one buffer joins them, so they are paid for.
    assert_eq!(part.payload().copied_bytes(), part.len() as u64);
    let expected = groups(&[5_000; 4]);
    assert_eq!(part.payload().bytes(), expected);
}

#[test]
fn short_resources_little_of_a_long_request_and_many_ranges_are_copied() {
    let short = payload(Signal::Logs, &[groups(&[3_000; 6])]);
    assert_eq!(shared(&keep_groups(&short, &[0, 2, 4]), &short), 0);
    let little = payload(Signal::Logs, &[groups(&[5_000, 5_000, 5_000, 200_000])]);
    assert_eq!(shared(&keep_groups(&little, &[0, 2]), &little), 0);
    let many = payload(Signal::Logs, &[groups(&[5_000; 18])]);
    let every_other: Vec<usize> = (0..18).step_by(2).collect();
    assert_eq!(shared(&keep_groups(&many, &every_other), &many), 0);
}

#[test]
fn a_request_with_fields_that_nobody_knows_stays_one_request() {
    let mut request = groups(&[5_000; 3]);
    // Field 100 of wire type 0.
    request.extend_from_slice(&[0xa0, 0x06, 1]);
    let payload = payload(Signal::Logs, &[request]);
    let part = keep_groups(&payload, &[0, 2]);
    assert_eq!(part.payload().pieces().len(), 1);
    assert!(!part.payload().is_mergeable());
}
