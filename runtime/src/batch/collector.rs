//! The task of a batch: holds entries until it is time to pass them on.
//!
//! Input: entries, in the order in which callers push them. Output: groups of entries, each given
//! to a flush. The task ends when every handle on the batch is gone and nothing is held.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Batch, BatchOptions, Entry, flush};
use crate::delivery::Stage;
use crate::payload::Signal;
use crate::source::admission::Pressure;
use crate::telemetry::Node;

/// Callers that may have handed in an entry that the task did not look at yet.
const WAITING_ENTRIES: usize = 256;
/// Flushes of one batch that run at the same time.
const FLUSHES: usize = 8;

/// What a batch shares with the rest of the flow.
pub(crate) struct BatchContext {
    pub(crate) node: Node,
    pub(crate) options: BatchOptions,
    /// How long before the earliest deadline a batch is passed on at the latest.
    pub(crate) margin: Duration,
    pub(crate) pressure: Pressure,
    /// Cancelled when the flow shuts down: from then on nothing waits.
    pub(crate) draining: CancellationToken,
    /// Every flush is a task of it, so that shutting down can wait for them.
    pub(crate) tasks: TaskTracker,
}

/// Starts the task of a batch in front of `stage`.
pub(crate) fn start<S: Stage>(context: BatchContext, stage: S) -> (Batch<S>, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(WAITING_ENTRIES);
    let batch = Batch {
        node: context.node.clone(),
        entries: sender,
        stage: PhantomData,
    };
    let collector = Collector {
        flushes: Arc::new(Semaphore::new(FLUSHES)),
        reasons: Reasons::new(&context.node),
        stage: Arc::new(stage),
        held: [Signal::Logs, Signal::Metrics, Signal::Traces].map(Held::new),
        context,
    };
    (batch, tokio::spawn(collector.run(receiver)))
}

/// Counters of flushes by cause.
struct Reasons {
    full: Counter,
    timeout: Counter,
    pressure: Counter,
    draining: Counter,
}

impl Reasons {
    fn new(node: &Node) -> Self {
        let counter = |reason| node.telemetry().flushes(node.name(), reason);
        Self {
            full: counter("full"),
            timeout: counter("timeout"),
            pressure: counter("pressure"),
            draining: counter("draining"),
        }
    }
}

/// What waits of one signal.
struct Held {
    signal: Signal,
    entries: Vec<Entry>,
    records: u64,
    bytes: u64,
    /// When it must be passed on; meaningless while nothing waits.
    due: Instant,
}

impl Held {
    fn new(signal: Signal) -> Self {
        Self {
            signal,
            entries: Vec::new(),
            records: 0,
            bytes: 0,
            due: Instant::now(),
        }
    }

    fn push(&mut self, entry: Entry, options: &BatchOptions, margin: Duration) {
        let now = Instant::now();
        let latest = entry.deadline.checked_sub(margin).unwrap_or(now);
        let due = latest.min(now + options.timeout);
        self.due = if self.entries.is_empty() {
            due
        } else {
            self.due.min(due)
        };
        self.records += entry.records;
        self.bytes += entry.bytes;
        self.entries.push(entry);
    }

    fn is_full(&self, options: &BatchOptions) -> bool {
        self.records >= options.max_records || self.bytes >= options.max_bytes
    }

    fn take(&mut self) -> Vec<Entry> {
        self.records = 0;
        self.bytes = 0;
        std::mem::take(&mut self.entries)
    }
}

struct Collector<S> {
    context: BatchContext,
    stage: Arc<S>,
    flushes: Arc<Semaphore>,
    reasons: Reasons,
    held: [Held; 3],
}

impl<S: Stage> Collector<S> {
    async fn run(mut self, mut receiver: mpsc::Receiver<Entry>) {
        let (pressure, draining) = (self.context.pressure.clone(), self.context.draining.clone());
        loop {
            let due = self.next_due();
            tokio::select! {
                biased;
                () = until(due) => self.flush_due().await,
                entry = receiver.recv() => match entry {
                    Some(entry) => self.receive(entry).await,
                    None => break,
                },
                () = pressure.raised(), if due.is_some() => {
                    let reason = self.reasons.pressure.clone();
                    self.flush_all(&reason).await;
                }
                () = draining.cancelled(), if due.is_some() => {
                    let reason = self.reasons.draining.clone();
                    self.flush_all(&reason).await;
                }
            }
        }
        let reason = self.reasons.draining.clone();
        self.flush_all(&reason).await;
    }

    fn next_due(&self) -> Option<Instant> {
        let waiting = self.held.iter().filter(|held| !held.entries.is_empty());
        waiting.map(|held| held.due).min()
    }

    async fn receive(&mut self, entry: Entry) {
        let options = self.context.options.clone();
        let Some(held) = self
            .held
            .iter_mut()
            .find(|held| held.signal == entry.signal)
        else {
            return;
        };
        held.push(entry, &options, self.context.margin);
        if held.is_full(&options) {
            let entries = held.take();
            let reason = self.reasons.full.clone();
            self.flush(entries, &reason).await;
        }
    }

    async fn flush_due(&mut self) {
        let now = Instant::now();
        let reason = self.reasons.timeout.clone();
        self.flush_where(|held| held.due <= now, &reason).await;
    }

    async fn flush_all(&mut self, reason: &Counter) {
        self.flush_where(|_| true, reason).await;
    }

    async fn flush_where(&mut self, wanted: impl Fn(&Held) -> bool, reason: &Counter) {
        let ready: Vec<Vec<Entry>> = self
            .held
            .iter_mut()
            .filter(|held| !held.entries.is_empty() && wanted(held))
            .map(Held::take)
            .collect();
        for entries in ready {
            self.flush(entries, reason).await;
        }
    }

    /// Waits for a free flush: this is where a slow sink pushes back.
    async fn flush(&self, entries: Vec<Entry>, reason: &Counter) {
        let Ok(permit) = Arc::clone(&self.flushes).acquire_owned().await else {
            return;
        };
        reason.inc();
        let (stage, node) = (Arc::clone(&self.stage), self.context.node.clone());
        self.context.tasks.spawn(async move {
            flush::run(&*stage, &node, entries).await;
            drop(permit);
        });
    }
}

/// Waits until `due`, or for ever.
async fn until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
