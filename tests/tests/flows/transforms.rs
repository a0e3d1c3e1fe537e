//! Stages that change, refuse, sample and count, against the same done to decoded structs.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use prost::Message;
use watershed_samples::records::{
    Logs, Metrics, Telemetry, Traces, difference, point_attributes, sorted,
};
use watershed_samples::{Sampler, Shape, attribute, text, text_attribute};
use watershed_tests::wire;

use crate::{protobuf_file, start};

/// Sets every occurrence of a key, in the place of the first.
fn set(attributes: &mut Vec<KeyValue>, key: &str, value: Value) {
    let first = attributes.iter().position(|one| one.key == key);
    attributes.retain(|one| one.key != key);
    let new = attribute(key, value);
    match first {
        Some(first) => attributes.insert(first, new),
        None => attributes.push(new),
    }
}

/// What `transforms.flow` does to logs of which none is refused, written a second time.
fn changed(mut logs: Logs) -> Logs {
    for group in &mut logs.resource_logs {
        let resource = group.resource.get_or_insert_default();
        set(&mut resource.attributes, "region", text("north"));
        let name = text_attribute(&resource.attributes, "service.name").unwrap_or("none");
        let name = format!("svc-{name}");
        set(&mut resource.attributes, "service.name", text(name));
        for log in group
            .scope_logs
            .iter_mut()
            .flat_map(|scope| &mut scope.log_records)
        {
            let kind = if log.severity_number >= 17 {
                "alarm"
            } else {
                "note"
            };
            set(&mut log.attributes, "kind", text(kind));
            log.attributes.retain(|one| one.key != "http.route");
            log.severity_text = "S".into();
        }
    }
    logs
}

/// Severities below 5 raised, so that nothing is refused.
fn without_debug(mut logs: Logs) -> Logs {
    let groups = logs.resource_logs.iter_mut();
    for log in groups
        .flat_map(|group| &mut group.scope_logs)
        .flat_map(|scope| &mut scope.log_records)
    {
        log.severity_number = log.severity_number.max(5);
    }
    logs
}

#[tokio::test]
async fn changed_records_arrive_as_changed_structs_would() -> Result<()> {
    let mut flow = start("transforms", &[("region", "north")])?;
    let sender = flow.sender()?;
    let mut expected = Vec::new();
    for seed in 0..6 {
        let shape = if seed % 2 == 0 {
            Shape::Lean
        } else {
            Shape::Rich
        };
        let request = without_debug(Sampler::new(seed).shape(shape).logs());
        let answer = sender.send(&request).await?;
        assert_eq!(answer.status, 200);
        assert!(answer.body.is_empty(), "nothing was refused");
        expected.push(changed(request));
    }
    assert!(flow.stop()?.success());
    let arrived: Vec<Logs> = protobuf_file(flow.folder(), "changed", "logs")?;
    assert_eq!(difference(&sorted(&expected), &sorted(&arrived)), None);

    // The other branch has the changes in front of the split, and none of the first branch.
    let plain: Vec<Logs> = protobuf_file(flow.folder(), "plain", "logs")?;
    let groups = plain.iter().flat_map(|request| &request.resource_logs);
    let mut alarms = 0;
    for group in groups {
        let resource = group.resource.as_ref().context("a resource was made")?;
        assert_eq!(
            text_attribute(&resource.attributes, "region"),
            Some("north")
        );
        for log in group.scope_logs.iter().flat_map(|scope| &scope.log_records) {
            alarms += 1;
            assert!(log.severity_number >= 17);
            assert_eq!(text_attribute(&log.attributes, "kind"), None);
            assert_ne!(log.severity_text, "S");
        }
    }
    let expected = expected.iter().flat_map(Telemetry::records);
    assert_eq!(
        alarms,
        expected.filter(|record| record.contains("alarm")).count()
    );
    Ok(())
}

#[tokio::test]
async fn what_no_schema_knows_survives_a_change_byte_for_byte() -> Result<()> {
    let mut flow = start("transforms", &[])?;
    let unknown = wire::field(5_000, b"from the future");
    let log = |log: LogRecord| [log.encode_to_vec(), unknown.clone()].concat();
    let sent = wire::field(1, &attribute("service.name", text("none")).encode_to_vec());
    let request = wire::request(
        &sent,
        &[log(LogRecord {
            severity_number: 9,
            ..LogRecord::default()
        })],
    );
    let sender = flow.sender()?;
    assert_eq!(sender.send_bytes("/v1/logs", request).await?.status, 200);
    assert!(flow.stop()?.success());
    // The file holds each request behind its length.
    let file = std::fs::read(flow.folder().join("changed/logs.binpb"))?;
    let key_value = |key: &str, value: &str| attribute(key, text(value)).encode_to_vec();
    let resource = [
        wire::field(1, &key_value("service.name", "svc-none")),
        wire::field(1, &key_value("region", "eu")),
    ];
    let record = [
        vec![0x10, 9],
        unknown,
        wire::field(6, &key_value("kind", "note")),
        wire::field(3, b"S"),
    ];
    let expected = wire::request(&resource.concat(), &[record.concat()]);
    assert!(file.ends_with(&expected), "{file:?}");
    Ok(())
}

#[tokio::test]
async fn refused_records_are_told_and_the_others_arrive() -> Result<()> {
    let mut flow = start("transforms", &[])?;
    let sender = flow.sender()?;
    let log = |severity_number| {
        LogRecord {
            severity_number,
            ..LogRecord::default()
        }
        .encode_to_vec()
    };
    let resource =
        |name: &str| wire::field(1, &attribute("service.name", text(name)).encode_to_vec());
    let some = wire::request(&resource("a"), &[log(1), log(9), log(2), log(17)]);
    let answer = sender.send_bytes("/v1/logs", some).await?;
    assert_eq!(answer.status, 200);
    let partial = answer_to_logs(&answer.body)?;
    assert_eq!(partial.rejected_log_records, 2);
    assert!(
        partial.error_message.contains("debug is not wanted here"),
        "{partial:?}"
    );

    let all = wire::request(&resource("zulu"), &[log(9), log(17)]);
    let answer = sender.send_bytes("/v1/logs", all).await?;
    assert_eq!(answer.status, 400);
    assert!(answer.error()?.message.contains("may not send"));

    // Without the attribute the condition can be neither true nor false.
    let unknown = wire::request(&[], &[log(9)]);
    let answer = sender.send_bytes("/v1/logs", unknown).await?;
    assert_eq!(answer.status, 400);
    let message = answer.error()?.message;
    assert!(
        message.contains("cannot be checked: may not send"),
        "{message}"
    );
    assert!(flow.stop()?.success());
    let arrived: Vec<Logs> = protobuf_file(flow.folder(), "changed", "logs")?;
    assert_eq!(sorted(&arrived).len(), 2);
    Ok(())
}

fn answer_to_logs(
    body: &[u8],
) -> Result<opentelemetry_proto::tonic::collector::logs::v1::ExportLogsPartialSuccess> {
    use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceResponse;
    let response = ExportLogsServiceResponse::decode(body)?;
    response.partial_success.context("some were rejected")
}

#[tokio::test]
async fn a_trace_is_sampled_whole_and_by_the_common_rule() -> Result<()> {
    let mut flow = start("transforms", &[])?;
    let sender = flow.sender()?;
    let mut sent: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for seed in 0..4 {
        let request = Sampler::new(seed).traces();
        for id in trace_ids(&request) {
            *sent.entry(id).or_default() += 1;
        }
        assert_eq!(sender.send(&request).await?.status, 200);
    }
    assert!(flow.stop()?.success());
    let mut arrived: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for request in protobuf_file::<Traces>(flow.folder(), "spans", "traces")? {
        for id in trace_ids(&request) {
            *arrived.entry(id).or_default() += 1;
        }
    }
    // Half of all values of the last seven bytes are kept: the upper half.
    let total = sent.len();
    sent.retain(|id, _| id.get(9).is_some_and(|byte| *byte >= 0x80));
    assert!(!sent.is_empty() && sent.len() < total);
    assert_eq!(arrived, sent);
    Ok(())
}

fn trace_ids(request: &Traces) -> Vec<Vec<u8>> {
    let groups = request.resource_spans.iter();
    let spans = groups
        .flat_map(|group| &group.scope_spans)
        .flat_map(|scope| &scope.spans);
    spans.map(|span| span.trace_id.clone()).collect()
}

#[tokio::test]
async fn an_event_over_the_quota_is_put_off() -> Result<()> {
    let mut flow = start("transforms", &[])?;
    let sender = flow.sender()?;
    let request = Sampler::new(1).records(60).metrics();
    let points = request.records().len();
    assert!((51..=100).contains(&points), "{points}");
    assert_eq!(sender.send(&request).await?.status, 200);
    let answer = sender.send(&request).await?;
    assert_eq!(answer.status, 429);
    assert!(answer.retry_after().is_some_and(|seconds| seconds > 0));
    assert_eq!(answer.error()?.code, 8, "RESOURCE_EXHAUSTED");

    let too_many = Sampler::new(2).records(400).metrics();
    assert!(too_many.records().len() > 100);
    let answer = sender.send(&too_many).await?;
    assert_eq!(answer.status, 400, "it would never be taken");
    assert!(flow.stop()?.success());

    let arrived: Vec<Metrics> = protobuf_file(flow.folder(), "points", "metrics")?;
    assert_eq!(sorted(&arrived).len(), points);
    let groups = arrived.iter().flat_map(|request| &request.resource_metrics);
    let metrics = groups
        .flat_map(|group| &group.scope_metrics)
        .flat_map(|scope| &scope.metrics);
    for attributes in metrics.flat_map(|metric| point_attributes(metric)) {
        let host = attributes.iter().find(|one| one.key == "host");
        let value = host.and_then(|one| one.value.clone());
        assert_eq!(
            value,
            Some(AnyValue {
                value: Some(text("here"))
            })
        );
    }
    Ok(())
}
