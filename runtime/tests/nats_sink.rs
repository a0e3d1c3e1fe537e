//! The NATS sink into a real nats-server: what is stored, what is refused, and what happens when the
//! server dies.
#![allow(clippy::expect_used, reason = "helpers of tests fail as tests do")]

mod support;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceResponse;
use prost::Message;
use support::http::{Response, post, send};
use support::nats::{Server, Stored};
use support::otlp::{bodies, logs, written};
use support::{Both, ToSubject, eventually};
use watershed::StartError;
use watershed::delivery::Stage;
use watershed::generated::{
    BatchOptions, FileSink, FileSinkOptions, NatsConnectionOptions, NatsSink, NatsSinkOptions,
    OtlpSourceOptions, OtlpStages, Running, Runtime, RuntimeOptions, Unconnected,
};

/// A flow that takes logs over HTTP.
struct Flow {
    running: Running,
    address: SocketAddr,
}

impl Flow {
    async fn open<S: Stage>(mut runtime: Runtime, logs: S) -> Self {
        let options = OtlpSourceOptions {
            http: "127.0.0.1:0".into(),
            ..OtlpSourceOptions::default()
        };
        let stages = OtlpStages {
            logs,
            metrics: Unconnected,
            traces: Unconnected,
        };
        runtime
            .otlp_source("ingest", options, stages)
            .await
            .expect("a source");
        let running = runtime.running();
        let address = running.address("ingest").expect("an address");
        Self { running, address }
    }

    async fn send<B: AsRef<str>>(&self, team: &str, bodies: &[B]) -> Response {
        send(self.address, &post("/v1/logs", "", &logs(team, bodies))).await
    }
}

fn runtime() -> Runtime {
    Runtime::with_options("test", RuntimeOptions::default()).expect("a runtime")
}

async fn sink(
    runtime: &mut Runtime,
    url: &str,
    stream: &str,
    subject_prefix: &str,
) -> Result<NatsSink, StartError> {
    let options = NatsConnectionOptions { url: url.into() };
    let bus = runtime.nats_connection("bus", options).await?;
    let options = NatsSinkOptions {
        stream: stream.into(),
        subject_prefix: subject_prefix.into(),
    };
    runtime.nats_sink("team", &bus, options).await
}

/// Logs into stream T under `t.<team>`.
async fn flow_into(server: &Server) -> Flow {
    let mut runtime = runtime();
    let target = sink(&mut runtime, &server.url(), "T", "t.")
        .await
        .expect("a sink");
    let stage = ToSubject {
        prefix: "t",
        target,
    };
    Flow::open(runtime, stage).await
}

fn all_bodies(messages: &[Stored]) -> Vec<String> {
    messages
        .iter()
        .flat_map(|message| bodies(&message.payload))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_message_for_each_subject_holds_its_records_and_says_what_it_is() {
    let Some(server) = Server::start("").await else {
        return;
    };
    server.stream("T", "t.>", "").await;
    let flow = flow_into(&server).await;
    let request = [
        logs("a", &["1", "2"]),
        logs("b.c", &["3"]),
        logs("a", &["4"]),
    ]
    .concat();
    let response = send(flow.address, &post("/v1/logs", "", &request)).await;
    assert_eq!(response.status, 200, "{response:?}");
    let messages = server.messages("T").await;
    let stored: Vec<_> = messages
        .iter()
        .map(|message| (message.subject.as_str(), bodies(&message.payload)))
        .collect();
    let expected = [("t.a", vec!["1", "2", "4"]), ("t.b%2Ec", vec!["3"])];
    let expected = expected
        .map(|(subject, bodies)| (subject, bodies.into_iter().map(str::to_owned).collect()));
    assert_eq!(stored, expected);
    for message in &messages {
        assert!(
            message
                .headers
                .contains("Content-Type: application/x-protobuf"),
            "{message:?}"
        );
        assert!(message.headers.contains("Otlp-Signal: logs"), "{message:?}");
    }
    flow.running
        .shutdown(Duration::from_secs(5))
        .await
        .expect("everything is delivered");
}

#[tokio::test(flavor = "multi_thread")]
async fn long_parts_are_cut_under_the_limit_and_an_oversize_record_is_a_partial_success() {
    let Some(server) = Server::start("max_payload: 8192").await else {
        return;
    };
    server.stream("T", "t.>", "").await;
    let flow = flow_into(&server).await;
    let mut records: Vec<String> = (0..100).map(|number| format!("{number:0>1000}")).collect();
    records.insert(50, "x".repeat(9_000));
    let response = flow.send("a", &records).await;
    assert_eq!(response.status, 200, "{response:?}");
    let answer = ExportLogsServiceResponse::decode(response.body.as_slice()).expect("a response");
    let partial = answer.partial_success.expect("a partial success");
    assert_eq!(partial.rejected_log_records, 1);
    assert!(
        partial.error_message.contains("1 of 101"),
        "{}",
        partial.error_message
    );
    records.remove(50);
    let messages = server.messages("T").await;
    assert_eq!(all_bodies(&messages), records, "in order");
    assert!(messages.len() > 10);
    assert!(
        messages
            .iter()
            .all(|message| message.headers.len() + message.payload.len() <= 8_192)
    );
    let alone = flow.send("a", &["x".repeat(9_000)]).await;
    assert_eq!(alone.status, 400, "every record is refused: {alone:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limit_of_the_stream_counts_too() {
    let Some(server) = Server::start("").await else {
        return;
    };
    server.stream("T", "t.>", r#","max_msg_size":4096"#).await;
    let flow = flow_into(&server).await;
    let records: Vec<String> = (0..20).map(|number| format!("{number:0>1000}")).collect();
    assert_eq!(flow.send("a", &records).await.status, 200);
    assert_eq!(all_bodies(&server.messages("T").await), records);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flow_whose_stream_cannot_work_does_not_start() {
    let Some(server) = Server::start("").await else {
        return;
    };
    server.stream("T", "t.>", "").await;
    let missing = sink(&mut runtime(), &server.url(), "NONE", "")
        .await
        .err()
        .expect("missing");
    assert!(matches!(&missing, StartError::StreamMissing { stream, .. } if stream == "NONE"));
    assert!(missing.to_string().contains(&server.url()), "{missing}");
    let wrong = sink(&mut runtime(), &server.url(), "T", "other.")
        .await
        .err()
        .expect("wrong");
    assert!(matches!(&wrong, StartError::StreamSubjects { prefix, .. } if prefix == "other."));
    assert!(wrong.to_string().contains("t.>"), "{wrong}");
    let nowhere = "nats://user:secret@127.0.0.1:1";
    let refused = sink(&mut runtime(), nowhere, "T", "")
        .await
        .err()
        .expect("refused");
    assert!(matches!(refused, StartError::Connect { .. }));
    assert!(!refused.to_string().contains("secret"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subject_outside_the_stream_is_refused_for_good_and_names_the_stream() {
    let Some(server) = Server::start("").await else {
        return;
    };
    server.stream("T", "t.a", "").await;
    let flow = flow_into(&server).await;
    let refused = flow.send("b", &["1"]).await;
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(
        refused.rpc_status().message.contains("stream T"),
        "{refused:?}"
    );
    let request = [logs("a", &["2"]), logs("b", &["3"])].concat();
    let partial = send(flow.address, &post("/v1/logs", "", &request)).await;
    assert_eq!(partial.status, 200, "{partial:?}");
    let answer = ExportLogsServiceResponse::decode(partial.body.as_slice()).expect("a response");
    assert_eq!(
        answer
            .partial_success
            .expect("partial")
            .rejected_log_records,
        1
    );
    assert_eq!(all_bodies(&server.messages("T").await), ["2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_server_is_no_reason_to_refuse_a_subject_for_good() {
    let Some(server) = Server::start("").await else {
        return;
    };
    server.stream("T", "t.a", "").await;
    let options = RuntimeOptions {
        event_deadline: Duration::from_secs(3),
        ..RuntimeOptions::default()
    };
    let mut runtime = Runtime::with_options("test", options).expect("a runtime");
    let target = sink(&mut runtime, &server.url(), "T", "t.")
        .await
        .expect("a sink");
    let stage = ToSubject {
        prefix: "t",
        target,
    };
    let flow = Flow::open(runtime, stage).await;
    // What the server said a moment ago still counts.
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    server.freeze();
    let started = Instant::now();
    let response = flow.send("b", &["1"]).await;
    assert_eq!(response.status, 503, "{response:?}");
    assert!(
        started.elapsed() < Duration::from_secs(4),
        "the deadline holds: {:?}",
        started.elapsed()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_stream_is_no_reason_to_give_records_up() {
    let Some(server) = Server::start("").await else {
        return;
    };
    let one_each = r#","max_msgs_per_subject":1,"discard_new_per_subject":true"#;
    server.stream("T", "t.>", one_each).await;
    let flow = flow_into(&server).await;
    assert_eq!(flow.send("a", &["1"]).await.status, 200);
    let full = flow.send("a", &["2"]).await;
    assert_eq!(full.status, 503, "{full:?}");
    assert!(full.header("retry-after").is_some());
    assert_eq!(all_bodies(&server.messages("T").await), ["1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_one_of_two_sinks_down_nothing_is_written_to_the_other() {
    let Some(mut server) = Server::start("").await else {
        return;
    };
    server.stream("T", "t.>", "").await;
    let directory = tempfile::tempdir().expect("a directory");
    let mut runtime = runtime();
    let options = FileSinkOptions {
        path: directory.path().to_str().expect("a path").into(),
        ..FileSinkOptions::default()
    };
    let first: FileSink = runtime.file_sink("rest", options).await.expect("a sink");
    let second = sink(&mut runtime, &server.url(), "T", "t.")
        .await
        .expect("a sink");
    let flow = Flow::open(
        runtime,
        Both {
            first,
            prefix: "t",
            second,
        },
    )
    .await;
    assert_eq!(flow.send("a", &["1"]).await.status, 200);
    server.kill();
    // The client needs a moment to notice.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let started = Instant::now();
    let down = flow.send("a", &["2"]).await;
    assert_eq!(down.status, 503, "{down:?}");
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "at once: {:?}",
        started.elapsed()
    );
    assert!(down.rpc_status().message.contains("`team`"), "{down:?}");
    assert_eq!(written(directory.path()), ["1"]);
    server.restart();
    server.client().await;
    eventually("the sink is back", async || {
        flow.send("a", &["3"]).await.status == 200
    })
    .await;
    let stored = all_bodies(&server.messages("T").await);
    assert_eq!(written(directory.path())[1..], stored[1..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_answers_each_sender_for_its_own_records() {
    let Some(server) = Server::start("").await else {
        return;
    };
    server.stream("T", "t.a", "").await;
    let mut runtime = runtime();
    let target = sink(&mut runtime, &server.url(), "T", "t.")
        .await
        .expect("a sink");
    let options = BatchOptions {
        timeout: Duration::from_millis(200),
        ..BatchOptions::default()
    };
    let batch = runtime
        .batch(
            "batch",
            options,
            ToSubject {
                prefix: "t",
                target,
            },
        )
        .expect("a batch");
    let flow = Flow::open(runtime, support::AllTo(batch)).await;
    let (good, bad, also_good) = tokio::join!(
        flow.send("a", &["1"]),
        flow.send("b", &["2"]),
        flow.send("a", &["3"])
    );
    assert_eq!([good.status, bad.status, also_good.status], [200, 400, 200]);
    let messages = server.messages("T").await;
    assert_eq!(messages.len(), 1, "the two are merged");
    let stored: BTreeSet<String> = all_bodies(&messages).into_iter().collect();
    assert_eq!(stored, BTreeSet::from(["1".into(), "3".into()]));
}

/// Sends a numbered record every few milliseconds for `time`, without waiting for answers; returns
/// the body and the answer of each.
async fn load(address: SocketAddr, time: Duration) -> Vec<(String, Response)> {
    let stop = Instant::now() + time;
    let mut requests = Vec::new();
    while Instant::now() < stop {
        let body = requests.len().to_string();
        requests.push(tokio::spawn(async move {
            let response = send(address, &post("/v1/logs", "", &logs("a", &[&body]))).await;
            (body, response)
        }));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut answers = Vec::new();
    for request in requests {
        answers.push(request.await.expect("an answer"));
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_killed_server() {
    let Some(mut server) = Server::start("").await else {
        return;
    };
    server.stream("T", "t.>", "").await;
    let flow = flow_into(&server).await;
    let answers = tokio::spawn(load(flow.address, Duration::from_secs(4)));
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(600)).await;
        server.kill();
        tokio::time::sleep(Duration::from_millis(400)).await;
        server.restart();
    }
    let answers = answers.await.expect("the load ran");
    let (accepted, refused): (Vec<_>, Vec<_>) = answers
        .into_iter()
        .partition(|(_, response)| response.status == 200);
    for (body, response) in &refused {
        assert_eq!(response.status, 503, "{body}: {response:?}");
        assert!(
            response.header("retry-after").is_some(),
            "{body}: {response:?}"
        );
    }
    let stored: BTreeSet<String> = all_bodies(&server.messages("T").await)
        .into_iter()
        .collect();
    let lost: Vec<_> = accepted
        .iter()
        .filter(|(body, _)| !stored.contains(body))
        .collect();
    assert!(
        lost.is_empty(),
        "{} of {} are lost: {lost:?}",
        lost.len(),
        accepted.len()
    );
    assert!(accepted.len() > 50, "only {} were accepted", accepted.len());
    assert!(!refused.is_empty(), "the server was never seen down");
}
