//! The one canonical reading of OTLP.
mod fault;
pub use fault::{Fault, Malformed};
