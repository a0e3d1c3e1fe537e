//! The checker: a type and a level for every expression, and everything that makes a program wrong.
//!
//! In: [`crate::hir::Program`]. Out: [`types::TypeTable`] and diagnostics. It never fails; what is wrong gets the
//! type error, so that one mistake is reported once.

pub mod constant;
pub mod types;
pub mod words;

pub use constant::Constant;
pub use types::{Fails, Failure, Level, Type, TypeTable, Typed};
