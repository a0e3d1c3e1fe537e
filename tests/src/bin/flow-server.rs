//! Runs one compiled flow of `tests/flows` or of an example until SIGTERM.
//!
//! usage: flow-server FLOW [name=value]…
//!
//! Prints `SOURCE ADDRESS` for every source that listens, `telemetry ADDRESS` when self-telemetry is served, then
//! `ready`.

use std::env;
use std::io::Write;

use anyhow::{Context, Result};
use watershed::{Running, StartError};

include!(concat!(env!("OUT_DIR"), "/flows.rs"));

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let name = arguments
        .next()
        .context("usage: flow-server FLOW [name=value]…")?;
    let settings = arguments.map(setting).collect::<Result<Vec<_>>>()?;
    let started = start(&name, &settings).await;
    let running = started.with_context(|| format!("no flow is named `{name}`"))??;
    announce(&running)?;
    running.until_signal().await?;
    Ok(())
}

fn setting(argument: String) -> Result<(String, String)> {
    let (name, value) = argument
        .split_once('=')
        .with_context(|| format!("no `=` in `{argument}`"))?;
    Ok((name.to_owned(), value.to_owned()))
}

fn announce(running: &Running) -> Result<()> {
    let mut output = std::io::stdout().lock();
    for (source, address) in running.addresses() {
        writeln!(output, "{source} {address}")?;
    }
    if let Some(address) = running.telemetry_address() {
        writeln!(output, "telemetry {address}")?;
    }
    writeln!(output, "ready")?;
    Ok(())
}
