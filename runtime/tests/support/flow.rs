//! A flow from an OTLP source into files, as the tests of the source need it.

use std::net::SocketAddr;
use std::time::Duration;

use tempfile::TempDir;
use watershed::generated::{
    Batch, BatchOptions, FileSink, FileSinkOptions, OtlpSourceOptions, OtlpStages, Running,
    Runtime, RuntimeOptions, Unconnected,
};

use super::AllTo;
use super::http::{Response, request, send};
use super::otlp::written;

/// A flow from an OTLP source into files.
pub(crate) struct Flow {
    pub(crate) directory: TempDir,
    pub(crate) running: Running,
    pub(crate) address: SocketAddr,
}

pub(crate) fn source(options: OtlpSourceOptions) -> OtlpSourceOptions {
    OtlpSourceOptions {
        http: "127.0.0.1:0".into(),
        ..options
    }
}

pub(crate) async fn runtime(directory: &TempDir) -> (Runtime, FileSink) {
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
    pub(crate) async fn start(options: OtlpSourceOptions) -> Self {
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
    pub(crate) async fn batched(options: OtlpSourceOptions, timeout: Duration) -> Self {
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

    pub(crate) fn of(directory: TempDir, runtime: Runtime) -> Self {
        let running = runtime.running();
        let address = running.address("ingest").expect("an address");
        Self {
            directory,
            running,
            address,
        }
    }

    pub(crate) async fn send(&self, request: &[u8]) -> Response {
        send(self.address, request).await
    }

    pub(crate) fn written(&self) -> Vec<String> {
        written(self.directory.path())
    }

    pub(crate) async fn telemetry(&self, path: &str) -> Response {
        let address = self.running.telemetry_address().expect("an address");
        send(address, &request("GET", path, "", b"")).await
    }

    pub(crate) async fn metric(&self, line: &str) -> i64 {
        let response = self.telemetry("/metrics").await;
        let text = String::from_utf8(response.body).expect("text");
        let value = text.lines().find_map(|found| found.strip_prefix(line));
        value.map_or(0, |value| value.trim().parse().expect("a number"))
    }
}

pub(crate) fn assert_accepted(response: &Response) {
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(
        response.header("content-type"),
        Some("application/x-protobuf")
    );
    assert!(response.body.is_empty(), "partial success must be unset");
}
