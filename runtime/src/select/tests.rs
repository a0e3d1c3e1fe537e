//! Selections compared with decoding, retaining and encoding, over random requests of all signals.

mod changes;
mod hostile;
mod parts;
mod shared;

use bytes::Bytes;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use prost::Message;
use watershed_samples::tree::{Leaves, Node};

use super::leaves::{Leaf, leaves};
use super::{Part, Parts, Selection};
use crate::payload::{Payload, Piece, Signal};
use crate::testing::Random;

const SIGNALS: [Signal; 3] = [Signal::Logs, Signal::Metrics, Signal::Traces];

/// A random request of `signal`, as prost encodes it.
fn encoded(random: &mut Random, signal: Signal) -> Vec<u8> {
    match signal {
        Signal::Logs => random.logs().encode_to_vec(),
        Signal::Metrics => random.metrics().encode_to_vec(),
        Signal::Traces => random.traces().encode_to_vec(),
    }
}

/// The envelopes of a request.
fn tree(signal: Signal, request: &[u8]) -> Node {
    let leaves = match signal {
        Signal::Metrics => Leaves::Points,
        Signal::Logs | Signal::Traces => Leaves::Records,
    };
    Node::read(leaves, request).unwrap()
}

/// The request in another order, with fields that no schema knows.
fn disturbed(tree: &Node, random: &mut Random, top_level: bool) -> Vec<u8> {
    tree.disturb(&mut |bound| random.below(bound), top_level)
}

/// A payload of `requests`, each from a contributor of its own, numbered from 10.
fn payload(signal: Signal, requests: &[Vec<u8>]) -> Payload {
    let mut payload = Payload::new(signal);
    for (request, number) in requests.iter().zip(10..) {
        let piece = Piece::validate(signal, Bytes::copy_from_slice(request)).unwrap();
        payload.push(piece.with_contributor(number)).unwrap();
    }
    payload
}

fn keep<'a>(selection: &mut Selection<'a>, leaf: &Leaf<'a>) {
    match leaf {
        Leaf::Record(record) => selection.keep(record),
        Leaf::Point(point) => selection.keep_point(point),
    }
}

/// Keeps one by one the records whose number `kept` says so.
fn select(payload: &Payload, kept: &[bool]) -> Parts {
    let mut selection = Selection::new();
    for (leaf, kept) in payload.requests().flat_map(leaves).zip(kept) {
        if *kept {
            keep(&mut selection, &leaf);
        }
    }
    selection.finish()
}

/// A decision for every record of `payload`: all kinds of runs and single records.
fn decisions(random: &mut Random, payload: &Payload) -> Vec<bool> {
    let chances = random.pick(&[1, 2, 2, 4, 20]);
    (0..payload.records())
        .map(|_| random.one_in(chances))
        .collect()
}

/// The bytes of the only part, none without one.
fn bytes(parts: &Parts) -> Bytes {
    assert!(parts.parts.len() <= 1);
    parts
        .parts
        .first()
        .map(|part| part.payload().bytes())
        .unwrap_or_default()
}

/// Checks that every piece of `part` says of itself what its validation would say.
fn check_pieces(part: &Part) {
    for piece in part.payload().pieces() {
        let again = Piece::validate(piece.signal(), piece.bytes().clone()).unwrap();
        assert_eq!(piece.records, again.records);
        assert_eq!(piece.group_records, again.group_records);
        assert!(piece.layout.interleaved || !again.layout.interleaved);
        assert_eq!(piece.is_mergeable(), again.is_mergeable());
    }
    let joined: Vec<u8> = part
        .payload()
        .pieces()
        .iter()
        .flat_map(|piece| piece.bytes().to_vec())
        .collect();
    assert_eq!(part.payload().bytes(), joined);
}

/// Checks that `parts` hold `request`.
#[track_caller]
fn check_decoded<T>(parts: &Parts, request: &T, seed: u64)
where
    T: Message + Default + PartialEq + std::fmt::Debug,
{
    parts.parts.iter().for_each(check_pieces);
    let decoded = T::decode(&bytes(parts)[..]).unwrap();
    assert_eq!(&decoded, request, "seed {seed}");
}

/// Leaves out envelopes without spans.
fn prune_traces(request: &mut ExportTraceServiceRequest) {
    request.resource_spans.retain_mut(|group| {
        group.scope_spans.retain(|scope| !scope.spans.is_empty());
        !group.scope_spans.is_empty()
    });
}

/// Leaves out envelopes without metrics.
fn prune_metrics(request: &mut ExportMetricsServiceRequest) {
    request.resource_metrics.retain_mut(|group| {
        let scopes = &mut group.scope_metrics;
        scopes.retain(|scope| !scope.metrics.is_empty());
        !scopes.is_empty()
    });
}

#[test]
fn logs_equal_what_prost_retains() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut request = random.logs();
        let payload = payload(Signal::Logs, &[request.encode_to_vec()]);
        let kept = decisions(random, &payload);
        let mut next = kept.iter().copied();
        for group in &mut request.resource_logs {
            for scope in &mut group.scope_logs {
                scope.log_records.retain(|_| next.next().unwrap());
            }
            group
                .scope_logs
                .retain(|scope| !scope.log_records.is_empty());
        }
        request
            .resource_logs
            .retain(|group| !group.scope_logs.is_empty());
        let parts = select(&payload, &kept);
        check_decoded(&parts, &request, seed);
        assert_eq!(bytes(&parts), request.encode_to_vec(), "seed {seed}");
    }
}

#[test]
fn traces_equal_what_prost_retains() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut request = random.traces();
        let payload = payload(Signal::Traces, &[request.encode_to_vec()]);
        let kept = decisions(random, &payload);
        let mut next = kept.iter().copied();
        for group in &mut request.resource_spans {
            for scope in &mut group.scope_spans {
                scope.spans.retain(|_| next.next().unwrap());
            }
        }
        prune_traces(&mut request);
        check_decoded(&select(&payload, &kept), &request, seed);
    }
}

/// Retains the points of one metric; false when none is left.
fn retain_points(data: &mut Option<Data>, next: &mut impl Iterator<Item = bool>) -> bool {
    macro_rules! retain {
        ($data:expr) => {{
            $data.data_points.retain(|_| next.next().unwrap());
            !$data.data_points.is_empty()
        }};
    }
    match data {
        None => false,
        Some(Data::Gauge(data)) => retain!(data),
        Some(Data::Sum(data)) => retain!(data),
        Some(Data::Histogram(data)) => retain!(data),
        Some(Data::ExponentialHistogram(data)) => retain!(data),
        Some(Data::Summary(data)) => retain!(data),
    }
}

#[test]
fn data_points_equal_what_prost_retains() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut request = random.metrics();
        let payload = payload(Signal::Metrics, &[request.encode_to_vec()]);
        let kept = decisions(random, &payload);
        let mut next = kept.iter().copied();
        for group in &mut request.resource_metrics {
            for scope in &mut group.scope_metrics {
                scope
                    .metrics
                    .retain_mut(|metric| retain_points(&mut metric.data, &mut next));
            }
        }
        prune_metrics(&mut request);
        check_decoded(&select(&payload, &kept), &request, seed);
    }
}

#[test]
fn unknown_fields_survive_wherever_they_stand() {
    for seed in 0..600 {
        for signal in SIGNALS {
            let random = &mut Random::new(seed);
            let plain = tree(signal, &encoded(random, signal));
            let top_level = random.one_in(2);
            let request = disturbed(&plain, random, top_level);
            let payload = payload(signal, std::slice::from_ref(&request));
            let kept = decisions(random, &payload);
            let parts = select(&payload, &kept);
            parts.parts.iter().for_each(check_pieces);
            let output = bytes(&parts);
            let mut next = kept.iter().copied();
            let expected = tree(signal, &request).retain(&mut || next.next().unwrap());
            if expected.records().is_empty() {
                assert!(parts.is_empty(), "seed {seed}");
                continue;
            }
            assert_eq!(
                tree(signal, &output).sorted(),
                expected.sorted(),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn every_piece_keeps_its_contributor() {
    for seed in 0..300 {
        for signal in SIGNALS {
            let random = &mut Random::new(seed);
            let requests: Vec<_> = (0..4).map(|_| encoded(random, signal)).collect();
            let payload = payload(signal, &requests);
            let kept = decisions(random, &payload);
            let parts = select(&payload, &kept);
            parts.parts.iter().for_each(check_pieces);
            let mut pieces = parts.parts.iter().flat_map(|part| part.payload().pieces());
            let mut next = kept.iter().copied();
            for (request, contributor) in requests.iter().zip(10..) {
                let expected = tree(signal, request).retain(&mut || next.next().unwrap());
                if expected.records().is_empty() {
                    continue;
                }
                let piece = pieces.next().unwrap();
                assert_eq!(piece.contributor(), contributor);
                assert_eq!(piece.records(), expected.records().len() as u64);
                assert_eq!(tree(signal, piece.bytes()).sorted(), expected.sorted());
            }
            assert!(pieces.next().is_none());
        }
    }
}

#[test]
fn whole_envelopes_equal_their_records_one_by_one() {
    for seed in 0..300 {
        for signal in SIGNALS {
            let random = &mut Random::new(seed);
            let requests: Vec<_> = (0..2).map(|_| encoded(random, signal)).collect();
            let payload = payload(signal, &requests);
            let mut coarse = Selection::new();
            let mut fine = Selection::new();
            for group in payload.requests().flat_map(|request| request.resources()) {
                let way = random.below(4);
                if way == 0 {
                    coarse.keep_all(&group);
                }
                for scope in group.scopes() {
                    if way == 1 {
                        coarse.keep_scope(&scope);
                    }
                    for record in scope.records().filter(|_| way < 3) {
                        if way == 2 {
                            coarse.keep(&record);
                        }
                        fine.keep(&record);
                    }
                }
            }
            let (coarse, fine) = (coarse.finish(), fine.finish());
            coarse.parts.iter().for_each(check_pieces);
            assert_eq!(coarse.records(), fine.records(), "seed {seed}");
            let prune = |parts: &Parts| tree(signal, &bytes(parts)).retain(&mut || true);
            assert_eq!(prune(&coarse), prune(&fine), "seed {seed}");
        }
    }
}

#[test]
fn a_request_kept_whole_is_not_copied() {
    let random = &mut Random::new(5);
    let request = std::iter::repeat_with(|| random.logs())
        .find(|request| request.resource_logs.len() == 3)
        .unwrap();
    let payload = payload(Signal::Logs, &[request.encode_to_vec()]);
    let source = payload.pieces()[0].bytes();
    let mut selection = Selection::new();
    payload
        .requests()
        .for_each(|request| selection.keep_request(&request));
    assert_eq!(bytes(&selection.finish()).as_ptr(), source.as_ptr());

    let full = tree(Signal::Logs, source).retain(&mut || true).encode();
    let payload = self::payload(Signal::Logs, &[full]);
    let kept = vec![true; payload.records() as usize];
    let output = bytes(&select(&payload, &kept));
    assert_eq!(output.as_ptr(), payload.pieces()[0].bytes().as_ptr());
}

#[test]
fn what_was_passed_is_not_kept_again() {
    let random = &mut Random::new(11);
    let requests = [encoded(random, Signal::Logs), encoded(random, Signal::Logs)];
    let payload = payload(Signal::Logs, &requests);
    let all: Vec<_> = payload.requests().flat_map(leaves).collect();
    assert!(all.len() > 4);
    let mut selection = Selection::new();
    for leaf in all.iter().chain(&all).chain(all.iter().rev()) {
        keep(&mut selection, leaf);
        keep(&mut selection, leaf);
    }
    payload
        .requests()
        .for_each(|request| selection.keep_request(&request));
    assert_eq!(selection.finish().records(), payload.records());
}
