//! Each sender is answered for its own records, whatever the others in the batch do.

use super::super::{BatchContext, BatchOptions, start};
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use prost::Message;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::batch::Batch;
use crate::delivery::testing::{Act, Both, ByTeam, Fake, event, logs, metric, request};
use crate::delivery::{Event, FailureReason, Stage, Target, Verdict, Verdicts, deliver};
use crate::otlp::LogRecord;
use crate::payload::{Piece, Signal};
use crate::select::{Selection, SubjectSelection};
use crate::source::admission::{Admission, Overload, Pressure};
use crate::telemetry::Telemetry;

/// Everything into a batch.
struct Into<S>(Batch<S>);

impl<S: Stage> Stage for Into<S> {
    async fn deliver(&self, event: Event) -> Verdicts {
        let mut all = Selection::new();
        for request in event.payload().requests() {
            all.keep_request(&request);
        }
        let all = all.finish();
        deliver(&event, (self.0.receive(all),)).await
    }
}

/// Every record under a subject of its own, which is its body.
struct ByBody(Fake);

impl Stage for ByBody {
    async fn deliver(&self, event: Event) -> Verdicts {
        let mut all = SubjectSelection::new();
        for request in event.payload().requests() {
            for record in request.resources().flat_map(|group| group.records()) {
                let body = record.log().fields().first(LogRecord::BODY);
                let body = body.map(|body| body.any_value().text_or("none"));
                let subject = all.subject(|subject| subject.token(body.unwrap_or_default()));
                all.keep(subject, &record);
            }
        }
        let all = all.finish();
        deliver(&event, (self.0.receive(all),)).await
    }
}

struct Bench {
    telemetry: Telemetry,
    pressure: Pressure,
    draining: CancellationToken,
    tasks: TaskTracker,
}

impl Bench {
    fn new() -> Self {
        Self {
            telemetry: Telemetry::new(),
            pressure: Pressure::default(),
            draining: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    fn fake(&self, name: &str, acts: &[Act]) -> Fake {
        Fake::new(&self.telemetry, name, acts)
    }

    fn batch<S: Stage>(&self, max_records: u64, stage: S) -> Batch<S> {
        let options = BatchOptions {
            max_records,
            timeout: Duration::from_millis(100),
            ..BatchOptions::default()
        };
        let context = BatchContext {
            node: self.telemetry.node("batch"),
            options,
            margin: Duration::from_secs(2),
            pressure: self.pressure.clone(),
            draining: self.draining.clone(),
            tasks: self.tasks.clone(),
        };
        start(context, stage).0
    }

    /// Sends each piece as an event of its own, all at the same time.
    async fn send<S: Stage>(&self, batch: &Batch<S>, pieces: Vec<Piece>) -> Vec<Verdict> {
        let senders: Vec<_> = pieces
            .into_iter()
            .map(|piece| {
                let (stage, event) = (Into(batch.clone()), event(&self.telemetry, piece));
                tokio::spawn(async move { stage.deliver(event).await.verdict(0) })
            })
            .collect();
        let mut verdicts = Vec::new();
        for sender in senders {
            verdicts.push(sender.await.expect("no panic"));
        }
        verdicts
    }
}

fn reason(verdict: &Verdict) -> &FailureReason {
    match verdict {
        Verdict::Failed(failure) => failure.reason(),
        other => panic!("not failed: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_batch_goes_out_at_once_and_one_that_is_not_after_the_timeout() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Accept]),
        bench.fake("b", &[Act::Accept]),
    );
    let batch = bench.batch(3, ByTeam { a: a.clone(), b });
    let started = Instant::now();
    let verdicts = bench
        .send(&batch, vec![logs("a", &["1", "2"]), logs("a", &["3"])])
        .await;
    assert_eq!(started.elapsed(), Duration::ZERO);
    assert!(
        verdicts
            .iter()
            .all(|verdict| matches!(verdict, Verdict::Accepted))
    );
    bench.send(&batch, vec![logs("a", &["4"])]).await;
    assert_eq!(started.elapsed(), Duration::from_millis(100));
    assert_eq!(a.received(), [vec!["1", "2", "3"], vec!["4"]]);
}

#[tokio::test(start_paused = true)]
async fn a_dead_team_fails_only_its_own_sender() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Fail]),
        bench.fake("b", &[Act::Accept]),
    );
    let batch = bench.batch(3, ByTeam { a, b: b.clone() });
    let verdicts = bench
        .send(&batch, vec![logs("a", &["1"]), logs("b", &["2", "3"])])
        .await;
    assert_eq!(reason(&verdicts[0]), &FailureReason::DeadlinePassed);
    assert!(matches!(verdicts[1], Verdict::Accepted));
    assert_eq!(b.received(), [["2", "3"]]);
}

#[tokio::test(start_paused = true)]
async fn an_open_circuit_keeps_out_all_of_the_sender_that_needs_it_and_nobody_else() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Accept]),
        bench.fake("b", &[Act::Accept]),
    );
    a.break_circuit();
    let batch = bench.batch(
        4,
        ByTeam {
            a: a.clone(),
            b: b.clone(),
        },
    );
    // The first sender has records for both sinks: none of them may go out.
    let mut mixed = request("a", &["1"]);
    mixed
        .resource_logs
        .extend(request("b", &["2"]).resource_logs);
    let mixed = Piece::validate(Signal::Logs, mixed.encode_to_vec().into()).expect("valid");
    let verdicts = bench
        .send(&batch, vec![mixed, logs("b", &["3", "4"])])
        .await;
    assert_eq!(reason(&verdicts[0]), &FailureReason::CircuitOpen);
    assert!(matches!(verdicts[1], Verdict::Accepted));
    assert_eq!(a.deliveries(), 0);
    assert_eq!(b.received(), [["3", "4"]]);
}

#[tokio::test(start_paused = true)]
async fn each_sender_is_told_how_many_of_its_records_were_refused() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Refuse]),
        bench.fake("b", &[Act::Accept]),
    );
    let batch = bench.batch(6, ByTeam { a, b });
    let pieces = vec![
        logs("a", &["1", "2"]),
        logs("b", &["3"]),
        logs("a", &["4", "5", "6"]),
    ];
    let verdicts = bench.send(&batch, pieces).await;
    assert!(matches!(verdicts[0], Verdict::Rejected { records: 2, .. }));
    assert!(matches!(verdicts[1], Verdict::Accepted));
    assert!(matches!(verdicts[2], Verdict::Rejected { records: 3, .. }));
}

#[tokio::test(start_paused = true)]
async fn a_record_refused_before_and_behind_a_batch_counts_once() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Refuse]),
        bench.fake("b", &[Act::Accept]),
    );
    let batch = bench.batch(3, ByTeam { a, b });
    let stage = Both {
        first: bench.fake("first", &[Act::Refuse]),
        second: batch,
    };
    let verdicts = stage
        .deliver(event(&bench.telemetry, logs("a", &["1", "2", "3"])))
        .await;
    assert!(matches!(
        verdicts.verdict(0),
        Verdict::Rejected { records: 3, .. }
    ));
}

#[tokio::test(start_paused = true)]
async fn requests_with_unknown_fields_are_never_merged() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Accept]),
        bench.fake("b", &[Act::Accept]),
    );
    let batch = bench.batch(4, ByTeam { a: a.clone(), b });
    let mut strange = request("a", &["1"]).encode_to_vec();
    // Field 100, a varint.
    strange.extend([0xa0, 0x06, 0x01]);
    let strange = Piece::validate(Signal::Logs, strange.into()).expect("valid");
    let verdicts = bench
        .send(
            &batch,
            vec![logs("a", &["2"]), strange, logs("a", &["3", "4"])],
        )
        .await;
    assert!(
        verdicts
            .iter()
            .all(|verdict| matches!(verdict, Verdict::Accepted))
    );
    assert_eq!(a.received(), [vec!["2", "3", "4"], vec!["1"]]);
}

#[tokio::test(start_paused = true)]
async fn a_full_source_makes_the_batch_go_out() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Accept]),
        bench.fake("b", &[Act::Accept]),
    );
    let batch = bench.batch(100, ByTeam { a, b });
    let started = Instant::now();
    let pressure = bench.pressure.clone();
    let raise = async move {
        tokio::time::sleep(Duration::from_millis(10)).await;
        pressure.raise();
    };
    let (verdicts, ()) = tokio::join!(bench.send(&batch, vec![logs("a", &["1"])]), raise);
    assert!(matches!(verdicts[0], Verdict::Accepted));
    assert_eq!(started.elapsed(), Duration::from_millis(10));
}

#[tokio::test(start_paused = true)]
async fn a_panic_behind_the_batch_fails_its_senders_and_the_batch_goes_on() {
    let bench = Bench::new();
    let a = bench.fake("a", &[Act::Panic, Act::Accept]);
    let b = bench.fake("b", &[Act::Accept]);
    let batch = bench.batch(1, ByTeam { a, b });
    let verdicts = bench.send(&batch, vec![logs("a", &["1"])]).await;
    assert_eq!(reason(&verdicts[0]), &FailureReason::Panicked);
    let verdicts = bench.send(&batch, vec![logs("a", &["2"])]).await;
    assert!(matches!(verdicts[0], Verdict::Accepted));
}

/// Panics over records of team `x`.
struct PanicsOverX(Fake);

impl Stage for PanicsOverX {
    async fn deliver(&self, event: Event) -> Verdicts {
        let mut all = Selection::new();
        for group in event
            .payload()
            .requests()
            .flat_map(|request| request.resources())
        {
            let mut attributes = group.resource().attributes();
            assert!(!attributes.any(|attribute| attribute.value().is_text("x")));
            all.keep_all(&group);
        }
        let all = all.finish();
        deliver(&event, (self.0.receive(all),)).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_sender_whose_records_panic_fails_alone() {
    let bench = Bench::new();
    let sink = bench.fake("sink", &[Act::Accept]);
    let batch = bench.batch(4, PanicsOverX(sink));
    let teams = ["a", "x", "b", "c"];
    let pieces = teams.iter().map(|team| logs(team, &["1"])).collect();
    let verdicts = bench.send(&batch, pieces).await;
    assert_eq!(reason(&verdicts[1]), &FailureReason::Panicked);
    for accepted in [0, 2, 3] {
        assert!(
            matches!(verdicts[accepted], Verdict::Accepted),
            "{accepted}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn draining_lets_nothing_wait() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Accept]),
        bench.fake("b", &[Act::Accept]),
    );
    let batch = bench.batch(100, ByTeam { a, b });
    bench.draining.cancel();
    let started = Instant::now();
    let verdicts = bench.send(&batch, vec![logs("a", &["1"])]).await;
    assert!(matches!(verdicts[0], Verdict::Accepted));
    assert_eq!(started.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_slow_sink_pushes_back_until_the_deadline_of_each_sender() {
    let bench = Bench::new();
    let a = bench.fake("a", &[Act::Slow(Duration::from_secs(60))]);
    let b = bench.fake("b", &[Act::Accept]);
    let batch = bench.batch(1, ByTeam { a: a.clone(), b });
    let started = Instant::now();
    let pieces: Vec<Piece> = (0..20).map(|_| logs("a", &["1"])).collect();
    let verdicts = bench.send(&batch, pieces).await;
    assert!(
        verdicts
            .iter()
            .all(|verdict| reason(verdict) == &FailureReason::DeadlinePassed)
    );
    assert_eq!(started.elapsed(), Duration::from_secs(8));
    assert_eq!(a.deliveries(), 8, "flushes in flight are bounded");
}

#[tokio::test(start_paused = true)]
async fn a_sender_with_all_the_subjects_costs_others_none_of_their_records() {
    let bench = Bench::new();
    let sink = bench.fake("sink", &[Act::Accept]);
    let batch = bench.batch(1_025, ByBody(sink));
    let bodies: Vec<String> = (0..1_024).map(|number| number.to_string()).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let verdicts = bench
        .send(&batch, vec![logs("a", &bodies), logs("b", &["b"])])
        .await;
    assert!(matches!(verdicts[0], Verdict::Accepted), "{verdicts:?}");
    assert!(matches!(verdicts[1], Verdict::Accepted), "{verdicts:?}");
}

#[tokio::test(start_paused = true)]
async fn a_record_of_a_sender_that_fails_counts_once_on_the_edge_to_the_batch() {
    let bench = Bench::new();
    let (a, b) = (
        bench.fake("a", &[Act::Refuse]),
        bench.fake("b", &[Act::Fail]),
    );
    let batch = bench.batch(3, ByTeam { a, b });
    let mut mixed = request("a", &["1"]);
    mixed
        .resource_logs
        .extend(request("b", &["2", "3"]).resource_logs);
    let mixed = Piece::validate(Signal::Logs, mixed.encode_to_vec().into()).expect("valid");
    bench.send(&batch, vec![mixed]).await;
    let outcomes = ["received", "forwarded", "rejected", "failed"].map(|outcome| {
        let edge = "{from=\"ingest.logs\",to=\"batch\"}";
        metric(
            &bench.telemetry,
            &format!("watershed_edge_{outcome}_records_total{edge}"),
        )
    });
    assert_eq!(outcomes, [3, 0, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn what_a_flush_still_holds_is_charged_after_its_sender_gave_up() {
    let bench = Bench::new();
    let a = bench.fake("a", &[Act::Slow(Duration::from_secs(60))]);
    let b = bench.fake("b", &[Act::Accept]);
    let batch = bench.batch(1, ByTeam { a, b });
    let admission = Admission::new(100, Default::default(), bench.pressure.clone());
    let mut charge = admission.charge(None);
    assert_eq!(charge.grow(100).await, Ok(()));
    let event = Event::new(
        logs("a", &["1"]).into(),
        Instant::now() + Duration::from_secs(8),
        bench.telemetry.node("ingest.logs"),
        Some(Arc::new(charge)),
    );
    let verdicts = Into(batch).deliver(event).await;
    assert_eq!(reason(&verdicts.verdict(0)), &FailureReason::DeadlinePassed);
    assert_eq!(admission.charge(None).grow(1).await, Err(Overload::Source));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(admission.charge(None).grow(100).await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn a_merged_event_in_another_batch_holds_what_all_of_its_senders_are_charged() {
    let bench = Bench::new();
    let a = bench.fake("a", &[Act::Slow(Duration::from_secs(60))]);
    let b = bench.fake("b", &[Act::Accept]);
    let second = bench.batch(2, ByTeam { a, b });
    let first = bench.batch(2, Into(second));
    let held = Gauge::<i64>::default();
    let admission = Admission::new(100_000, held.clone(), bench.pressure.clone());
    let mut senders = Vec::new();
    for bytes in [60_000, 40_000] {
        let mut charge = admission.charge(None);
        assert_eq!(charge.grow(bytes).await, Ok(()));
        let event = Event::new(
            logs("a", &["1"]).into(),
            Instant::now() + Duration::from_secs(8),
            bench.telemetry.node("ingest.logs"),
            Some(Arc::new(charge)),
        );
        let stage = Into(first.clone());
        senders.push(tokio::spawn(async move { stage.deliver(event).await }));
    }
    for sender in senders {
        let verdicts = sender.await.expect("no panic");
        assert_eq!(reason(&verdicts.verdict(0)), &FailureReason::DeadlinePassed);
    }
    // Both callers have given up; the slow target still holds the records of both.
    assert!(held.get() >= 100_000, "{}", held.get());
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(held.get(), 0);
}
