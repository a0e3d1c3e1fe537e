//! The parts of a condition with the level of each: what `flowc explain` lists and `flowc graph` colours.
//!
//! In: the typed tree of an expression. Out: a tree of `&&`, `||`, `!` and ternaries over parts that are evaluated
//! whole.

use std::collections::BTreeSet;

use watershed_compiler::cel::Tree;
use watershed_compiler::cel::declarations::Overload;
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::typed::{Callee, NodeId, NodeKind};
use watershed_compiler::check::{Binding, TypeTable};
use watershed_compiler::driver::Compilation;
use watershed_compiler::hir::{ExprId, PredicateId, Program};
use watershed_compiler::level::Level;
use watershed_lang::source::SourceMap;
use watershed_lang::span::Span;

use crate::graph::Row;

/// What joins the parts that a stage tests one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    /// `&&`: all must be true.
    And,
    /// `||`: none may be true, for what drops.
    Or,
}

/// Makes parts of the expressions of one flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'a> {
    program: &'a Program,
    types: &'a TypeTable,
    sources: &'a SourceMap,
}

/// A condition, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// `&&`, `||`, `!`, `? :` or the text of what is evaluated whole.
    pub(crate) text: String,
    /// How often it is evaluated.
    pub(crate) level: Level,
    /// Its value when that is known at build time.
    pub(crate) constant: Option<bool>,
    /// Where it stands.
    pub(crate) span: Span,
    /// What it is made of. A named predicate is made of its condition.
    pub(crate) parts: Vec<Part>,
}

impl<'a> Parts<'a> {
    /// Over the flow that was compiled; `None` when it could not be checked.
    pub(crate) fn of(compilation: &'a Compilation, sources: &'a SourceMap) -> Option<Self> {
        Some(Self {
            program: compilation.program.as_ref()?,
            types: compilation.types.as_ref()?,
            sources,
        })
    }

    /// The text at a place, on one line.
    pub(crate) fn text(&self, span: Span) -> String {
        on_one_line(self.sources, span)
    }

    /// `file:line:column`
    pub(crate) fn place(&self, span: Span) -> String {
        self.sources.describe(span)
    }

    /// The tree of a condition; `None` when it has not been checked.
    pub(crate) fn tree(&self, id: ExprId) -> Option<Part> {
        let tree = self.types.tree(id)?;
        Some(self.part(tree, tree.root(), &mut BTreeSet::new()))
    }

    /// The parts of a condition that are tested one by one, as rows.
    pub(crate) fn rows(&self, id: ExprId, joint: Joint) -> Vec<Row> {
        let Some(tree) = self.types.tree(id) else {
            return Vec::new();
        };
        let (operands, word) = match (&tree.root_node().kind, joint) {
            (NodeKind::And(operands), Joint::And) => (operands.clone(), "&& "),
            (NodeKind::Or(operands), Joint::Or) => (operands.clone(), "|| "),
            _ => (vec![tree.root()], ""),
        };
        let row = |(position, id): (usize, NodeId)| {
            let node = tree.node(id);
            let word = if position == 0 { "" } else { word };
            let named = self.named(tree, id).map(|predicate| {
                let value = self.program.predicates.at(predicate).value;
                self.text(self.program.exprs.at(value).span)
            });
            Row {
                meaning: named,
                ..Row::at(node.level, format!("{word}{}", self.text(node.span)))
            }
        };
        operands.into_iter().enumerate().map(row).collect()
    }

    fn part(&self, tree: &Tree, id: NodeId, opened: &mut BTreeSet<PredicateId>) -> Part {
        let node = tree.node(id);
        let mut below = |ids: &[NodeId]| {
            let ids = ids.iter();
            ids.map(|id| self.part(tree, *id, opened)).collect()
        };
        let (text, parts) = match &node.kind {
            NodeKind::And(operands) => ("&&".to_owned(), below(operands)),
            NodeKind::Or(operands) => ("||".to_owned(), below(operands)),
            NodeKind::Conditional { .. } => ("? :".to_owned(), below(&node.kind.children())),
            NodeKind::Call {
                callee: Callee::Language(overloads),
                args,
            } if overloads.as_slice() == [Overload::Not] => ("!".to_owned(), below(args)),
            _ => (self.text(node.span), self.definition(tree, id, opened)),
        };
        let constant = match node.constant {
            Some(Constant::Bool(value)) => Some(value),
            _ => None,
        };
        Part {
            text,
            level: node.level,
            constant,
            span: node.span,
            parts,
        }
    }

    /// The condition of a named predicate, as the only part of its name. A name that stands twice is opened once:
    /// predicates may name each other so often that what they stand for doubles with each.
    fn definition(&self, tree: &Tree, id: NodeId, opened: &mut BTreeSet<PredicateId>) -> Vec<Part> {
        let Some(named) = self.named(tree, id).filter(|named| opened.insert(*named)) else {
            return Vec::new();
        };
        let value = self.program.predicates.at(named).value;
        let condition = self.types.tree(value);
        let part = condition.map(|condition| self.part(condition, condition.root(), opened));
        part.into_iter().collect()
    }

    /// The predicate that a node names.
    fn named(&self, tree: &Tree, id: NodeId) -> Option<PredicateId> {
        let NodeKind::Variable(variable) = tree.node(id).kind else {
            return None;
        };
        match self.types.binding(variable) {
            Binding::Predicate(predicate) => Some(predicate),
            _ => None,
        }
    }
}

/// The text at a place, on one line.
pub(crate) fn on_one_line(sources: &SourceMap, span: Span) -> String {
    let text = sources.get(span.file).map_or("", |file| file.slice(span));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
