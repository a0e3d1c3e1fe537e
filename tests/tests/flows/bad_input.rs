//! Requests that no source may accept. Each is answered as OTLP says, nothing of it reaches a sink, and the server
//! goes on.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use watershed_samples::Sampler;
use watershed_samples::records::{Logs, difference, sorted};
use watershed_tests::flow::FlowProcess;
use watershed_tests::wire::{field, request};

use crate::{json_file, protobuf_file, start};

/// Bodies that are not in the one canonical reading of OTLP, with what is wrong.
fn malformed() -> Vec<(&'static str, Vec<u8>)> {
    let record = |bytes: &[u8]| request(&[], &[bytes]);
    let body = |value: &[u8]| record(&field(5, value));
    let valid = Sampler::new(1)
        .records(1)
        .resources(1)
        .logs()
        .encode_to_vec();
    vec![
        ("not protobuf", b"hello, world".to_vec()),
        ("cut off", without_last(&valid, 7)),
        ("varint cut off", record(&[0x10, 0x80])),
        (
            "varint of 11 bytes",
            record(&[[0x10].as_slice(), &[0xFF; 10], &[1]].concat()),
        ),
        (
            "varint over 64 bits",
            record(&[[0x10].as_slice(), &[0xFF; 9], &[2]].concat()),
        ),
        ("length past the end", record(&[0x2A, 0x7F, 1])),
        (
            "length over 64 bits",
            record(&[[0x2A].as_slice(), &[0xFF; 9], &[1]].concat()),
        ),
        ("severity as a string", record(&field(2, b"17"))),
        ("body as a varint", record(&[0x28, 1])),
        ("group", record(&[0x53, 0x54])),
        ("end of a group", record(&[0x54])),
        ("wire type 7", record(&[0x57])),
        ("field number zero", record(&[0x00, 1])),
        ("over-long tag", record(&[0x90, 0x00, 9])),
        ("severity twice", record(&[0x10, 9, 0x10, 17])),
        (
            "body twice",
            record(&[field(5, &field(1, b"a")), field(5, &field(1, b"b"))].concat()),
        ),
        (
            "resource twice",
            field(1, &[field(1, &[]), field(1, &[])].concat()),
        ),
        (
            "scope twice",
            field(1, &field(2, &[field(1, &[]), field(1, &[])].concat())),
        ),
        (
            "two members of a value",
            body(&[field(1, b"text"), vec![0x18, 1]].concat()),
        ),
        ("invalid UTF-8 in a body", body(&field(1, &[0xC3, 0x28]))),
        (
            "invalid UTF-8 in a key",
            record(&field(6, &field(1, &[0xFF]))),
        ),
        (
            "surrogate in a schema URL",
            field(1, &field(3, &[0xED, 0xA0, 0x80])),
        ),
        ("trace id of 15 bytes", record(&field(9, &[1; 15]))),
        ("span id of 9 bytes", record(&field(10, &[1; 9]))),
        ("values nested 120 deep", body(&nested(120))),
        ("values nested 5,000 deep", body(&nested(5_000))),
    ]
}

fn without_last(bytes: &[u8], count: usize) -> Vec<u8> {
    let (kept, _) = bytes.split_at(bytes.len().saturating_sub(count));
    kept.to_vec()
}

/// A list in a list in a list …
fn nested(depth: usize) -> Vec<u8> {
    let mut value = field(1, b"end");
    for _ in 0..depth {
        value = field(5, &field(1, &value));
    }
    value
}

#[tokio::test]
async fn malformed_requests_are_refused_whole() -> Result<()> {
    let mut flow = start("everything", &[])?;
    let sender = flow.sender()?;
    for (what, bytes) in malformed() {
        // A valid request in front: one that is half good is refused as well.
        for bytes in [
            bytes.clone(),
            [
                Sampler::new(2)
                    .records(1)
                    .resources(1)
                    .logs()
                    .encode_to_vec(),
                bytes,
            ]
            .concat(),
        ] {
            let answer = sender.send_bytes("/v1/logs", bytes).await.context(what)?;
            assert_eq!(answer.status, 400, "{what}");
            let error = answer.error()?;
            assert_eq!(error.code, 3, "{what}: INVALID_ARGUMENT");
            assert!(
                error.message.contains("byte"),
                "{what}: no offset in `{}`",
                error.message
            );
        }
    }
    only_a_valid_request_arrives(&mut flow).await
}

#[tokio::test]
async fn wrong_requests_get_the_status_of_http() -> Result<()> {
    let mut flow = start("everything", &[])?;
    let sender = flow.sender()?;
    let logs = Sampler::new(3).records(3).logs().encode_to_vec();
    let json: &[(&str, &str)] = &[("content-type", "text/plain")];
    let table = [
        ("unknown path", "/v1/events", &[] as &[_], logs.clone(), 404),
        ("path of the root", "/", &[], logs.clone(), 404),
        ("unknown content type", "/v1/logs", json, logs.clone(), 415),
        (
            "unknown encoding",
            "/v1/logs",
            &[("content-encoding", "br")],
            logs.clone(),
            415,
        ),
        (
            "gzip that is none",
            "/v1/logs",
            &[("content-encoding", "gzip")],
            logs.clone(),
            400,
        ),
        (
            "gzip cut off",
            "/v1/logs",
            &[("content-encoding", "gzip")],
            gzip(&logs)?[..40].to_vec(),
            400,
        ),
        (
            "gzip bomb",
            "/v1/logs",
            &[("content-encoding", "gzip")],
            gzip_bomb()?,
            413,
        ),
        (
            "body over the limit",
            "/v1/logs",
            &[],
            vec![0; 65 << 20],
            413,
        ),
    ];
    for (what, path, headers, body, status) in table {
        let answer = sender.send_with(path, body, headers).await.context(what)?;
        assert_eq!(answer.status, status, "{what}");
        assert!(!answer.error()?.message.is_empty(), "{what}: no message");
    }
    let answer = raw(
        &flow,
        b"GET /v1/logs HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n",
    )
    .await?;
    assert!(answer.starts_with("HTTP/1.1 405 "), "{answer}");
    only_a_valid_request_arrives(&mut flow).await
}

#[tokio::test]
async fn empty_requests_are_accepted() -> Result<()> {
    let flow = start("everything", &[])?;
    let sender = flow.sender()?;
    for path in ["/v1/logs", "/v1/traces", "/v1/metrics"] {
        for headers in [&[] as &[_], &[("content-encoding", "gzip")]] {
            let answer = sender.send_with(path, Vec::new(), headers).await?;
            assert_eq!(answer.status, 200, "{path} {headers:?}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn encodings_that_real_senders_use_are_accepted() -> Result<()> {
    let mut flow = start("everything", &[])?;
    let sender = flow.sender()?;
    let logs = Sampler::new(4).records(5).logs();
    let parameters: &[(&str, &str)] = &[
        ("content-type", "application/x-protobuf; charset=utf-8"),
        ("content-encoding", "gzip"),
    ];
    let answer = sender
        .send_with("/v1/logs", gzip(&logs.encode_to_vec())?, parameters)
        .await?;
    assert_eq!(answer.status, 200);

    // A padded length, as encoders write that fill lengths in later, and a resource behind its scopes.
    let record = field(3, b"INFO");
    let padded = [
        &[0x12, 0x80 | u8::try_from(record.len())?, 0x80, 0x00],
        record.as_slice(),
    ]
    .concat();
    let group = [field(2, &padded), field(1, &[])].concat();
    assert_eq!(
        sender
            .send_bytes("/v1/logs", field(1, &group))
            .await?
            .status,
        200
    );
    assert!(flow.stop()?.success());

    let arrived = json_file::<Logs>(flow.folder(), "json", "logs")?;
    assert_eq!(sorted(&arrived).len(), 6);
    Ok(())
}

#[tokio::test]
async fn a_sender_that_disconnects_half_way_leaves_nothing() -> Result<()> {
    let mut flow = start("everything", &[])?;
    let body = Sampler::new(5).records(100).logs().encode_to_vec();
    for sent in [0, 1, body.len() / 2, body.len() - 1] {
        let mut connection = TcpStream::connect(flow.address("ingest")?).await?;
        let head = format!(
            "POST /v1/logs HTTP/1.1\r\nhost: test\r\ncontent-type: application/x-protobuf\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        connection.write_all(head.as_bytes()).await?;
        connection.write_all(&body[..sent]).await?;
        drop(connection);
    }
    only_a_valid_request_arrives(&mut flow).await
}

/// Sends a valid request, ends the flow, and checks that its records are all that the sinks hold.
async fn only_a_valid_request_arrives(flow: &mut FlowProcess) -> Result<()> {
    let valid = Sampler::new(6).records(7).logs();
    assert_eq!(
        flow.sender()?.send(&valid).await?.status,
        200,
        "the server does not go on"
    );
    assert!(flow.stop()?.success());
    let expected = sorted([&valid]);
    let json = sorted(&json_file::<Logs>(flow.folder(), "json", "logs")?);
    assert_eq!(difference(&expected, &json), None);
    let protobuf = sorted(&protobuf_file::<Logs>(flow.folder(), "proto", "logs")?);
    assert_eq!(difference(&expected, &protobuf), None);
    Ok(())
}

/// Sends `bytes` on a connection of their own and gives everything that comes back.
async fn raw(flow: &FlowProcess, bytes: &[u8]) -> Result<String> {
    let mut connection = TcpStream::connect(flow.address("ingest")?).await?;
    connection.write_all(bytes).await?;
    let mut answer = Vec::new();
    timeout(Duration::from_secs(5), connection.read_to_end(&mut answer)).await??;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A hundred members of 1 MiB each: 100 KB that unpack to 100 MiB.
fn gzip_bomb() -> Result<Vec<u8>> {
    Ok(gzip(&vec![0; 1 << 20])?.repeat(100))
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
