//! Values of CEL over the bytes of OTLP: no decoding before a comparison asks for it.
//!
//! Operations answer a [`Truth`], because in CEL a missing key or a wrong type is an error, and an error
//! is neither true nor false. The short forms (`is_text`, `is_int`, …) answer only whether an equality is
//! true: on the hot path nothing more is needed.

mod any;
mod attributes;
mod collections;
mod compare;
mod elapsed;
mod operations;
mod sets;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod truth;

pub use any::AnyValue;
pub use attributes::{Attribute, Attributes};
pub use collections::{List, Map};
pub use elapsed::elapsed;
pub use sets::{IntSet, TextSet};
pub use table::TextTable;
pub use text::{Needle, Text};
pub use truth::Truth;
