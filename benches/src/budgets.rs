//! `watershed-benches budgets`: what a flow costs before it runs.
//!
//! Out: one JSON object a line. Lines of generated Rust that a stage adds; the time in which the compiler checks a file
//! of 1,000 nodes; the time in which rustc checks and builds a crate with a flow of 20 and of 200 stages, above that of a
//! crate with the smallest flow. Times are CPU time.

pub mod package;

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use watershed_compiler::driver::{Compilation, CompileOptions, compile};
use watershed_lang::source::{SourceFile, SourceMap};
use watershed_lang::span::FileId;

use crate::measure::process_time;
use package::Package;

/// One figure beside what it may be.
#[derive(Debug, Serialize)]
pub struct Budget {
    /// What was measured.
    pub budget: &'static str,
    /// Stages of the flow.
    pub stages: usize,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// What it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
}

/// The stages of one block: a filter, a batch, a route and two sinks.
const BLOCK: usize = 5;

/// The design allows this many lines for each use of a stage.
const LINES_PER_STAGE: f64 = 12.0;

/// A flow of `stages` stages, a multiple of five.
#[must_use]
pub fn flow(stages: usize) -> String {
    let mut flow = String::from("source ingest = otlp { http: \"127.0.0.1:0\" };\n");
    for block in 0..stages / BLOCK {
        let _ = write!(
            flow,
            r#"
sink high_{block} = file {{ path: "high_{block}" }};
sink rest_{block} = file {{ path: "rest_{block}" }};
ingest.logs
  -> filter(resource.attributes["service.name"] == "service-{block}" && log.attributes["team"] == "team-{block}")
  -> batch(max_records: 1000, timeout: 10ms)
  -> route {{
       log.severity_number >= 17 => high_{block},
       else => rest_{block},
     }};
"#
        );
    }
    flow
}

/// Measures every budget and writes one JSON object a line to `output`.
///
/// # Errors
/// When a generated flow does not compile, or Cargo fails.
pub fn report(output: &mut impl Write) -> Result<()> {
    let [few, many] = [20, 200].map(|stages| generated(stages).map(|text| text.lines().count()));
    let lines = (many? - few?) as f64 / 180.0;
    write_line(
        output,
        (
            "lines_per_stage",
            200,
            lines,
            "lines",
            Some(LINES_PER_STAGE),
        ),
    )?;
    write_line(output, ("check", 1_000, check(1_000)?, "ms", None))?;
    let package = Package::new()?;
    let smallest = package.costs(&generated(BLOCK)?)?;
    for stages in [20, 200] {
        let costs = package.costs(&generated(stages)?)?;
        let above = |cost: Duration, least: Duration| cost.saturating_sub(least).as_secs_f64();
        let check = above(costs.check, smallest.check);
        let build = above(costs.build, smallest.build);
        write_line(output, ("rustc_check", stages, check, "s", None))?;
        write_line(output, ("rustc_build", stages, build, "s", None))?;
    }
    Ok(())
}

fn write_line(
    output: &mut impl Write,
    (budget, stages, value, unit, limit): (&'static str, usize, f64, &'static str, Option<f64>),
) -> Result<()> {
    let line = Budget {
        budget,
        stages,
        value: (value * 100.0).round() / 100.0,
        unit,
        limit,
    };
    serde_json::to_writer(&mut *output, &line)?;
    writeln!(output)?;
    Ok(())
}

fn source(stages: usize) -> (SourceMap, FileId) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("budget.flow".to_owned(), flow(stages)));
    (sources, file)
}

fn compiled(stages: usize) -> Result<Compilation> {
    let (sources, file) = source(stages);
    let compilation = compile(&sources, file, &CompileOptions::default());
    ensure!(!compilation.has_errors(), "{:?}", compilation.diagnostics);
    Ok(compilation)
}

/// The generated Rust of a flow of `stages` stages.
fn generated(stages: usize) -> Result<String> {
    let rendered = compiled(stages)?.rendered;
    Ok(rendered.context("nothing was generated")?.text)
}

/// How long `flowc check` works on a flow of `stages` stages, in milliseconds: the least of three runs.
fn check(stages: usize) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let mut result = Ok(Compilation::default());
        let time = process_time(|| result = compiled(stages));
        result?;
        least = least.min(time.as_secs_f64() * 1e3);
    }
    Ok(least)
}
