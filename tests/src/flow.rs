//! A compiled flow as a process of its own, in a folder of its own.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::process::Process;
use crate::sender::Sender;

/// How long a flow may take to end after SIGTERM.
const END: Duration = Duration::from_secs(20);

/// A running flow of the program `flow-server`. Dropping it ends the process.
#[derive(Debug)]
pub struct FlowProcess {
    process: Process,
    addresses: BTreeMap<String, SocketAddr>,
    folder: TempDir,
}

impl FlowProcess {
    /// Starts the flow `name` of `program` with `settings`, and waits until its sources listen.
    ///
    /// Relative paths of its sinks lie in [`FlowProcess::folder`].
    pub fn start(program: &str, name: &str, settings: &[(&str, &str)]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command
            .arg(name)
            .env("WATERSHED_TELEMETRY", "127.0.0.1:0")
            .current_dir(folder.path())
            .stdout(Stdio::piped());
        command.args(
            settings
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        let mut process = Process::start(&mut command)?;
        let output = process
            .child()
            .stdout
            .take()
            .context("the flow has no standard output")?;
        let mut addresses = BTreeMap::new();
        for line in BufReader::new(output).lines() {
            let line = line?;
            if line == "ready" {
                return Ok(Self {
                    process,
                    addresses,
                    folder,
                });
            }
            let (source, address) = line
                .split_once(' ')
                .with_context(|| format!("unexpected line `{line}`"))?;
            addresses.insert(source.to_owned(), address.parse()?);
        }
        bail!("flow `{name}` ended before it was ready");
    }

    /// The address that the source `name` listens on; `telemetry` is that of `/metrics`.
    pub fn address(&self, name: &str) -> Result<SocketAddr> {
        self.addresses
            .get(name)
            .copied()
            .with_context(|| format!("no source `{name}` listens"))
    }

    /// A sender to the source `ingest`.
    pub fn sender(&self) -> Result<Sender> {
        Sender::new(self.address("ingest")?)
    }

    /// The folder in which the flow runs.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Ends the flow as an operator does (SIGTERM) and gives its exit status.
    pub fn stop(&mut self) -> Result<ExitStatus> {
        self.process.terminate(END)
    }
}
