//! Self-telemetry: what the runtime counts about itself, and where it shows it.
//!
//! Input: what nodes (sources, batches, sinks) and the edges between them tell. Output: the
//! OpenMetrics text of [`Telemetry::encode`], which the listener in [`listener`] serves at
//! `/metrics`. No label is derived from data: the number of series is fixed by the flow.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use crate::payload::Piece;

mod edges;
#[cfg(feature = "telemetry")]
pub(crate) mod listener;

use edges::EdgeFamilies;
pub(crate) use edges::EdgeOutcome;
pub use edges::Node;

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
        let id = self.shared.next_node.fetch_add(1, Ordering::Relaxed);
        Node::new(id, name, self.clone())
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
