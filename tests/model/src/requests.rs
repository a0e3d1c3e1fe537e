//! Random export requests of every signal.
//!
//! Each record has a number, by which it is found again in an output: the observed time of a log record, the start time of
//! a span, the time of a data point. Keys stand twice at times, values have the wrong type, envelopes are left out.

use crate::generator::{KEYS, TEXTS};
use crate::topology::Signal;
use bytes::Bytes;
use fastrand::Rng;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{
    AnyValue, InstrumentationScope, KeyValue, any_value::Value,
};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::metrics::v1::{
    ExponentialHistogram, ExponentialHistogramDataPoint, Gauge, Histogram, HistogramDataPoint,
    Metric, NumberDataPoint, ResourceMetrics, ScopeMetrics, Sum, Summary, SummaryDataPoint,
    metric::Data,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;

impl From<Signal> for watershed::Signal {
    fn from(signal: Signal) -> Self {
        match signal {
            Signal::Logs => Self::Logs,
            Signal::Traces => Self::Traces,
            Signal::Metrics => Self::Metrics,
        }
    }
}

/// An export request, decoded.
#[derive(Clone, Debug)]
pub enum Request {
    /// Of log records.
    Logs(ExportLogsServiceRequest),
    /// Of spans.
    Traces(ExportTraceServiceRequest),
    /// Of metrics.
    Metrics(ExportMetricsServiceRequest),
}

impl Request {
    /// The request as `prost` encodes it.
    pub fn encode(&self) -> Bytes {
        match self {
            Self::Logs(request) => request.encode_to_vec().into(),
            Self::Traces(request) => request.encode_to_vec().into(),
            Self::Metrics(request) => request.encode_to_vec().into(),
        }
    }

    /// Decodes what the runtime has found to be valid.
    ///
    /// # Panics
    ///
    /// When `prost` does not.
    pub fn decode(signal: Signal, bytes: &[u8]) -> Self {
        let decoded = match signal {
            Signal::Logs => ExportLogsServiceRequest::decode(bytes).map(Self::Logs),
            Signal::Traces => ExportTraceServiceRequest::decode(bytes).map(Self::Traces),
            Signal::Metrics => ExportMetricsServiceRequest::decode(bytes).map(Self::Metrics),
        };
        decoded.expect("what is valid is decoded")
    }

    /// The numbers of its records.
    pub fn numbers(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        self.clone().retain(&mut |number| {
            numbers.push(number);
            true
        });
        numbers
    }

    /// The request without the records that are not among `numbers`, and without envelopes that are left empty.
    pub fn only(&self, numbers: &[u64]) -> Self {
        let mut kept = self.clone();
        kept.retain(&mut |number| numbers.contains(&number));
        kept
    }

    fn retain(&mut self, keep: &mut dyn FnMut(u64) -> bool) {
        match self {
            Self::Logs(request) => request.resource_logs.retain_mut(|resource| {
                resource.scope_logs.retain_mut(|scope| {
                    scope
                        .log_records
                        .retain(|log| keep(log.observed_time_unix_nano));
                    !scope.log_records.is_empty()
                });
                !resource.scope_logs.is_empty()
            }),
            Self::Traces(request) => request.resource_spans.retain_mut(|resource| {
                resource.scope_spans.retain_mut(|scope| {
                    scope.spans.retain(|span| keep(span.start_time_unix_nano));
                    !scope.spans.is_empty()
                });
                !resource.scope_spans.is_empty()
            }),
            Self::Metrics(request) => request.resource_metrics.retain_mut(|resource| {
                resource.scope_metrics.retain_mut(|scope| {
                    scope
                        .metrics
                        .retain_mut(|metric| retain_points(metric, keep) > 0);
                    !scope.metrics.is_empty()
                });
                !resource.scope_metrics.is_empty()
            }),
        }
    }
}

/// How many points of a metric are kept.
fn retain_points(metric: &mut Metric, keep: &mut dyn FnMut(u64) -> bool) -> usize {
    macro_rules! retain {
        ($data:expr) => {{
            $data.data_points.retain(|point| keep(point.time_unix_nano));
            $data.data_points.len()
        }};
    }
    match &mut metric.data {
        None => 0,
        Some(Data::Gauge(data)) => retain!(data),
        Some(Data::Sum(data)) => retain!(data),
        Some(Data::Histogram(data)) => retain!(data),
        Some(Data::ExponentialHistogram(data)) => retain!(data),
        Some(Data::Summary(data)) => retain!(data),
    }
}

/// Makes requests.
#[derive(Debug)]
pub struct Requests {
    random: Rng,
    next: u64,
}

impl Requests {
    /// Requests that depend on `seed` and on nothing else.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            next: 1,
        }
    }

    /// A request of at least `records` records.
    pub fn request(&mut self, signal: Signal, records: usize) -> Request {
        let end = self.next + records as u64;
        match signal {
            Signal::Logs => Request::Logs(ExportLogsServiceRequest {
                resource_logs: self.until(end, Self::resource_logs),
            }),
            Signal::Traces => Request::Traces(ExportTraceServiceRequest {
                resource_spans: self.until(end, Self::resource_spans),
            }),
            Signal::Metrics => Request::Metrics(ExportMetricsServiceRequest {
                resource_metrics: self.until(end, Self::resource_metrics),
            }),
        }
    }

    fn until<T>(&mut self, end: u64, make: fn(&mut Self) -> T) -> Vec<T> {
        let mut made = Vec::new();
        while self.next < end {
            made.push(make(self));
        }
        made
    }

    fn some<T>(&mut self, most: usize, make: fn(&mut Self) -> T) -> Vec<T> {
        let count = self.random.usize(1..=most);
        (0..count).map(|_| make(self)).collect()
    }

    fn resource_logs(&mut self) -> ResourceLogs {
        ResourceLogs {
            resource: self.resource(),
            scope_logs: self.some(3, |this| ScopeLogs {
                scope: this.scope(),
                log_records: this.some(4, Self::log_record),
                schema_url: this.text(),
            }),
            schema_url: self.text(),
        }
    }

    fn resource_spans(&mut self) -> ResourceSpans {
        ResourceSpans {
            resource: self.resource(),
            scope_spans: self.some(3, |this| ScopeSpans {
                scope: this.scope(),
                spans: this.some(4, Self::span),
                schema_url: this.text(),
            }),
            schema_url: self.text(),
        }
    }

    fn resource_metrics(&mut self) -> ResourceMetrics {
        ResourceMetrics {
            resource: self.resource(),
            scope_metrics: self.some(2, |this| ScopeMetrics {
                scope: this.scope(),
                metrics: this.some(3, Self::metric),
                schema_url: this.text(),
            }),
            schema_url: self.text(),
        }
    }

    fn resource(&mut self) -> Option<Resource> {
        (!self.one_in(8)).then(|| Resource {
            attributes: self.attributes(),
            ..Resource::default()
        })
    }

    fn scope(&mut self) -> Option<InstrumentationScope> {
        (!self.one_in(5)).then(|| InstrumentationScope {
            name: self.text(),
            version: self.text(),
            attributes: self.attributes(),
            ..InstrumentationScope::default()
        })
    }

    fn log_record(&mut self) -> LogRecord {
        LogRecord {
            observed_time_unix_nano: self.number(),
            severity_number: self.random.i32(-1..8),
            event_name: self.text(),
            body: (!self.one_in(4)).then(|| self.value("body")),
            attributes: self.attributes(),
            ..LogRecord::default()
        }
    }

    fn span(&mut self) -> Span {
        Span {
            start_time_unix_nano: self.number(),
            kind: self.random.i32(0..6),
            name: self.text(),
            trace_state: self.text(),
            attributes: self.attributes(),
            ..Span::default()
        }
    }

    fn metric(&mut self) -> Metric {
        let data = match self.random.u32(0..5) {
            0 => Data::Gauge(Gauge {
                data_points: self.some(3, Self::number_point),
            }),
            1 => Data::Sum(Sum {
                data_points: self.some(3, Self::number_point),
                aggregation_temporality: 2,
                is_monotonic: true,
            }),
            2 => Data::Histogram(Histogram {
                data_points: self.some(3, |this| HistogramDataPoint {
                    time_unix_nano: this.number(),
                    attributes: this.attributes(),
                    count: 1,
                    bucket_counts: vec![1, 0],
                    explicit_bounds: vec![0.5],
                    ..HistogramDataPoint::default()
                }),
                aggregation_temporality: 1,
            }),
            3 => Data::ExponentialHistogram(ExponentialHistogram {
                data_points: self.some(3, |this| ExponentialHistogramDataPoint {
                    time_unix_nano: this.number(),
                    attributes: this.attributes(),
                    scale: -1,
                    ..ExponentialHistogramDataPoint::default()
                }),
                aggregation_temporality: 1,
            }),
            _ => Data::Summary(Summary {
                data_points: self.some(3, |this| SummaryDataPoint {
                    time_unix_nano: this.number(),
                    attributes: this.attributes(),
                    ..SummaryDataPoint::default()
                }),
            }),
        };
        Metric {
            name: self.text(),
            description: self.text(),
            unit: self.text(),
            data: Some(data),
            ..Metric::default()
        }
    }

    fn number_point(&mut self) -> NumberDataPoint {
        NumberDataPoint {
            time_unix_nano: self.number(),
            attributes: self.attributes(),
            ..NumberDataPoint::default()
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Most keys, some of them twice.
    fn attributes(&mut self) -> Vec<KeyValue> {
        let mut entries = Vec::new();
        for key in KEYS {
            let count = match self.random.u32(0..12) {
                _ if key == "absent" => 0,
                0..3 => 0,
                3 => 2,
                _ => 1,
            };
            entries.extend((0..count).map(|_| KeyValue {
                key: key.to_owned(),
                value: Some(self.value(key)),
                ..KeyValue::default()
            }));
        }
        self.random.shuffle(&mut entries);
        entries
    }

    /// A value that is mostly of the type of its key.
    fn value(&mut self, key: &str) -> AnyValue {
        let value = match self.random.u32(0..12) {
            0 => Value::BoolValue(self.random.bool()),
            1 => Value::DoubleValue(f64::from(self.random.u8(0..16)) / 2.0),
            2 => return AnyValue { value: None },
            3 => Value::IntValue(self.random.i64(-1..8)),
            4 => Value::StringValue(self.text()),
            _ if key == "n" => Value::IntValue(self.random.i64(0..8)),
            _ => Value::StringValue(self.text()),
        };
        AnyValue { value: Some(value) }
    }

    fn text(&mut self) -> String {
        let text = self.random.choice(TEXTS).unwrap_or_default();
        text.to_owned()
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.random.u32(..chances) == 0
    }
}
