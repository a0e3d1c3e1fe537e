//! The demo: generated telemetry goes in through the port of the flow, and the files of its sinks are read back.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use watershed_samples::records::{
    Logs, Metrics, Telemetry, Traces, read_delimited, read_json_lines,
};
use watershed_samples::{Sampler, Shape};

use crate::expected::{Counts, count_logs, count_points, count_spans};
use crate::telemetry;

/// Requests of each signal.
const REQUESTS: u64 = 5;

/// Runs the flow on a free port, sends, stops it and prints what each sink received. The exit code tells whether
/// that is what was expected.
pub(crate) async fn run() -> Result<ExitCode> {
    let folder = tempfile::Builder::new()
        .prefix("watershed-quickstart-")
        .tempdir()?
        .keep();
    let running = telemetry::Flow::builder()
        .listen("127.0.0.1:0")
        .folder(folder.to_string_lossy())
        .start()
        .await?;
    let address = running
        .address("ingest")
        .context("the source `ingest` does not listen")?;
    let expected = send_everything(address).await?;
    running.shutdown(Duration::from_secs(10)).await?;
    report(&expected, &folder)
}

/// Sends generated telemetry and gives what each sink should hold of it.
async fn send_everything(address: SocketAddr) -> Result<Counts> {
    let sender = Sender {
        client: Client::new(),
        address,
    };
    let mut counts = Counts::new();
    for seed in 0..REQUESTS {
        let mut sampler = Sampler::new(seed).shape(Shape::Rich);
        let logs = sampler.logs();
        let traces = sampler.traces();
        let metrics = sampler.metrics();
        sender.send(&logs).await?;
        sender.send(&traces).await?;
        sender.send(&metrics).await?;
        count_logs(&logs, &mut counts);
        count_spans(&traces, &mut counts);
        count_points(&metrics, &mut counts);
    }
    let mut output = std::io::stdout().lock();
    writeln!(
        output,
        "sent to http://{address}, {REQUESTS} requests of 1,000 records for each signal"
    )?;
    Ok(counts)
}

struct Sender {
    client: Client,
    address: SocketAddr,
}

impl Sender {
    /// Sends one request as an OpenTelemetry exporter does; anything but 200 is an error.
    async fn send<T: Telemetry>(&self, request: &T) -> Result<()> {
        let url = format!("http://{}{}", self.address, T::PATH);
        let post = self
            .client
            .post(url)
            .header(CONTENT_TYPE, "application/x-protobuf");
        let response = post.body(request.encode_to_vec()).send().await?;
        ensure!(
            response.status() == 200,
            "{} was answered {}",
            T::PATH,
            response.status()
        );
        Ok(())
    }
}

/// A sink of the flow: where it lies and how many records it holds.
struct Received {
    sink: &'static str,
    signal: &'static str,
    file: PathBuf,
    records: usize,
}

fn report(expected: &Counts, folder: &Path) -> Result<ExitCode> {
    let mut output = std::io::stdout().lock();
    writeln!(
        output,
        "\n{:<13} {:<8} {:>8} {:>8}  file",
        "sink", "signal", "expected", "received"
    )?;
    let mut right = true;
    for sink in read_sinks(folder)? {
        let wanted = expected.get(sink.sink).copied().unwrap_or_default();
        let mark = if wanted == sink.records {
            ""
        } else {
            "  <- WRONG"
        };
        right &= wanted == sink.records && wanted > 0;
        let file = sink.file.display();
        writeln!(
            output,
            "{:<13} {:<8} {wanted:>8} {:>8}  {file}{mark}",
            sink.sink, sink.signal, sink.records
        )?;
    }
    let verdict = if right {
        "every sink holds what it should"
    } else {
        "a sink does not hold what it should"
    };
    writeln!(output, "\n{verdict}")?;
    Ok(if right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Reads the files of all sinks back.
fn read_sinks(folder: &Path) -> Result<Vec<Received>> {
    let json = |sink: &str, signal: &str| folder.join(sink).join(format!("{signal}.jsonl"));
    let archive = folder.join("archive/logs.binpb");
    Ok(vec![
        received(
            "errors",
            "logs",
            json("errors", "logs"),
            read_json_lines::<Logs>,
        )?,
        received("archive", "logs", archive, read_delimited::<Logs>)?,
        received(
            "failed-spans",
            "traces",
            json("failed-spans", "traces"),
            read_json_lines::<Traces>,
        )?,
        received(
            "team0-spans",
            "traces",
            json("team0-spans", "traces"),
            read_json_lines::<Traces>,
        )?,
        received(
            "counts",
            "metrics",
            json("counts", "metrics"),
            read_json_lines::<Metrics>,
        )?,
    ])
}

fn received<T: Telemetry>(
    sink: &'static str,
    signal: &'static str,
    file: PathBuf,
    read: impl Fn(&Path) -> Result<Vec<T>>,
) -> Result<Received> {
    let records = read(&file)?
        .iter()
        .map(|request| request.records().len())
        .sum();
    Ok(Received {
        sink,
        signal,
        file,
        records,
    })
}
