//! Export requests: any bytes in, a request or a fault out.
//!
//! The first byte names the signal. What is accepted is decoded by `prost` too and means the same there; it can be
//! walked, merged with others and taken apart, and all that comes out is accepted again and holds the same records.

use bytes::Bytes;
use watershed::{Part, Parts, Payload, Piece, Selection, Signal};
use watershed_samples::records::{Logs, Metrics, Telemetry, Traces};

use crate::reading;

/// Validates `input` behind its first byte as a request of the signal that the byte names.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    let Some((signal, request)) = input.split_first() else {
        return;
    };
    match signal % 3 {
        0 => check::<Logs>(Signal::Logs, request),
        1 => check::<Traces>(Signal::Traces, request),
        _ => check::<Metrics>(Signal::Metrics, request),
    }
}

/// An export request as `prost` decodes it, with what the runtime reads in it.
pub(crate) trait Decoded: Telemetry {
    /// Every value that the runtime's views give, in the order of the request.
    fn values(&self) -> Vec<String>;
}

fn check<T: Decoded>(signal: Signal, request: &[u8]) {
    let piece = match Piece::validate(signal, Bytes::copy_from_slice(request)) {
        Ok(piece) => piece,
        Err(malformed) => {
            assert!(malformed.offset <= request.len(), "{malformed}");
            return;
        }
    };
    let records = read_twice::<T>(&piece);
    let payload = Payload::from(piece.clone());
    merge::<T>(&piece, &records);
    select::<T>(&payload, &records);
    cut::<T>(&payload, &records);
}

/// Checks that `prost` and the runtime read the same in a request.
pub(crate) fn check_readings(piece: &Piece) {
    match piece.signal() {
        Signal::Logs => drop(read_twice::<Logs>(piece)),
        Signal::Traces => drop(read_twice::<Traces>(piece)),
        Signal::Metrics => drop(read_twice::<Metrics>(piece)),
    }
}

/// The records of a request, in which `prost` and the runtime read the same.
fn read_twice<T: Decoded>(piece: &Piece) -> Vec<String> {
    let decoded = T::decode(piece.bytes().clone()).expect("what is valid is decoded");
    let records = decoded.records();
    assert_eq!(
        piece.records(),
        records.len() as u64,
        "the count of records"
    );
    assert_eq!(
        reading::values(&Payload::from(piece.clone())),
        decoded.values(),
        "two readings of a request"
    );
    records
}

/// A request that follows another is one request with it.
fn merge<T: Decoded>(piece: &Piece, records: &[String]) {
    let bytes = [&piece.bytes()[..], &piece.bytes()[..]].concat();
    let twice =
        Piece::validate(piece.signal(), Bytes::from(bytes)).expect("requests can be joined");
    assert_eq!(
        twice.duplicate_attributes(),
        2 * piece.duplicate_attributes()
    );
    assert_eq!(twice.is_mergeable(), piece.is_mergeable());
    assert_eq!(
        kept::<T>(&Payload::from(twice)),
        [records, records].concat()
    );
}

/// Selections by group, by scope, by record and by point hold what was kept, whole and unchanged.
fn select<T: Decoded>(payload: &Payload, records: &[String]) {
    let (mut whole, mut groups, mut scopes) =
        (Selection::new(), Selection::new(), Selection::new());
    let (mut even, mut odd) = (Selection::new(), Selection::new());
    let mut number = 0_usize;
    for request in payload.requests() {
        whole.keep_request(&request);
        for group in request.resources() {
            groups.keep_all(&group);
            group.scopes().for_each(|scope| scopes.keep_scope(&scope));
            for record in group.records() {
                let is_metric = payload.signal() == Signal::Metrics;
                for point in record.data_points().filter(|_| is_metric) {
                    side(number, &mut even, &mut odd).keep_point(&point);
                    number += 1;
                }
                if !is_metric {
                    side(number, &mut even, &mut odd).keep(&record);
                    number += 1;
                }
            }
        }
    }
    for selection in [whole, groups, scopes] {
        assert_eq!(all_kept::<T>(&selection.finish()), records);
    }
    for (selection, first) in [(even, 0), (odd, 1)] {
        let expected: Vec<_> = records.iter().skip(first).step_by(2).cloned().collect();
        assert_eq!(all_kept::<T>(&selection.finish()), expected);
    }
}

/// Records go to one side and to the other in turn.
fn side<'s, T>(number: usize, even: &'s mut T, odd: &'s mut T) -> &'s mut T {
    if number.is_multiple_of(2) { even } else { odd }
}

/// A message of limited size is cut between records, and none is lost.
fn cut<T: Decoded>(payload: &Payload, records: &[String]) {
    let part = Part::whole(payload.clone(), None);
    let limit = payload.len() / 2;
    let Some(split) = part.split(limit, u64::MAX) else {
        panic!("a budget without an end was not enough");
    };
    let mut rest = records.iter();
    for part in &split.parts {
        assert!(
            part.len() <= limit || payload.is_empty(),
            "{} > {limit}",
            part.len()
        );
        for record in kept::<T>(part.payload()) {
            assert!(rest.any(|other| *other == record), "{record} is new");
        }
    }
    let sent: u64 = split.parts.iter().map(Part::records).sum();
    assert_eq!(sent + split.oversize.count(), records.len() as u64);
}

/// The records of a payload that was made here, which is valid.
fn kept<T: Decoded>(payload: &Payload) -> Vec<String> {
    let bytes = payload.bytes();
    let piece = Piece::validate(payload.signal(), bytes.clone()).expect("what is made is valid");
    assert_eq!(piece.records(), payload.records(), "the count of records");
    let decoded = T::decode(bytes).expect("what is made is decoded");
    decoded.records()
}

fn all_kept<T: Decoded>(parts: &Parts) -> Vec<String> {
    assert!(parts.rejected.is_empty(), "{:?}", parts.rejected);
    let payloads = parts.parts.iter().map(Part::payload);
    payloads.flat_map(|payload| kept::<T>(payload)).collect()
}
