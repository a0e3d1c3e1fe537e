//! The HTTP server of an OTLP source: connections, their limits, and a graceful end.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

use super::{OtlpSourceOptions, OtlpStages, Source, SourceContext};
use crate::delivery::Stage;
use crate::error::StartError;

/// A new connection must bring a whole request head within this time.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// A kept connection may be idle for this long: exporters usually come every minute at least.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
const HTTP2_STREAMS: u32 = 128;
const HTTP2_KEEP_ALIVE: Duration = Duration::from_secs(20);
const MAX_HEADER_BYTES: u32 = 32 << 10;
/// Out of file descriptors: a moment for some to be closed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A source that listens.
pub(crate) struct Opened {
    /// Where, with the real port.
    pub(crate) address: SocketAddr,
    /// Ends after the source was stopped and every connection is closed.
    pub(crate) task: JoinHandle<()>,
}

/// Listens and serves `stages` until the context says stop.
pub(crate) async fn open<L: Stage, M: Stage, T: Stage>(
    context: SourceContext,
    options: OtlpSourceOptions,
    stages: OtlpStages<L, M, T>,
) -> Result<Opened, StartError> {
    options.check(&context.name)?;
    let listen_error = |source| StartError::Listen {
        node: context.name.clone(),
        address: options.http.clone(),
        source,
    };
    let listener = TcpListener::bind(&options.http)
        .await
        .map_err(listen_error)?;
    let address = listener.local_addr().map_err(listen_error)?;
    if !address.ip().is_loopback() {
        tracing::warn!(source = context.name, %address, "OTLP is received in plain text on an address that is not loopback");
    }
    tracing::info!(source = context.name, %address, "OTLP over HTTP is open");
    let source = Arc::new(Source {
        context,
        options,
        stages: Arc::new(stages),
    });
    let task = tokio::spawn(accept(listener, source));
    Ok(Opened { address, task })
}

async fn accept<L: Stage, M: Stage, T: Stage>(listener: TcpListener, source: Arc<Source<L, M, T>>) {
    let places = usize::try_from(source.options.max_connections).unwrap_or(usize::MAX);
    let places = Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)));
    let connections = TaskTracker::new();
    let stopping = source.context.stopping.clone();
    let accepting = async {
        // The place is taken before the connection, so that further ones wait in the backlog.
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let source = Arc::clone(&source);
                    connections.spawn(async move {
                        serve(stream, source).await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(source = source.context.name, %error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        () = stopping.cancelled() => {}
        () = accepting => {}
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

async fn serve<L: Stage, M: Stage, T: Stage>(stream: TcpStream, source: Arc<Source<L, M, T>>) {
    // Answers are small; waiting to fill a packet would only delay them.
    let _best_effort = stream.set_nodelay(true);
    let share = source.context.admission.connection();
    let stopping = source.context.stopping.clone();
    let has_request = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&has_request);
    let service = service_fn(move |request| {
        seen.store(true, Ordering::Relaxed);
        let (source, share) = (Arc::clone(&source), share.clone());
        async move { Ok::<_, Infallible>(source.answer(request, &share).await) }
    });
    let builder = builder();
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut first_request = pin!(tokio::time::sleep(FIRST_REQUEST_TIMEOUT));
    let (mut is_waiting, mut is_stopping) = (true, false);
    loop {
        tokio::select! {
            // A sender that breaks off is its own affair.
            _ended = connection.as_mut() => return,
            () = stopping.cancelled(), if !is_stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
            () = first_request.as_mut(), if is_waiting => {
                is_waiting = false;
                if !has_request.load(Ordering::Relaxed) {
                    return;
                }
            }
        }
    }
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE_TIMEOUT)
        .pipeline_flush(true);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(HTTP2_STREAMS)
        .max_header_list_size(MAX_HEADER_BYTES)
        .keep_alive_interval(HTTP2_KEEP_ALIVE)
        .keep_alive_timeout(HTTP2_KEEP_ALIVE);
    builder
}
