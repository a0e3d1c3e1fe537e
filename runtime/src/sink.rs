//! Sinks: the ends of a flow. A sink accepts records only when they are where they belong.

#[cfg(feature = "file")]
mod file;
#[cfg(feature = "nats")]
pub(crate) mod nats;
#[cfg(feature = "file")]
mod stdout;
#[cfg(feature = "file")]
mod writer;

#[cfg(feature = "file")]
pub use file::{FileFormat, FileSink, FileSinkOptions};
#[cfg(feature = "nats")]
pub use nats::{NatsSink, NatsSinkOptions};
#[cfg(feature = "file")]
pub use stdout::{StdoutSink, StdoutSinkOptions};
