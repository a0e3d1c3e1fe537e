//! Sources: where events enter a flow, and what every source shares.

pub(crate) mod admission;
#[cfg(feature = "otlp")]
pub(crate) mod otlp;

#[cfg(feature = "otlp")]
pub use otlp::{OtlpSourceOptions, OtlpStages};
