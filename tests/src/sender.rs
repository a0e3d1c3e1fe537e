//! Sends OTLP requests over HTTP, as an exporter does.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Result;
use prost::Message;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Client, StatusCode};

use watershed_samples::records::Telemetry;

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers of the answer.
    pub headers: HeaderMap,
    /// Body of the answer.
    pub body: Vec<u8>,
}

impl Answer {
    /// Seconds that the answer asks the sender to wait, when it does.
    pub fn retry_after(&self) -> Option<u64> {
        self.headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()
    }

    /// The body as the message that OTLP asks for in an answer that is not a success.
    pub fn error(&self) -> Result<ErrorStatus> {
        Ok(ErrorStatus::decode(self.body.as_slice())?)
    }
}

/// `google.rpc.Status`, without its details.
#[derive(Clone, PartialEq, Message)]
pub struct ErrorStatus {
    /// A `google.rpc.Code`.
    #[prost(int32, tag = "1")]
    pub code: i32,
    /// A text for the developer of the sender.
    #[prost(string, tag = "2")]
    pub message: String,
}

/// A sender to one OTLP/HTTP source. Clones share connections.
#[derive(Clone, Debug)]
pub struct Sender {
    client: Client,
    address: SocketAddr,
}

impl Sender {
    /// A sender to `address` that waits up to 30 seconds for an answer.
    pub fn new(address: SocketAddr) -> Result<Self> {
        let client = Client::builder().timeout(Duration::from_secs(30)).build()?;
        Ok(Self { client, address })
    }

    /// Sends `request` to the path of its signal.
    pub async fn send<T: Telemetry>(&self, request: &T) -> Result<Answer> {
        self.send_bytes(T::PATH, request.encode_to_vec()).await
    }

    /// Sends `body` as protobuf to `path`.
    pub async fn send_bytes(&self, path: &str, body: Vec<u8>) -> Result<Answer> {
        self.send_with(path, body, &[]).await
    }

    /// Sends `body` to `path` with more headers; a content type among them replaces that of protobuf.
    pub async fn send_with(
        &self,
        path: &str,
        body: Vec<u8>,
        headers: &[(&str, &str)],
    ) -> Result<Answer> {
        let url = format!("http://{}{path}", self.address);
        let mut request = self.client.post(url).body(body);
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        {
            request = request.header(CONTENT_TYPE, "application/x-protobuf");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await?;
        Ok(Answer {
            status: response.status(),
            headers: response.headers().clone(),
            body: response.bytes().await?.to_vec(),
        })
    }
}
