//! The Python OpenTelemetry SDK sends; what the sinks hold decodes to the same records.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use watershed_samples::records::{
    Logs, Metrics, Telemetry, Traces, difference, read_delimited, sorted,
};
use watershed_tests::program;

use crate::{json_file, protobuf_file, start};

#[test]
fn what_the_python_sdk_sends_arrives_in_both_formats() -> Result<()> {
    let Some(python) = program::python()? else {
        return Ok(());
    };
    let mut flow = start("everything", &[])?;
    let sent = tempfile::tempdir()?;
    let script = program::workspace().join("tests/python/send.py");
    let endpoint = format!("http://{}", flow.address("ingest")?);
    let status = Command::new(python)
        .arg(script)
        .arg(endpoint)
        .arg(sent.path())
        .status()?;
    assert!(status.success(), "the SDK reports {status}");
    assert!(flow.stop()?.success());

    assert_eq!(arrived::<Logs>("logs", sent.path(), flow.folder())?, 200);
    assert_eq!(
        arrived::<Traces>("traces", sent.path(), flow.folder())?,
        200
    );
    assert_eq!(
        arrived::<Metrics>("metrics", sent.path(), flow.folder())?,
        41
    );
    Ok(())
}

/// Compares what was sent with the files of both sinks, and gives the number of records.
fn arrived<T: Telemetry>(signal: &str, sent: &Path, folder: &Path) -> Result<usize> {
    let sent: Vec<T> = read_delimited(&sent.join(format!("{signal}.bin")))?;
    let sent = sorted(&sent);
    let json = sorted(&json_file::<T>(folder, "json", signal)?);
    assert_eq!(difference(&sent, &json), None, "{signal} as JSON");
    let protobuf = sorted(&protobuf_file::<T>(folder, "proto", signal)?);
    assert_eq!(difference(&sent, &protobuf), None, "{signal} as protobuf");
    Ok(sent.len())
}
