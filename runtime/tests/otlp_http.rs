//! The OTLP source over real sockets: every answer of the specification, and nothing of a bad
//! request in any sink.
#![allow(clippy::expect_used, reason = "helpers of tests fail as tests do")]

mod support;

use std::time::Duration;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use support::flow::{Flow, assert_accepted};
use support::http::{chunked, exchange, gzip, post, request, zstd};
use support::otlp::{lines, logs, metric, trace};
use tokio::net::TcpStream;
use watershed::generated::OtlpSourceOptions;

const INVALID_ARGUMENT: i32 = 3;
const NOT_FOUND: i32 = 5;
const RESOURCE_EXHAUSTED: i32 = 8;
const UNIMPLEMENTED: i32 = 12;

/// Method, path, headers and body of a request, and the status and code of its answer.
type Case<'a> = (&'a str, &'a str, &'a str, &'a [u8], u16, i32);

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
async fn zstd_is_unpacked_and_its_frames_are_one_body() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let packed = "Content-Encoding: zstd\r\n";
    let long = vec!["x".repeat(50); 20_000];
    let frames = [zstd(&logs("a", &["2"])), zstd(&logs("a", &["3"]))].concat();
    for body in [zstd(&logs("a", &long)), vec![], zstd(b""), frames] {
        assert_accepted(&flow.send(&post("/v1/logs", packed, &body)).await);
    }
    let written = flow.written();
    assert_eq!(written[..20_000], long);
    assert_eq!(written[20_000..], ["2", "3"]);
    let whole = zstd(&logs("a", &["4"]));
    // A frame header that asks for a window of 16 MiB.
    let wide = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x70, 0x01, 0x00, 0x00];
    for body in [whole[..whole.len() - 1].to_vec(), logs("a", &["4"]), wide] {
        let response = flow.send(&post("/v1/logs", packed, &body)).await;
        assert_eq!(response.status, 400, "{response:?}");
        assert_eq!(response.rpc_status().code, INVALID_ARGUMENT);
    }
    assert_eq!(flow.written().len(), 20_002);
    let held = flow.metric("watershed_source_in_flight_bytes{node=\"ingest\"}");
    assert_eq!(held.await, 0);
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
    let brotli = "Content-Type: application/x-protobuf\r\nContent-Encoding: br\r\n";
    let twice = "Content-Type: application/x-protobuf\r\nContent-Encoding: gzip, gzip\r\n";
    let corrupt = "Content-Type: application/x-protobuf\r\nContent-Encoding: gzip\r\n";
    let packed = gzip(&body);
    let cut = &packed[..packed.len() - 3];
    let cases: [Case<'_>; 10] = [
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
        ("POST", "/v1/logs", brotli, &body, 415, UNIMPLEMENTED),
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
        post(
            "/v1/logs",
            "Content-Encoding: zstd\r\n",
            &zstd(&vec![0; 20_000_000]),
        ),
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
