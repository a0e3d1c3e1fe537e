//! Wiring: generated code builds a flow from sinks to sources, then runs and stops it.
//!
//! Input: options of every node. Output: a [`Running`] flow. Sinks are connected before batches are
//! started and sources opened, so nothing is received that cannot go anywhere; stopping goes the
//! other way round.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::batch::{Batch, BatchContext, BatchOptions};
use crate::config::{environment_name, process_environment};
use crate::delivery::{Quota, Stage};
use crate::error::StartError;
#[cfg(feature = "nats")]
use crate::nats::{NatsConnection, NatsConnectionOptions};
#[cfg(feature = "file")]
use crate::sink::{FileSink, FileSinkOptions, StdoutSink, StdoutSinkOptions};
#[cfg(feature = "nats")]
use crate::sink::{NatsSink, NatsSinkOptions};
use crate::source::admission::Pressure;
#[cfg(feature = "otlp")]
use crate::source::{OtlpSourceOptions, OtlpStages};
use crate::telemetry::Telemetry;
#[cfg(feature = "telemetry")]
use crate::telemetry::listener::TelemetryListener;

mod running;

pub use running::Running;

/// Senders usually give up after 10 s, so an event must be finished before.
const EVENT_DEADLINE: Duration = Duration::from_secs(8);

/// What holds for a flow as a whole.
#[derive(Clone, Debug)]
pub struct RuntimeOptions {
    /// How long an event may take from its arrival to the last acceptance. Default 8 s.
    pub event_deadline: Duration,
    /// Where `/metrics`, `/healthz` and `/readyz` are served, such as `127.0.0.1:9464`. Default
    /// nowhere. `WATERSHED_TELEMETRY` in the environment sets it for [`Runtime::new`].
    pub telemetry: Option<String>,
}

impl Default for RuntimeOptions {
    fn default() -> Self {
        Self {
            event_deadline: EVENT_DEADLINE,
            telemetry: None,
        }
    }
}

impl RuntimeOptions {
    fn from_environment() -> Self {
        let telemetry = process_environment(&environment_name("telemetry"))
            .and_then(Result::ok)
            .filter(|address| !address.is_empty());
        Self {
            telemetry,
            ..Self::default()
        }
    }
}

/// A flow while it is put together. Dropping it stops what was started.
///
/// Generated code does this; a flow written by hand does the same:
/// ```no_run
/// use watershed::generated::*;
///
/// /// Everything into one file.
/// struct ToFile(FileSink);
///
/// impl Stage for ToFile {
///     async fn deliver(&self, event: Event) -> Verdicts {
///         let mut all = Selection::new();
///         for request in event.payload().requests() {
///             all.keep_request(&request);
///         }
///         let all = all.finish();
///         deliver(&event, (self.0.receive(all),)).await
///     }
/// }
///
/// # async fn run() -> Result<(), RunError> {
/// let mut runtime = Runtime::new("to-file")?;
/// let file = runtime.file_sink("file", FileSinkOptions::default()).await?;
/// let stages = OtlpStages { logs: ToFile(file), metrics: Unconnected, traces: Unconnected };
/// runtime.otlp_source("ingest", OtlpSourceOptions::default(), stages).await?;
/// runtime.running().until_signal().await
/// # }
/// ```
pub struct Runtime {
    name: String,
    options: RuntimeOptions,
    telemetry: Telemetry,
    #[cfg(feature = "telemetry")]
    listener: Option<TelemetryListener>,
    ready: Arc<AtomicBool>,
    pressure: Pressure,
    stopping: CancellationToken,
    /// Stops the sources when the flow is dropped.
    _stop_on_drop: DropGuard,
    events: TaskTracker,
    flushes: TaskTracker,
    tasks: Vec<JoinHandle<()>>,
    addresses: Vec<(String, SocketAddr)>,
    #[cfg(feature = "nats")]
    connections: Vec<NatsConnection>,
}

impl Runtime {
    /// A flow without nodes, with self-telemetry where `WATERSHED_TELEMETRY` says. Must be called
    /// within a tokio runtime.
    ///
    /// # Errors
    /// The address for self-telemetry cannot be listened on.
    pub fn new(name: &str) -> Result<Self, StartError> {
        Self::with_options(name, RuntimeOptions::from_environment())
    }

    /// A flow without nodes. Reads no environment.
    ///
    /// # Errors
    /// The address for self-telemetry cannot be listened on.
    pub fn with_options(name: &str, options: RuntimeOptions) -> Result<Self, StartError> {
        let telemetry = Telemetry::new();
        let ready = Arc::new(AtomicBool::new(false));
        #[cfg(feature = "telemetry")]
        let listener = listen(&options, &telemetry, &ready)?;
        let stopping = CancellationToken::new();
        Ok(Self {
            name: name.to_owned(),
            options,
            telemetry,
            #[cfg(feature = "telemetry")]
            listener,
            ready,
            pressure: Pressure::default(),
            _stop_on_drop: stopping.clone().drop_guard(),
            stopping,
            events: TaskTracker::new(),
            flushes: TaskTracker::new(),
            tasks: Vec::new(),
            addresses: Vec::new(),
            #[cfg(feature = "nats")]
            connections: Vec::new(),
        })
    }

    /// Connects to NATS.
    ///
    /// # Errors
    /// No server can be reached.
    #[cfg(feature = "nats")]
    pub async fn nats_connection(
        &mut self,
        name: &str,
        options: NatsConnectionOptions,
    ) -> Result<NatsConnection, StartError> {
        let connection = NatsConnection::connect(name, &self.name, &options).await?;
        self.connections.push(connection.clone());
        Ok(connection)
    }

    /// A sink into a JetStream stream.
    ///
    /// # Errors
    /// The stream does not exist, cannot be asked for, or does not store such subjects.
    #[cfg(feature = "nats")]
    pub async fn nats_sink(
        &mut self,
        name: &str,
        connection: &NatsConnection,
        options: NatsSinkOptions,
    ) -> Result<NatsSink, StartError> {
        NatsSink::open(self.telemetry.node(name), connection, options).await
    }

    /// A sink into files.
    ///
    /// # Errors
    /// The directory cannot be used.
    #[cfg(feature = "file")]
    pub async fn file_sink(
        &mut self,
        name: &str,
        options: FileSinkOptions,
    ) -> Result<FileSink, StartError> {
        FileSink::open(self.telemetry.node(name), options)
    }

    /// A sink onto standard output.
    ///
    /// # Errors
    /// None today; a sink is asked for like every other.
    #[cfg(feature = "file")]
    pub async fn stdout_sink(
        &mut self,
        name: &str,
        options: StdoutSinkOptions,
    ) -> Result<StdoutSink, StartError> {
        Ok(StdoutSink::new(self.telemetry.node(name), &options))
    }

    /// A batch in front of `stage`.
    ///
    /// # Errors
    /// The timeout is not shorter than the event deadline, or a limit is zero.
    pub fn batch<S: Stage>(
        &mut self,
        name: &str,
        options: BatchOptions,
        stage: S,
    ) -> Result<Batch<S>, StartError> {
        options.check(name, self.options.event_deadline)?;
        let context = BatchContext {
            node: self.telemetry.node(name),
            options,
            margin: self.options.event_deadline / 4,
            pressure: self.pressure.clone(),
            draining: self.stopping.clone(),
            tasks: self.flushes.clone(),
        };
        let (batch, task) = crate::batch::start(context, stage);
        self.tasks.push(task);
        Ok(batch)
    }

    /// Makes a quota: `records` pass in every `per`.
    pub fn quota(&self, name: &str, records: u64, per: Duration) -> Quota {
        Quota::new(self.telemetry.node(name), records, per)
    }

    /// Opens a source of OTLP.
    ///
    /// # Errors
    /// The address cannot be listened on, or an option makes no sense.
    #[cfg(feature = "otlp")]
    pub async fn otlp_source<L: Stage, M: Stage, T: Stage>(
        &mut self,
        name: &str,
        options: OtlpSourceOptions,
        stages: OtlpStages<L, M, T>,
    ) -> Result<(), StartError> {
        use crate::source::admission::Admission;
        use crate::source::otlp::{Edges, SourceContext, open};

        let metrics = self.telemetry.source(name);
        let in_flight = metrics.in_flight().clone();
        let edge = |signal: &str| self.telemetry.node(&format!("{name}.{signal}"));
        let context = SourceContext {
            name: name.to_owned(),
            admission: Admission::new(options.max_in_flight, in_flight, self.pressure.clone()),
            metrics,
            edges: Edges {
                logs: edge("logs"),
                metrics: edge("metrics"),
                traces: edge("traces"),
            },
            event_deadline: self.options.event_deadline,
            stopping: self.stopping.clone(),
            tasks: self.events.clone(),
        };
        let opened = open(context, options, stages).await?;
        self.addresses.push((name.to_owned(), opened.address));
        self.tasks.push(opened.task);
        Ok(())
    }

    /// The flow, put together. From now on `/readyz` says so.
    pub fn running(self) -> Running {
        self.ready.store(true, Ordering::Release);
        tracing::info!(flow = self.name, "the flow runs");
        Running::new(self)
    }
}

#[cfg(feature = "telemetry")]
fn listen(
    options: &RuntimeOptions,
    telemetry: &Telemetry,
    ready: &Arc<AtomicBool>,
) -> Result<Option<TelemetryListener>, StartError> {
    let Some(address) = &options.telemetry else {
        return Ok(None);
    };
    TelemetryListener::open(address, telemetry.clone(), Arc::clone(ready))
        .map(Some)
        .map_err(|source| StartError::Listen {
            node: "telemetry".to_owned(),
            address: address.clone(),
            source,
        })
}
