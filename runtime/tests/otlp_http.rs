//! The OTLP source over real sockets: every answer of the specification, and nothing of a bad
//! request in any sink.

mod support;

use std::net::SocketAddr;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use support::http::{Response, chunked, exchange, gzip, post, read, request, send};
use support::otlp::{lines, logs, metric, trace, written};
use support::{AllTo, eventually};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use watershed::generated::{
    Batch, BatchOptions, FileSink, FileSinkOptions, OtlpSourceOptions, OtlpStages, Running,
    Runtime, RuntimeOptions, Unconnected,
};

const INVALID_ARGUMENT: i32 = 3;
const NOT_FOUND: i32 = 5;
const RESOURCE_EXHAUSTED: i32 = 8;
const UNIMPLEMENTED: i32 = 12;
const UNAVAILABLE: i32 = 14;

/// A flow from an OTLP source into files.
struct Flow {
    directory: TempDir,
    running: Running,
    address: SocketAddr,
}

fn source(options: OtlpSourceOptions) -> OtlpSourceOptions {
    OtlpSourceOptions {
        http: "127.0.0.1:0".into(),
        ..options
    }
}

async fn runtime(directory: &TempDir) -> (Runtime, FileSink) {
    let options = RuntimeOptions {
        telemetry: Some("127.0.0.1:0".into()),
        ..RuntimeOptions::default()
    };
    let mut runtime = Runtime::with_options("test", options).expect("a runtime");
    let path = directory.path().to_str().expect("a path").to_owned();
    let options = FileSinkOptions {
        path,
        ..FileSinkOptions::default()
    };
    let sink = runtime.file_sink("rest", options).await.expect("a sink");
    (runtime, sink)
}

impl Flow {
    async fn start(options: OtlpSourceOptions) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let (mut runtime, sink) = runtime(&directory).await;
        let stages = OtlpStages {
            logs: AllTo(sink.clone()),
            metrics: AllTo(sink.clone()),
            traces: AllTo(sink),
        };
        let opened = runtime.otlp_source("ingest", source(options), stages).await;
        opened.expect("a source");
        Self::of(directory, runtime)
    }

    /// Logs only, through a batch that waits for `timeout`.
    async fn batched(options: OtlpSourceOptions, timeout: Duration) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let (mut runtime, sink) = runtime(&directory).await;
        let batch = BatchOptions {
            timeout,
            ..BatchOptions::default()
        };
        let batch: Batch<AllTo<FileSink>> =
            runtime.batch("batch", batch, AllTo(sink)).expect("a batch");
        let stages = OtlpStages {
            logs: AllTo(batch),
            metrics: Unconnected,
            traces: Unconnected,
        };
        let opened = runtime.otlp_source("ingest", source(options), stages).await;
        opened.expect("a source");
        Self::of(directory, runtime)
    }

    fn of(directory: TempDir, runtime: Runtime) -> Self {
        let running = runtime.running();
        let address = running.address("ingest").expect("an address");
        Self {
            directory,
            running,
            address,
        }
    }

    async fn send(&self, request: &[u8]) -> Response {
        send(self.address, request).await
    }

    fn written(&self) -> Vec<String> {
        written(self.directory.path())
    }

    async fn telemetry(&self, path: &str) -> Response {
        let address = self.running.telemetry_address().expect("an address");
        send(address, &request("GET", path, "", b"")).await
    }

    async fn metric(&self, line: &str) -> i64 {
        let response = self.telemetry("/metrics").await;
        let text = String::from_utf8(response.body).expect("text");
        let value = text.lines().find_map(|found| found.strip_prefix(line));
        value.map_or(0, |value| value.trim().parse().expect("a number"))
    }
}

fn assert_accepted(response: &Response) {
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(
        response.header("content-type"),
        Some("application/x-protobuf")
    );
    assert!(response.body.is_empty(), "partial success must be unset");
}

#[tokio::test]
async fn all_three_signals_are_accepted_and_written() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let (trace, metric) = (trace("span"), metric("gauge"));
    assert_accepted(
        &flow
            .send(&post("/v1/logs", "", &logs("a", &["1", "2"])))
            .await,
    );
    assert_accepted(
        &flow
            .send(&post("/v1/traces", "", &trace.encode_to_vec()))
            .await,
    );
    assert_accepted(
        &flow
            .send(&post("/v1/metrics", "", &metric.encode_to_vec()))
            .await,
    );
    assert_eq!(flow.written(), ["1", "2"]);
    let directory = flow.directory.path();
    let traces: Vec<ExportTraceServiceRequest> = lines(&directory.join("traces.jsonl"));
    assert_eq!(traces, [trace]);
    let metrics: Vec<ExportMetricsServiceRequest> = lines(&directory.join("metrics.jsonl"));
    assert_eq!(metrics, [metric]);
}

#[tokio::test]
async fn gzip_is_unpacked_and_an_empty_body_is_an_empty_request() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let packed = "Content-Encoding: gzip\r\n";
    let long = vec!["x".repeat(50); 20_000];
    assert_accepted(
        &flow
            .send(&post("/v1/logs", packed, &gzip(&logs("a", &long))))
            .await,
    );
    assert_eq!(flow.written(), long);
    for (headers, body) in [("", vec![]), (packed, vec![]), (packed, gzip(b""))] {
        assert_accepted(&flow.send(&post("/v1/logs", headers, &body)).await);
    }
    let members = [gzip(&logs("a", &["2"])), gzip(&logs("a", &["3"]))].concat();
    assert_accepted(
        &flow
            .send(&post("/v1/logs", "Content-Encoding: GZIP\r\n", &members))
            .await,
    );
    assert_eq!(flow.written()[20_000..], ["2", "3"]);
}

#[tokio::test]
async fn parameters_of_the_content_type_and_identity_are_tolerated() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let headers =
        "Content-Type: Application/X-Protobuf; charset=utf-8\r\nContent-Encoding: identity\r\n";
    assert_accepted(
        &flow
            .send(&request("POST", "/v1/logs", headers, &logs("a", &["1"])))
            .await,
    );
    let body = logs("a", &["2"]);
    let (start, end) = body.split_at(7);
    assert_accepted(&flow.send(&chunked("/v1/logs", &[start, end])).await);
    assert_eq!(flow.written(), ["1", "2"]);
}

/// `inner` as the length-delimited field `number`.
fn field(number: u8, inner: &[u8]) -> Vec<u8> {
    let length = u8::try_from(inner.len()).expect("short");
    [&[number << 3 | 2, length], inner].concat()
}

/// A logs request around the fields of one log record.
fn record(fields: &[u8]) -> Vec<u8> {
    field(1, &field(2, &field(2, fields)))
}

/// A body nested `depth` deep.
fn nested(depth: usize) -> Vec<u8> {
    let mut value: Vec<u8> = Vec::new();
    let wrap = |number: u8, inner: &[u8]| {
        let mut outer = vec![number << 3 | 2];
        let mut length = inner.len();
        while length >= 0x80 {
            outer.push(u8::try_from(length & 0x7f).expect("seven bits") | 0x80);
            length >>= 7;
        }
        outer.push(u8::try_from(length).expect("seven bits"));
        [outer, inner.to_vec()].concat()
    };
    for _ in 0..depth {
        value = wrap(5, &wrap(1, &value));
    }
    wrap(1, &wrap(2, &wrap(2, &wrap(5, &value))))
}

#[tokio::test]
async fn malformed_bodies_get_400_with_the_offset_and_reach_no_sink() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let whole = logs("a", &["1"]);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("truncated", whole[..whole.len() - 1].to_vec()),
        ("truncated varint", record(&[2 << 3, 0x80])),
        (
            "oversized varint",
            record(&[
                2 << 3,
                0xff,
                0xff,
                0xff,
                0xff,
                0xff,
                0xff,
                0xff,
                0xff,
                0xff,
                0x7f,
            ]),
        ),
        ("length past the end", vec![0x0a, 0x7f, 0x00]),
        ("wrong wire type", record(&[3 << 3, 1])),
        ("start of a group", record(&[3 << 3 | 3, 3 << 3 | 4])),
        ("wire type 7", record(&[2 << 3 | 7])),
        ("field number 0", record(&[0x00, 0x00])),
        ("over-long tag", record(&[0x90, 0x00, 1])),
        ("invalid UTF-8", record(&field(3, &[0xff]))),
        ("field twice", record(&[2 << 3, 1, 2 << 3, 2])),
        ("oneof twice", record(&field(5, &[2 << 3, 1, 3 << 3, 1]))),
        ("short trace id", record(&field(9, &[1; 5]))),
        ("long span id", record(&field(10, &[1; 9]))),
        ("too deep", nested(60)),
        ("garbage", b"this is not protobuf".to_vec()),
    ];
    for (what, body) in cases {
        for (headers, body) in [
            ("", body.clone()),
            ("Content-Encoding: gzip\r\n", gzip(&body)),
        ] {
            let response = flow.send(&post("/v1/logs", headers, &body)).await;
            assert_eq!(response.status, 400, "{what}: {response:?}");
            let status = response.rpc_status();
            assert_eq!(status.code, INVALID_ARGUMENT, "{what}");
            assert!(
                status.message.contains("byte"),
                "{what}: {}",
                status.message
            );
            assert_eq!(response.header("retry-after"), None, "{what}");
        }
    }
    assert!(flow.written().is_empty());
    assert_accepted(&flow.send(&post("/v1/logs", "", &whole)).await);
    assert_eq!(flow.written(), ["1"]);
}

#[tokio::test]
async fn requests_that_are_not_otlp_get_the_status_that_says_why() {
    let flow = Flow::batched(OtlpSourceOptions::default(), Duration::from_millis(1)).await;
    let body = logs("a", &["1"]);
    let protobuf = "Content-Type: application/x-protobuf\r\n";
    let zstd = "Content-Type: application/x-protobuf\r\nContent-Encoding: zstd\r\n";
    let twice = "Content-Type: application/x-protobuf\r\nContent-Encoding: gzip, gzip\r\n";
    let corrupt = "Content-Type: application/x-protobuf\r\nContent-Encoding: gzip\r\n";
    let packed = gzip(&body);
    let cut = &packed[..packed.len() - 3];
    let cases: [(&str, &str, &str, &[u8], u16, i32); 10] = [
        ("POST", "/", protobuf, &body, 404, NOT_FOUND),
        ("POST", "/v1/logs/", protobuf, &body, 404, NOT_FOUND),
        ("POST", "/v1/traces", protobuf, &body, 404, NOT_FOUND),
        ("GET", "/v1/logs", protobuf, b"", 405, UNIMPLEMENTED),
        ("PUT", "/v1/logs", protobuf, &body, 405, UNIMPLEMENTED),
        (
            "POST",
            "/v1/logs",
            "Content-Type: text/plain\r\n",
            &body,
            415,
            UNIMPLEMENTED,
        ),
        ("POST", "/v1/logs", "", &body, 415, UNIMPLEMENTED),
        ("POST", "/v1/logs", zstd, &body, 415, UNIMPLEMENTED),
        ("POST", "/v1/logs", twice, &body, 415, UNIMPLEMENTED),
        ("POST", "/v1/logs", corrupt, cut, 400, INVALID_ARGUMENT),
    ];
    for (method, path, headers, body, status, code) in cases {
        let response = flow.send(&request(method, path, headers, body)).await;
        assert_eq!(
            response.status, status,
            "{method} {path} {headers:?}: {response:?}"
        );
        assert_eq!(
            response.rpc_status().code,
            code,
            "{method} {path} {headers:?}"
        );
        let allow = (status == 405).then_some("POST");
        assert_eq!(response.header("allow"), allow);
    }
    let json = flow
        .send(&request(
            "POST",
            "/v1/logs",
            "Content-Type: application/json\r\n",
            b"{}",
        ))
        .await;
    assert_eq!(
        (json.status, json.header("content-type")),
        (415, Some("application/json"))
    );
    let status: serde_json::Value = serde_json::from_slice(&json.body).expect("JSON");
    assert_eq!(status["code"], UNIMPLEMENTED);
    assert!(flow.written().is_empty());
    assert_accepted(&flow.send(&post("/v1/logs", "", &body)).await);
}

#[tokio::test]
async fn bodies_over_the_limit_get_413_before_and_after_decompression() {
    let options = OtlpSourceOptions {
        max_body: 100_000,
        ..OtlpSourceOptions::default()
    };
    let flow = Flow::start(options).await;
    let large = vec![0; 100_001];
    let bomb = gzip(&vec![0; 20_000_000]);
    assert!(bomb.len() < 100_000, "the bomb must fit while it is packed");
    let half = vec![0; 60_000];
    let requests = [
        post("/v1/logs", "", &large),
        chunked("/v1/logs", &[&half, &half]),
        post("/v1/logs", "Content-Encoding: gzip\r\n", &bomb),
    ];
    for request in requests {
        let response = flow.send(&request).await;
        assert_eq!(response.status, 413, "{response:?}");
        assert_eq!(response.rpc_status().code, RESOURCE_EXHAUSTED);
        assert_eq!(response.header("retry-after"), None);
    }
    let fits = logs("a", &["x".repeat(99_000)]);
    assert!(fits.len() < 100_000);
    assert_accepted(&flow.send(&post("/v1/logs", "", &fits)).await);
    assert_eq!(
        flow.metric("watershed_source_in_flight_bytes{node=\"ingest\"}")
            .await,
        0
    );
}

#[tokio::test]
async fn a_connection_is_kept_after_an_answer_and_after_a_refusal() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let mut stream = TcpStream::connect(flow.address).await.expect("connected");
    for body in ["1", "2"] {
        assert_accepted(&exchange(&mut stream, &post("/v1/logs", "", &logs("a", &[body]))).await);
        let refused = exchange(&mut stream, &post("/v1/nothing", "", &[7; 5_000])).await;
        assert_eq!(refused.status, 404);
    }
    assert_eq!(flow.written(), ["1", "2"]);
}

#[tokio::test]
async fn http2_in_plain_text_is_served_on_the_same_port() {
    use http_body_util::{BodyExt, Full};
    use hyper_util::rt::{TokioExecutor, TokioIo};

    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let stream = TcpStream::connect(flow.address).await.expect("connected");
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .expect("HTTP/2");
    tokio::spawn(connection);
    for body in ["1", "2"] {
        let request = http::Request::post(format!("http://{}/v1/logs", flow.address))
            .header("content-type", "application/x-protobuf")
            .body(Full::new(bytes::Bytes::from(logs("a", &[body]))))
            .expect("a request");
        let response = sender.send_request(request).await.expect("an answer");
        assert_eq!(response.status(), 200);
        let body = response.into_body().collect().await.expect("a body");
        assert!(body.to_bytes().is_empty());
    }
    assert_eq!(flow.written(), ["1", "2"]);
}

#[tokio::test]
async fn requests_on_one_connection_may_not_hold_more_than_its_share() {
    use futures_util::StreamExt;
    use http_body_util::{BodyExt, StreamBody};
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
            .body(held_open(bytes).boxed())
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
async fn a_body_that_does_not_arrive_in_time_gets_408() {
    let options = OtlpSourceOptions {
        body_timeout: Duration::from_millis(100),
        ..OtlpSourceOptions::default()
    };
    let flow = Flow::start(options).await;
    let whole = post("/v1/logs", "", &logs("a", &["1"]));
    let mut stream = TcpStream::connect(flow.address).await.expect("connected");
    let response = exchange(&mut stream, &whole[..whole.len() - 1]).await;
    assert_eq!(response.status, 408);
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
