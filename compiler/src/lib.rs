//! The Watershed compiler: from the syntax tree to specialised Rust.
//!
//! In: [`watershed_lang::ast::File`]. Out: the text of a Rust module. Each stage has its own data type:
//! the resolver makes a [`hir::Program`] (ids for the names of items), the checker a [`check::TypeTable`] (a typed tree
//! for every expression), lowering and the passes a [`plan::Plan`], the emitter [`emit::Emitted`] items, the renderer a
//! [`render::Rendered`] file. [`driver::compile`] runs them all; [`cargo`], [`expand`] and `flowc` are its front doors.

pub mod arena;
pub mod cargo;
pub mod catalog;
pub mod cel;
pub mod check;
pub mod driver;
pub mod emit;
pub mod expand;
pub mod hir;
pub mod level;
pub mod plan;
pub mod render;
pub mod resolve;
pub mod table;
pub mod token_text;
pub mod words;
