//! What becomes of a selection: parts under a limit, one for each subject, and records by name.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use prost::Message;
use watershed_samples::tree::Node;

use super::super::leaves::{Leaf, leaves};
use super::super::{Part, Parts, RejectReason, SubjectSelection};
use super::{SIGNALS, bytes, check_pieces, decisions, disturbed, encoded, payload, select, tree};
use crate::payload::{Payload, Signal};
use crate::testing::Random;

#[test]
fn parts_of_a_split_are_the_whole_without_oversize_records() {
    for seed in 0..200 {
        for signal in SIGNALS {
            let random = &mut Random::new(seed);
            let mut requests = vec![encoded(random, signal), encoded(random, signal)];
            if random.one_in(2) {
                requests = requests
                    .iter()
                    .map(|request| disturbed(&tree(signal, request), random, false))
                    .collect();
            }
            let payload = payload(signal, &requests);
            let kept = decisions(random, &payload);
            for part in select(&payload, &kept).parts {
                check_split(&part, 40 + random.below(part.len() + 20));
            }
        }
    }
}

/// Splits `part` under `limit` and checks sizes, records and the names of the records.
fn check_split(part: &Part, limit: usize) {
    let signal = part.payload().signal();
    let records = |part: &Part| -> Vec<Vec<u8>> {
        let pieces = part.payload().pieces().iter();
        let nodes: Vec<_> = pieces.map(|piece| tree(signal, piece.bytes())).collect();
        nodes
            .iter()
            .flat_map(Node::records)
            .map(<[u8]>::to_vec)
            .collect()
    };
    let split = part.split(limit, u64::MAX).unwrap();
    let mut named = split.oversize.clone();
    let mut found = Vec::new();
    for small in &split.parts {
        assert!(small.len() <= limit);
        check_pieces(small);
        let mut both = named.clone();
        both.merge(&small.reject());
        assert_eq!(both.count(), named.count() + small.records());
        named = both;
        found.extend(records(small));
    }
    assert_eq!(named, part.reject());
    let whole = records(part);
    let mut next = whole.iter();
    assert!(found.iter().all(|record| next.any(|other| record == other)));
    assert_eq!(found.len() as u64 + split.oversize.count(), part.records());
    for pair in split.parts.windows(2) {
        let together = pair[0].len() + pair[1].len();
        assert!(split.oversize.count() > 0 || together > limit);
    }
}

#[test]
fn refused_records_are_named_exactly() {
    for seed in 0..200 {
        for signal in SIGNALS {
            let random = &mut Random::new(seed);
            let requests = [encoded(random, signal), encoded(random, signal)];
            let payload = payload(signal, &requests);
            let kept = decisions(random, &payload);
            let rejected = select(&payload, &kept).parts.first().map(Part::reject);
            let rejected = rejected.unwrap_or_default();
            assert_eq!(
                rejected.count(),
                kept.iter().filter(|kept| **kept).count() as u64
            );
            let mut other = select(&payload, &kept.iter().map(|kept| !kept).collect::<Vec<_>>());
            let mut all = rejected;
            all.merge(
                &other
                    .parts
                    .pop()
                    .map(|part| part.reject())
                    .unwrap_or_default(),
            );
            assert_eq!(all.count(), payload.records());
        }
    }
}

#[test]
fn each_subject_gets_its_records() {
    for seed in 0..200 {
        for signal in SIGNALS {
            let random = &mut Random::new(seed);
            let requests = [encoded(random, signal), encoded(random, signal)];
            let payload = payload(signal, &requests);
            let names: Vec<_> = (0..payload.records())
                .map(|_| random.pick(&["a", "b", "c"]))
                .collect();
            let mut selection = SubjectSelection::new();
            for (leaf, name) in payload.requests().flat_map(leaves).zip(&names) {
                let handle = selection.subject(|subject| subject.literal(name));
                match leaf {
                    Leaf::Record(record) => selection.keep(handle, &record),
                    Leaf::Point(point) => selection.keep_point(handle, &point),
                }
            }
            let parts = selection.finish();
            assert!(parts.rejected.is_empty());
            assert_eq!(parts.records(), payload.records());
            for part in &parts.parts {
                let name = part.subject().unwrap().as_str();
                let kept: Vec<_> = names.iter().map(|other| *other == name).collect();
                assert_eq!(
                    part.payload().bytes(),
                    bytes(&select(&payload, &kept)),
                    "seed {seed}"
                );
            }
        }
    }
}

/// A logs request of `count` records of two bytes each.
fn tiny_records(count: usize) -> Payload {
    let request = ExportLogsServiceRequest {
        resource_logs: vec![opentelemetry_proto::tonic::logs::v1::ResourceLogs {
            scope_logs: vec![opentelemetry_proto::tonic::logs::v1::ScopeLogs {
                log_records: vec![Default::default(); count],
                ..Default::default()
            }],
            schema_url: "x".repeat(2000),
            ..Default::default()
        }],
    };
    payload(Signal::Logs, &[request.encode_to_vec()])
}

/// Keeps every record under the subject that `write` writes from its number.
fn by_number(payload: &Payload, write: impl Fn(u64, &mut crate::SubjectWriter)) -> Parts {
    let mut selection = SubjectSelection::new();
    for (number, leaf) in (0..).zip(payload.requests().flat_map(leaves)) {
        let handle = selection.subject(|subject| write(number, subject));
        if let Leaf::Record(record) = leaf {
            selection.keep(handle, &record);
        }
    }
    selection.finish()
}

#[test]
fn subjects_under_which_nothing_is_kept_do_not_count() {
    let payload = tiny_records(5000);
    let mut selection = SubjectSelection::new();
    for (number, leaf) in (0..).zip(payload.requests().flat_map(leaves)) {
        // Every fifth record asks for a subject that has been there before.
        let name = if number % 5 == 4 { number - 4 } else { number };
        let handle = selection.subject(|subject| {
            subject.literal("s.");
            subject.token(name.to_string());
        });
        if let Leaf::Record(record) = leaf
            && number % 500 == 0
        {
            selection.keep(handle, &record);
        }
    }
    let parts = selection.finish();
    let subjects: Vec<_> = parts
        .parts
        .iter()
        .filter_map(Part::subject)
        .map(|subject| subject.as_str().to_owned())
        .collect();
    let expected: Vec<_> = (0..10)
        .map(|number| format!("s.{}", number * 500))
        .collect();
    assert_eq!(subjects, expected);
    assert!(parts.rejected.is_empty());
    assert!(parts.parts.iter().all(|part| part.records() == 1));
}

#[test]
fn subjects_and_output_are_bounded() {
    let payload = tiny_records(1500);
    let parts = by_number(&payload, |number, subject| {
        subject.literal("s.");
        subject.token(number.to_string());
    });
    let reasons: Vec<_> = parts
        .rejected
        .iter()
        .map(|rejection| rejection.reason)
        .collect();
    assert_eq!(
        reasons,
        [RejectReason::TooManySubjects, RejectReason::OutputTooLarge]
    );
    assert_eq!(
        parts.rejected[0].records.by_contributor(),
        [(10, 1500 - 1024)]
    );
    assert!(parts.bytes() as u64 <= 4 * payload.len() as u64 + (1 << 20));
    assert_eq!(parts.records() + parts.rejected[1].records.count(), 1024);
    assert!(parts.records() > 500);
}

#[test]
fn records_with_refused_subjects_are_named() {
    let payload = tiny_records(10);
    let parts = by_number(&payload, |number, subject| {
        subject.literal("s.");
        subject.token("x".repeat(number as usize * 20));
    });
    assert_eq!(parts.parts.len(), 7);
    assert_eq!(parts.rejected.len(), 1);
    assert_eq!(parts.rejected[0].reason, RejectReason::TokenTooLong);
    assert_eq!(parts.rejected[0].records.by_contributor(), [(10, 3)]);
}
