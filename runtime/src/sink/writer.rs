//! What file and standard-output sinks share: write the parts of an event, try again, give up.
//!
//! Input: parts and something that can write them as a whole or not at all. Output: accepted, or
//! failed at the deadline of the event. Writing blocks, so it runs on a blocking thread, one for each
//! sink: who waits for a turn waits without a thread, and when it gives up nothing of it is written.

use std::io;
use std::sync::Arc;

use prometheus_client::metrics::counter::Counter;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

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
        let Ok(mut target) = timeout_at(deadline, Arc::clone(&self.target).lock_owned()).await
        else {
            return Err(FailureReason::DeadlinePassed);
        };
        let payloads = Arc::clone(payloads);
        let written = tokio::task::spawn_blocking(move || target.write(&payloads));
        match timeout_at(deadline, written).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error))) => Err(FailureReason::Write {
                error: error.to_string(),
            }),
            Ok(Err(_panicked)) => Err(FailureReason::Panicked),
            Err(_elapsed) => Err(FailureReason::DeadlinePassed),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::delivery::testing::logs;
    use crate::telemetry::Telemetry;

    /// A disk that hangs until it is told to go on.
    struct Hanging {
        writes: Arc<AtomicUsize>,
        go_on: mpsc::Receiver<()>,
    }

    impl Write for Hanging {
        fn write(&mut self, _payloads: &[Payload]) -> io::Result<()> {
            self.writes.fetch_add(1, Ordering::AcqRel);
            self.go_on.recv().map_err(io::Error::other)
        }
    }

    #[tokio::test]
    async fn a_hanging_disk_takes_one_thread_and_what_was_given_up_is_not_written() {
        let telemetry = Telemetry::new();
        let writes = Arc::new(AtomicUsize::new(0));
        let (release, go_on) = mpsc::channel();
        let target = Hanging {
            writes: Arc::clone(&writes),
            go_on,
        };
        let writer = Writer::new(telemetry.node("rest"), target);
        let origin = telemetry.node("ingest.logs");
        let send = || async {
            let deadline = Instant::now() + Duration::from_millis(100);
            let payload = Payload::from(logs("a", &["1"]));
            let part = Part::whole(payload.clone(), None);
            let event = Event::new(payload, deadline, origin.clone(), None);
            writer.send(vec![part], &event).await
        };
        let outcomes = futures_util::future::join_all((0..20).map(|_| send())).await;
        assert!(outcomes.iter().all(|sent| sent.failed_records == 1));
        // Everybody gave up; the disk comes back, and there is nothing left to do for it.
        for _ in 0..20 {
            release.send(()).expect("the disk is there");
        }
        assert_eq!(send().await.failed_records, 0);
        assert_eq!(writes.load(Ordering::Acquire), 2);
    }
}
