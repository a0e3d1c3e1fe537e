//! A running flow and its end.
//!
//! Shutting down goes from the sources to the sinks under one deadline: sources stop taking requests,
//! batches stop waiting, events finish and their callers are answered, and last the connections send
//! what they still hold. The result is truthful: an error says that senders were left without an
//! answer. They will send again, so nothing that was acknowledged is lost either way.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use super::Runtime;
use crate::error::RunError;

/// Longer than an event may take, so that every event gets its answer.
const SHUTDOWN_DEADLINE: Duration = Duration::from_secs(10);
/// Least time for connections to send what they hold.
const LEAST_CLOSE_TIME: Duration = Duration::from_millis(500);

/// A flow that runs. Dropping it stops the sources without waiting for anything.
pub struct Running {
    runtime: Runtime,
}

impl Running {
    pub(super) fn new(runtime: Runtime) -> Self {
        Self { runtime }
    }

    /// Where each source listens, by its name, with the real port.
    pub fn addresses(&self) -> &[(String, SocketAddr)] {
        &self.runtime.addresses
    }

    /// Where the source `name` listens.
    pub fn address(&self, name: &str) -> Option<SocketAddr> {
        let mut sources = self.runtime.addresses.iter();
        sources
            .find(|(source, _)| source == name)
            .map(|(_, address)| *address)
    }

    /// Where self-telemetry is served, when it is.
    #[cfg(feature = "telemetry")]
    pub fn telemetry_address(&self) -> Option<SocketAddr> {
        self.runtime
            .listener
            .as_ref()
            .map(|listener| listener.address())
    }

    /// Serves until SIGINT or SIGTERM, then shuts down within 10 s.
    ///
    /// # Errors
    /// Signals cannot be received, or not everything was delivered in time.
    pub async fn until_signal(self) -> Result<(), RunError> {
        let signal = wait_for_signal().await.map_err(RunError::Signal)?;
        tracing::info!(flow = self.runtime.name, signal, "shutting down");
        self.shutdown(SHUTDOWN_DEADLINE).await
    }

    /// Stops the sources, finishes what was taken, answers its senders and closes the connections,
    /// all within `deadline`.
    ///
    /// # Errors
    /// Events that were not finished in time: their senders have no answer.
    pub async fn shutdown(self, deadline: Duration) -> Result<(), RunError> {
        let mut runtime = self.runtime;
        let until = Instant::now() + deadline;
        runtime.ready.store(false, Ordering::Release);
        runtime.stopping.cancel();
        let tasks = std::mem::take(&mut runtime.tasks);
        let aborts: Vec<_> = tasks
            .iter()
            .map(tokio::task::JoinHandle::abort_handle)
            .collect();
        let drained = tokio::time::timeout_at(until, async {
            for task in tasks {
                // A task that died has failed its waiters already.
                let _ended = task.await;
            }
            runtime.events.close();
            runtime.flushes.close();
            runtime.events.wait().await;
            runtime.flushes.wait().await;
        });
        let in_time = drained.await.is_ok();
        let events = runtime.events.len().max(runtime.flushes.len());
        aborts.iter().for_each(tokio::task::AbortHandle::abort);
        close_connections(&runtime, until).await;
        // Without events only idle connections of senders are left, and those lose nothing.
        if in_time || events == 0 {
            tracing::info!(
                flow = runtime.name,
                "everything that was taken is delivered"
            );
            return Ok(());
        }
        Err(RunError::Unfinished { events, deadline })
    }
}

#[cfg(feature = "nats")]
async fn close_connections(runtime: &Runtime, until: Instant) {
    let until = until.max(Instant::now() + LEAST_CLOSE_TIME);
    for connection in &runtime.connections {
        if !connection.close(until).await {
            // Every accepted message is acknowledged already, so nothing is lost with it.
            tracing::warn!(
                url = connection.url(),
                "a NATS connection was not closed in order"
            );
        }
    }
}

#[cfg(not(feature = "nats"))]
async fn close_connections(_runtime: &Runtime, _until: Instant) {}

#[cfg(unix)]
async fn wait_for_signal() -> std::io::Result<&'static str> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => Ok("SIGTERM"),
        _ = interrupt.recv() => Ok("SIGINT"),
    }
}

#[cfg(not(unix))]
async fn wait_for_signal() -> std::io::Result<&'static str> {
    tokio::signal::ctrl_c().await?;
    Ok("ctrl-c")
}
