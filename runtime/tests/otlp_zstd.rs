//! Bodies in zstd over real sockets: what frames may ask for, what is malformed, and what is too much.
#![allow(clippy::expect_used, reason = "helpers of tests fail as tests do")]

mod support;

use support::flow::{Flow, assert_accepted};
use support::http::{chunked, post, zstd};
use support::otlp::logs;
use watershed::generated::OtlpSourceOptions;

const INVALID_ARGUMENT: i32 = 3;
const RESOURCE_EXHAUSTED: i32 = 8;
const PACKED: &str = "Content-Encoding: zstd\r\n";
/// Windows by their descriptor, RFC 8878, section 3.1.1.1.2: 8 MiB, and the next one, which is 9 MiB.
const LARGEST_WINDOW: u8 = 0x68;
const NEXT_WINDOW: u8 = 0x69;

/// A frame of one block. Kinds of blocks: 0 is bytes as they are, 2 is compressed.
fn frame(window: u8, kind: u32, block: &[u8]) -> Vec<u8> {
    let header = u32::try_from(block.len()).expect("a short block") << 3 | kind << 1 | 1;
    let head = [0x28, 0xb5, 0x2f, 0xfd, 0x00, window];
    [&head, &header.to_le_bytes()[..3], block].concat()
}

async fn in_flight(flow: &Flow) -> i64 {
    flow.metric("watershed_source_in_flight_bytes{node=\"ingest\"}")
        .await
}

#[tokio::test]
async fn a_window_of_eight_mebibytes_is_the_largest() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let body = logs("a", &["1"]);
    let widest = frame(LARGEST_WINDOW, 0, &body);
    assert_accepted(&flow.send(&post("/v1/logs", PACKED, &widest)).await);
    assert_eq!(flow.written(), ["1"]);
    let wider = frame(NEXT_WINDOW, 0, &body);
    let response = flow.send(&post("/v1/logs", PACKED, &wider)).await;
    assert_eq!(response.status, 400, "{response:?}");
    assert_eq!(response.rpc_status().code, INVALID_ARGUMENT);
    assert_eq!(flow.written(), ["1"]);
    assert_eq!(in_flight(&flow).await, 0);
}

#[tokio::test]
async fn malformed_blocks_are_refused_and_the_next_body_is_read() {
    let flow = Flow::start(OtlpSourceOptions::default()).await;
    let whole = zstd(&logs("a", &["x".repeat(5_000)]));
    let cases: [(&str, Vec<u8>); 6] = [
        ("a reserved kind of block", frame(0x50, 3, b"abc")),
        ("literals that need an earlier table", {
            frame(0x50, 2, &[0x43, 0x01, 0x00, 0xff, 0x00])
        }),
        ("literals whose Huffman weights are cut off", {
            frame(0x50, 2, &[0x42, 0x01, 0x01, 0x40, 0x00])
        }),
        ("sequences that need an earlier table", {
            frame(0x50, 2, &[0x00, 0x01, 0xfc, 0x01])
        }),
        ("sequences whose table of codes is malformed", {
            frame(0x50, 2, &[0x00, 0x01, 0x80, 0xff, 0xff, 0xff, 0xff, 0x01])
        }),
        ("a frame that ends in its block", {
            whole[..whole.len() - 3].to_vec()
        }),
    ];
    for (name, body) in cases {
        let response = flow.send(&post("/v1/logs", PACKED, &body)).await;
        assert_eq!(response.status, 400, "{name}: {response:?}");
        assert_eq!(response.rpc_status().code, INVALID_ARGUMENT, "{name}");
        assert_eq!(in_flight(&flow).await, 0, "{name}");
    }
    assert_eq!(flow.written(), [""; 0]);
    // Neither literals nor sequences: such a block is whole.
    let nothing = frame(0x50, 2, &[0x00, 0x00]);
    assert_accepted(&flow.send(&post("/v1/logs", PACKED, &nothing)).await);
    assert_accepted(&flow.send(&post("/v1/logs", PACKED, &whole)).await);
    assert_eq!(flow.written().len(), 1);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_while_it_is_packed() {
    let flow = Flow::start(OtlpSourceOptions {
        max_body: 100_000,
        ..OtlpSourceOptions::default()
    })
    .await;
    // Frames that hold nothing: however many there are, nothing comes out of them.
    let empty = frame(0x50, 0, b"");
    let half = empty.repeat(60_000 / empty.len());
    let announced = post("/v1/logs", PACKED, &[&half[..], &half].concat());
    let mut told_by_chunks = chunked("/v1/logs", &[&half, &half]);
    let head = told_by_chunks.windows(2).position(|pair| pair == b"\r\n");
    let head = head.expect("a request line") + 2;
    told_by_chunks.splice(head..head, PACKED.bytes());
    for request in [announced, told_by_chunks] {
        let response = flow.send(&request).await;
        assert_eq!(response.status, 413, "{response:?}");
        assert_eq!(response.rpc_status().code, RESOURCE_EXHAUSTED);
        assert_eq!(response.header("retry-after"), None);
    }
    assert_accepted(&flow.send(&post("/v1/logs", PACKED, &half)).await);
    assert_eq!(in_flight(&flow).await, 0);
}

#[tokio::test]
async fn what_can_never_be_held_beside_its_window_is_not_asked_for_again() {
    let flow = Flow::start(OtlpSourceOptions {
        max_in_flight: 1 << 20,
        ..OtlpSourceOptions::default()
    })
    .await;
    let body = frame(LARGEST_WINDOW, 0, &logs("a", &["1"]));
    let response = flow.send(&post("/v1/logs", PACKED, &body)).await;
    assert_eq!(response.status, 413, "{response:?}");
    assert_eq!(response.header("retry-after"), None);
    assert_eq!(in_flight(&flow).await, 0);
    assert_accepted(
        &flow
            .send(&post("/v1/logs", PACKED, &zstd(&logs("a", &["2"]))))
            .await,
    );
}
