//! Random topologies over random telemetry of all signals: compiled with every pass = compiled without = interpreted.
//!
//! The interpreter decodes with prost and asks the `cel` crate. Each case is one topology and one record: how often the
//! record comes to each sink. What is kept is compared byte for byte with the decoded request, filtered and encoded again.
//! A second test looks at many more topologies as plans, which costs no build. `WATERSHED_TOPOLOGIES_RECORDS` and
//! `WATERSHED_TOPOLOGIES_PLANS` set how much is tried; the build script has the other settings.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and shows what it ran"
)]

mod interpreter;
mod plans;
mod requests;

use std::collections::BTreeMap;

use watershed::{Parts, Payload, Piece};
use watershed_topologies::generator::Generator;
use watershed_topologies::topology::{SINKS, Signal, Topology};
use watershed_topologies::{COMPILED, Run, SEED};

use interpreter::Interpreter;
use requests::{Request, Requests};

/// Records of each signal of the ordinary run; a topology sees those of its signal.
const RECORDS: usize = 260;
/// Records of one request.
const REQUEST: usize = 26;

/// How many records of a request come to each sink how often: by the number of the record.
type Deliveries = BTreeMap<u64, Vec<usize>>;

#[test]
fn compiled_topologies_deliver_as_the_interpreter_does() {
    let records = setting("RECORDS").unwrap_or(RECORDS);
    let mut interpreter = Interpreter::new();
    let mut requests = Requests::new(SEED);
    let mut generator = Generator::new(SEED);
    let topologies: Vec<_> = COMPILED.iter().map(|_| generator.topology()).collect();
    let (mut cases, mut delivered) = (0, 0);
    for signal in Signal::ALL {
        for _ in 0..records.div_ceil(REQUEST) {
            let request = requests.request(signal, REQUEST);
            let records = interpreter.records(&request);
            let own = topologies.iter().zip(COMPILED).enumerate();
            for (number, (topology, ways)) in own.filter(|(_, (one, _))| one.signal == signal) {
                let expected: Deliveries = records
                    .iter()
                    .map(|record| {
                        let sinks =
                            topology.deliveries(&mut |atom| interpreter.answer(atom, record));
                        (record.number, sinks)
                    })
                    .collect();
                for (way, run) in [("optimised", ways.optimised), ("naive", ways.naive)] {
                    let ours = deliveries(run, &request);
                    assert_eq!(
                        ours,
                        expected,
                        "seed {SEED}, topology {number}, {way}:\n{topology}\n{}",
                        interpreter.describe(&records, &ours, &expected)
                    );
                }
                cases += records.len();
                delivered += expected.values().map(Vec::len).sum::<usize>();
            }
        }
    }
    println!(
        "topologies: seed {SEED}, {} compiled in two ways, {cases} cases, {delivered} deliveries",
        COMPILED.len()
    );
    assert!(delivered > cases / 10, "only {delivered} deliveries");
    let least = if COMPILED.len() < 100 { 1 } else { 50_000 };
    assert!(cases >= least, "only {cases} cases");
}

/// Runs a flow over a request. Every output must be the request without the records that are not in it.
fn deliveries(run: Run, request: &Request) -> Deliveries {
    let piece = Piece::validate(request.signal(), request.encode()).expect("it is well formed");
    let payload = Payload::from(piece);
    let mut deliveries: Deliveries = request
        .numbers()
        .into_iter()
        .map(|number| (number, Vec::new()))
        .collect();
    for (sink, parts) in run(&payload) {
        assert!(sink < SINKS);
        let bytes = joined(&parts);
        let kept = Request::decode(request.signal(), &bytes).numbers();
        let expected = request.only(&kept).encode();
        assert!(
            bytes == expected[..],
            "the bytes of what is kept are other than those that came"
        );
        assert_eq!(parts.records(), kept.len() as u64);
        for number in kept {
            deliveries
                .get_mut(&number)
                .expect("a record of the request")
                .push(sink);
        }
    }
    deliveries
        .values_mut()
        .for_each(|sinks| sinks.sort_unstable());
    deliveries
}

fn joined(parts: &Parts) -> Vec<u8> {
    let pieces = parts.parts.iter().flat_map(|part| part.payload().pieces());
    pieces.flat_map(|piece| piece.bytes().to_vec()).collect()
}

fn setting(name: &str) -> Option<usize> {
    let text = std::env::var(format!("WATERSHED_TOPOLOGIES_{name}")).ok()?;
    Some(text.parse().expect("the setting is a number"))
}

/// Topologies behind those that are compiled, as plans.
fn more_topologies(count: usize) -> Vec<Topology> {
    let mut generator = Generator::new(SEED ^ 0x5eed);
    (0..count).map(|_| generator.topology()).collect()
}
