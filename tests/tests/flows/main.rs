//! Tests over real processes: compiled flows, a nats-server, the Python OpenTelemetry SDK.

mod bad_input;
mod bounds;
mod elements;
mod order;
mod outage;
mod python_sdk;
mod split;
mod subjects;
mod telemetry;
mod templates;
mod transforms;

use std::path::Path;

use anyhow::Result;
use watershed_samples::records::{Telemetry, read_delimited, read_json_lines};
use watershed_tests::flow::FlowProcess;

/// Starts the compiled flow `name` of this package.
fn start(name: &str, settings: &[(&str, &str)]) -> Result<FlowProcess> {
    FlowProcess::start(env!("CARGO_BIN_EXE_flow-server"), name, settings)
}

/// What the JSON file sink with this path wrote for `signal`.
fn json_file<T: Telemetry>(folder: &Path, path: &str, signal: &str) -> Result<Vec<T>> {
    read_json_lines(&folder.join(path).join(format!("{signal}.jsonl")))
}

/// What the protobuf file sink with this path wrote for `signal`.
fn protobuf_file<T: Telemetry>(folder: &Path, path: &str, signal: &str) -> Result<Vec<T>> {
    read_delimited(&folder.join(path).join(format!("{signal}.binpb")))
}
