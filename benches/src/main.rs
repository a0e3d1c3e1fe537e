//! The benchmark program. Every subcommand prints one JSON object a line on standard output.

use std::io;

use anyhow::Result;
use clap::{Parser, Subcommand};
use watershed_benches::ratios;

/// Benchmarks of Watershed.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compares the generated code with code written by hand, with prost and with a plain copy, on the lean and the
    /// rich payload, and compiled predicates with ones written by hand and with the interpreter of the `cel` crate.
    Ratios {
        /// Measure the work of this name alone.
        work: Option<String>,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Ratios { work } => ratios::report(work.as_deref(), &mut io::stdout().lock()),
    }
}
