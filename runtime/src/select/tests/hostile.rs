//! Requests that are made to cost memory or to slip past a selection.

use bytes::Bytes;

use super::super::{Part, Selection};
use crate::otlp::write_varint;
use crate::payload::{Payload, Piece, Signal};

/// A length-delimited field.
fn field(number: u64, payload: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    write_varint(number << 3 | 2, &mut field);
    write_varint(payload.len() as u64, &mut field);
    field.extend_from_slice(payload);
    field
}

/// A log record with `flags`, so that records can be told apart.
fn record(flags: u8) -> Vec<u8> {
    field(2, &[0x45, flags, 0, 0, 0])
}

fn logs(request: Vec<u8>) -> Payload {
    Piece::validate(Signal::Logs, Bytes::from(request))
        .unwrap()
        .into()
}

#[test]
fn long_envelopes_that_start_at_the_same_offset_are_not_mixed_up() {
    // The first group starts where the request starts, and both have many children behind the kept one.
    let kept = field(2, &record(1));
    let dropped = field(2, &record(2));
    let first = [kept.clone(), dropped.repeat(100)].concat();
    let request = [field(1, &first), field(1, &dropped).repeat(100)].concat();
    let payload = logs(request);
    let mut selection = Selection::new();
    let mut records = payload.requests().flat_map(|request| request.resources());
    let first = records.next().unwrap().records().next().unwrap();
    selection.keep(&first);
    let parts = selection.finish();
    assert_eq!(parts.records(), 1);
    assert_eq!(parts.parts[0].payload().bytes(), field(1, &kept));
}

/// A resource group with an attribute-free resource that has `own` bytes of its own, and `count` records.
fn long_resource(own: usize, count: usize) -> Payload {
    let resource = field(1, &field(99, &vec![0; own]));
    let scope = field(2, &record(1).repeat(count));
    logs(field(1, &[resource, scope].concat()))
}

#[test]
fn a_long_envelope_around_many_records_is_not_copied_past_the_budget() {
    let payload = long_resource(10_000, 10_000);
    let part = Part::whole(payload, None);
    // Each part would hold one record and 10,000 bytes around it.
    let budget = 4 * part.len() as u64;
    assert!(part.split(10_050, budget).is_none());
    let parts = part.split(20_000, budget).unwrap().parts;
    let bytes: usize = parts.iter().map(Part::len).sum();
    assert!(parts.len() > 2 && bytes as u64 <= budget);
}

#[test]
fn many_records_that_do_not_fit_are_named_in_one_walk() {
    // One walk for each of them would take minutes.
    let payload = long_resource(1_000, 200_000);
    let part = Part::whole(payload, None);
    let split = part.split(1_000, u64::MAX).unwrap();
    assert!(split.parts.is_empty());
    assert_eq!(split.oversize.by_contributor(), [(0, 200_000)]);
}

#[test]
fn what_names_records_does_not_copy_the_counts_of_every_group() {
    let group = field(1, &field(2, &record(1)));
    let empty = field(1, &[]).repeat(1_000);
    let payload = logs([group, empty].concat());
    let mut selection = Selection::new();
    let groups = payload.requests().flat_map(|request| request.resources());
    groups.for_each(|group| selection.keep_all(&group));
    let parts = selection.finish();
    assert_eq!(parts.parts[0].origin.group_counts(), 0);
    assert_eq!(parts.parts[0].reject().count(), 1);
}
