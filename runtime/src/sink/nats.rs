//! The NATS sink: one JetStream message per subject and event.
//!
//! Input: parts with subjects. Output: messages whose payload is an export request in protobuf, with
//! the header `Content-Type: application/x-protobuf` and `Otlp-Signal: logs`, `metrics` or `traces`.
//! Parts longer than a message may be are cut at record borders. A record is accepted when the
//! stream has acknowledged its message.
//!
//! Subjects go out side by side within a window of messages and bytes; the messages of one subject
//! go out one after another, so that their order is kept when one of them has to be sent again.

use std::sync::Arc;
use std::time::Duration;

use async_nats::HeaderMap;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use prometheus_client::metrics::counter::Counter;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use crate::delivery::backoff::Backoff;
use crate::delivery::circuit::Circuit;
use crate::delivery::{Event, Failure, FailureReason, RefusalReason, Sent, Target};
use crate::error::StartError;
use crate::nats::{Answer, NatsConnection, Refusal, Stream, StreamFault};
use crate::payload::Signal;
use crate::select::Part;
use crate::telemetry::Node;

/// Messages of one sink that wait for an acknowledgement at the same time.
const WINDOW_MESSAGES: usize = 512;
/// Bytes of those messages.
const WINDOW_BYTES: usize = 8 << 20;
/// How long an acknowledgement may take before the message is sent again.
const ACK_TIMEOUT: Duration = Duration::from_secs(5);
/// Room for the headers of a message.
const HEADER_BYTES: usize = 128;

/// Where a NATS sink publishes.
#[derive(Clone, Debug, Default)]
pub struct NatsSinkOptions {
    /// The JetStream stream that stores the messages. It must exist.
    pub stream: String,
    /// How every subject of the sink begins, as far as it is constant, such as `team0.`. When it is
    /// not empty, it is checked at start that the stream stores such subjects.
    pub subject_prefix: String,
}

/// A NATS sink. Clones are the same sink.
#[derive(Clone)]
pub struct NatsSink {
    inner: Arc<Inner>,
}

struct Inner {
    node: Node,
    connection: NatsConnection,
    stream: Stream,
    circuit: Circuit,
    retries: Counter,
    window_messages: Semaphore,
    window_bytes: Semaphore,
    headers: [(Signal, HeaderMap); 3],
}

impl NatsSink {
    /// Checks that the stream exists and stores what the sink sends.
    pub(crate) async fn open(
        node: Node,
        connection: &NatsConnection,
        options: NatsSinkOptions,
    ) -> Result<Self, StartError> {
        let stream = verify(&node, connection, &options).await?;
        let inner = Inner {
            connection: connection.clone(),
            stream,
            circuit: Circuit::new(),
            retries: node.telemetry().retries(node.name()),
            window_messages: Semaphore::new(WINDOW_MESSAGES),
            window_bytes: Semaphore::new(WINDOW_BYTES),
            headers: [Signal::Logs, Signal::Metrics, Signal::Traces]
                .map(|signal| (signal, headers(signal))),
            node,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }
}

async fn verify(
    node: &Node,
    connection: &NatsConnection,
    options: &NatsSinkOptions,
) -> Result<Stream, StartError> {
    let (node, name) = (node.name().to_owned(), options.stream.clone());
    let url = connection.url().to_owned();
    if name.is_empty() || name.contains(['.', '*', '>', ' ', '/', '\\']) {
        return Err(StartError::Option {
            node,
            option: "stream",
            expected: "the name of a stream",
        });
    }
    let stream = match Stream::verify(connection, &name).await {
        Ok(stream) => stream,
        Err(StreamFault::Missing) => {
            return Err(StartError::StreamMissing {
                node,
                stream: name,
                url,
            });
        }
        Err(StreamFault::Unknown(reason)) => {
            return Err(StartError::StreamUnknown {
                node,
                stream: name,
                url,
                reason,
            });
        }
    };
    if !stream.may_store_prefix(&options.subject_prefix) {
        return Err(StartError::StreamSubjects {
            node,
            stream: name,
            prefix: options.subject_prefix.clone(),
            subjects: stream.subjects(),
        });
    }
    Ok(stream)
}

fn headers(signal: Signal) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("Content-Type", "application/x-protobuf");
    headers.insert("Otlp-Signal", signal.name());
    headers
}

/// Why a message is not stored.
enum Fault {
    /// It never will be.
    Permanent(RefusalReason),
    /// It may be later.
    Retryable(FailureReason),
}

impl Target for NatsSink {
    fn node(&self) -> &Node {
        &self.inner.node
    }

    fn check(&self) -> Result<(), Failure> {
        if !self.inner.connection.is_connected() {
            return Err(Failure::new(&self.inner.node, FailureReason::Disconnected));
        }
        self.inner.circuit.check().map_err(|after| {
            Failure::new(&self.inner.node, FailureReason::CircuitOpen).retry_after(after)
        })
    }

    fn begin(&self) {
        self.inner.circuit.begin();
    }

    fn max_part_bytes(&self) -> usize {
        let inner = &self.inner;
        let limit = inner
            .connection
            .max_payload()
            .min(inner.stream.max_message_bytes());
        limit.saturating_sub(HEADER_BYTES)
    }

    async fn send(&self, parts: Vec<Part>, event: &Event) -> Sent {
        let mut groups = by_subject(parts);
        // The usual event of one subject needs no set of futures.
        if groups.len() == 1
            && let Some(only) = groups.pop()
        {
            return self.inner.send_in_order(only, event).await;
        }
        let mut sent = Sent::default();
        let mut subjects: FuturesUnordered<_> = groups
            .into_iter()
            .map(|parts| self.inner.send_in_order(parts, event))
            .collect();
        while let Some(of_subject) = subjects.next().await {
            sent.failed_records += of_subject.failed_records;
            sent.verdicts.fold(of_subject.verdicts);
        }
        sent
    }
}

/// Neighbours with the same subject stay together, in order.
fn by_subject(parts: Vec<Part>) -> Vec<Vec<Part>> {
    let mut groups: Vec<Vec<Part>> = Vec::with_capacity(parts.len());
    for part in parts {
        match groups.last_mut() {
            Some(group)
                if group
                    .first()
                    .is_some_and(|first| first.subject() == part.subject()) =>
            {
                group.push(part);
            }
            _ => groups.push(vec![part]),
        }
    }
    groups
}

impl Inner {
    async fn send_in_order(&self, parts: Vec<Part>, event: &Event) -> Sent {
        let mut sent = Sent::default();
        for part in parts {
            self.send_part(part, event.deadline(), &mut sent).await;
        }
        sent
    }

    /// Sends `part`; when it is refused for good and holds records of several senders, each of them
    /// gets a message of its own, so that only the one to blame is refused.
    async fn send_part(&self, part: Part, deadline: Instant, sent: &mut Sent) {
        let Err(fault) = self.publish_until(&part, deadline).await else {
            return;
        };
        match fault {
            Fault::Retryable(reason) => self.fail(&part, reason, sent),
            Fault::Permanent(reason) => {
                let shares = part.by_contributor();
                if let [only] = shares.as_slice() {
                    sent.verdicts.reject(&only.reject(), reason);
                    return;
                }
                for share in shares {
                    match self.publish_until(&share, deadline).await {
                        Ok(()) => {}
                        Err(Fault::Permanent(reason)) => {
                            sent.verdicts.reject(&share.reject(), reason)
                        }
                        Err(Fault::Retryable(reason)) => self.fail(&share, reason, sent),
                    }
                }
            }
        }
    }

    fn fail(&self, part: &Part, reason: FailureReason, sent: &mut Sent) {
        tracing::warn!(sink = self.node.name(), ?reason, "a message was not stored");
        let failure = Failure::new(&self.node, reason);
        for piece in part.payload().pieces() {
            sent.verdicts.fail(piece.contributor(), failure.clone());
        }
        sent.failed_records += part.payload().records();
    }

    /// Publishes `part` until the stream has it, refuses it for good, or `deadline` passes.
    async fn publish_until(&self, part: &Part, deadline: Instant) -> Result<(), Fault> {
        let mut backoff = Backoff::new();
        loop {
            let reason = match self.publish_once(part, deadline).await {
                Ok(()) => {
                    self.circuit.succeeded();
                    return Ok(());
                }
                Err(Fault::Permanent(reason)) => {
                    self.circuit.succeeded();
                    return Err(Fault::Permanent(reason));
                }
                Err(Fault::Retryable(reason)) => reason,
            };
            self.circuit.failed();
            let next = Instant::now() + backoff.pause();
            if next >= deadline {
                return Err(Fault::Retryable(reason));
            }
            self.retries.inc();
            tokio::time::sleep_until(next).await;
        }
    }

    async fn publish_once(&self, part: &Part, deadline: Instant) -> Result<(), Fault> {
        let subject = part.subject().map_or("", |subject| subject.as_str());
        if !self.connection.connected(deadline).await {
            return Err(Fault::Retryable(FailureReason::Disconnected));
        }
        let stores = self.stream.stores(&self.connection, subject, deadline);
        match stores.await {
            Some(true) => {}
            Some(false) => return Err(Fault::Permanent(self.no_stream())),
            // The stream may have got the subject since; a silent server is no reason to refuse.
            None => return Err(Fault::Retryable(self.no_responders())),
        }
        let payload = part.payload().bytes();
        let Some(_in_window) = self.window(payload.len(), deadline).await else {
            return Err(Fault::Retryable(FailureReason::DeadlinePassed));
        };
        let ack_deadline = deadline.min(Instant::now() + ACK_TIMEOUT);
        let headers = self.headers(part.payload().signal());
        let answer = self
            .connection
            .publish(subject, headers, payload, ack_deadline)
            .await;
        self.judge(answer)
    }

    fn judge(&self, answer: Answer) -> Result<(), Fault> {
        match answer {
            Answer::Stored { stream } if stream == self.stream.name() => Ok(()),
            // The subjects of the stream were changed under way, and another one took them over.
            Answer::Stored { .. } => Err(Fault::Permanent(self.no_stream())),
            Answer::NoResponders => Err(Fault::Retryable(self.no_responders())),
            Answer::Refused(refusal) => Err(self.refused(refusal)),
            Answer::Lost if self.connection.is_connected() => {
                Err(Fault::Retryable(FailureReason::DeadlinePassed))
            }
            Answer::Lost => Err(Fault::Retryable(FailureReason::Disconnected)),
            Answer::NotSent(error) => Err(Fault::Retryable(FailureReason::Write { error })),
        }
    }

    fn refused(&self, refusal: Refusal) -> Fault {
        let permanent = refusal.is_permanent();
        let Refusal { code, description } = refusal;
        if permanent {
            Fault::Permanent(RefusalReason::Server {
                node: self.node.name().to_owned(),
                code,
                description,
            })
        } else {
            Fault::Retryable(FailureReason::Server { code, description })
        }
    }

    fn no_responders(&self) -> FailureReason {
        FailureReason::NoResponders {
            stream: self.stream.name().to_owned(),
        }
    }

    fn no_stream(&self) -> RefusalReason {
        RefusalReason::NoStream {
            node: self.node.name().to_owned(),
            stream: self.stream.name().to_owned(),
        }
    }

    fn headers(&self, signal: Signal) -> HeaderMap {
        let known = self.headers.iter().find(|(of, _)| *of == signal);
        known
            .map(|(_, headers)| headers.clone())
            .unwrap_or_default()
    }

    /// A place in the window for a message of `bytes`, or `None` when `deadline` passes first.
    async fn window(
        &self,
        bytes: usize,
        deadline: Instant,
    ) -> Option<(SemaphorePermit<'_>, SemaphorePermit<'_>)> {
        let bytes = u32::try_from(bytes.min(WINDOW_BYTES)).ok()?;
        let places = async {
            let message = self.window_messages.acquire().await.ok()?;
            let bytes = self.window_bytes.acquire_many(bytes).await.ok()?;
            Some((message, bytes))
        };
        tokio::time::timeout_at(deadline, places)
            .await
            .ok()
            .flatten()
    }
}
