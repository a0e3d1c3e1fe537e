//! What file and standard-output sinks share: write the parts of an event, try again, give up.
//!
//! Input: parts and something that can write them as a whole or not at all. Output: accepted, or
//! failed at the deadline of the event. Writing blocks, so it runs on the blocking threads.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::metrics::counter::Counter;
use tokio::time::Instant;

use crate::delivery::backoff::Backoff;
use crate::delivery::circuit::Circuit;
use crate::delivery::{Event, Failure, FailureReason, Sent, Verdicts};
use crate::payload::Payload;
use crate::select::Part;
use crate::telemetry::Node;

/// Writes payloads. After an error nothing of them may be left behind.
pub(crate) trait Write: Send + 'static {
    /// Writes `payloads` in order and flushes them.
    fn write(&mut self, payloads: &[Payload]) -> io::Result<()>;
}

/// A sink that writes.
pub(crate) struct Writer<W> {
    node: Node,
    circuit: Circuit,
    retries: Counter,
    target: Arc<Mutex<W>>,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(node: Node, target: W) -> Self {
        Self {
            circuit: Circuit::new(),
            retries: node.telemetry().retries(node.name()),
            target: Arc::new(Mutex::new(target)),
            node,
        }
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.circuit.check().map_err(|after| {
            Failure::new(&self.node, FailureReason::CircuitOpen).retry_after(after)
        })
    }

    pub(crate) fn begin(&self) {
        self.circuit.begin();
    }

    pub(crate) async fn send(&self, parts: Vec<Part>, event: &Event) -> Sent {
        let payloads: Arc<[Payload]> = parts.iter().map(|part| part.payload().clone()).collect();
        drop(parts);
        let Err(failure) = self.write_until(&payloads, event.deadline()).await else {
            return Sent::default();
        };
        let mut verdicts = Verdicts::accepted();
        for piece in payloads.iter().flat_map(Payload::pieces) {
            verdicts.fail(piece.contributor(), failure.clone());
        }
        Sent {
            verdicts,
            failed_records: payloads.iter().map(Payload::records).sum(),
        }
    }

    async fn write_until(
        &self,
        payloads: &Arc<[Payload]>,
        deadline: Instant,
    ) -> Result<(), Failure> {
        let mut backoff = Backoff::new();
        loop {
            let reason = match self.write_once(payloads, deadline).await {
                Ok(()) => {
                    self.circuit.succeeded();
                    return Ok(());
                }
                Err(reason) => reason,
            };
            self.circuit.failed();
            let next = Instant::now() + backoff.pause();
            if next >= deadline {
                tracing::warn!(sink = self.node.name(), reason = ?reason, "records were not written");
                return Err(Failure::new(&self.node, reason));
            }
            self.retries.inc();
            tokio::time::sleep_until(next).await;
        }
    }

    async fn write_once(
        &self,
        payloads: &Arc<[Payload]>,
        deadline: Instant,
    ) -> Result<(), FailureReason> {
        let (target, payloads) = (Arc::clone(&self.target), Arc::clone(payloads));
        let written = tokio::task::spawn_blocking(move || {
            let mut target = target.lock().unwrap_or_else(PoisonError::into_inner);
            target.write(&payloads)
        });
        match tokio::time::timeout_at(deadline, written).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error))) => Err(FailureReason::Write {
                error: error.to_string(),
            }),
            Ok(Err(_panicked)) => Err(FailureReason::Panicked),
            Err(_elapsed) => Err(FailureReason::DeadlinePassed),
        }
    }
}
