//! Splits the logs of production by team, as `split.flow` says: into subjects of JetStream and a file.
//!
//! Without arguments the flow serves until Ctrl-C; it needs a nats-server with the stream `TEAM0`. With `--demo` it makes
//! the stream, sends generated logs through the flow's port and prints what the stream holds.

mod demo;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

/// The compiled flow.
pub mod split {
    watershed::include_flow!("split.flow");
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
            split::Flow::builder().run().await?;
            Ok(ExitCode::SUCCESS)
        }
        ["--demo"] => demo::run().await,
        _ => bail!("usage: nats-split [--demo]"),
    }
}
