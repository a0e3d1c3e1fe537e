//! The demo: generated logs go in through the port of the flow; what arrived in JetStream is read back and counted.

use std::collections::BTreeMap;
use std::env;
use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use async_nats::jetstream::{self, stream};
use prost::Message;
use reqwest::header::CONTENT_TYPE;
use watershed_samples::records::{Logs, Telemetry};
use watershed_samples::{Sampler, text_attribute};

use crate::split;

/// Records by subject.
type Counts = BTreeMap<String, usize>;

/// Runs the flow on a free port, sends 5,000 log records and prints what each subject received. The exit code tells
/// whether that is what was expected.
pub(crate) async fn run() -> Result<ExitCode> {
    let url = env::var("WATERSHED_NATS_URL").unwrap_or_else(|_| "nats://127.0.0.1:4222".into());
    let client = async_nats::connect(&url)
        .await
        .with_context(|| format!("no nats-server at {url}"))?;
    let stream = fresh_stream(jetstream::new(client)).await?;
    let running = split::Flow::builder()
        .nats_url(&url)
        .listen("127.0.0.1:0")
        .start()
        .await?;
    let address = running
        .address("ingest")
        .context("the source `ingest` does not listen")?;
    let expected = send_everything(address).await?;
    running.shutdown(Duration::from_secs(10)).await?;
    report(&expected, &received(&stream).await?)
}

/// The stream `TEAM0`, made if it does not exist, without messages of earlier runs.
async fn fresh_stream(jetstream: jetstream::Context) -> Result<stream::Stream> {
    let config = stream::Config {
        name: "TEAM0".into(),
        subjects: vec!["team0.>".into()],
        ..stream::Config::default()
    };
    let stream = jetstream.get_or_create_stream(config).await?;
    stream.purge().await?;
    Ok(stream)
}

/// Sends generated logs and gives how many records each subject should get.
async fn send_everything(address: SocketAddr) -> Result<Counts> {
    let client = reqwest::Client::new();
    let mut counts = Counts::new();
    for seed in 0..5 {
        let request = Sampler::new(seed).logs();
        let url = format!("http://{address}{}", Logs::PATH);
        let post = client
            .post(url)
            .header(CONTENT_TYPE, "application/x-protobuf");
        let response = post.body(request.encode_to_vec()).send().await?;
        ensure!(
            response.status() == 200,
            "the flow answered {}",
            response.status()
        );
        count(&request, &mut counts);
    }
    Ok(counts)
}

/// The conditions of `split.flow`, once more, in plain Rust over a decoded request.
fn count(request: &Logs, counts: &mut Counts) {
    for group in &request.resource_logs {
        let attributes = group
            .resource
            .as_ref()
            .map_or(&[] as &[_], |resource| &resource.attributes);
        if text_attribute(attributes, "deployment.environment") != Some("prod") {
            continue;
        }
        let first_team = text_attribute(attributes, "team") == Some("team-0");
        let records = group.scope_logs.iter().flat_map(|scope| &scope.log_records);
        let chosen = records
            .filter(|record| first_team || record.severity_number >= 17)
            .count();
        let service = text_attribute(attributes, "service.name").unwrap_or("unknown");
        *counts.entry(format!("team0.{service}")).or_default() += chosen;
    }
}

/// Counts the records of every subject in the stream.
async fn received(stream: &stream::Stream) -> Result<Counts> {
    let state = stream.get_info().await?.state;
    let mut counts = Counts::new();
    for sequence in state.first_sequence..=state.last_sequence {
        let message = stream.get_raw_message(sequence).await?;
        let records = Logs::decode(message.payload)?.records().len();
        *counts.entry(message.subject.to_string()).or_default() += records;
    }
    Ok(counts)
}

fn report(expected: &Counts, received: &Counts) -> Result<ExitCode> {
    let mut output = std::io::stdout().lock();
    writeln!(
        output,
        "{:<18} {:>8} {:>8}",
        "subject", "expected", "received"
    )?;
    for (subject, wanted) in expected {
        let got = received.get(subject).copied().unwrap_or_default();
        writeln!(output, "{subject:<18} {wanted:>8} {got:>8}")?;
    }
    let right = expected == received;
    writeln!(
        output,
        "\n{}",
        if right {
            "the stream holds what it should"
        } else {
            "the stream holds something else"
        }
    )?;
    Ok(if right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
