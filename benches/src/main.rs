//! The benchmark program. Every subcommand prints one JSON object a line on standard output.

use std::io;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};
use watershed_benches::repeat::{Side, repeat};
use watershed_benches::works::Work;
use watershed_benches::{budgets, ratios, scaling};
use watershed_samples::Shape;

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
    /// Measures how the cost of a record changes with arms, attributes and branches that do not concern it.
    Scaling {
        /// Draw a plot of each series into this folder.
        #[arg(long)]
        plots: Option<PathBuf>,
    },
    /// Measures what flows cost before they run: generated lines, checking, rustc. Runs Cargo.
    Budgets,
    /// Does one piece of work a number of times, for `tools/callgrind.sh`.
    Repeat {
        /// Name of the work.
        #[arg(value_parser = work_named)]
        work: Work,
        /// `lean` or `rich`.
        #[arg(value_parser = shape_named)]
        payload: Shape,
        /// Who does it.
        side: Side,
        /// How often.
        times: u32,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Ratios { work } => ratios::report(work.as_deref(), &mut io::stdout().lock()),
        Command::Scaling { plots } => {
            let points = scaling::report(&mut io::stdout().lock())?;
            plots.map_or(Ok(()), |folder| scaling::plots::write(&points, &folder))
        }
        Command::Budgets => budgets::report(&mut io::stdout().lock()),
        Command::Repeat {
            work,
            payload,
            side,
            times,
        } => repeat(work, payload, side, times),
    }
}

fn work_named(name: &str) -> Result<Work, String> {
    let names = || Work::ALL.map(|work| work.name).join(", ");
    Work::named(name).ok_or_else(|| format!("there are {}", names()))
}

fn shape_named(name: &str) -> Result<Shape, String> {
    let mut shapes = [Shape::Lean, Shape::Rich].into_iter();
    let shape = shapes.find(|shape| shape.name() == name);
    shape.ok_or_else(|| "there are lean and rich".into())
}
