//! One request: checks at the door, the body, the event, the answer.

use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response, header};
use http_body_util::Full;
use hyper::body::Incoming;
use tokio::time::Instant;

use super::answer::{Answer, Encoding, Refusal};
use super::body::{BodyLimits, Packing, discard, read_body};
use super::{OtlpStages, Source};
use crate::delivery::{self, Event, Stage, Verdict, Verdicts};
use crate::payload::{Payload, Piece, Signal};
use crate::source::admission::{Charge, ConnectionShare};

impl<L: Stage, M: Stage, T: Stage> Source<L, M, T> {
    /// Answers `request`, which came over the connection with the account `share`.
    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
        share: &ConnectionShare,
    ) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        let encoding = answer_encoding(&head.headers);
        let answer = match self.check(&head) {
            Ok((signal, packing)) => self.take(signal, packing, body, share).await,
            Err(refusal) => {
                discard(body, self.limits()).await;
                Answer::Refused(refusal)
            }
        };
        if let Answer::Refused(refusal) = &answer {
            tracing::debug!(
                source = self.context.name,
                ?refusal,
                "a request was refused"
            );
        }
        let response = answer.into_response(encoding);
        self.context.metrics.answered(response.status().as_u16());
        response
    }

    fn limits(&self) -> BodyLimits {
        BodyLimits {
            // What can never be held is refused for good instead of again and again. Unpacking needs
            // room for one byte more than it may give.
            bytes: self
                .options
                .max_body
                .min(self.context.admission.capacity().saturating_sub(1)),
            time: self.options.body_timeout,
        }
    }

    /// What can be told before the body is read.
    fn check(&self, head: &Parts) -> Result<(Signal, Packing), Refusal> {
        let signal = match head.uri.path() {
            "/v1/logs" => Signal::Logs,
            "/v1/metrics" => Signal::Metrics,
            "/v1/traces" => Signal::Traces,
            _ => return Err(Refusal::UnknownPath),
        };
        if head.method != Method::POST {
            return Err(Refusal::Method);
        }
        if !Self::is_connected(signal) {
            return Err(Refusal::UnconnectedSignal(signal.name()));
        }
        match content_type(&head.headers) {
            Some(Encoding::Protobuf) => {}
            Some(Encoding::Json) => return Err(Refusal::JsonNotSupported),
            None => return Err(Refusal::ContentType),
        }
        let packing = packing(&head.headers).ok_or(Refusal::ContentEncoding)?;
        if self.context.stopping.is_cancelled() {
            return Err(Refusal::ShuttingDown);
        }
        Ok((signal, packing))
    }

    async fn take(
        &self,
        signal: Signal,
        packing: Packing,
        body: Incoming,
        share: &ConnectionShare,
    ) -> Answer {
        let mut charge = self.context.admission.charge(Some(share));
        let bytes = match read_body(body, packing, self.limits(), &mut charge).await {
            Ok(bytes) => bytes,
            Err(refusal) => return Answer::Refused(refusal),
        };
        let piece = match Piece::validate(signal, bytes) {
            Ok(piece) => piece,
            Err(malformed) => return Answer::Refused(Refusal::Malformed(malformed)),
        };
        let records = piece.records();
        self.context.metrics.received(&piece);
        if records == 0 {
            return Answer::Accepted;
        }
        let verdicts = self.run(signal, piece, charge).await;
        answer_to(&verdicts, records)
    }

    /// Runs the event as a task of its own, so that it reaches its end whatever its sender does.
    async fn run(&self, signal: Signal, piece: Piece, charge: Charge) -> Verdicts {
        let deadline = Instant::now() + self.context.event_deadline;
        let origin = self.context.edges.of(signal).clone();
        let event = Event::new(
            Payload::from(piece),
            deadline,
            origin.clone(),
            Some(Arc::new(charge)),
        );
        let stages = Arc::clone(&self.stages);
        let task = self
            .context
            .tasks
            .spawn(async move { run_stage(&stages, signal, event).await });
        task.await.unwrap_or_else(|_| {
            // The runtime is going down: the task was dropped before its end.
            let failure = delivery::Failure::new(&origin, delivery::FailureReason::Stopped);
            Verdicts::failed(1, &failure)
        })
    }
}

async fn run_stage<L: Stage, M: Stage, T: Stage>(
    stages: &OtlpStages<L, M, T>,
    signal: Signal,
    event: Event,
) -> Verdicts {
    match signal {
        Signal::Logs => delivery::run(&stages.logs, event).await,
        Signal::Metrics => delivery::run(&stages.metrics, event).await,
        Signal::Traces => delivery::run(&stages.traces, event).await,
    }
}

/// The answer to the only contributor of an event with `records`.
fn answer_to(verdicts: &Verdicts, records: u64) -> Answer {
    match verdicts.verdict(0) {
        Verdict::Accepted => Answer::Accepted,
        Verdict::Rejected {
            records: rejected,
            reason,
        } if rejected >= records => Answer::Refused(Refusal::AllRejected {
            message: format!("all {records} records were refused: {reason}"),
        }),
        Verdict::Rejected {
            records: rejected,
            reason,
        } => Answer::Partial {
            rejected,
            message: format!("{rejected} of {records} records were refused: {reason}"),
        },
        Verdict::Failed(failure) if *failure.reason() == delivery::FailureReason::OverQuota => {
            Answer::Refused(Refusal::OverQuota {
                message: failure.to_string(),
                retry_after: failure.when_to_retry(),
            })
        }
        Verdict::Failed(failure) => Answer::Refused(Refusal::Unavailable {
            message: failure.to_string(),
            retry_after: failure.when_to_retry(),
        }),
    }
}

/// The encoding of a request by its content type; parameters do not matter.
fn content_type(headers: &HeaderMap) -> Option<Encoding> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let media_type = value.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/x-protobuf") {
        Some(Encoding::Protobuf)
    } else if media_type.eq_ignore_ascii_case("application/json") {
        Some(Encoding::Json)
    } else {
        None
    }
}

/// Errors are told in the encoding of the request; where that is none of ours, in protobuf.
fn answer_encoding(headers: &HeaderMap) -> Encoding {
    content_type(headers).unwrap_or(Encoding::Protobuf)
}

/// How the body is packed, or `None` when it is packed in a way that is not read.
fn packing(headers: &HeaderMap) -> Option<Packing> {
    let mut values = headers.get_all(header::CONTENT_ENCODING).iter();
    let Some(value) = values.next() else {
        return Some(Packing::Identity);
    };
    if values.next().is_some() {
        return None;
    }
    match value.to_str().ok()?.trim() {
        "" => Some(Packing::Identity),
        name if name.eq_ignore_ascii_case("identity") => Some(Packing::Identity),
        name if name.eq_ignore_ascii_case("gzip") => Some(Packing::Gzip),
        name if name.eq_ignore_ascii_case("zstd") => Some(Packing::Zstd),
        _ => None,
    }
}
