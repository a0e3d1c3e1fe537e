//! Nodes, and what is counted on the edges between them.
//!
//! Input: the [`EdgeOutcome`] of each event. Output: counters by the names of both nodes. On every edge,
//! for each event: received = forwarded + dropped + rejected + failed (records). *Dropped* are the
//! records that the flow did not select for this edge.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use super::Telemetry;

/// The shortest latency bucket, in seconds; every next one is twice as long, up to 16 s.
const SHORTEST_LATENCY: f64 = 0.000_5;
const LATENCY_BUCKETS: u16 = 16;

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct EdgeLabels {
    from: String,
    to: String,
}

pub(super) struct EdgeFamilies {
    received: Family<EdgeLabels, Counter>,
    forwarded: Family<EdgeLabels, Counter>,
    dropped: Family<EdgeLabels, Counter>,
    rejected: Family<EdgeLabels, Counter>,
    failed: Family<EdgeLabels, Counter>,
    forwarded_bytes: Family<EdgeLabels, Counter>,
    latency: Family<EdgeLabels, Histogram, fn() -> Histogram>,
}

impl EdgeFamilies {
    pub(super) fn new() -> Self {
        Self {
            received: Family::default(),
            forwarded: Family::default(),
            dropped: Family::default(),
            rejected: Family::default(),
            failed: Family::default(),
            forwarded_bytes: Family::default(),
            latency: Family::new_with_constructor(latency_histogram),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let counters = [
            (
                "received",
                "Records that an edge was offered",
                &self.received,
            ),
            (
                "forwarded",
                "Records that the target accepted",
                &self.forwarded,
            ),
            (
                "dropped",
                "Records that the flow did not select for the edge",
                &self.dropped,
            ),
            ("rejected", "Records refused for good", &self.rejected),
            (
                "failed",
                "Records whose delivery failed and may be tried again",
                &self.failed,
            ),
        ];
        for (name, help, family) in counters {
            registry.register(format!("edge_{name}_records"), help, family.clone());
        }
        registry.register_with_unit(
            "edge_forwarded",
            "Bytes that the target accepted",
            Unit::Bytes,
            self.forwarded_bytes.clone(),
        );
        registry.register_with_unit(
            "edge_delivery",
            "Time from the first attempt to the outcome",
            Unit::Seconds,
            self.latency.clone(),
        );
    }

    fn edge(&self, labels: &EdgeLabels) -> EdgeMetrics {
        EdgeMetrics {
            received: self.received.get_or_create_owned(labels),
            forwarded: self.forwarded.get_or_create_owned(labels),
            dropped: self.dropped.get_or_create_owned(labels),
            rejected: self.rejected.get_or_create_owned(labels),
            failed: self.failed.get_or_create_owned(labels),
            forwarded_bytes: self.forwarded_bytes.get_or_create_owned(labels),
            latency: self.latency.get_or_create_owned(labels),
        }
    }
}

fn latency_histogram() -> Histogram {
    Histogram::new(exponential_buckets(SHORTEST_LATENCY, 2.0, LATENCY_BUCKETS))
}

/// A node of the flow, as the start or the end of an edge. Clones are the same node.
#[derive(Clone)]
pub struct Node {
    inner: Arc<NodeInner>,
}

struct NodeInner {
    id: u32,
    name: String,
    telemetry: Telemetry,
    /// The edges that were used so far. They are few, so a scan beats a map.
    edges: RwLock<Vec<(u32, Arc<EdgeMetrics>)>>,
}

impl Node {
    /// The node `name`, which no other node of `telemetry` shares the number `id` with.
    pub(super) fn new(id: u32, name: &str, telemetry: Telemetry) -> Self {
        Self {
            inner: Arc::new(NodeInner {
                id,
                name: name.to_owned(),
                telemetry,
                edges: RwLock::default(),
            }),
        }
    }

    /// The name in the flow.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The counters of all nodes.
    pub(crate) fn telemetry(&self) -> &Telemetry {
        &self.inner.telemetry
    }

    /// The counters of the edge to `to`; they exist from the first use on.
    pub(crate) fn edge(&self, to: &Node) -> Arc<EdgeMetrics> {
        let known = self
            .inner
            .edges
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((_, edge)) = known.iter().find(|(id, _)| *id == to.inner.id) {
            return Arc::clone(edge);
        }
        drop(known);
        let edge = Arc::new(self.telemetry().shared.edges.edge(&EdgeLabels {
            from: self.name().to_owned(),
            to: to.name().to_owned(),
        }));
        // Two tasks may both come here: their counters are the same, so an extra entry is harmless.
        self.inner
            .edges
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .push((to.inner.id, Arc::clone(&edge)));
        edge
    }
}

/// The counters of one edge.
pub(crate) struct EdgeMetrics {
    received: Counter,
    forwarded: Counter,
    dropped: Counter,
    rejected: Counter,
    failed: Counter,
    forwarded_bytes: Counter,
    latency: Histogram,
}

/// What became of the records of one event on one edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EdgeOutcome {
    /// Records of the event.
    pub(crate) received: u64,
    /// Records that the flow selected for this edge.
    pub(crate) selected: u64,
    /// Selected records that were refused for good.
    pub(crate) rejected: u64,
    /// Selected records that were not delivered and may be tried again.
    pub(crate) failed: u64,
    /// Bytes of the parts that were selected.
    pub(crate) bytes: u64,
}

impl EdgeMetrics {
    /// Counts the outcome of one event, and how long it took where something was attempted.
    pub(crate) fn record(&self, outcome: EdgeOutcome, latency: Option<Duration>) {
        let forwarded = outcome
            .selected
            .saturating_sub(outcome.rejected)
            .saturating_sub(outcome.failed);
        self.received.inc_by(outcome.received);
        self.forwarded.inc_by(forwarded);
        self.dropped
            .inc_by(outcome.received.saturating_sub(outcome.selected));
        self.rejected.inc_by(outcome.rejected);
        self.failed.inc_by(outcome.failed);
        if forwarded > 0 {
            self.forwarded_bytes.inc_by(outcome.bytes);
        }
        if let Some(latency) = latency {
            self.latency.observe(latency.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_counts_every_record_once() {
        let telemetry = Telemetry::new();
        let (from, to) = (telemetry.node("ingest.logs"), telemetry.node("rest"));
        let outcome = EdgeOutcome {
            received: 10,
            selected: 7,
            rejected: 2,
            failed: 1,
            bytes: 700,
        };
        from.edge(&to)
            .record(outcome, Some(Duration::from_millis(3)));
        let text = telemetry.encode().expect("text");
        let edge = "{from=\"ingest.logs\",to=\"rest\"}";
        for line in [
            format!("watershed_edge_received_records_total{edge} 10"),
            format!("watershed_edge_forwarded_records_total{edge} 4"),
            format!("watershed_edge_dropped_records_total{edge} 3"),
            format!("watershed_edge_rejected_records_total{edge} 2"),
            format!("watershed_edge_failed_records_total{edge} 1"),
            format!("watershed_edge_forwarded_bytes_total{edge} 700"),
            format!("watershed_edge_delivery_seconds_count{edge} 1"),
        ] {
            assert!(text.contains(&line), "{line} is missing in\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }

    #[test]
    fn an_edge_is_found_again() {
        let telemetry = Telemetry::new();
        let (from, to) = (telemetry.node("a"), telemetry.node("b"));
        assert!(Arc::ptr_eq(&from.edge(&to), &from.edge(&to)));
    }
}
