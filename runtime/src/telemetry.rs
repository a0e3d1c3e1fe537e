//! Self-telemetry: what the runtime counts about itself, and where it shows it.
//!
//! Input: what nodes (sources, batches, sinks) and the edges between them tell. Output: the
//! OpenMetrics text of [`Telemetry::encode`], which the listener in [`listener`] serves at
//! `/metrics`. No label is derived from data: the number of series is fixed by the flow.
//!
//! On every edge, for each event: received = forwarded + dropped + rejected + failed (records).
//! *Dropped* are the records that the flow did not select for this edge.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::payload::Piece;

#[cfg(feature = "telemetry")]
pub(crate) mod listener;

/// The shortest latency bucket, in seconds; every next one is twice as long, up to 16 s.
const SHORTEST_LATENCY: f64 = 0.000_5;
const LATENCY_BUCKETS: u16 = 16;

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct EdgeLabels {
    from: String,
    to: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct NodeLabels {
    node: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct AnswerLabels {
    node: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct FlushLabels {
    node: String,
    reason: &'static str,
}

/// All counters of one running flow. Clones share them.
#[derive(Clone)]
pub(crate) struct Telemetry {
    shared: Arc<Shared>,
}

struct Shared {
    registry: Registry,
    next_node: AtomicU32,
    edges: EdgeFamilies,
    source_received: Family<NodeLabels, Counter>,
    source_bytes: Family<NodeLabels, Counter>,
    source_duplicates: Family<NodeLabels, Counter>,
    source_answers: Family<AnswerLabels, Counter>,
    source_in_flight: Family<NodeLabels, Gauge>,
    batch_flushes: Family<FlushLabels, Counter>,
    sink_retries: Family<NodeLabels, Counter>,
    panics: Counter,
}

struct EdgeFamilies {
    received: Family<EdgeLabels, Counter>,
    forwarded: Family<EdgeLabels, Counter>,
    dropped: Family<EdgeLabels, Counter>,
    rejected: Family<EdgeLabels, Counter>,
    failed: Family<EdgeLabels, Counter>,
    forwarded_bytes: Family<EdgeLabels, Counter>,
    latency: Family<EdgeLabels, Histogram, fn() -> Histogram>,
}

impl EdgeFamilies {
    fn new() -> Self {
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

    fn register(&self, registry: &mut Registry) {
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

impl Telemetry {
    /// Counters of a flow, all zero.
    pub(crate) fn new() -> Self {
        let mut shared = Shared {
            registry: Registry::with_prefix("watershed"),
            next_node: AtomicU32::new(0),
            edges: EdgeFamilies::new(),
            source_received: Family::default(),
            source_bytes: Family::default(),
            source_duplicates: Family::default(),
            source_answers: Family::default(),
            source_in_flight: Family::default(),
            batch_flushes: Family::default(),
            sink_retries: Family::default(),
            panics: Counter::default(),
        };
        shared.register();
        Self {
            shared: Arc::new(shared),
        }
    }

    /// A node of the flow: a source edge, a batch or a sink.
    pub(crate) fn node(&self, name: &str) -> Node {
        Node {
            inner: Arc::new(NodeInner {
                id: self.shared.next_node.fetch_add(1, Ordering::Relaxed),
                name: name.to_owned(),
                telemetry: self.clone(),
                edges: RwLock::default(),
            }),
        }
    }

    /// The counters of the source `name`.
    pub(crate) fn source(&self, name: &str) -> SourceMetrics {
        let labels = NodeLabels { node: name.into() };
        SourceMetrics {
            name: name.into(),
            received: self.shared.source_received.get_or_create_owned(&labels),
            bytes: self.shared.source_bytes.get_or_create_owned(&labels),
            duplicates: self.shared.source_duplicates.get_or_create_owned(&labels),
            in_flight: self.shared.source_in_flight.get_or_create_owned(&labels),
            answers: self.shared.source_answers.clone(),
        }
    }

    /// The counter of the flushes of the batch `name` for `reason`.
    pub(crate) fn flushes(&self, name: &str, reason: &'static str) -> Counter {
        let labels = FlushLabels {
            node: name.into(),
            reason,
        };
        self.shared.batch_flushes.get_or_create_owned(&labels)
    }

    /// The counter of the repeated attempts of the sink `name`.
    pub(crate) fn retries(&self, name: &str) -> Counter {
        let labels = NodeLabels { node: name.into() };
        self.shared.sink_retries.get_or_create_owned(&labels)
    }

    /// The counter of events that ended in a panic.
    pub(crate) fn panics(&self) -> &Counter {
        &self.shared.panics
    }

    /// The whole state as OpenMetrics text.
    pub(crate) fn encode(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.shared.registry)?;
        Ok(text)
    }
}

impl Shared {
    fn register(&mut self) {
        let registry = &mut self.registry;
        self.edges.register(registry);
        registry.register(
            "source_received_records",
            "Records in well-formed requests",
            self.source_received.clone(),
        );
        registry.register_with_unit(
            "source_received",
            "Bytes of well-formed requests after decompression",
            Unit::Bytes,
            self.source_bytes.clone(),
        );
        registry.register(
            "source_duplicate_attributes",
            "Attributes whose key stood before in their list; predicates read the first",
            self.source_duplicates.clone(),
        );
        registry.register(
            "source_answers",
            "Answers to senders by status",
            self.source_answers.clone(),
        );
        registry.register_with_unit(
            "source_in_flight",
            "Bytes held for events that are not finished",
            Unit::Bytes,
            self.source_in_flight.clone(),
        );
        registry.register(
            "batch_flushes",
            "Flushes of a batch by what caused them",
            self.batch_flushes.clone(),
        );
        registry.register(
            "sink_retries",
            "Repeated attempts to deliver",
            self.sink_retries.clone(),
        );
        registry.register(
            "event_panics",
            "Events that ended in a panic",
            self.panics.clone(),
        );
    }
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

/// The counters of one source.
#[derive(Clone)]
pub(crate) struct SourceMetrics {
    name: String,
    received: Counter,
    bytes: Counter,
    duplicates: Counter,
    in_flight: Gauge,
    answers: Family<AnswerLabels, Counter>,
}

impl SourceMetrics {
    /// Counts a request that was read, unpacked and found well formed.
    pub(crate) fn received(&self, piece: &Piece) {
        self.received.inc_by(piece.records());
        self.bytes.inc_by(piece.bytes().len() as u64);
        self.duplicates.inc_by(piece.duplicate_attributes());
    }

    /// Counts an answer with `status`.
    pub(crate) fn answered(&self, status: u16) {
        let labels = AnswerLabels {
            node: self.name.clone(),
            status,
        };
        self.answers.get_or_create(&labels).inc();
    }

    /// The gauge of the bytes in flight.
    pub(crate) fn in_flight(&self) -> &Gauge {
        &self.in_flight
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
