//! Logs, traces and metrics on one port, sorted into files by `telemetry.flow`.
//!
//! Without arguments the flow serves until Ctrl-C; with `--demo` it gets generated telemetry through its real port, and
//! what each sink holds afterwards is compared with what it should hold.

mod demo;
mod expected;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

/// The compiled flow.
pub mod telemetry {
    watershed::include_flow!("telemetry.flow");
}

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [] => {
            telemetry::Flow::builder().run().await?;
            Ok(ExitCode::SUCCESS)
        }
        ["--demo"] => demo::run().await,
        _ => bail!("usage: quickstart [--demo]"),
    }
}
