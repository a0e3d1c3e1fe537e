//! Compiles the flow of this package.
