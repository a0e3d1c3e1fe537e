//! Random export requests for the tests of this crate: seeded, so every failure can be run again.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{
    AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList, any_value::Value,
};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::metrics::v1::exponential_histogram_data_point::Buckets;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::summary_data_point::ValueAtQuantile;
use opentelemetry_proto::tonic::metrics::v1::{
    Exemplar, ExponentialHistogram, ExponentialHistogramDataPoint, Gauge, Histogram,
    HistogramDataPoint, Metric, NumberDataPoint, ResourceMetrics, ScopeMetrics, Sum, Summary,
    SummaryDataPoint, exemplar, number_data_point,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::span::{Event, Link};
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span, Status};

/// A small generator of random numbers (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    /// A generator whose numbers depend on nothing but `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// Any number.
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// True in one of `chances` cases.
    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    /// One of `choices`.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Up to `most` values made by `make`.
    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.below(most + 1);
        (0..count).map(|_| make(self)).collect()
    }

    fn text(&mut self) -> String {
        let word = self.pick(&["", "a", "team-0", "größe", "😀", "healthz", "x.y z"]);
        if self.one_in(12) {
            word.repeat(50)
        } else {
            word.to_string()
        }
    }

    fn id(&mut self, length: usize) -> Vec<u8> {
        let length = if self.one_in(3) { 0 } else { length };
        (0..length).map(|_| self.number() as u8).collect()
    }

    fn double(&mut self) -> f64 {
        self.pick(&[0.0, -0.0, 1.5, -2.25, 1e300, f64::INFINITY])
    }

    fn value(&mut self, depth: usize) -> AnyValue {
        let value = match self.below(if depth == 0 { 6 } else { 8 }) {
            0 => None,
            1 => Some(Value::BoolValue(self.one_in(2))),
            2 => Some(Value::IntValue(self.number() as i64)),
            3 => Some(Value::DoubleValue(self.double())),
            4 => Some(Value::BytesValue(self.id(5))),
            5 => Some(Value::StringValue(self.text())),
            6 => {
                let values = self.some(3, |random| random.value(depth - 1));
                Some(Value::ArrayValue(ArrayValue { values }))
            }
            _ => {
                let values = self.some(3, |random| random.attribute(depth - 1));
                Some(Value::KvlistValue(KeyValueList { values }))
            }
        };
        AnyValue { value }
    }

    fn attribute(&mut self, depth: usize) -> KeyValue {
        let key = self
            .pick(&["team", "service.name", "", "http.status_code", "k"])
            .to_string();
        let value = (!self.one_in(9)).then(|| self.value(depth));
        KeyValue {
            key,
            value,
            ..Default::default()
        }
    }

    fn attributes(&mut self) -> Vec<KeyValue> {
        self.some(4, |random| random.attribute(2))
    }

    fn resource(&mut self) -> Option<Resource> {
        let resource = Resource {
            attributes: self.attributes(),
            ..Default::default()
        };
        (!self.one_in(5)).then_some(resource)
    }

    fn scope(&mut self) -> Option<InstrumentationScope> {
        let scope = InstrumentationScope {
            name: self.text(),
            version: self.text(),
            attributes: self.attributes(),
            dropped_attributes_count: self.number() as u32,
        };
        (!self.one_in(4)).then_some(scope)
    }

    fn log(&mut self) -> LogRecord {
        LogRecord {
            time_unix_nano: self.number(),
            observed_time_unix_nano: self.number(),
            severity_number: self.below(25) as i32,
            severity_text: self.text(),
            body: (!self.one_in(3)).then(|| self.value(3)),
            attributes: self.attributes(),
            dropped_attributes_count: self.below(3) as u32,
            flags: self.below(2) as u32,
            trace_id: self.id(16),
            span_id: self.id(8),
            event_name: self.text(),
        }
    }

    fn span(&mut self) -> Span {
        Span {
            trace_id: self.id(16),
            span_id: self.id(8),
            trace_state: self.text(),
            parent_span_id: self.id(8),
            flags: self.below(1000) as u32,
            name: self.text(),
            kind: self.below(6) as i32,
            start_time_unix_nano: self.number(),
            end_time_unix_nano: self.number(),
            attributes: self.attributes(),
            dropped_attributes_count: self.below(3) as u32,
            events: self.some(2, |random| Event {
                time_unix_nano: random.number(),
                name: random.text(),
                attributes: random.attributes(),
                dropped_attributes_count: 0,
            }),
            dropped_events_count: self.below(3) as u32,
            links: self.some(2, |random| Link {
                trace_id: random.id(16),
                span_id: random.id(8),
                trace_state: random.text(),
                attributes: random.attributes(),
                ..Default::default()
            }),
            dropped_links_count: 0,
            status: self.one_in(2).then(|| Status {
                message: self.text(),
                code: self.below(3) as i32,
            }),
        }
    }

    fn exemplars(&mut self) -> Vec<Exemplar> {
        self.some(2, |random| Exemplar {
            filtered_attributes: random.attributes(),
            time_unix_nano: random.number(),
            span_id: random.id(8),
            trace_id: random.id(16),
            value: Some(exemplar::Value::AsDouble(random.double())),
        })
    }

    fn number_point(&mut self) -> NumberDataPoint {
        let value = match self.below(3) {
            0 => None,
            1 => Some(number_data_point::Value::AsDouble(self.double())),
            _ => Some(number_data_point::Value::AsInt(self.number() as i64)),
        };
        NumberDataPoint {
            attributes: self.attributes(),
            start_time_unix_nano: self.number(),
            time_unix_nano: self.number(),
            exemplars: self.exemplars(),
            flags: self.below(2) as u32,
            value,
        }
    }

    fn histogram_point(&mut self) -> HistogramDataPoint {
        HistogramDataPoint {
            attributes: self.attributes(),
            time_unix_nano: self.number(),
            count: self.number(),
            sum: self.one_in(2).then(|| self.double()),
            bucket_counts: self.some(4, Self::number),
            explicit_bounds: self.some(4, Self::double),
            exemplars: self.exemplars(),
            max: self.one_in(2).then(|| self.double()),
            ..Default::default()
        }
    }

    fn exponential_point(&mut self) -> ExponentialHistogramDataPoint {
        let offset = self.number() as i32;
        let bucket_counts = self.some(5, Self::number);
        ExponentialHistogramDataPoint {
            attributes: self.attributes(),
            time_unix_nano: self.number(),
            count: self.number(),
            scale: -3,
            positive: self.one_in(2).then_some(Buckets {
                offset,
                bucket_counts,
            }),
            exemplars: self.exemplars(),
            zero_threshold: self.double(),
            ..Default::default()
        }
    }

    fn summary_point(&mut self) -> SummaryDataPoint {
        SummaryDataPoint {
            attributes: self.attributes(),
            time_unix_nano: self.number(),
            count: self.number(),
            sum: self.double(),
            quantile_values: self.some(3, |random| ValueAtQuantile {
                quantile: 0.5,
                value: random.double(),
            }),
            ..Default::default()
        }
    }

    fn metric(&mut self) -> Metric {
        let data = match self.below(6) {
            0 => None,
            1 => Some(Data::Gauge(Gauge {
                data_points: self.some(4, Self::number_point),
            })),
            2 => Some(Data::Sum(Sum {
                data_points: self.some(4, Self::number_point),
                aggregation_temporality: self.below(3) as i32,
                is_monotonic: self.one_in(2),
            })),
            3 => Some(Data::Histogram(Histogram {
                data_points: self.some(4, Self::histogram_point),
                aggregation_temporality: self.below(3) as i32,
            })),
            4 => Some(Data::ExponentialHistogram(ExponentialHistogram {
                data_points: self.some(4, Self::exponential_point),
                aggregation_temporality: self.below(3) as i32,
            })),
            _ => Some(Data::Summary(Summary {
                data_points: self.some(4, Self::summary_point),
            })),
        };
        Metric {
            name: self.text(),
            description: self.text(),
            unit: self.text(),
            metadata: self.attributes(),
            data,
        }
    }

    /// A logs request of up to 36 records.
    pub(crate) fn logs(&mut self) -> ExportLogsServiceRequest {
        let resource_logs = self.some(3, |random| ResourceLogs {
            resource: random.resource(),
            scope_logs: random.some(3, |random| ScopeLogs {
                scope: random.scope(),
                log_records: random.some(4, Self::log),
                schema_url: random.text(),
            }),
            schema_url: random.text(),
        });
        ExportLogsServiceRequest { resource_logs }
    }

    /// A traces request of up to 36 spans.
    pub(crate) fn traces(&mut self) -> ExportTraceServiceRequest {
        let resource_spans = self.some(3, |random| ResourceSpans {
            resource: random.resource(),
            scope_spans: random.some(3, |random| ScopeSpans {
                scope: random.scope(),
                spans: random.some(4, Self::span),
                schema_url: random.text(),
            }),
            schema_url: random.text(),
        });
        ExportTraceServiceRequest { resource_spans }
    }

    /// A metrics request of up to 144 data points.
    pub(crate) fn metrics(&mut self) -> ExportMetricsServiceRequest {
        let resource_metrics = self.some(3, |random| ResourceMetrics {
            resource: random.resource(),
            scope_metrics: random.some(3, |random| ScopeMetrics {
                scope: random.scope(),
                metrics: random.some(4, Self::metric),
                schema_url: random.text(),
            }),
            schema_url: random.text(),
        });
        ExportMetricsServiceRequest { resource_metrics }
    }
}
