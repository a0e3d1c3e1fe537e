//! The order of an event: records that change on one way and not on another leave in one message, as they came.

use anyhow::Result;
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use watershed_samples::records::{Logs, Metrics, Telemetry};
use watershed_samples::{Sampler, Shape, attribute, text};

use crate::{protobuf_file, start};

/// Every record in order, with the envelopes around it.
fn records<'a, T: Telemetry + 'a>(requests: impl IntoIterator<Item = &'a T>) -> Vec<String> {
    let requests = requests.into_iter();
    requests.flat_map(Telemetry::records).collect()
}

/// What `order.flow` does to a log record.
fn change(log: &mut LogRecord) {
    if log.severity_number >= 17 {
        log.attributes.push(attribute("level", text("alarm")));
    } else if log.severity_number >= 9 {
        log.attributes.retain(|one| one.key != "secret");
        log.event_name = "seen".into();
    }
}

#[tokio::test]
async fn changed_log_records_keep_their_places() -> Result<()> {
    let mut flow = start("order", &[])?;
    let sender = flow.sender()?;
    let mut request = Sampler::new(3).shape(Shape::Lean).records(200).logs();
    assert_eq!(sender.send(&request).await?.status, 200);
    assert!(flow.stop()?.success());

    let before = records([&request]);
    let groups = request.resource_logs.iter_mut();
    groups
        .flat_map(|group| &mut group.scope_logs)
        .flat_map(|scope| &mut scope.log_records)
        .for_each(change);
    let after = records([&request]);
    let changed = before
        .iter()
        .zip(&after)
        .filter(|(one, other)| one != other);
    assert!((1..after.len()).contains(&changed.count()), "some change");

    let written: Vec<Logs> = protobuf_file(flow.folder(), "kept", "logs")?;
    assert_eq!(written.len(), 1, "one event is one message");
    assert_eq!(records(&written), after);
    Ok(())
}

#[tokio::test]
async fn changed_data_points_keep_their_places() -> Result<()> {
    let mut flow = start("order", &[])?;
    let sender = flow.sender()?;
    let mut request = Sampler::new(4).records(60).metrics();
    // Every other gauge point is `here`.
    for data in gauges(&mut request) {
        for (number, point) in data.data_points.iter_mut().enumerate() {
            point.attributes.retain(|one| one.key != "host");
            if number % 2 == 1 {
                point.attributes.push(attribute("host", text("here")));
            }
        }
    }
    assert_eq!(sender.send(&request).await?.status, 200);
    assert!(flow.stop()?.success());

    let before = records([&request]);
    for data in gauges(&mut request) {
        for point in &mut data.data_points {
            point.attributes.retain(|one| one.key != "host");
        }
    }
    let after = records([&request]);
    assert_ne!(before, after);
    let written: Vec<Metrics> = protobuf_file(flow.folder(), "kept", "metrics")?;
    assert_eq!(written.len(), 1, "one event is one message");
    assert_eq!(records(&written), after);
    Ok(())
}

/// The gauges of a request.
fn gauges(
    request: &mut Metrics,
) -> impl Iterator<Item = &mut opentelemetry_proto::tonic::metrics::v1::Gauge> {
    let groups = request.resource_metrics.iter_mut();
    let metrics = groups
        .flat_map(|group| &mut group.scope_metrics)
        .flat_map(|scope| &mut scope.metrics);
    metrics.filter_map(|metric| match &mut metric.data {
        Some(Data::Gauge(gauge)) => Some(gauge),
        _ => None,
    })
}
