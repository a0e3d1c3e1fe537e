//! The listener that shows self-telemetry. Input: an address; output: `/metrics` (OpenMetrics
//! text), `/healthz` (the process runs) and `/readyz` (every sink is connected, every source is
//! open and the flow is not shutting down).
//!
//! It is meant for the machine itself or a private network: it knows neither TLS nor credentials,
//! so an address that is not loopback gets a warning in the log.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::Telemetry;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// A scraper needs one connection; the bound keeps a wrong client from taking all sockets.
const MAX_CONNECTIONS: usize = 64;
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// Whether the flow is ready for data; shared with the part that starts and stops it.
pub(crate) type Readiness = Arc<AtomicBool>;

/// A listener that serves until it is dropped.
pub(crate) struct TelemetryListener {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl TelemetryListener {
    /// Binds `address` and starts to serve.
    pub(crate) fn open(
        address: &str,
        telemetry: Telemetry,
        ready: Readiness,
    ) -> std::io::Result<Self> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        let bound = listener.local_addr()?;
        if !bound.ip().is_loopback() {
            tracing::warn!(address = %bound, "self-telemetry listens on an address that is not loopback, in plain text");
        }
        tracing::info!(address = %bound, "self-telemetry is served at /metrics, /healthz and /readyz");
        Ok(Self {
            address: bound,
            task: tokio::spawn(accept(listener, telemetry, ready)),
        })
    }

    /// Where it listens, with the real port.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for TelemetryListener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, telemetry: Telemetry, ready: Readiness) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(permit) = Arc::clone(&connections).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors: give the process a moment to close some.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let (telemetry, ready) = (telemetry.clone(), Arc::clone(&ready));
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let response = respond(&request, &telemetry, &ready);
                async move { Ok::<_, Infallible>(response) }
            });
            // A scraper that goes away is its own affair.
            let _closed = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service)
                .await;
            drop(permit);
        });
    }
}

fn respond(
    request: &Request<Incoming>,
    telemetry: &Telemetry,
    ready: &AtomicBool,
) -> Response<Full<Bytes>> {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let mut response = text(StatusCode::METHOD_NOT_ALLOWED, PLAIN_TEXT, "use GET\n");
        response
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    match request.uri().path() {
        "/metrics" => match telemetry.encode() {
            Ok(metrics) => text(StatusCode::OK, OPEN_METRICS, metrics),
            Err(_) => text(
                StatusCode::INTERNAL_SERVER_ERROR,
                PLAIN_TEXT,
                "not encodable\n",
            ),
        },
        "/healthz" => text(StatusCode::OK, PLAIN_TEXT, "ok\n"),
        "/readyz" if ready.load(Ordering::Acquire) => text(StatusCode::OK, PLAIN_TEXT, "ready\n"),
        "/readyz" => text(StatusCode::SERVICE_UNAVAILABLE, PLAIN_TEXT, "not ready\n"),
        _ => text(
            StatusCode::NOT_FOUND,
            PLAIN_TEXT,
            "try /metrics, /healthz or /readyz\n",
        ),
    }
}

fn text(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Bytes>,
) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
