//! From a checked expression to Rust.
//!
//! In: a [`Tree`] and a [`Reader`] that knows how variables, fields and functions of the place are read. Out: one Rust
//! expression. Truth values are made by polarity, as the plain booleans "is true" and "is false"; other values are
//! unboxed where the checker knows their type, and `cel::Value` elsewhere.
//!
//! A value that can fail is an expression with `?` in it. It stands in a function or in a closure that returns a
//! `Result<_, cel::Error>`; [`Emitter::is_true`] and [`Emitter::is_false`] close it in themselves.
//!
//! * [`piece`] is a Rust expression with what it yields; `arguments` turns pieces into what a function takes.
//! * `truth` makes booleans, `value` everything else, `loops` the macros over ranges, `bindings` named parts.
//! * `call` and its parts match every overload; `dynamic` is for those that the run must choose between.

mod arguments;
mod bindings;
mod call;
mod constant;
mod dynamic;
mod loops;
mod messages;
pub mod piece;
#[cfg(test)]
mod tests;
mod truth;
mod value;

use std::fmt;

use indexmap::{IndexMap, IndexSet};
use proc_macro2::TokenStream;
use watershed_lang::span::Span;

use super::code::Bool;
use crate::cel::environment::FunctionId;
use crate::cel::typed::{LocalId, Node, NodeId, NodeKind, Tree};
use piece::Piece;

/// What has no Rust: a compile error at the place, never a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Where it stands.
    pub span: Span,
    /// What it is, such as "a message of protobuf".
    pub what: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} cannot be compiled", self.what)
    }
}

/// How the place of an expression reads what it declares.
pub trait Reader {
    /// The value of a [`NodeKind::Variable`], a [`NodeKind::Field`] or a [`NodeKind::HasField`].
    ///
    /// # Errors
    ///
    /// When there is no code that reads it.
    fn read(&self, tree: &Tree, node: &Node) -> Result<Piece, Unsupported>;

    /// The value of a node that the place reads itself, although it is made of parts: a look-up in attributes, which
    /// finds the value without making a map. `None` leaves it to the emitter.
    ///
    /// # Errors
    ///
    /// When there is no code that reads it.
    fn whole(&self, _id: NodeId, _node: &Node) -> Result<Option<Piece>, Unsupported> {
        Ok(None)
    }

    /// The value of a [`NodeKind::Field`] or a [`NodeKind::HasField`] of `operand`, a message that an expression has
    /// taken out of a list. `None` for what [`Reader::read`] reads.
    ///
    /// # Errors
    ///
    /// When there is no code that reads it.
    fn member(
        &self,
        _node: &Node,
        _operand: &mut dyn FnMut(NodeId) -> Result<Piece, Unsupported>,
    ) -> Result<Option<Piece>, Unsupported> {
        Ok(None)
    }

    /// A call of a function of the environment; several ids are told apart by the values.
    ///
    /// # Errors
    ///
    /// When there is no code that calls it.
    fn call(
        &self,
        node: &Node,
        functions: &[FunctionId],
        arguments: Vec<Piece>,
    ) -> Result<Piece, Unsupported>;
}

/// Makes the Rust of one expression.
pub struct Emitter<'a> {
    tree: &'a Tree,
    root: NodeId,
    reader: &'a dyn Reader,
    locals: IndexMap<LocalId, Piece>,
    used: IndexSet<LocalId>,
    uses_constants: bool,
}

impl<'a> Emitter<'a> {
    /// An emitter for `tree`, whose variables `reader` knows.
    #[must_use]
    pub fn new(tree: &'a Tree, reader: &'a dyn Reader) -> Self {
        let used = tree.nodes().filter_map(|(_, node)| match node.kind {
            NodeKind::Local(local) => Some(local),
            _ => None,
        });
        Self {
            tree,
            root: tree.root(),
            reader,
            locals: IndexMap::new(),
            used: used.collect(),
            uses_constants: true,
        }
    }

    /// Makes the Rust of one part alone, whose variables all stand within it.
    #[must_use]
    pub const fn at(mut self, root: NodeId) -> Self {
        self.root = root;
        self
    }

    /// Leaves everything to the run, also what is known at build time: so tests reach the functions of the runtime.
    #[must_use]
    pub const fn without_constants(mut self) -> Self {
        self.uses_constants = false;
        self
    }

    /// The value of the whole expression.
    ///
    /// # Errors
    ///
    /// When a part of it has no Rust.
    pub fn value(&mut self) -> Result<Piece, Unsupported> {
        self.piece(self.root)
    }

    /// A `bool`: whether the whole expression evaluates to true. An error is not true.
    ///
    /// # Errors
    ///
    /// When a part of it has no Rust.
    pub fn is_true(&mut self) -> Result<TokenStream, Unsupported> {
        Ok(self.truth(self.root, true)?.tokens)
    }

    /// A `bool`: whether the whole expression evaluates to false. An error is not false.
    ///
    /// # Errors
    ///
    /// When a part of it has no Rust.
    pub fn is_false(&mut self) -> Result<TokenStream, Unsupported> {
        Ok(self.truth(self.root, false)?.tokens)
    }

    /// Whether the whole expression evaluates to `wanted`, as an operand of other conditions.
    pub(super) fn decision(&mut self, wanted: bool) -> Result<Bool, Unsupported> {
        self.truth(self.root, wanted)
    }

    fn node(&self, id: NodeId) -> &'a Node {
        self.tree.node(id)
    }
}
