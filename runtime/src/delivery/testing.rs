//! Scripted sinks, a stage that routes by team, and requests for the tests of delivery and batches.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value::Value};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message;
use tokio::time::Instant;

use super::{
    Event, Failure, FailureReason, Node, RefusalReason, Sent, Stage, Target, Verdicts, deliver,
};
use crate::payload::{Payload, Piece, Signal};
use crate::select::{Part, RejectReason, Selection};
use crate::telemetry::Telemetry;

/// What a scripted sink does with one delivery.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Accept,
    Fail,
    /// Refuses everything for good.
    Refuse,
    Panic,
    /// Accepts after this time.
    Slow(Duration),
}

/// A sink that does what it is told and remembers what it got.
#[derive(Clone)]
pub(crate) struct Fake {
    node: Node,
    state: Arc<Mutex<State>>,
}

struct State {
    is_open: bool,
    /// One act for each delivery; the last one stays.
    acts: VecDeque<Act>,
    received: Vec<Vec<Part>>,
    max_bytes: usize,
}

impl Fake {
    pub(crate) fn new(telemetry: &Telemetry, name: &str, acts: &[Act]) -> Self {
        let state = State {
            is_open: false,
            acts: acts.iter().copied().collect(),
            received: Vec::new(),
            max_bytes: usize::MAX,
        };
        Self {
            node: telemetry.node(name),
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// From now on the circuit is open.
    pub(crate) fn break_circuit(&self) {
        self.state.lock().unwrap().is_open = true;
    }

    pub(crate) fn limit(&self, max_bytes: usize) {
        self.state.lock().unwrap().max_bytes = max_bytes;
    }

    /// Deliveries so far.
    pub(crate) fn deliveries(&self) -> usize {
        self.state.lock().unwrap().received.len()
    }

    /// The bodies of the records of each delivery.
    pub(crate) fn received(&self) -> Vec<Vec<String>> {
        let state = self.state.lock().unwrap();
        let bodies = |parts: &Vec<Part>| {
            parts
                .iter()
                .flat_map(|part| bodies(part.payload()))
                .collect()
        };
        state.received.iter().map(bodies).collect()
    }
}

impl Target for Fake {
    fn node(&self) -> &Node {
        &self.node
    }

    fn check(&self) -> Result<(), Failure> {
        if self.state.lock().unwrap().is_open {
            return Err(Failure::new(&self.node, FailureReason::CircuitOpen));
        }
        Ok(())
    }

    fn max_part_bytes(&self) -> usize {
        self.state.lock().unwrap().max_bytes
    }

    async fn send(&self, parts: Vec<Part>, _event: &Event) -> Sent {
        let act = {
            let mut state = self.state.lock().unwrap();
            state.received.push(parts.clone());
            if state.acts.len() > 1 {
                state.acts.pop_front().unwrap()
            } else {
                *state.acts.front().unwrap()
            }
        };
        let mut sent = Sent::default();
        match act {
            Act::Accept => {}
            Act::Slow(time) => tokio::time::sleep(time).await,
            Act::Panic => panic!("scripted"),
            Act::Fail => {
                let failure = Failure::new(&self.node, FailureReason::DeadlinePassed);
                for piece in parts.iter().flat_map(|part| part.payload().pieces()) {
                    sent.verdicts.fail(piece.contributor(), failure.clone());
                }
                sent.failed_records = parts.iter().map(Part::records).sum();
            }
            Act::Refuse => {
                for part in &parts {
                    let reason = RefusalReason::Limit(RejectReason::Oversize);
                    sent.verdicts.reject(&part.reject(), reason);
                }
            }
        }
        sent
    }
}

/// `route { team == "a" => a, else => [b, all] }`, and everything to `all`.
pub(crate) struct ByTeam {
    pub(crate) a: Fake,
    pub(crate) b: Fake,
}

impl Stage for ByTeam {
    async fn deliver(&self, event: Event) -> Verdicts {
        let (mut a, mut b) = (Selection::new(), Selection::new());
        for request in event.payload().requests() {
            for group in request.resources() {
                let mut attributes = group.resource().attributes();
                if attributes.any(|attribute| attribute.value().is_text("a")) {
                    a.keep_all(&group);
                } else {
                    b.keep_all(&group);
                }
            }
        }
        let (a, b) = (a.finish(), b.finish());
        deliver(&event, (self.a.receive(a), self.b.receive(b))).await
    }
}

/// Everything to both.
pub(crate) struct Both<A, B> {
    pub(crate) first: A,
    pub(crate) second: B,
}

impl<A: Target + 'static, B: Target + 'static> Stage for Both<A, B> {
    async fn deliver(&self, event: Event) -> Verdicts {
        let (mut first, mut second) = (Selection::new(), Selection::new());
        for request in event.payload().requests() {
            first.keep_request(&request);
            second.keep_request(&request);
        }
        let (first, second) = (first.finish(), second.finish());
        deliver(
            &event,
            (self.first.receive(first), self.second.receive(second)),
        )
        .await
    }
}

/// An encoded request with one resource of `team` and a record for each of `bodies`.
pub(crate) fn request(team: &str, bodies: &[&str]) -> ExportLogsServiceRequest {
    let text = |value: &str| AnyValue {
        value: Some(Value::StringValue(value.into())),
    };
    let record = |body: &&str| LogRecord {
        body: Some(text(body)),
        ..LogRecord::default()
    };
    let attribute = KeyValue {
        key: "team".into(),
        value: Some(text(team)),
        ..KeyValue::default()
    };
    ExportLogsServiceRequest {
        resource_logs: vec![ResourceLogs {
            resource: Some(Resource {
                attributes: vec![attribute],
                ..Resource::default()
            }),
            scope_logs: vec![ScopeLogs {
                log_records: bodies.iter().map(record).collect(),
                ..ScopeLogs::default()
            }],
            ..ResourceLogs::default()
        }],
    }
}

/// The request as a validated piece.
pub(crate) fn logs(team: &str, bodies: &[&str]) -> Piece {
    let bytes = request(team, bodies).encode_to_vec();
    Piece::validate(Signal::Logs, Bytes::from(bytes)).unwrap()
}

/// An event of one sender that starts at `ingest.logs` and has the usual 8 s.
pub(crate) fn event(telemetry: &Telemetry, piece: Piece) -> Event {
    let deadline = Instant::now() + Duration::from_secs(8);
    Event::new(
        Payload::from(piece),
        deadline,
        telemetry.node("ingest.logs"),
        None,
    )
}

/// The bodies of all records.
pub(crate) fn bodies(payload: &Payload) -> Vec<String> {
    let request = ExportLogsServiceRequest::decode(payload.bytes()).unwrap();
    let scopes = request
        .resource_logs
        .into_iter()
        .flat_map(|group| group.scope_logs);
    scopes
        .flat_map(|scope| scope.log_records)
        .map(|record| match record.body.and_then(|body| body.value) {
            Some(Value::StringValue(text)) => text,
            other => panic!("no text: {other:?}"),
        })
        .collect()
}

/// The value of one line of the metrics.
pub(crate) fn metric(telemetry: &Telemetry, line: &str) -> u64 {
    let text = telemetry.encode().unwrap();
    let value = text.lines().find_map(|found| found.strip_prefix(line));
    let value = value.unwrap_or_else(|| panic!("{line} is missing in\n{text}"));
    value.trim().parse().unwrap()
}
