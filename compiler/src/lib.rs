//! The Watershed compiler: from the syntax tree to specialised Rust.
//!
//! In: [`watershed_lang::ast::File`]. Out: the text of a Rust module. Each stage has its own data type:
//! the resolver makes a [`hir::Program`] (ids, no names), the checker a [`check::TypeTable`] (a type and a level for
//! every expression).

pub mod catalog;
pub mod cel;
pub mod check;
pub mod hir;
