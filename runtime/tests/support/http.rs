//! A raw HTTP/1.1 client: the tests decide about every byte and about when to go away.

use std::io::Write;
use std::net::SocketAddr;

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// `google.rpc.Status`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Status {
    #[prost(int32, tag = "1")]
    pub(crate) code: i32,
    #[prost(string, tag = "2")]
    pub(crate) message: String,
}

impl Response {
    /// The first header of that name, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The body of an error.
    pub(crate) fn rpc_status(&self) -> Status {
        assert_eq!(
            self.header("content-type"),
            Some("application/x-protobuf"),
            "{self:?}"
        );
        Status::decode(self.body.as_slice()).expect("a status")
    }
}

/// A POST of protobuf, with `headers` such as `"Content-Encoding: gzip\r\n"`.
pub(crate) fn post(path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    request(
        "POST",
        path,
        &format!("Content-Type: application/x-protobuf\r\n{headers}"),
        body,
    )
}

/// A request with a length and a body.
pub(crate) fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: test\r\n{headers}Content-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// A POST whose length is told only by its chunks.
pub(crate) fn chunked(path: &str, chunks: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!(
        "POST {path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/x-protobuf\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    .into_bytes();
    for chunk in chunks {
        bytes.extend(format!("{:x}\r\n", chunk.len()).bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend(b"\r\n");
    }
    bytes.extend(b"0\r\n\r\n");
    bytes
}

/// `bytes` as one gzip member.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("packed")
}

/// Sends `request` over a connection of its own and reads the answer.
pub(crate) async fn send(address: SocketAddr, request: &[u8]) -> Response {
    let mut stream = TcpStream::connect(address).await.expect("connected");
    exchange(&mut stream, request).await
}

/// Sends `request` over `stream` and reads the answer.
pub(crate) async fn exchange(stream: &mut TcpStream, request: &[u8]) -> Response {
    stream.write_all(request).await.expect("sent");
    read(stream).await
}

/// Reads one answer.
pub(crate) async fn read(stream: &mut TcpStream) -> Response {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        assert_ne!(
            stream.read_buf(&mut bytes).await.expect("an answer"),
            0,
            "closed"
        );
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).expect("a head");
    let mut lines = head.split("\r\n");
    let status_line = lines.next().expect("a status line");
    let status = status_line
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let mut response = Response {
        status: status.expect("a status"),
        headers,
        body: bytes[head_end + 4..].to_vec(),
    };
    let length: usize = response
        .header("content-length")
        .map_or(0, |length| length.parse().expect("a length"));
    while response.body.len() < length {
        assert_ne!(
            stream.read_buf(&mut response.body).await.expect("a body"),
            0,
            "closed"
        );
    }
    response
}

/// `body` as one zstd frame.
pub(crate) fn zstd(body: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(body.len()));
    zstd_safe::compress(&mut frame, body, 3).expect("room for the frame");
    frame
}
