//! A number that does not fit the field that it is set to: the tests behind the `set` and the bytes that are written say
//! the same.

use anyhow::Result;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use prost::Message;
use watershed_samples::attribute;
use watershed_samples::records::Logs;
use watershed_tests::wire;

use crate::{protobuf_file, start};

/// A record with the numbers that `bounds.flow` copies into fields of 32 bits.
fn log(severity: i64, time_unix_nano: u64) -> Vec<u8> {
    LogRecord {
        time_unix_nano,
        attributes: vec![attribute("severity", Value::IntValue(severity))],
        ..LogRecord::default()
    }
    .encode_to_vec()
}

/// Severity and flags of what a sink wrote.
fn written(requests: &[Logs]) -> Vec<(i32, u32)> {
    let groups = requests.iter().flat_map(|request| &request.resource_logs);
    let logs = groups
        .flat_map(|group| &group.scope_logs)
        .flat_map(|scope| &scope.log_records);
    logs.map(|log| (log.severity_number, log.flags)).collect()
}

#[tokio::test]
async fn a_number_that_does_not_fit_becomes_the_nearest_that_does() -> Result<()> {
    let mut flow = start("bounds", &[])?;
    let request = wire::request(
        &[],
        &[
            log(1 << 32, 1 << 32),
            log(i64::MAX, u64::MAX),
            log(i64::MIN, 7),
            log(17, 1 << 33),
        ],
    );
    let sender = flow.sender()?;
    assert_eq!(sender.send_bytes("/v1/logs", request).await?.status, 200);
    assert!(flow.stop()?.success());
    let of = |sink| protobuf_file::<Logs>(flow.folder(), sink, "logs");
    let greatest = (i32::MAX, u32::MAX);
    assert_eq!(written(&of("above")?), [greatest, greatest]);
    assert_eq!(written(&of("below")?), [(i32::MIN, 7)]);
    assert_eq!(written(&of("between")?), [(17, u32::MAX)]);
    Ok(())
}
