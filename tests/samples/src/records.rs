//! Takes export requests apart into single records, so that two sets of requests can be compared whatever
//! their grouping.
//!
//! In: requests as they were sent, or the files and messages that sinks wrote. Out: one line of text a record with
//! everything that belongs to it (resource, scope, schema URLs). Equal sorted lists mean equal telemetry.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::metrics::v1::Metric;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use prost::Message;
use serde::de::DeserializeOwned;

pub use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest as Logs;
pub use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest as Metrics;
pub use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest as Traces;

/// An export request of one signal.
pub trait Telemetry: Message + Default + DeserializeOwned {
    /// Path of the signal in OTLP/HTTP.
    const PATH: &'static str;

    /// One text a record, in the order of the request.
    fn records(&self) -> Vec<String>;
}

impl Telemetry for Logs {
    const PATH: &'static str = "/v1/logs";

    fn records(&self) -> Vec<String> {
        let mut records = Vec::new();
        for group in &self.resource_logs {
            for scope in &group.scope_logs {
                let envelope = (
                    &group.resource,
                    &group.schema_url,
                    &scope.scope,
                    &scope.schema_url,
                );
                records.extend(
                    scope
                        .log_records
                        .iter()
                        .map(|record| format!("{record:?} of {envelope:?}")),
                );
            }
        }
        records
    }
}

impl Telemetry for Traces {
    const PATH: &'static str = "/v1/traces";

    fn records(&self) -> Vec<String> {
        let mut records = Vec::new();
        for group in &self.resource_spans {
            for scope in &group.scope_spans {
                let envelope = (
                    &group.resource,
                    &group.schema_url,
                    &scope.scope,
                    &scope.schema_url,
                );
                records.extend(
                    scope
                        .spans
                        .iter()
                        .map(|span| format!("{span:?} of {envelope:?}")),
                );
            }
        }
        records
    }
}

impl Telemetry for Metrics {
    const PATH: &'static str = "/v1/metrics";

    fn records(&self) -> Vec<String> {
        let mut records = Vec::new();
        for group in &self.resource_metrics {
            for scope in &group.scope_metrics {
                let envelope = (
                    &group.resource,
                    &group.schema_url,
                    &scope.scope,
                    &scope.schema_url,
                );
                let points = scope.metrics.iter().flat_map(points);
                records.extend(points.map(|point| format!("{point} of {envelope:?}")));
            }
        }
        records
    }
}

/// One text a data point, with everything of its metric that all of the metric's points share.
fn points(metric: &Metric) -> Vec<String> {
    fn texts<T: std::fmt::Debug>(points: &mut Vec<T>) -> Vec<String> {
        points.drain(..).map(|point| format!("{point:?}")).collect()
    }
    let mut shared = metric.clone();
    let points = match &mut shared.data {
        Some(Data::Gauge(gauge)) => texts(&mut gauge.data_points),
        Some(Data::Sum(sum)) => texts(&mut sum.data_points),
        Some(Data::Histogram(histogram)) => texts(&mut histogram.data_points),
        Some(Data::ExponentialHistogram(histogram)) => texts(&mut histogram.data_points),
        Some(Data::Summary(summary)) => texts(&mut summary.data_points),
        None => Vec::new(),
    };
    points
        .into_iter()
        .map(|point| format!("{point} of {shared:?}"))
        .collect()
}

/// The attributes of each data point of `metric`.
pub fn point_attributes(metric: &Metric) -> Vec<&[KeyValue]> {
    macro_rules! attributes {
        ($data:expr) => {
            $data
                .data_points
                .iter()
                .map(|point| point.attributes.as_slice())
                .collect()
        };
    }
    match &metric.data {
        Some(Data::Gauge(data)) => attributes!(data),
        Some(Data::Sum(data)) => attributes!(data),
        Some(Data::Histogram(data)) => attributes!(data),
        Some(Data::ExponentialHistogram(data)) => attributes!(data),
        Some(Data::Summary(data)) => attributes!(data),
        None => Vec::new(),
    }
}

/// The records of all `requests`, sorted.
pub fn sorted<'a, T: Telemetry + 'a>(requests: impl IntoIterator<Item = &'a T>) -> Vec<String> {
    let mut records: Vec<_> = requests.into_iter().flat_map(Telemetry::records).collect();
    records.sort_unstable();
    records
}

/// The first record that only one of two sorted lists has, as text; `None` when the lists are equal.
///
/// ```
/// use watershed_samples::records::difference;
///
/// let sent = ["a".to_owned(), "b".to_owned()];
/// assert_eq!(difference(&sent, &sent), None);
/// let text = difference(&sent, &sent[..1]).unwrap();
/// assert_eq!(text, "2 records were expected, 1 arrived; first missing: b");
/// ```
pub fn difference(expected: &[String], arrived: &[String]) -> Option<String> {
    if expected == arrived {
        return None;
    }
    let same = expected
        .iter()
        .zip(arrived)
        .take_while(|(left, right)| left == right)
        .count();
    let counts = format!(
        "{} records were expected, {} arrived",
        expected.len(),
        arrived.len()
    );
    Some(match (expected.get(same), arrived.get(same)) {
        (Some(missing), Some(extra)) if extra < missing => {
            format!("{counts}; first unexpected: {extra}")
        }
        (Some(missing), _) => format!("{counts}; first missing: {missing}"),
        (None, extra) => format!(
            "{counts}; first unexpected: {}",
            extra.map_or("", String::as_str)
        ),
    })
}

/// Requests of a file with one OTLP JSON request a line. A file that does not exist holds none.
pub fn read_json_lines<T: Telemetry>(path: &Path) -> Result<Vec<T>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path)?;
    text.lines()
        .map(|line| {
            serde_json::from_str(line).with_context(|| format!("{} holds {line}", path.display()))
        })
        .collect()
}

/// Requests of a file with one protobuf request after another, each behind its length as a varint.
pub fn read_delimited<T: Telemetry>(path: &Path) -> Result<Vec<T>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let bytes = fs::read(path)?;
    let mut rest = bytes.as_slice();
    let mut requests = Vec::new();
    while !rest.is_empty() {
        requests.push(T::decode_length_delimited(&mut rest)?);
    }
    Ok(requests)
}
