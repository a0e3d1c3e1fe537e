//! `watershed-benches ratios`: every piece of work beside the same work by hand, with prost, and a plain copy of the
//! bytes, then the predicates alone ([`predicates`]).

pub mod mimalloc;
pub mod predicates;

use std::hint::black_box;
use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use watershed_samples::Shape;

use crate::measure::interleaved;
use crate::works::{Input, Work};
use mimalloc::MimallocBaseline;

/// How much of the cost of the walk by hand the generated code may have.
const HAND_WRITTEN_TARGET: f64 = 1.1;

/// One line of the report. Times are CPU time, the least of many rounds.
#[derive(Debug, Serialize)]
pub struct Ratio {
    /// Name of the work.
    pub work: &'static str,
    /// `lean` or `rich`.
    pub payload: &'static str,
    /// Records of one request.
    pub records: usize,
    /// Bytes of one request.
    pub bytes: usize,
    /// Our cost of a record in nanoseconds.
    pub ns_per_record: f64,
    /// The same as a median: far above the least when the machine was busy.
    pub median_ns_per_record: f64,
    /// What the same work costs for a record when it is written by hand, in nanoseconds.
    pub hand_written_ns: f64,
    /// `ns_per_record / hand_written_ns`.
    pub over_hand_written: f64,
    /// What that may be.
    pub hand_written_target: f64,
    /// What the baseline, prost with the allocator of the system, costs for a record, in nanoseconds.
    pub baseline_ns: f64,
    /// The same with mimalloc. Not there when the program that measures it is not.
    pub mimalloc_baseline_ns: Option<f64>,
    /// What a copy of the request's bytes costs for a record, in nanoseconds.
    pub memcpy_ns: f64,
    /// `baseline_ns / ns_per_record`.
    pub ratio: f64,
    /// What that must be at least.
    pub target: f64,
    /// Whether this run kept both promises.
    pub holds: bool,
}

/// Writes one JSON object a line to `output`, for every work on both payloads and for every predicate. With `only`,
/// for the work of that name alone.
///
/// # Errors
/// When the sides of a work do not give the same bytes, the engines of a predicate do not keep the same records, the
/// baseline with mimalloc cannot be built, or `output` cannot be written.
pub fn report(only: Option<&str>, output: &mut impl Write) -> Result<()> {
    let mimalloc = MimallocBaseline::find()?;
    for shape in [Shape::Lean, Shape::Rich] {
        let input = Input::generate(shape)?;
        for work in Work::ALL {
            if only.is_none_or(|only| only == work.name) {
                work.verify(&input)?;
                write_line(output, &measure(work, &input, &mimalloc)?)?;
            }
        }
    }
    if only.is_none() {
        for line in predicates::measure_all()? {
            write_line(output, &line)?;
        }
    }
    Ok(())
}

fn write_line(output: &mut impl Write, line: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *output, line)?;
    writeln!(output)?;
    Ok(())
}

fn measure(work: Work, input: &Input, mimalloc: &MimallocBaseline) -> Result<Ratio> {
    let mut copy = vec![0_u8; input.bytes.len()];
    let [ours, hand_written, baseline, memcpy] = interleaved(&mut [
        &mut || work.run(input),
        &mut || work.run_hand_written(input),
        &mut || work.run_baseline(input),
        &mut || {
            copy.copy_from_slice(black_box(&input.bytes));
            black_box(&mut copy);
        },
    ]);
    let records = input.records as f64;
    let over_hand_written = ours.least / hand_written.least;
    let ratio = baseline.least / ours.least;
    Ok(Ratio {
        work: work.name,
        payload: input.shape.name(),
        records: input.records,
        bytes: input.bytes.len(),
        ns_per_record: rounded(ours.least / records),
        median_ns_per_record: rounded(ours.median / records),
        hand_written_ns: rounded(hand_written.least / records),
        over_hand_written: rounded(over_hand_written),
        hand_written_target: HAND_WRITTEN_TARGET,
        baseline_ns: rounded(baseline.least / records),
        mimalloc_baseline_ns: mimalloc.ns_per_record(work, input.shape)?.map(rounded),
        memcpy_ns: rounded(memcpy.least / records),
        ratio: rounded(ratio),
        target: work.target,
        holds: over_hand_written <= HAND_WRITTEN_TARGET && ratio >= work.target,
    })
}

/// Two digits after the point: more would be noise.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
