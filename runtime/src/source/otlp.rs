//! The OTLP source: OTLP over HTTP/1.1 and HTTP/2 in plain text.
//!
//! Input: POST requests with export requests in protobuf, plain, gzip or zstd, at `/v1/logs`, `/v1/traces`
//! and `/v1/metrics`. Output: events for the stages of the flow, and to each sender the answer that
//! the verdict calls for. Nothing of a request goes further before all of it was read, unpacked and
//! validated; from then on it runs to its end even when its sender goes away.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::admission::Admission;
use crate::delivery::Stage;
use crate::error::StartError;
use crate::payload::Signal;
use crate::telemetry::{Node, SourceMetrics};

mod answer;
mod body;
mod decoder;
mod request;
mod server;

pub(crate) use server::open;

/// How an OTLP source listens, and how much it holds.
#[derive(Clone, Debug)]
pub struct OtlpSourceOptions {
    /// The address for OTLP over HTTP. Port 0 takes a free one. Default `127.0.0.1:4318`.
    pub http: String,
    /// Bytes that may be held for events which are not finished. Default 256 MiB.
    pub max_in_flight: u64,
    /// The longest body in bytes, before and after decompression. Default 64 MiB.
    pub max_body: u64,
    /// Connections at the same time; further ones wait. Default 1,024.
    pub max_connections: u32,
    /// How long a body may take to arrive. Default 30 s.
    pub body_timeout: Duration,
}

impl Default for OtlpSourceOptions {
    fn default() -> Self {
        Self {
            http: "127.0.0.1:4318".into(),
            max_in_flight: 256 << 20,
            max_body: 64 << 20,
            max_connections: 1_024,
            body_timeout: Duration::from_secs(30),
        }
    }
}

impl OtlpSourceOptions {
    /// Refuses values with which no request could ever be taken.
    fn check(&self, node: &str) -> Result<(), StartError> {
        let zero = [
            ("max_in_flight", self.max_in_flight == 0),
            ("max_body", self.max_body == 0),
            ("max_connections", self.max_connections == 0),
            ("body_timeout", self.body_timeout.is_zero()),
        ];
        match zero.into_iter().find(|(_, is_zero)| *is_zero) {
            None => Ok(()),
            Some((option, _)) => Err(StartError::Option {
                node: node.to_owned(),
                option,
                expected: "more than zero",
            }),
        }
    }
}

/// The stage of each signal; [`Unconnected`](crate::delivery::Unconnected) where the flow takes none.
#[derive(Clone, Debug)]
pub struct OtlpStages<L, M, T> {
    /// What takes logs.
    pub logs: L,
    /// What takes metrics.
    pub metrics: M,
    /// What takes traces.
    pub traces: T,
}

/// What the source shares with the rest of the flow.
pub(crate) struct SourceContext {
    pub(crate) name: String,
    pub(crate) metrics: SourceMetrics,
    pub(crate) admission: Admission,
    /// The starts of the edges: `ingest.logs` and so on.
    pub(crate) edges: Edges,
    pub(crate) event_deadline: Duration,
    /// Cancelled when the flow shuts down.
    pub(crate) stopping: CancellationToken,
    /// Every event is a task of it, so that shutting down can wait for them.
    pub(crate) tasks: TaskTracker,
}

/// One node for each signal.
pub(crate) struct Edges {
    pub(crate) logs: Node,
    pub(crate) metrics: Node,
    pub(crate) traces: Node,
}

impl Edges {
    fn of(&self, signal: Signal) -> &Node {
        match signal {
            Signal::Logs => &self.logs,
            Signal::Metrics => &self.metrics,
            Signal::Traces => &self.traces,
        }
    }
}

/// A source and its stages, shared by all of its connections.
struct Source<L, M, T> {
    context: SourceContext,
    options: OtlpSourceOptions,
    stages: Arc<OtlpStages<L, M, T>>,
}

impl<L: Stage, M: Stage, T: Stage> Source<L, M, T> {
    fn is_connected(signal: Signal) -> bool {
        match signal {
            Signal::Logs => L::CONNECTED,
            Signal::Metrics => M::CONNECTED,
            Signal::Traces => T::CONNECTED,
        }
    }
}
