//! Metrics with their data points.

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Gauge, Histogram, HistogramDataPoint, Metric, NumberDataPoint,
    ResourceMetrics, ScopeMetrics, Sum,
};

use crate::{Sampler, attribute, text};

impl Sampler {
    /// An export request of metrics. The data points of each resource are dealt out to three metrics: the sum
    /// `orders.accepted`, the gauge `queue.length` and the histogram `order.duration`.
    pub fn metrics(&mut self) -> ExportMetricsServiceRequest {
        let resource_metrics = (0..self.resources)
            .map(|index| ResourceMetrics {
                resource: Some(Self::resource(index)),
                scope_metrics: vec![ScopeMetrics {
                    scope: Some(Self::scope()),
                    metrics: self.metric_list(self.records_of(index)),
                    ..ScopeMetrics::default()
                }],
                ..ResourceMetrics::default()
            })
            .collect();
        ExportMetricsServiceRequest { resource_metrics }
    }

    /// Metrics that carry `points` data points together; a metric without points is left out.
    fn metric_list(&mut self, points: usize) -> Vec<Metric> {
        let mut numbers = [Vec::new(), Vec::new()];
        let mut durations = Vec::new();
        for (index, team) in self.teams(points).into_iter().enumerate() {
            match numbers.get_mut(index % 3) {
                Some(list) => list.push(self.number(team)),
                None => durations.push(self.duration(team)),
            }
        }
        let [accepted, lengths] = numbers;
        let temporality = AggregationTemporality::Cumulative.into();
        let sum = Sum {
            data_points: accepted,
            aggregation_temporality: temporality,
            is_monotonic: true,
        };
        let histogram = Histogram {
            data_points: durations,
            aggregation_temporality: temporality,
        };
        [
            (
                sum.data_points.len(),
                metric("orders.accepted", "1", Data::Sum(sum)),
            ),
            (
                lengths.len(),
                metric(
                    "queue.length",
                    "1",
                    Data::Gauge(Gauge {
                        data_points: lengths,
                    }),
                ),
            ),
            (
                histogram.data_points.len(),
                metric("order.duration", "s", Data::Histogram(histogram)),
            ),
        ]
        .into_iter()
        .filter_map(|(points, metric)| (points > 0).then_some(metric))
        .collect()
    }

    fn number(&mut self, team: &str) -> NumberDataPoint {
        let sequence = self.next_sequence();
        NumberDataPoint {
            attributes: point_attributes(sequence, team),
            start_time_unix_nano: Self::time(0),
            time_unix_nano: Self::time(sequence),
            value: Some(Number::AsInt(self.random.i64(0..1_000))),
            ..NumberDataPoint::default()
        }
    }

    fn duration(&mut self, team: &str) -> HistogramDataPoint {
        let sequence = self.next_sequence();
        let bucket_counts: Vec<u64> = (0..4).map(|_| self.random.u64(0..50)).collect();
        HistogramDataPoint {
            attributes: point_attributes(sequence, team),
            start_time_unix_nano: Self::time(0),
            time_unix_nano: Self::time(sequence),
            count: bucket_counts.iter().sum(),
            sum: Some(self.random.f64() * 100.0),
            bucket_counts,
            explicit_bounds: vec![0.1, 0.5, 1.0],
            ..HistogramDataPoint::default()
        }
    }
}

fn metric(name: &str, unit: &str, data: Data) -> Metric {
    Metric {
        name: name.into(),
        unit: unit.into(),
        data: Some(data),
        ..Metric::default()
    }
}

fn point_attributes(sequence: u64, team: &str) -> Vec<KeyValue> {
    vec![
        attribute("order.number", Value::IntValue(sequence.cast_signed())),
        attribute("team", text(team)),
    ]
}
