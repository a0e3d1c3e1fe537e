//! An event is planned as a whole, delivered to all targets, and every record counts once.

use std::time::Duration;

use super::circuit::Circuit;
use super::testing::{Act, Both, ByTeam, Fake, bodies, event, logs, metric};
use super::{
    Event, Failure, FailureReason, Node, RefusalReason, Refused, Sent, Stage, Target, Verdict,
    Verdicts, deliver, run,
};
use crate::otlp::LogRecord;
use crate::payload::Piece;
use crate::select::{Part, Parts, RejectReason, Selection};
use crate::subject::Subject;
use crate::telemetry::Telemetry;

fn both(telemetry: &Telemetry, first: Act, second: Act) -> Both<Fake, Fake> {
    Both {
        first: Fake::new(telemetry, "first", &[first]),
        second: Fake::new(telemetry, "second", &[second]),
    }
}

fn reason(verdicts: &Verdicts, contributor: u32) -> FailureReason {
    verdicts
        .failure(contributor)
        .expect("a failure")
        .reason()
        .clone()
}

#[tokio::test(start_paused = true)]
async fn everything_is_accepted_when_every_sink_accepts() {
    let telemetry = Telemetry::new();
    let stage = both(&telemetry, Act::Accept, Act::Accept);
    let verdicts = stage
        .deliver(event(&telemetry, logs("a", &["1", "2"])))
        .await;
    assert!(matches!(verdicts.verdict(0), Verdict::Accepted));
    assert_eq!(stage.first.received(), [["1", "2"]]);
    assert_eq!(stage.second.received(), [["1", "2"]]);
}

#[tokio::test(start_paused = true)]
async fn an_open_circuit_fails_the_event_with_nothing_published() {
    let telemetry = Telemetry::new();
    let stage = both(&telemetry, Act::Accept, Act::Accept);
    stage.second.break_circuit();
    let verdicts = stage.deliver(event(&telemetry, logs("a", &["1"]))).await;
    assert_eq!(reason(&verdicts, 0), FailureReason::CircuitOpen);
    assert_eq!(stage.first.deliveries() + stage.second.deliveries(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_sink_that_the_event_does_not_reach_may_be_down() {
    let telemetry = Telemetry::new();
    let (a, b) = (
        Fake::new(&telemetry, "a", &[Act::Accept]),
        Fake::new(&telemetry, "b", &[Act::Accept]),
    );
    b.break_circuit();
    let stage = ByTeam { a, b };
    let verdicts = stage.deliver(event(&telemetry, logs("a", &["1"]))).await;
    assert!(matches!(verdicts.verdict(0), Verdict::Accepted));
    assert_eq!(stage.a.received(), [["1"]]);
}

/// A sink with a real circuit that accepts everything.
struct Recovered {
    node: Node,
    circuit: Circuit,
}

impl Recovered {
    /// A sink whose circuit has just opened.
    fn new(telemetry: &Telemetry, name: &str) -> Self {
        let circuit = Circuit::new();
        while circuit.check().is_ok() {
            circuit.failed();
        }
        let node = telemetry.node(name);
        Self { node, circuit }
    }
}

impl Target for Recovered {
    fn node(&self) -> &Node {
        &self.node
    }

    fn check(&self) -> Result<(), Failure> {
        let open = |_| Failure::new(&self.node, FailureReason::CircuitOpen);
        self.circuit.check().map_err(open)
    }

    fn begin(&self) {
        self.circuit.begin();
    }

    async fn send(&self, _parts: Vec<Part>, _event: &Event) -> Sent {
        self.circuit.succeeded();
        Sent::default()
    }
}

#[tokio::test(start_paused = true)]
async fn two_sinks_whose_circuits_opened_apart_are_tried_together() {
    let telemetry = Telemetry::new();
    let first = Recovered::new(&telemetry, "first");
    tokio::time::advance(Duration::from_millis(500)).await;
    let second = Recovered::new(&telemetry, "second");
    let stage = Both { first, second };
    let mut accepted = false;
    for _ in 0..100 {
        let verdicts = stage.deliver(event(&telemetry, logs("a", &["1"]))).await;
        accepted |= matches!(verdicts.verdict(0), Verdict::Accepted);
        tokio::time::advance(Duration::from_millis(50)).await;
    }
    assert!(
        accepted,
        "both sinks are well, but no event ever reaches them"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_beats_a_refusal() {
    let telemetry = Telemetry::new();
    let stage = both(&telemetry, Act::Refuse, Act::Fail);
    let verdicts = stage.deliver(event(&telemetry, logs("a", &["1"]))).await;
    assert_eq!(reason(&verdicts, 0), FailureReason::DeadlinePassed);
}

#[tokio::test(start_paused = true)]
async fn a_record_that_two_sinks_refuse_counts_once() {
    let telemetry = Telemetry::new();
    let stage = both(&telemetry, Act::Refuse, Act::Refuse);
    let verdicts = stage
        .deliver(event(&telemetry, logs("a", &["1", "2", "3"])))
        .await;
    assert!(matches!(
        verdicts.verdict(0),
        Verdict::Rejected { records: 3, .. }
    ));
}

#[tokio::test(start_paused = true)]
async fn a_long_part_is_cut_and_an_oversize_record_is_refused_alone() {
    let telemetry = Telemetry::new();
    let stage = both(&telemetry, Act::Accept, Act::Accept);
    let long = "x".repeat(500);
    let whole = logs("a", &["1", &long, "2", "3"]);
    stage.first.limit(60);
    let verdicts = stage.deliver(event(&telemetry, whole)).await;
    assert!(matches!(
        verdicts.verdict(0),
        Verdict::Rejected { records: 1, .. }
    ));
    assert_eq!(stage.first.received(), [["1", "2", "3"]]);
    assert_eq!(stage.second.received(), [["1", long.as_str(), "2", "3"]]);
}

/// Delivers the records of `piece` whose body is not `bad`; those are refused.
async fn without_bad(telemetry: &Telemetry, sink: &Fake, piece: Piece) -> Verdicts {
    let event = event(telemetry, piece);
    let (mut refused, mut kept) = (Selection::new(), Selection::new());
    let groups = event.payload().requests().flat_map(|one| one.resources());
    for record in groups.flat_map(|group| group.records()) {
        let fields = record.log().fields();
        let body = fields
            .clone()
            .find(|field| field.number() == LogRecord::BODY);
        match body.is_some_and(|body| body.any_value().is_text("bad")) {
            true => refused.keep(&record),
            false => kept.keep(&record),
        }
    }
    let deliveries = (
        Refused::invalid(refused, "no bad ones"),
        sink.receive(kept.finish()),
    );
    deliver(&event, deliveries).await
}

#[tokio::test(start_paused = true)]
async fn refused_records_are_told_and_count_as_rejected() {
    let telemetry = Telemetry::new();
    let sink = Fake::new(&telemetry, "sink", &[Act::Accept]);
    let piece = logs("a", &["1", "bad", "2", "bad", "3"]);
    let Verdict::Rejected { records, reason } =
        without_bad(&telemetry, &sink, piece).await.verdict(0)
    else {
        panic!("nothing was refused");
    };
    assert_eq!(records, 2);
    let limit = RejectReason::Invalid("no bad ones");
    assert_eq!(reason, RefusalReason::Limit(limit));
    assert_eq!(sink.received(), [["1", "2", "3"]]);
    for (counter, count) in [
        ("received", 5),
        ("forwarded", 3),
        ("rejected", 2),
        ("dropped", 0),
    ] {
        let line =
            format!("watershed_edge_{counter}_records_total{{from=\"ingest.logs\",to=\"sink\"}}");
        assert_eq!(metric(&telemetry, &line), count, "{counter}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_refused_of_an_event_that_fails() {
    let telemetry = Telemetry::new();
    let sink = Fake::new(&telemetry, "sink", &[Act::Accept]);
    sink.break_circuit();
    let verdicts = without_bad(&telemetry, &sink, logs("a", &["1", "bad"])).await;
    assert_eq!(reason(&verdicts, 0), FailureReason::CircuitOpen);
    assert_eq!(sink.deliveries(), 0);
}

/// Delivers `piece` as one part under one subject.
async fn under_one_subject(telemetry: &Telemetry, sink: &Fake, piece: Piece) -> Verdicts {
    let event = event(telemetry, piece);
    let part = Part::whole(event.payload().clone(), Some(Subject::new("s")));
    let parts = Parts {
        parts: vec![part],
        rejected: Vec::new(),
    };
    deliver(&event, (sink.receive(parts),)).await
}

#[tokio::test(start_paused = true)]
async fn one_subject_may_be_cut_into_more_parts_than_there_may_be_subjects() {
    let telemetry = Telemetry::new();
    let sink = Fake::new(&telemetry, "sink", &[Act::Accept]);
    sink.limit(40);
    let bodies = vec!["x"; 3_000];
    let verdicts = under_one_subject(&telemetry, &sink, logs("a", &bodies)).await;
    assert!(matches!(verdicts.verdict(0), Verdict::Accepted));
    assert_eq!(sink.received()[0].len(), 3_000);
}

#[tokio::test(start_paused = true)]
async fn an_envelope_that_makes_gigabytes_of_a_request_is_refused_with_nothing_published() {
    let telemetry = Telemetry::new();
    let sink = Fake::new(&telemetry, "sink", &[Act::Accept]);
    sink.limit(1_000_100);
    let team = "t".repeat(1_000_000);
    let bodies = vec!["x"; 20_000];
    let verdicts = under_one_subject(&telemetry, &sink, logs(&team, &bodies)).await;
    let Verdict::Rejected { records, reason } = verdicts.verdict(0) else {
        panic!("not refused: {verdicts:?}");
    };
    assert_eq!(records, 20_000);
    assert_eq!(reason, RefusalReason::Limit(RejectReason::OutputTooLarge));
    assert_eq!(sink.deliveries(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_panic_fails_the_event_and_is_counted() {
    let telemetry = Telemetry::new();
    let stage = both(&telemetry, Act::Panic, Act::Accept);
    let verdicts = run(&stage, event(&telemetry, logs("a", &["1"]))).await;
    assert_eq!(reason(&verdicts, 0), FailureReason::Panicked);
    assert_eq!(metric(&telemetry, "watershed_event_panics_total"), 1);
}

#[tokio::test(start_paused = true)]
async fn every_record_is_counted_on_every_edge() {
    let telemetry = Telemetry::new();
    let a = Fake::new(&telemetry, "a", &[Act::Accept, Act::Refuse, Act::Fail]);
    let b = Fake::new(&telemetry, "b", &[Act::Accept]);
    let stage = ByTeam { a, b };
    let ingest = event(&telemetry, logs("a", &["1"])).origin().clone();
    for (team, records) in [("a", 1), ("a", 2), ("a", 3), ("b", 4)] {
        let bodies = vec!["x"; records];
        let mut event = event(&telemetry, logs(team, &bodies));
        event.origin = ingest.clone();
        stage.deliver(event).await;
    }
    let count = |to: &str, outcome: &str| {
        let line =
            format!("watershed_edge_{outcome}_records_total{{from=\"ingest.logs\",to=\"{to}\"}}");
        metric(&telemetry, &line)
    };
    let outcomes = |to: &str| {
        ["received", "forwarded", "dropped", "rejected", "failed"].map(|outcome| count(to, outcome))
    };
    assert_eq!(outcomes("a"), [10, 1, 4, 2, 3]);
    assert_eq!(outcomes("b"), [10, 4, 6, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_request_without_records_for_a_sink_is_not_sent() {
    let telemetry = Telemetry::new();
    let stage = both(&telemetry, Act::Accept, Act::Accept);
    let verdicts = stage.deliver(event(&telemetry, logs("a", &[]))).await;
    assert!(matches!(verdicts.verdict(0), Verdict::Accepted));
    assert_eq!(stage.first.deliveries(), 0);
    assert_eq!(bodies(&logs("a", &["1"]).into()), ["1"]);
}
