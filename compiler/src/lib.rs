//! The Watershed compiler.
