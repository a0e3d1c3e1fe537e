//! What each sink should hold: the conditions of `telemetry.flow`, once more, in plain Rust over decoded requests.
//!
//! In: the requests that were sent. Out: how many records belong to each sink.

use std::collections::BTreeMap;

use watershed_samples::records::{Logs, Metrics, Traces};
use watershed_samples::text_attribute;

/// Records by the name of their sink.
pub(crate) type Counts = BTreeMap<&'static str, usize>;

/// Counts what `ingest.logs -> …` sends to each sink.
pub(crate) fn count_logs(request: &Logs, counts: &mut Counts) {
    for group in &request.resource_logs {
        let attributes = group
            .resource
            .as_ref()
            .map(|resource| resource.attributes.as_slice());
        if text_attribute(attributes.unwrap_or_default(), "deployment.environment") != Some("prod")
        {
            continue;
        }
        for record in group.scope_logs.iter().flat_map(|scope| &scope.log_records) {
            add(counts, "archive", true);
            add(counts, "errors", record.severity_number >= 17);
        }
    }
}

/// Counts what `ingest.traces -> …` sends to each sink.
pub(crate) fn count_spans(request: &Traces, counts: &mut Counts) {
    let scopes = request
        .resource_spans
        .iter()
        .flat_map(|group| &group.scope_spans);
    for span in scopes.flat_map(|scope| &scope.spans) {
        add(
            counts,
            "failed-spans",
            span.status.as_ref().is_some_and(|status| status.code == 2),
        );
        add(
            counts,
            "team0-spans",
            text_attribute(&span.attributes, "team") == Some("team-0"),
        );
    }
}

/// Counts what `ingest.metrics -> …` sends to each sink.
pub(crate) fn count_points(request: &Metrics, counts: &mut Counts) {
    let scopes = request
        .resource_metrics
        .iter()
        .flat_map(|group| &group.scope_metrics);
    for metric in scopes.flat_map(|scope| &scope.metrics) {
        if metric.name == "queue.length" {
            continue;
        }
        for attributes in watershed_samples::records::point_attributes(metric) {
            add(
                counts,
                "counts",
                text_attribute(attributes, "team") == Some("team-0"),
            );
        }
    }
}

fn add(counts: &mut Counts, sink: &'static str, belongs: bool) {
    *counts.entry(sink).or_default() += usize::from(belongs);
}
