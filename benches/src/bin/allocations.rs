//! Counts what the generated walks allocate. Prints one JSON object a line on standard output.
//!
//! A program of its own: its allocator counts, and that would slow down what the benchmark program times.

use std::io::{self, Write};

use allocation_counter::measure;
use anyhow::Result;
use serde::Serialize;
use watershed_benches::expressions::Expression;
use watershed_benches::expressions::records::Records;

/// The allocations of one predicate's walk for two sizes of an event.
#[derive(Serialize)]
struct Allocations {
    predicate: &'static str,
    for_1_000_records: u64,
    for_10_000_records: u64,
    /// What each further record costs, in whole allocations.
    per_record: u64,
}

fn main() -> Result<()> {
    let mut output = io::stdout().lock();
    let few = Records::generate(1_000)?;
    let many = Records::generate(10_000)?;
    for expression in Expression::ALL {
        let for_1_000_records = measure(|| expression.run(&few)).count_total;
        let for_10_000_records = measure(|| expression.run(&many)).count_total;
        let line = Allocations {
            predicate: expression.name(),
            for_1_000_records,
            for_10_000_records,
            per_record: for_10_000_records.saturating_sub(for_1_000_records) / 9_000,
        };
        serde_json::to_writer(&mut output, &line)?;
        writeln!(output)?;
    }
    Ok(())
}
