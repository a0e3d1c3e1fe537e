//! Whole flows: any topology over any request, as plans.
//!
//! The first byte names the signal, four bytes choose a topology of it, the rest is an export request. What is accepted
//! goes through the plan before every pass and the plan after every pass, which must deliver each record as an
//! interpreter of CEL says. What a sink gets is selected from the bytes and must be the request without all else.

use std::cell::RefCell;

use bytes::Bytes;
use watershed::{Payload, Piece, Selection};
use watershed_model::evaluator::Planned;
use watershed_model::generator::Generator;
use watershed_model::interpreter::Interpreter;
use watershed_model::requests::Request;
use watershed_model::topology::{SINKS, Signal};
use watershed_samples::tree::{Leaves, Node};

use crate::otlp;

/// The length of what stands before the request, in bytes.
pub const HEAD: usize = 5;

/// A topology with what is asked about it.
struct Chosen {
    by: (Signal, u32),
    planned: Planned,
    interpreter: Interpreter,
}

thread_local! {
    /// The last one: most inputs differ from the one before in the request alone.
    static CHOSEN: RefCell<Option<Chosen>> = const { RefCell::new(None) };
}

impl Chosen {
    fn new(signal: Signal, seed: u32) -> Self {
        let topology = Generator::new(seed.into()).topology_of(signal);
        Self {
            by: (signal, seed),
            planned: Planned::new(topology),
            interpreter: Interpreter::new(),
        }
    }

    /// The sinks of each record.
    fn deliveries(&mut self, request: &Request) -> Vec<Vec<usize>> {
        let records = self.interpreter.records(request);
        let delivered = records
            .iter()
            .map(|record| self.planned.deliveries(record, &mut self.interpreter));
        delivered.collect()
    }
}

/// Sends the request in `input` through the topology that its first bytes choose.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    let Some((&[signal, a, b, c, d], request)) = input.split_first_chunk::<HEAD>() else {
        return;
    };
    let signal = match signal % 3 {
        0 => Signal::Logs,
        1 => Signal::Traces,
        _ => Signal::Metrics,
    };
    let sent = Bytes::copy_from_slice(request);
    let Ok(piece) = Piece::validate(signal.into(), sent.clone()) else {
        return;
    };
    otlp::check_readings(&piece);
    let request = Request::decode(signal, &sent);
    let seed = u32::from_le_bytes([a, b, c, d]);
    let delivered = CHOSEN.with_borrow_mut(|chosen| {
        if !matches!(chosen, Some(chosen) if chosen.by == (signal, seed)) {
            *chosen = Some(Chosen::new(signal, seed));
        }
        let chosen = chosen.as_mut().expect("it was chosen");
        chosen.deliveries(&request)
    });
    let payload = Payload::from(piece);
    for sink in 0..SINKS {
        let kept: Vec<_> = delivered
            .iter()
            .map(|sinks| sinks.contains(&sink))
            .collect();
        check_selection(signal, &payload, &kept);
    }
}

/// Selects the records that `kept` says, in their order: only they, as they came, are in what a sink gets.
fn check_selection(signal: Signal, payload: &Payload, kept: &[bool]) {
    let mut next = kept.iter().copied();
    let mut is_next = || next.next().expect("prost decodes as many records");
    let mut selection = Selection::new();
    for request in payload.requests() {
        for record in request.resources().flat_map(|group| group.records()) {
            match signal {
                Signal::Logs | Signal::Traces if is_next() => selection.keep(&record),
                Signal::Logs | Signal::Traces => {}
                Signal::Metrics => record
                    .data_points()
                    .filter(|_| is_next())
                    .for_each(|point| selection.keep_point(&point)),
            }
        }
    }
    assert_eq!(next.next(), None, "prost decodes more records");
    let parts = selection.finish();
    if !kept.contains(&true) {
        assert!(parts.is_empty(), "an empty request is sent");
        return;
    }
    let bytes: Vec<_> = parts
        .parts
        .iter()
        .map(|part| part.payload().bytes())
        .collect();
    let mut next = kept.iter().copied();
    let expected = tree(signal, &payload.bytes()).retain(&mut || next.next() == Some(true));
    assert_eq!(
        tree(signal, &bytes.concat()).sorted(),
        expected.sorted(),
        "what is kept is changed"
    );
}

fn tree(signal: Signal, request: &[u8]) -> Node {
    let leaves = match signal {
        Signal::Logs | Signal::Traces => Leaves::Records,
        Signal::Metrics => Leaves::Points,
    };
    Node::read(leaves, request).expect("what is valid has envelopes")
}
