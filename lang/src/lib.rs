//! The Watershed language: its grammar, its syntax tree and its diagnostics.
//!
//! In: the text of `.flow` files. Out: an [`ast::File`] per file and [`diagnostic::Diagnostics`]. Nothing here
//! knows what a name means; that begins in `watershed-compiler`. The crate reads no files, no environment and
//! no clock.

pub mod ast;
pub mod diagnostic;
pub mod fmt;
pub mod parse;
pub mod source;
pub mod span;
