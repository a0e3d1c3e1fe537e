//! Random topologies over random telemetry of all signals: compiled with every pass = compiled without = interpreted.
//!
//! The interpreter decodes with prost and asks the `cel` crate. Each case is one topology and one record: how often the
//! record comes to each sink. What is kept is compared byte for byte with the request without the other records. Every
//! other request comes in an unusual form, and one test sends what has led readers of OTLP astray. Another one looks at
//! many more topologies as plans, which costs no build. `WATERSHED_TOPOLOGIES_RECORDS` and `WATERSHED_TOPOLOGIES_PLANS`
//! set how much is tried; the build script has the other settings.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and shows what it ran"
)]

mod plans;
mod whole;

use bytes::Bytes;
use watershed::{Parts, Payload, Piece};
use watershed_model::disturb::disturb;
use watershed_model::generator::Generator;
use watershed_model::interpreter::{Deliveries, Interpreter, Record};
use watershed_model::requests::{Request, Requests};
use watershed_model::rows::rows;
use watershed_model::topology::{SINKS, Signal, Topology};
use watershed_samples::tree::{Leaves, Node};
use watershed_topologies::{COMPILED, Run, SEED};

/// Records of each signal of the ordinary run; a topology sees those of its signal.
const RECORDS: usize = 700;
/// Records of one request.
const REQUEST: usize = 50;

#[test]
fn compiled_topologies_deliver_as_the_interpreter_does() {
    let records = setting("RECORDS").unwrap_or(RECORDS);
    let mut compared = Compared::new();
    let mut requests = Requests::new(SEED);
    let mut random = fastrand::Rng::with_seed(SEED);
    for signal in Signal::ALL {
        for number in 0..records.div_ceil(REQUEST) {
            let plain = requests.request(signal, REQUEST).encode();
            let sent = match number % 2 {
                0 => plain,
                _ => disturb(&plain, &mut random).into(),
            };
            compared.compare(signal, &sent, "a random request");
        }
    }
    let Compared {
        cases, delivered, ..
    } = compared;
    println!(
        "topologies: seed {SEED}, {} compiled in two ways, {cases} cases, {delivered} deliveries",
        COMPILED.len()
    );
    assert!(delivered > cases / 10, "only {delivered} deliveries");
    let least = if COMPILED.len() < 80 { 1 } else { 50_000 };
    assert!(cases >= least, "only {cases} cases");
}

#[test]
fn unusual_requests_are_delivered_as_the_interpreter_says_or_refused() {
    let mut compared = Compared::new();
    for signal in Signal::ALL {
        for row in rows(signal) {
            let sent = Bytes::from(row.request);
            match Piece::validate(signal.into(), sent.clone()) {
                Ok(_) if row.accepted => compared.compare(signal, &sent, &row.name),
                Err(_) if !row.accepted => {}
                other => panic!("{}, {}: {other:?}", signal.name(), row.name),
            }
        }
    }
    assert!(compared.delivered > 5_000, "{}", compared.delivered);
}

/// The compiled topologies beside the interpreter.
struct Compared {
    topologies: Vec<Topology>,
    interpreter: Interpreter,
    cases: usize,
    delivered: usize,
}

impl Compared {
    fn new() -> Self {
        let mut generator = Generator::new(SEED);
        Self {
            topologies: COMPILED.iter().map(|_| generator.topology()).collect(),
            interpreter: Interpreter::new(),
            cases: 0,
            delivered: 0,
        }
    }

    /// Sends a request through every topology of its signal.
    fn compare(&mut self, signal: Signal, sent: &Bytes, what: &str) {
        let request = Request::decode(signal, sent);
        let records = self.interpreter.records(&request);
        let own = self.topologies.iter().zip(COMPILED).enumerate();
        for (number, (topology, ways)) in own.filter(|(_, (one, _))| one.signal == signal) {
            let expected: Deliveries = records
                .iter()
                .map(|record| {
                    let sinks = self.interpreter.deliveries(topology, record);
                    (record.number, sinks)
                })
                .collect();
            for (way, run) in [("optimised", ways.optimised), ("naive", ways.naive)] {
                let ours = deliveries(run, signal, sent, &request);
                assert_eq!(
                    ours,
                    expected,
                    "seed {SEED}, topology {number}, {way}, {what}:\n{topology}\n{}",
                    first_difference(&records, &ours, &expected)
                );
            }
            self.cases += records.len();
            self.delivered += expected.values().map(Vec::len).sum::<usize>();
        }
    }
}

/// Runs a flow over a request. Every output must be the request without the records that are not in it.
fn deliveries(run: Run, signal: Signal, sent: &Bytes, request: &Request) -> Deliveries {
    let piece = Piece::validate(signal.into(), sent.clone()).expect("it is well formed");
    let payload = Payload::from(piece);
    let numbers = request.numbers();
    let mut deliveries: Deliveries = numbers.iter().map(|number| (*number, Vec::new())).collect();
    for (sink, parts) in run(&payload) {
        assert!(sink < SINKS);
        let bytes = joined(&parts);
        let kept = Request::decode(signal, &bytes).numbers();
        assert_eq!(parts.records(), kept.len() as u64);
        if kept.is_empty() {
            assert!(parts.is_empty(), "an empty request is sent");
            continue;
        }
        let mut next = numbers.iter();
        let expected = tree(signal, sent).retain(&mut || kept.contains(next.next().unwrap()));
        // An envelope that was kept whole may hold empty ones.
        let ours = tree(signal, &bytes).retain(&mut || true);
        assert_eq!(ours.sorted(), expected.sorted(), "what is kept is changed");
        // As prost encodes it, and without empty envelopes, which belong to what is kept whole.
        if *sent == request.only(&numbers).encode() {
            let expected = request.only(&kept).encode();
            assert!(bytes == expected[..], "what is kept is encoded otherwise");
        }
        for number in kept {
            let sinks = deliveries.get_mut(&number);
            sinks.expect("a record of the request").push(sink);
        }
    }
    deliveries
        .values_mut()
        .for_each(|sinks| sinks.sort_unstable());
    deliveries
}

fn tree(signal: Signal, request: &[u8]) -> Node {
    let leaves = match signal {
        Signal::Logs | Signal::Traces => Leaves::Records,
        Signal::Metrics => Leaves::Points,
    };
    Node::read(leaves, request).unwrap()
}

/// The first record of which two ways tell differently.
fn first_difference(records: &[Record], ours: &Deliveries, expected: &Deliveries) -> String {
    let differs = |record: &&Record| ours.get(&record.number) != expected.get(&record.number);
    let first = records.iter().find(differs);
    first.map_or_else(String::new, |record| {
        let (ours, expected) = (ours.get(&record.number), expected.get(&record.number));
        format!("{record}\nours {ours:?}, expected {expected:?}")
    })
}

fn joined(parts: &Parts) -> Vec<u8> {
    let pieces = parts.parts.iter().flat_map(|part| part.payload().pieces());
    pieces.flat_map(|piece| piece.bytes().to_vec()).collect()
}

fn setting(name: &str) -> Option<usize> {
    let text = std::env::var(format!("WATERSHED_TOPOLOGIES_{name}")).ok()?;
    Some(text.parse().expect("the setting is a number"))
}
