//! An event is planned as a whole, delivered to all targets, and every record counts once.

use super::testing::{Act, Both, ByTeam, Fake, bodies, event, logs, metric};
use super::{FailureReason, Stage, Verdict, Verdicts, run};
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
