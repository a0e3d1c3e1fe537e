//! What compiled flows run on.
//!
//! The core reads OTLP without decoding it: [`Piece::validate`] checks an export request once, cursors
//! ([`otlp`]) walk its bytes, predicates look at [`AnyValue`]s where they lie, and a [`Selection`] copies
//! what is kept, once, with exact lengths.

pub mod batch;
pub mod cel;
pub mod config;
pub mod delivery;
mod error;
pub mod generated;
#[cfg(any(feature = "file", feature = "otlp"))]
mod json;
#[cfg(feature = "nats")]
pub mod nats;
pub mod otlp;
mod payload;
mod runtime;
pub mod select;
pub mod sink;
pub mod source;
mod subject;
mod telemetry;
#[cfg(test)]
mod testing;
pub mod value;

pub use config::{ConfigError, ConfigReader, ConfigValues, Secret};
pub use error::{RunError, StartError};
pub use otlp::{Fault, Malformed};
pub use payload::{Payload, Piece, Signal};
pub use runtime::{Running, Runtime, RuntimeOptions};
pub use select::{
    Part, Parts, RejectReason, RejectedRecords, Rejection, Selection, SubjectSelection,
};
pub use subject::{Subject, SubjectWriter};
pub use value::{AnyValue, Text, Truth};
