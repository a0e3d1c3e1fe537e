//! What `prost` decodes of a request, as lines of text: the other side of a comparison with [`crate::reading`].

use std::collections::BTreeSet;

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::{
    ExponentialHistogramDataPoint, HistogramDataPoint, Metric, NumberDataPoint, SummaryDataPoint,
    number_data_point,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::Span;
use watershed::otlp::MetricKind;
use watershed_samples::records::{Logs, Metrics, Traces};

use crate::otlp::Decoded;

impl Decoded for Logs {
    fn values(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for group in &self.resource_logs {
            lines.push(resource(group.resource.as_ref()));
            for scope_group in &group.scope_logs {
                lines.push(scope(scope_group.scope.as_ref()));
                lines.extend(scope_group.log_records.iter().map(log));
            }
        }
        lines
    }
}

impl Decoded for Traces {
    fn values(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for group in &self.resource_spans {
            lines.push(resource(group.resource.as_ref()));
            for scope_group in &group.scope_spans {
                lines.push(scope(scope_group.scope.as_ref()));
                lines.extend(scope_group.spans.iter().map(span));
            }
        }
        lines
    }
}

impl Decoded for Metrics {
    fn values(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for group in &self.resource_metrics {
            lines.push(resource(group.resource.as_ref()));
            for scope_group in &group.scope_metrics {
                lines.push(scope(scope_group.scope.as_ref()));
                for one in &scope_group.metrics {
                    metric(one, &mut lines);
                }
            }
        }
        lines
    }
}

fn resource(resource: Option<&Resource>) -> String {
    let attributes = resource.map_or_else(|| attributes(&[]), |one| attributes(&one.attributes));
    format!("resource {attributes}")
}

fn scope(scope: Option<&InstrumentationScope>) -> String {
    let scope = scope.cloned().unwrap_or_default();
    let attributes = attributes(&scope.attributes);
    format!("scope {:?} {:?} {attributes}", scope.name, scope.version)
}

fn log(log: &LogRecord) -> String {
    format!(
        "log {} {} {:?} {} {} {:?} {:?} {}",
        log.time_unix_nano,
        log.severity_number,
        log.severity_text,
        value(log.body.as_ref()),
        log.flags,
        log.trace_id,
        log.event_name,
        attributes(&log.attributes)
    )
}

fn span(span: &Span) -> String {
    format!(
        "span {:?} {:?} {:?} {} {} {} {} {}",
        span.span_id,
        span.trace_state,
        span.name,
        span.kind,
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        span.status.as_ref().map_or(0, |status| status.code),
        attributes(&span.attributes)
    )
}

fn metric(metric: &Metric, lines: &mut Vec<String>) {
    let (kind, points) = match &metric.data {
        None => (None, Vec::new()),
        Some(Data::Gauge(data)) => (Some(MetricKind::Gauge), all(&data.data_points, number)),
        Some(Data::Sum(data)) => (Some(MetricKind::Sum), all(&data.data_points, number)),
        Some(Data::Histogram(data)) => (
            Some(MetricKind::Histogram),
            all(&data.data_points, histogram),
        ),
        Some(Data::ExponentialHistogram(data)) => {
            let points = all(&data.data_points, exponential);
            (Some(MetricKind::ExponentialHistogram), points)
        }
        Some(Data::Summary(data)) => (Some(MetricKind::Summary), all(&data.data_points, summary)),
    };
    let (name, description, unit) = (&metric.name, &metric.description, &metric.unit);
    lines.push(format!("metric {name:?} {kind:?} {description:?} {unit:?}"));
    lines.extend(points);
}

fn all<T>(points: &[T], line: impl Fn(&T) -> String) -> Vec<String> {
    points.iter().map(line).collect()
}

fn number(point: &NumberDataPoint) -> String {
    let (start, time) = (point.start_time_unix_nano, point.time_unix_nano);
    let value = match point.value {
        None => "missing".to_owned(),
        Some(number_data_point::Value::AsDouble(value)) => double(value),
        Some(number_data_point::Value::AsInt(value)) => value.to_string(),
    };
    let attributes = attributes(&point.attributes);
    format!(
        "point {start} {time} {} {value} missing missing {attributes}",
        point.flags
    )
}

fn histogram(point: &HistogramDataPoint) -> String {
    let (start, time) = (point.start_time_unix_nano, point.time_unix_nano);
    let sum = point.sum.map_or_else(|| "missing".to_owned(), double);
    let attributes = attributes(&point.attributes);
    format!(
        "point {start} {time} {} missing {}u {sum} {attributes}",
        point.flags, point.count
    )
}

fn exponential(point: &ExponentialHistogramDataPoint) -> String {
    let (start, time) = (point.start_time_unix_nano, point.time_unix_nano);
    let sum = point.sum.map_or_else(|| "missing".to_owned(), double);
    let attributes = attributes(&point.attributes);
    format!(
        "point {start} {time} {} missing {}u {sum} {attributes}",
        point.flags, point.count
    )
}

fn summary(point: &SummaryDataPoint) -> String {
    let (start, time) = (point.start_time_unix_nano, point.time_unix_nano);
    let (count, sum) = (point.count, double(point.sum));
    let attributes = attributes(&point.attributes);
    format!(
        "point {start} {time} {} missing {count}u {sum} {attributes}",
        point.flags
    )
}

fn attributes(attributes: &[KeyValue]) -> String {
    let entries: Vec<_> = attributes.iter().map(entry).collect();
    format!("{{{}}}", entries.join(", "))
}

fn entry(entry: &KeyValue) -> String {
    format!("{:?}: {}", entry.key, value(entry.value.as_ref()))
}

/// A reference into a table that logs, traces and metrics do not have counts as no value.
fn value(any: Option<&AnyValue>) -> String {
    match any.and_then(|any| any.value.as_ref()) {
        None | Some(Value::StringValueStrindex(_)) => "null".to_owned(),
        Some(Value::StringValue(value)) => format!("{value:?}"),
        Some(Value::BoolValue(value)) => value.to_string(),
        Some(Value::IntValue(value)) => value.to_string(),
        Some(Value::DoubleValue(value)) => double(*value),
        Some(Value::BytesValue(value)) => format!("b{value:?}"),
        Some(Value::ArrayValue(list)) => {
            let values: Vec<_> = list.values.iter().map(|one| value(Some(one))).collect();
            format!("[{}]", values.join(", "))
        }
        Some(Value::KvlistValue(map)) => {
            let mut seen = BTreeSet::new();
            let first = map.values.iter().filter(|entry| seen.insert(&entry.key));
            format!("{{{}}}", first.map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

/// All bits of it, so that what is not a number is compared too.
fn double(value: f64) -> String {
    format!("{:#x}", value.to_bits())
}
