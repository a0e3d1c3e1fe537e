//! The `pipeline!` macro.
