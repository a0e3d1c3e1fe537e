//! `flowc`: checks, formats, explains, draws, builds and runs `.flow` files.
//!
//! One file per command in `command/`; what several need stands beside this file. Exit codes: 0 clean, 1 findings,
//! 2 usage or input and output.

mod command;
mod flow;
mod graph;
mod parts;
mod reads;
mod report;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks, formats, explains, draws, builds and runs `.flow` files.
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
A flow says where telemetry comes from, what it must pass and where it goes:

    source ingest = otlp { http: \"127.0.0.1:4318\" };
    sink   rest   = file { path: \"rest\", format: otlp_json };
    ingest.logs -> filter(log.severity_number >= 17) -> rest;

Examples:
    flowc check flows/                       every .flow file below a folder
    flowc check flows/ --format github       findings as annotations of a pull request
    flowc fmt                                every .flow file below this folder in its one layout
    flowc explain F0304                      what a finding means; a flow instead: what was decided
    flowc graph flows/errors.flow --out errors.svg
                                             a picture of it
    flowc run flows/errors.flow              compiles it and serves
    flowc build flows/errors.flow --out src/flows
                                             Rust to commit; --check tells whether it is current

Exit codes: 0 clean, 1 findings, 2 wrong usage or a file that cannot be read or written";

#[derive(Debug, Subcommand)]
enum Command {
    Check(command::check::Check),
    Fmt(command::fmt::Fmt),
    Build(command::build::Build),
    Run(command::run::Run),
    Explain(command::explain::Explain),
    Graph(command::graph::Graph),
    Emit(command::emit::Emit),
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Nothing to complain of.
    Clean,
    /// The flow, or what was made of it, is not in order.
    Findings,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Check(check) => check.run(),
        Command::Fmt(fmt) => fmt.run(),
        Command::Build(build) => build.run(),
        Command::Run(run) => run.run(),
        Command::Explain(explain) => explain.run(),
        Command::Graph(graph) => graph.run(),
        Command::Emit(emit) => emit.run(),
    };
    match result {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Tells the user something that is not a result.
#[expect(
    clippy::print_stderr,
    reason = "a command-line program talks to its user here"
)]
fn say(text: &str) {
    eprintln!("{text}");
}

/// Whether the standard output is a terminal that shows colours.
fn shows_colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
