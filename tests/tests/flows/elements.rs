//! Events and links of spans, and the five kinds of metrics, against the same conditions over decoded structs.

use anyhow::Result;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use opentelemetry_proto::tonic::metrics::v1::{
    ExponentialHistogram, ExponentialHistogramDataPoint, Gauge, Histogram, HistogramDataPoint,
    Metric, NumberDataPoint, ResourceMetrics, ScopeMetrics, Sum, Summary, SummaryDataPoint,
};
use opentelemetry_proto::tonic::trace::v1::span::{Event, Link};
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use watershed_samples::records::{Metrics, Telemetry, Traces};

use crate::{protobuf_file, start};

/// A number for every place of a test, the same in every run.
struct Numbers(u64);

impl Numbers {
    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts
            .get(self.below(texts.len() as u64) as usize)
            .copied()
            .unwrap_or_default()
    }

    fn list<T>(&mut self, longest: u64, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(longest + 1)).map(|_| make(self)).collect()
    }
}

fn attribute(key: &str, value: &str) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue {
            value: Some(Value::StringValue(value.to_owned())),
        }),
        ..KeyValue::default()
    }
}

/// The text of an attribute.
fn text<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text),
        _ => None,
    }
}

fn event(numbers: &mut Numbers) -> Event {
    let key = numbers.one_of(&["exception.type", "retried", "other"]);
    Event {
        time_unix_nano: numbers.below(10),
        name: numbers.one_of(&["exception", "retry", ""]).to_owned(),
        attributes: numbers.list(2, |numbers| attribute(key, numbers.one_of(&["X", "Y"]))),
        dropped_attributes_count: numbers.below(4) as u32 / 3,
    }
}

fn link(numbers: &mut Numbers) -> Link {
    Link {
        trace_id: vec![numbers.below(2) as u8; 16],
        span_id: vec![1; numbers.below(2) as usize * 8],
        trace_state: numbers.one_of(&["", "vendor=1", "other=1"]).to_owned(),
        attributes: numbers.list(1, |numbers| {
            attribute("kind", numbers.one_of(&["follows", ""]))
        }),
        flags: numbers.below(2) as u32,
        ..Link::default()
    }
}

fn traces(numbers: &mut Numbers) -> Traces {
    let span = |numbers: &mut Numbers| Span {
        trace_id: vec![1; 16],
        span_id: vec![2; 8],
        name: format!("span {}", numbers.below(1_000_000)),
        start_time_unix_nano: numbers.below(8),
        events: numbers.list(4, event),
        links: numbers.list(3, link),
        ..Span::default()
    };
    let spans = (0..400).map(|_| span(numbers)).collect();
    Traces {
        resource_spans: vec![ResourceSpans {
            scope_spans: vec![ScopeSpans {
                spans,
                ..ScopeSpans::default()
            }],
            ..ResourceSpans::default()
        }],
    }
}

/// The name of a condition, and the same condition over a decoded message.
type Twin<T> = (&'static str, fn(&T) -> bool);

/// The conditions of `elements.flow`, written a second time over structs.
const SPANS: &[Twin<Span>] = &[
    ("exception", |span| {
        let mut events = span.events.iter();
        events.any(|event| {
            event.name == "exception" && text(&event.attributes, "exception.type") == Some("X")
        })
    }),
    ("calm", |span| {
        let mut events = span.events.iter();
        events.all(|event| event.name != "exception" && event.dropped_attributes_count == 0)
    }),
    ("once", |span| {
        let events = span.events.iter();
        events
            .filter(|event| text(&event.attributes, "retried").is_some())
            .count()
            == 1
    }),
    ("second", |span| {
        span.events
            .get(1)
            .is_some_and(|event| event.name == "exception")
    }),
    ("late", |span| {
        let events = span.events.iter();
        events
            .filter(|event| event.time_unix_nano > span.start_time_unix_nano)
            .count()
            > 1
    }),
    ("linked", |span| {
        span.links.iter().any(|link| {
            let kind = text(&link.attributes, "kind");
            link.trace_id != span.trace_id && link.flags == 1 && kind == Some("follows")
        })
    }),
    ("positions", |span| {
        let mut links = span.links.iter().skip(1);
        links.any(|link| link.trace_state.contains("vendor") && !link.span_id.is_empty())
    }),
    ("names", |span| {
        span.events.iter().any(|event| event.name == "retry")
    }),
];

#[tokio::test]
async fn events_and_links_are_read_as_they_were_sent() -> Result<()> {
    let mut flow = start("elements", &[])?;
    let request = traces(&mut Numbers(7));
    assert_eq!(flow.sender()?.send(&request).await?.status, 200);
    assert!(flow.stop()?.success());
    for (sink, keeps) in SPANS {
        let mut expected = request.clone();
        for group in &mut expected.resource_spans {
            for scope in &mut group.scope_spans {
                scope.spans.retain(keeps);
            }
        }
        let kept = expected.records();
        assert!(
            !kept.is_empty() && kept.len() < 400,
            "{sink} decides: {}",
            kept.len()
        );
        let written: Vec<Traces> = protobuf_file(flow.folder(), sink, "traces")?;
        let written: Vec<_> = written.iter().flat_map(Telemetry::records).collect();
        assert_eq!(written, kept, "{sink}");
    }
    Ok(())
}

/// What a point of any kind has, as far as a condition may ask for it.
#[derive(Clone, Debug, Default)]
struct Point {
    kind: &'static str,
    value: Option<f64>,
    count: Option<u64>,
    sum: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    scale: Option<i32>,
    zero_count: Option<u64>,
    zero_threshold: Option<f64>,
    temporality: i32,
    is_monotonic: bool,
    flags: u32,
    start: u64,
    time: u64,
    host: Option<String>,
}

/// The conditions of `elements.flow`, written a second time over structs. What a kind does not have decides nothing.
const POINTS: &[Twin<Point>] = &[
    ("large", |point| {
        point.value.is_some_and(|value| value > 5.0)
    }),
    ("counted", |point| {
        point.count.is_some_and(|count| count > 2) && point.sum.is_some_and(|sum| sum < 100.0)
    }),
    ("spread", |point| {
        point.min.is_some_and(|min| min < 1.0) && point.max.is_some_and(|max| max > 5.0)
    }),
    ("delta", |point| {
        point.temporality == 1 && point.kind != "sum"
    }),
    ("growing", |point| point.is_monotonic),
    ("summaries", |point| {
        point.kind == "summary" && point.flags == 0
    }),
    ("fine", |point| {
        point.scale.is_some_and(|scale| scale > 2)
            && point.zero_count == Some(0)
            && point.zero_threshold == Some(0.0)
    }),
    ("recent", |point| {
        let length = point.time.checked_sub(point.start);
        length.is_some_and(|length| length > 5) && point.host.as_deref() == Some("a")
    }),
];

/// Calls `retain` with every point of a metric, and takes those away for which it is false. Whether any is left.
fn retain(metric: &mut Metric, keeps: fn(&Point) -> bool) -> bool {
    macro_rules! points {
        ($data:expr, $kind:literal, $temporality:expr, $monotonic:expr, $of:expr) => {{
            let (temporality, is_monotonic) = ($temporality, $monotonic);
            $data.data_points.retain(|point| {
                let special: Point = $of(point);
                keeps(&Point {
                    kind: $kind,
                    temporality,
                    is_monotonic,
                    flags: point.flags,
                    start: point.start_time_unix_nano,
                    time: point.time_unix_nano,
                    host: text(&point.attributes, "host").map(str::to_owned),
                    ..special
                })
            });
            !$data.data_points.is_empty()
        }};
    }
    let number = |point: &NumberDataPoint| Point {
        value: point.value.map(|value| match value {
            Number::AsDouble(value) => value,
            Number::AsInt(value) => value as f64,
        }),
        ..Point::default()
    };
    match metric.data.as_mut() {
        Some(Data::Gauge(data)) => points!(data, "gauge", 0, false, number),
        Some(Data::Sum(data)) => {
            points!(
                data,
                "sum",
                data.aggregation_temporality,
                data.is_monotonic,
                number
            )
        }
        Some(Data::Histogram(data)) => {
            points!(
                data,
                "histogram",
                data.aggregation_temporality,
                false,
                |point: &HistogramDataPoint| Point {
                    count: Some(point.count),
                    sum: point.sum,
                    min: point.min,
                    max: point.max,
                    ..Point::default()
                }
            )
        }
        Some(Data::ExponentialHistogram(data)) => {
            points!(
                data,
                "exponential_histogram",
                data.aggregation_temporality,
                false,
                |point: &ExponentialHistogramDataPoint| Point {
                    count: Some(point.count),
                    sum: point.sum,
                    min: point.min,
                    max: point.max,
                    scale: Some(point.scale),
                    zero_count: Some(point.zero_count),
                    zero_threshold: Some(point.zero_threshold),
                    ..Point::default()
                }
            )
        }
        Some(Data::Summary(data)) => {
            points!(data, "summary", 0, false, |point: &SummaryDataPoint| {
                Point {
                    count: Some(point.count),
                    sum: Some(point.sum),
                    ..Point::default()
                }
            })
        }
        None => false,
    }
}

/// One metric of each kind, several times over.
fn metrics(numbers: &mut Numbers) -> Metrics {
    macro_rules! common {
        ($point:ident, $numbers:ident, { $($field:ident: $value:expr),* $(,)? }) => {
            $point {
                attributes: $numbers.list(1, |numbers| attribute("host", numbers.one_of(&["a", "b"]))),
                start_time_unix_nano: $numbers.below(10),
                time_unix_nano: $numbers.below(20),
                flags: $numbers.below(2) as u32,
                $($field: $value,)*
                ..$point::default()
            }
        };
    }
    let number = |numbers: &mut Numbers| {
        common!(NumberDataPoint, numbers, {
            value: match numbers.below(3) {
                0 => None,
                1 => Some(Number::AsInt(numbers.below(10) as i64)),
                _ => Some(Number::AsDouble(numbers.below(10) as f64)),
            },
        })
    };
    let maybe = |numbers: &mut Numbers, bound: u64| {
        (numbers.below(3) > 0).then(|| numbers.below(bound) as f64)
    };
    let histogram = |numbers: &mut Numbers| {
        common!(HistogramDataPoint, numbers, {
            count: numbers.below(6),
            sum: maybe(numbers, 200),
            min: maybe(numbers, 2),
            max: maybe(numbers, 10),
        })
    };
    let exponential = |numbers: &mut Numbers| {
        common!(ExponentialHistogramDataPoint, numbers, {
            count: numbers.below(6),
            sum: maybe(numbers, 200),
            min: maybe(numbers, 2),
            max: maybe(numbers, 10),
            scale: numbers.below(12) as i32 - 6,
            zero_count: numbers.below(2),
            zero_threshold: numbers.below(2) as f64,
        })
    };
    let summary = |numbers: &mut Numbers| {
        common!(SummaryDataPoint, numbers, {
            count: numbers.below(6),
            sum: numbers.below(200) as f64,
        })
    };
    let mut made = Vec::new();
    for at in 0..60 {
        let aggregation_temporality = numbers.below(3) as i32;
        let data = match at % 5 {
            0 => Data::Gauge(Gauge {
                data_points: numbers.list(3, number),
            }),
            1 => Data::Sum(Sum {
                data_points: numbers.list(3, number),
                aggregation_temporality,
                is_monotonic: numbers.below(2) == 0,
            }),
            2 => Data::Histogram(Histogram {
                data_points: numbers.list(3, histogram),
                aggregation_temporality,
            }),
            3 => Data::ExponentialHistogram(ExponentialHistogram {
                data_points: numbers.list(3, exponential),
                aggregation_temporality,
            }),
            _ => Data::Summary(Summary {
                data_points: numbers.list(3, summary),
            }),
        };
        made.push(Metric {
            name: format!("metric {at}"),
            data: Some(data),
            ..Metric::default()
        });
    }
    Metrics {
        resource_metrics: vec![ResourceMetrics {
            scope_metrics: vec![ScopeMetrics {
                metrics: made,
                ..ScopeMetrics::default()
            }],
            ..ResourceMetrics::default()
        }],
    }
}

#[tokio::test]
async fn points_of_every_kind_are_decided_one_by_one_and_empty_metrics_are_gone() -> Result<()> {
    let mut flow = start("elements", &[])?;
    let request = metrics(&mut Numbers(3));
    assert_eq!(flow.sender()?.send(&request).await?.status, 200);
    assert!(flow.stop()?.success());
    let mut emptied = Vec::new();
    for (sink, keeps) in POINTS {
        let mut expected = request.clone();
        let groups = expected.resource_metrics.iter_mut();
        for scope in groups.flat_map(|group| &mut group.scope_metrics) {
            scope.metrics.retain_mut(|metric| {
                let had_points = retain(metric, |_| true);
                let is_left = retain(metric, *keeps);
                if had_points && !is_left {
                    emptied.push(kind(metric));
                }
                is_left
            });
        }
        let (kept, all) = (expected.records(), request.records());
        assert!(
            !kept.is_empty() && kept.len() < all.len(),
            "{sink} decides: {}",
            kept.len()
        );
        // Whole requests are compared: a metric without points would be seen.
        let written: Vec<Metrics> = protobuf_file(flow.folder(), sink, "metrics")?;
        assert_eq!(written, [expected], "{sink}");
    }
    for kind in [
        "gauge",
        "sum",
        "histogram",
        "exponential_histogram",
        "summary",
    ] {
        assert!(emptied.contains(&kind), "some {kind} lost all its points");
    }
    Ok(())
}

/// The name of a metric's kind.
const fn kind(metric: &Metric) -> &'static str {
    match metric.data {
        Some(Data::Gauge(_)) => "gauge",
        Some(Data::Sum(_)) => "sum",
        Some(Data::Histogram(_)) => "histogram",
        Some(Data::ExponentialHistogram(_)) => "exponential_histogram",
        Some(Data::Summary(_)) => "summary",
        None => "none",
    }
}
