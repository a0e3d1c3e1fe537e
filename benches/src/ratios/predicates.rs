//! The predicates against a walk by hand and against the interpreter of the `cel` crate.

use std::hint::black_box;

use anyhow::Result;
use serde::Serialize;

use super::rounded;
use crate::baseline;
use crate::expressions::interpreter::Interpreter;
use crate::expressions::records::Records;
use crate::expressions::{Expression, native};
use crate::measure::{Timing, interleaved};

/// How many times cheaper the generated code must be than the interpreter when that converts each record first.
const BUILT_TARGET: f64 = 100.0;

/// One line of the report: a predicate over raw records. Times are CPU time, the least of many rounds.
#[derive(Debug, Serialize)]
pub struct PredicateRatio {
    /// Its name.
    pub predicate: &'static str,
    /// The predicate as its flow has it.
    pub text: &'static str,
    /// Records of one request.
    pub records: usize,
    /// Records that the predicate keeps.
    pub kept: u64,
    /// Our cost of a record in nanoseconds: the generated walk with the marks of what is kept, without the copy.
    pub ns_per_record: f64,
    /// The same as a median: far above the least when the machine was busy.
    pub median_ns_per_record: f64,
    /// The walk by hand, which only counts.
    pub native_ns: f64,
    /// The `cel` crate over contexts that are there already, with the cheapest variables.
    pub cel_context_ready: Comparison,
    /// The `cel` crate with a context converted from each decoded record, and the text of the flow.
    pub cel_context_built: Comparison,
    /// The `cel` crate with a context of its own types over borrowed texts, the least that it allows. No target: it is
    /// here to show the floor.
    pub cel_context_borrowed: Comparison,
    /// What the decoding costs that the interpreter's records have behind them: part of none of its times.
    pub decode_ns: f64,
}

/// Somebody else's cost beside ours.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// Its cost of a record in nanoseconds.
    pub ns: f64,
    /// That cost over ours.
    pub ratio: f64,
    /// The ratio that we promise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<f64>,
    /// Whether this run kept the promise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
}

impl Comparison {
    /// Compares `theirs` with `ours`, both for `records` records.
    fn new(theirs: Timing, ours: Timing, records: f64, target: Option<f64>) -> Self {
        let ratio = theirs.least / ours.least;
        Self {
            ns: rounded(theirs.least / records),
            ratio: rounded(ratio),
            target,
            holds: target.map(|target| ratio >= target),
        }
    }
}

/// Measures every predicate.
///
/// # Errors
/// When two engines keep different records, or a predicate decides nothing.
pub fn measure_all() -> Result<Vec<PredicateRatio>> {
    let records = Records::generate(1_000)?;
    let measured = Expression::ALL.into_iter().map(|expression| {
        expression.verify(&records)?;
        measure(expression, &records)
    });
    measured.collect()
}

fn measure(expression: Expression, records: &Records) -> Result<PredicateRatio> {
    let interpreter = Interpreter::new(expression)?;
    let contexts = interpreter.borrowed_contexts(&records.decoded);
    let bytes = &records.bytes;
    let decoded = &records.decoded;
    let [ours, native, ready, built, borrowed, decode] = interleaved(&mut [
        &mut || expression.run(records),
        &mut || count(native::count(expression, black_box(bytes))),
        &mut || count(interpreter.count(black_box(&contexts))),
        &mut || count(interpreter.count_converting(black_box(decoded))),
        &mut || count(interpreter.count_borrowing(black_box(decoded))),
        &mut || drop(black_box(baseline::decode(bytes))),
    ]);
    let total = records.count as f64;
    let compare = |theirs, target| Comparison::new(theirs, ours, total, target);
    Ok(PredicateRatio {
        predicate: expression.name(),
        text: expression.text(),
        records: records.count,
        kept: expression.select(records).finish().records(),
        ns_per_record: rounded(ours.least / total),
        median_ns_per_record: rounded(ours.median / total),
        native_ns: rounded(native.least / total),
        cel_context_ready: compare(ready, Some(expression.target())),
        cel_context_built: compare(built, Some(BUILT_TARGET)),
        cel_context_borrowed: compare(borrowed, None),
        decode_ns: rounded(decode.least / total),
    })
}

/// Makes the optimiser believe that somebody wants to know.
fn count(records: u64) {
    black_box(records);
}
