//! Random conditions over random log records: compiled with every pass = compiled without any = an interpreter of CEL.
//!
//! Each case is one predicate and one record, and has three answers: true, false, or neither, which is an error.
//! `WATERSHED_DIFFERENTIAL_RECORDS` sets the number of records; the build script has the other settings.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and shows what it ran"
)]

mod masks;
mod oracle;
mod records;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use bytes::Bytes;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use prost::Message;
use watershed::{Parts, Payload, Piece, Signal};
use watershed_differential::{FLOWS, PREDICATES, Predicate, Run, SEED};

use masks::Mask;
use oracle::{Case, Oracle};
use records::Records;

/// Records of the ordinary run.
const RECORDS: u64 = 128;
/// Records of one request.
const REQUEST: u64 = 32;
/// How many disagreements are shown.
const SHOWN: usize = 12;

/// What became of a record under a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    True,
    False,
    Error,
}

/// What the test has seen.
#[derive(Default)]
struct Report {
    cases: u64,
    answers: [u64; 3],
    masked: BTreeMap<&'static str, u64>,
    /// The first disagreement of each predicate, and how many there are.
    wrong: BTreeMap<usize, (String, u64)>,
}

#[test]
fn compiled_conditions_answer_as_the_interpreter_does() {
    let records = std::env::var("WATERSHED_DIFFERENTIAL_RECORDS")
        .map_or(RECORDS, |text| text.parse().expect("a number of records"));
    let oracle = Oracle::new(PREDICATES.iter().map(|predicate| predicate.oracle));
    let mut requests = Records::new(SEED);
    let mut report = Report::default();
    let mut left = records;
    while left > 0 {
        let size = left.min(REQUEST);
        compare(&requests.request(size), &oracle, &mut report);
        left -= size;
    }
    println!("{}", report.summary());
    assert!(report.wrong.is_empty(), "{}", report.disagreements());
    let least = if PREDICATES.len() < 100 { 1 } else { 20_000 };
    assert!(report.cases >= least, "only {} cases", report.cases);
}

/// Runs every flow over a request and compares every answer.
fn compare(request: &ExportLogsServiceRequest, oracle: &Oracle, report: &mut Report) {
    let bytes = Bytes::from(request.encode_to_vec());
    let piece = Piece::validate(Signal::Logs, bytes.clone()).expect("the request is well formed");
    let payload = Payload::from(piece);
    let decoded = ExportLogsServiceRequest::decode(bytes).expect("the request can be decoded");
    let cases = cases(&decoded);
    let optimised = outputs(&payload, |ways| ways.optimised);
    let flat = outputs(&payload, |ways| ways.flat);
    for case in &cases {
        let expected = oracle.answers(case);
        for (number, predicate) in PREDICATES.iter().enumerate() {
            let answers = [
                answer(predicate, &optimised[number], case),
                answer(predicate, &flat[number], case),
            ];
            report.add(number, case, answers, expected[number]);
        }
    }
}

/// Every record with what stands around it.
fn cases(request: &ExportLogsServiceRequest) -> Vec<Case> {
    let mut cases = Vec::new();
    for resource in &request.resource_logs {
        for scope in &resource.scope_logs {
            cases.extend(scope.log_records.iter().map(|log| Case {
                resource: resource.resource.clone().unwrap_or_default(),
                scope: scope.scope.clone().unwrap_or_default(),
                log: log.clone(),
            }));
        }
    }
    cases
}

/// The numbers of the records in the two outputs of every predicate.
fn outputs(
    payload: &Payload,
    way: fn(&watershed_differential::Ways) -> Run,
) -> Vec<[BTreeSet<u64>; 2]> {
    FLOWS
        .iter()
        .flat_map(|ways| way(ways)(payload).expect("the configuration has defaults"))
        .map(|outputs| outputs.map(|parts| numbers(&parts)))
        .collect()
}

fn numbers(parts: &Parts) -> BTreeSet<u64> {
    let pieces = parts.parts.iter().flat_map(|part| part.payload().pieces());
    pieces
        .map(|piece| ExportLogsServiceRequest::decode(piece.bytes().clone()).unwrap())
        .flat_map(|request| cases(&request))
        .map(|case| case.log.observed_time_unix_nano)
        .collect()
}

fn answer(predicate: &Predicate, outputs: &[BTreeSet<u64>; 2], case: &Case) -> Answer {
    let [first, second] = outputs
        .each_ref()
        .map(|kept| kept.contains(&case.log.observed_time_unix_nano));
    let (is_true, is_false) = if predicate.keeps_errors {
        (!second, !first)
    } else {
        (first, second)
    };
    match (is_true, is_false) {
        (true, false) => Answer::True,
        (false, true) => Answer::False,
        (false, false) => Answer::Error,
        (true, true) => panic!(
            "seed {SEED}: predicate is both true and false: {}",
            predicate.text
        ),
    }
}

impl Report {
    fn add(&mut self, number: usize, case: &Case, compiled: [Answer; 2], oracle: Answer) {
        let predicate = &PREDICATES[number];
        let [optimised, flat] = compiled;
        self.cases += 1;
        self.answers[flat as usize] += 1;
        if optimised == flat && flat == oracle {
            return;
        }
        if optimised == flat
            && let Some(mask) = Mask::of(predicate, case, oracle)
        {
            *self.masked.entry(mask.reason).or_default() += 1;
            return;
        }
        let describe = || {
            let record = serde_json::to_string(case).unwrap_or_else(|_| format!("{case:?}"));
            format!(
                "predicate {number}: {}\n  oracle reads: {}\n  optimised {optimised:?}, flat {flat:?}, oracle \
                 {oracle:?}\n  record: {record}",
                predicate.text, predicate.oracle
            )
        };
        let (_, count) = self.wrong.entry(number).or_insert_with(|| (describe(), 0));
        *count += 1;
    }

    fn summary(&self) -> String {
        let [yes, no, error] = self.answers;
        let mut text = format!(
            "differential: seed {SEED}, {} predicates, {} cases: {yes} true, {no} false, {error} errors",
            PREDICATES.len(),
            self.cases
        );
        for (reason, count) in &self.masked {
            let _ = write!(text, "\n  {count} masked: {reason}");
        }
        text
    }

    /// The predicates that disagree, the shortest first.
    fn disagreements(&self) -> String {
        let mut wrong: Vec<_> = self.wrong.iter().collect();
        wrong.sort_by_key(|(number, _)| PREDICATES[**number].text.len());
        let shown: Vec<_> = wrong
            .iter()
            .take(SHOWN)
            .map(|(_, (text, count))| format!("{text}\n  and {} more records", count - 1))
            .collect();
        format!(
            "seed {SEED}: {} predicates disagree (WATERSHED_DIFFERENTIAL_SEED={SEED} repeats this, with \
             WATERSHED_DIFFERENTIAL_FOCUS=NUMBER of one predicate and the conditions inside it)\n{}",
            self.wrong.len(),
            shown.join("\n")
        )
    }
}
