//! What compiled flows run on.
//!
//! The core reads OTLP without decoding it: [`Piece::validate`] checks an export request once, cursors
//! ([`otlp`]) walk its bytes, predicates look at [`AnyValue`]s where they lie, and a [`Selection`] copies
//! what is kept, once, with exact lengths.

#![cfg_attr(
    not(all(feature = "file", feature = "nats", feature = "otlp")),
    allow(
        dead_code,
        unused_imports,
        reason = "connectors share code that is unused where some are left out"
    )
)]

#[cfg(feature = "flows")]
pub mod batch;
mod branches;
pub mod cel;
pub mod config;
#[cfg(feature = "flows")]
pub mod delivery;
mod error;
pub mod generated;
mod instances;
#[cfg(any(feature = "file", feature = "otlp"))]
mod json;
#[cfg(feature = "nats")]
pub mod nats;
pub mod otlp;
mod payload;
#[cfg(feature = "flows")]
mod runtime;
#[cfg(feature = "flows")]
mod sample;
pub mod select;
#[cfg(feature = "flows")]
pub mod sink;
#[cfg(feature = "flows")]
pub mod source;
mod subject;
#[cfg(feature = "flows")]
mod telemetry;
#[cfg(test)]
mod testing;
pub mod value;

pub use config::{ConfigError, ConfigReader, ConfigValues, Secret};
pub use error::{RunError, StartError};
pub use instances::{
    Found, InstanceParts, Instanced, Instances, InstancesByInt, InstancesByText, instance_node,
};
pub use otlp::{Fault, Malformed};
pub use payload::{Payload, Piece, Signal};
#[cfg(feature = "flows")]
pub use runtime::{Running, Runtime, RuntimeOptions};
pub use select::{
    Changes, Count, Part, Parts, RejectReason, RejectedRecords, Rejection, Selection,
    SubjectSelection,
};
pub use subject::{Subject, SubjectWriter};
pub use value::{AnyValue, Text, Truth};
#[cfg(feature = "macros")]
pub use watershed_macros::pipeline;

/// Includes a flow that the build script compiled: the items of a module with a `Flow` to build and
/// start, and its `Config`.
///
/// The path is the one given to `watershed_compiler::cargo::compile_flow`, relative to the package.
/// Two flows in one module would both define `Flow`, so each gets a module of its own.
///
/// ```ignore
/// pub mod split {
///     watershed::include_flow!("flows/split.flow");
/// }
/// ```
#[macro_export]
macro_rules! include_flow {
    ($path:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $path, ".rs"));
    };
}
