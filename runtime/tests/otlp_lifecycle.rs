//! Senders that go away, sources that are full, sinks that fail, and the end of a flow.
#![allow(clippy::expect_used, reason = "helpers of tests fail as tests do")]

mod support;

use std::time::Duration;

use support::eventually;
use support::flow::{Flow, assert_accepted};
use support::http::{exchange, gzip, post, read, send};
use support::otlp::{logs, written};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use watershed::generated::OtlpSourceOptions;

const UNAVAILABLE: i32 = 14;

#[tokio::test]
async fn requests_on_one_connection_may_not_hold_more_than_its_share() {
    use futures_util::StreamExt;
    use http_body_util::StreamBody;
    use hyper::body::Frame;
    use hyper_util::rt::{TokioExecutor, TokioIo};

    let options = OtlpSourceOptions {
        max_in_flight: 100_000,
        ..OtlpSourceOptions::default()
    };
    let flow = Flow::start(options).await;
    let stream = TcpStream::connect(flow.address).await.expect("connected");
    let (sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .expect("HTTP/2");
    tokio::spawn(connection);
    // A body that never ends after these bytes.
    let held_open = |bytes: usize| {
        let start = futures_util::stream::iter([bytes::Bytes::from(vec![0; bytes])]);
        let body = start.chain(futures_util::stream::pending());
        StreamBody::new(body.map(|data| Ok::<_, std::convert::Infallible>(Frame::data(data))))
    };
    let ask = |bytes: usize| {
        let request = http::Request::post(format!("http://{}/v1/logs", flow.address))
            .header("content-type", "application/x-protobuf")
            .body(held_open(bytes))
            .expect("a request");
        let mut sender = sender.clone();
        async move { sender.send_request(request).await.expect("an answer") }
    };
    let first = tokio::spawn(ask(40_000));
    let held = "watershed_source_in_flight_bytes{node=\"ingest\"}";
    eventually("the first is charged", async || {
        flow.metric(held).await == 40_000
    })
    .await;
    let second = ask(20_000).await;
    assert_eq!(second.status(), 429);
    assert_eq!(second.headers()["retry-after"], "1");
    first.abort();
}

#[tokio::test]
async fn a_sender_that_goes_away_half_way_leaves_nothing_behind() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let whole = post("/v1/logs", "", &logs("a", &["x".repeat(50_000)]));
    let mut stream = TcpStream::connect(flow.address).await.expect("connected");
    stream.write_all(&whole[..40_000]).await.expect("sent");
    let held = "watershed_source_in_flight_bytes{node=\"ingest\"}";
    eventually("the bytes are charged", async || {
        flow.metric(held).await > 0
    })
    .await;
    drop(stream);
    eventually("the bytes are released", async || {
        flow.metric(held).await == 0
    })
    .await;
    assert!(flow.written().is_empty());
    assert_accepted(&flow.send(&post("/v1/logs", "", &logs("a", &["1"]))).await);
    assert_eq!(flow.written(), ["1"]);
}

#[tokio::test]
async fn an_event_whose_sender_goes_away_still_reaches_its_end() {
    let flow = Flow::batched(OtlpSourceOptions::default(), Duration::from_millis(300)).await;
    let mut stream = TcpStream::connect(flow.address).await.expect("connected");
    let body = logs("a", &["1"]);
    stream
        .write_all(&post("/v1/logs", "", &body))
        .await
        .expect("sent");
    let taken = "watershed_source_received_records_total{node=\"ingest\"}";
    eventually("the request is taken", async || {
        flow.metric(taken).await == 1
    })
    .await;
    drop(stream);
    eventually("the record is written", async || flow.written() == ["1"]).await;
}

#[tokio::test]
async fn a_full_source_answers_503_and_says_when_to_come_back() {
    let options = OtlpSourceOptions {
        max_in_flight: 100_000,
        ..OtlpSourceOptions::default()
    };
    let flow = Flow::start(options).await;
    let whole = post("/v1/logs", "", &logs("a", &["x".repeat(90_000)]));
    let mut slow = TcpStream::connect(flow.address).await.expect("connected");
    let (last, start) = whole.split_last().expect("bytes");
    slow.write_all(start).await.expect("sent");
    let held = "watershed_source_in_flight_bytes{node=\"ingest\"}";
    eventually("the bytes are charged", async || {
        flow.metric(held).await > 80_000
    })
    .await;
    let refused = flow
        .send(&post("/v1/logs", "", &logs("a", &["y".repeat(20_000)])))
        .await;
    assert_eq!(refused.status, 503, "{refused:?}");
    assert_eq!(refused.rpc_status().code, UNAVAILABLE);
    assert_eq!(refused.header("retry-after"), Some("1"));
    slow.write_all(&[*last]).await.expect("sent");
    assert_accepted(&read(&mut slow).await);
    assert_accepted(
        &flow
            .send(&post("/v1/logs", "", &logs("a", &["y".repeat(20_000)])))
            .await,
    );
}

#[tokio::test]
async fn connections_over_the_limit_wait_until_another_one_ends() {
    let options = OtlpSourceOptions {
        max_connections: 1,
        ..OtlpSourceOptions::default()
    };
    let flow = Flow::start(options).await;
    let request = post("/v1/logs", "", &logs("a", &["1"]));
    let mut first = TcpStream::connect(flow.address).await.expect("connected");
    assert_accepted(&exchange(&mut first, &request).await);
    let mut second = TcpStream::connect(flow.address).await.expect("connected");
    second.write_all(&request).await.expect("sent");
    let waited = tokio::time::timeout(Duration::from_millis(300), read(&mut second)).await;
    assert!(waited.is_err(), "the only place is taken");
    assert_eq!(flow.written(), ["1"]);
    drop(first);
    assert_accepted(&read(&mut second).await);
}

#[tokio::test]
async fn a_packed_body_that_nearly_fills_the_source_is_taken() {
    let options = OtlpSourceOptions {
        max_in_flight: 1 << 20,
        ..OtlpSourceOptions::default()
    };
    let flow = Flow::start(options).await;
    let packed = gzip(&logs("a", &["x".repeat(700_000)]));
    let request = post("/v1/logs", "Content-Encoding: gzip\r\n", &packed);
    assert_accepted(&flow.send(&request).await);
}

#[tokio::test]
async fn a_body_that_does_not_arrive_in_time_gets_503_and_may_come_again() {
    let options = OtlpSourceOptions {
        body_timeout: Duration::from_millis(100),
        ..OtlpSourceOptions::default()
    };
    let flow = Flow::start(options).await;
    let whole = post("/v1/logs", "", &logs("a", &["1"]));
    let mut stream = TcpStream::connect(flow.address).await.expect("connected");
    let response = exchange(&mut stream, &whole[..whole.len() - 1]).await;
    assert_eq!(response.status, 503);
    assert_eq!(response.rpc_status().code, UNAVAILABLE);
    assert_eq!(response.header("retry-after"), Some("1"));
    assert_eq!(response.header("connection"), Some("close"));
    assert!(flow.written().is_empty());
}

#[tokio::test]
async fn a_sink_that_cannot_write_makes_the_source_answer_503() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    // A directory where the file should be.
    std::fs::create_dir(flow.directory.path().join("logs.jsonl")).expect("made");
    let failed = flow.send(&post("/v1/logs", "", &logs("a", &["1"]))).await;
    assert_eq!(failed.status, 503, "{failed:?}");
    let status = failed.rpc_status();
    assert_eq!(status.code, UNAVAILABLE);
    assert!(status.message.contains("`rest`"), "{}", status.message);
    assert!(failed.header("retry-after").is_some());
    // The circuit is open now: the next one is refused at once.
    let started = std::time::Instant::now();
    let refused = flow.send(&post("/v1/logs", "", &logs("a", &["1"]))).await;
    assert_eq!(refused.status, 503);
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
    std::fs::remove_dir(flow.directory.path().join("logs.jsonl")).expect("removed");
    let body = logs("a", &["2"]);
    eventually("the sink is tried again", async || {
        flow.send(&post("/v1/logs", "", &body)).await.status == 200
    })
    .await;
    assert_eq!(flow.written(), ["2"]);
}

#[tokio::test]
async fn shutting_down_flushes_batches_and_answers_callers() {
    let flow = Flow::batched(OtlpSourceOptions::default(), Duration::from_secs(5)).await;
    let taken = "watershed_source_received_records_total{node=\"ingest\"}";
    let address = flow.address;
    let sender =
        tokio::spawn(async move { send(address, &post("/v1/logs", "", &logs("a", &["1"]))).await });
    eventually("the request is taken", async || {
        flow.metric(taken).await == 1
    })
    .await;
    let Flow {
        directory, running, ..
    } = flow;
    let started = std::time::Instant::now();
    running
        .shutdown(Duration::from_secs(5))
        .await
        .expect("everything is delivered");
    assert!(
        started.elapsed() < Duration::from_secs(4),
        "{:?}",
        started.elapsed()
    );
    assert_accepted(&sender.await.expect("answered"));
    assert_eq!(written(directory.path()), ["1"]);
    assert!(
        TcpStream::connect(address).await.is_err(),
        "the port is closed"
    );
}

#[tokio::test]
async fn telemetry_tells_health_readiness_and_counts() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    assert_accepted(
        &flow
            .send(&post("/v1/logs", "", &logs("a", &["1", "2"])))
            .await,
    );
    assert_eq!(flow.telemetry("/healthz").await.status, 200);
    assert_eq!(flow.telemetry("/readyz").await.status, 200);
    assert_eq!(flow.telemetry("/").await.status, 404);
    let edge = "{from=\"ingest.logs\",to=\"rest\"}";
    let line = format!("watershed_edge_forwarded_records_total{edge}");
    assert_eq!(flow.metric(&line).await, 2);
    assert_eq!(
        flow.metric("watershed_source_answers_total{node=\"ingest\",status=\"200\"}")
            .await,
        1
    );
}
