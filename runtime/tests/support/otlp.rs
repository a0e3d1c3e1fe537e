//! Export requests and what sinks wrote of them.

use std::path::Path;

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value::Value};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::metrics::v1::{
    Gauge, Metric, NumberDataPoint, ResourceMetrics, ScopeMetrics, metric::Data,
    number_data_point::Value as Number,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;

fn text(value: &str) -> AnyValue {
    AnyValue {
        value: Some(Value::StringValue(value.into())),
    }
}

fn resource(team: &str) -> Resource {
    Resource {
        attributes: vec![KeyValue {
            key: "team".into(),
            value: Some(text(team)),
            ..KeyValue::default()
        }],
        ..Resource::default()
    }
}

/// A logs request with one resource of `team` and a record for each of `bodies`.
pub(crate) fn logs<B: AsRef<str>>(team: &str, bodies: &[B]) -> Vec<u8> {
    let record = |body: &B| LogRecord {
        body: Some(text(body.as_ref())),
        ..LogRecord::default()
    };
    let request = ExportLogsServiceRequest {
        resource_logs: vec![ResourceLogs {
            resource: Some(resource(team)),
            scope_logs: vec![ScopeLogs {
                log_records: bodies.iter().map(record).collect(),
                ..ScopeLogs::default()
            }],
            ..ResourceLogs::default()
        }],
    };
    request.encode_to_vec()
}

/// A traces request with one span.
pub(crate) fn trace(name: &str) -> ExportTraceServiceRequest {
    ExportTraceServiceRequest {
        resource_spans: vec![ResourceSpans {
            resource: Some(resource("a")),
            scope_spans: vec![ScopeSpans {
                spans: vec![Span {
                    trace_id: vec![1; 16],
                    span_id: vec![2; 8],
                    name: name.into(),
                    ..Span::default()
                }],
                ..ScopeSpans::default()
            }],
            ..ResourceSpans::default()
        }],
    }
}

/// A metrics request with one gauge of one point.
pub(crate) fn metric(name: &str) -> ExportMetricsServiceRequest {
    ExportMetricsServiceRequest {
        resource_metrics: vec![ResourceMetrics {
            resource: Some(resource("a")),
            scope_metrics: vec![ScopeMetrics {
                metrics: vec![Metric {
                    name: name.into(),
                    data: Some(Data::Gauge(Gauge {
                        data_points: vec![NumberDataPoint {
                            value: Some(Number::AsInt(7)),
                            ..NumberDataPoint::default()
                        }],
                    })),
                    ..Metric::default()
                }],
                ..ScopeMetrics::default()
            }],
            ..ResourceMetrics::default()
        }],
    }
}

/// The bodies of the records in an encoded logs request.
pub(crate) fn bodies(request: &[u8]) -> Vec<String> {
    let request = ExportLogsServiceRequest::decode(request).expect("a logs request");
    bodies_of(&request)
}

/// The bodies of the records in a logs request.
pub(crate) fn bodies_of(request: &ExportLogsServiceRequest) -> Vec<String> {
    let scopes = request
        .resource_logs
        .iter()
        .flat_map(|group| &group.scope_logs);
    scopes
        .flat_map(|scope| &scope.log_records)
        .map(
            |record| match record.body.as_ref().and_then(|body| body.value.as_ref()) {
                Some(Value::StringValue(text)) => text.clone(),
                other => panic!("no text: {other:?}"),
            },
        )
        .collect()
}

/// The requests in a file of OTLP JSON lines; none when the file is not there.
pub(crate) fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> Vec<T> {
    let content = std::fs::read_to_string(path).unwrap_or_default();
    let read =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    content.lines().map(read).collect()
}

/// The bodies of all records in `logs.jsonl` of `directory`.
pub(crate) fn written(directory: &Path) -> Vec<String> {
    let requests: Vec<ExportLogsServiceRequest> = lines(&directory.join("logs.jsonl"));
    requests.iter().flat_map(bodies_of).collect()
}
