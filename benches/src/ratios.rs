//! `watershed-benches ratios`: every piece of work against its baseline and against a plain copy of the bytes, then
//! the predicates alone ([`predicates`]).

pub mod predicates;

use std::hint::black_box;
use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use watershed_samples::Shape;

use crate::measure::interleaved;
use crate::works::{Input, Work};

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
    /// What the baseline, prost, costs for a record, in nanoseconds.
    pub baseline_ns: f64,
    /// What a copy of the request's bytes costs for a record, in nanoseconds.
    pub memcpy_ns: f64,
    /// `baseline_ns / ns_per_record`.
    pub ratio: f64,
}

/// Writes one JSON object a line to `output`, for every work on both payloads and for every predicate.
///
/// # Errors
/// When the two sides of a work do not give the same bytes, the engines of a predicate do not keep the same records, or
/// `output` cannot be written.
pub fn report(output: &mut impl Write) -> Result<()> {
    for shape in [Shape::Lean, Shape::Rich] {
        let input = Input::generate(shape)?;
        for work in Work::ALL {
            work.verify(&input)?;
            write_line(output, &measure(work, &input))?;
        }
    }
    for line in predicates::measure_all()? {
        write_line(output, &line)?;
    }
    Ok(())
}

fn write_line(output: &mut impl Write, line: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *output, line)?;
    writeln!(output)?;
    Ok(())
}

fn measure(work: Work, input: &Input) -> Ratio {
    let mut copy = vec![0_u8; input.bytes.len()];
    let [ours, baseline, memcpy] = interleaved(&mut [
        &mut || work.run(input),
        &mut || work.run_baseline(input),
        &mut || {
            copy.copy_from_slice(black_box(&input.bytes));
            black_box(&mut copy);
        },
    ]);
    let records = input.records as f64;
    Ratio {
        work: work.name(),
        payload: input.shape.name(),
        records: input.records,
        bytes: input.bytes.len(),
        ns_per_record: rounded(ours.least / records),
        median_ns_per_record: rounded(ours.median / records),
        baseline_ns: rounded(baseline.least / records),
        memcpy_ns: rounded(memcpy.least / records),
        ratio: rounded(baseline.least / ours.least),
    }
}

/// Two digits after the point: more would be noise.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
