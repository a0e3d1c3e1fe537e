//! What an expression does that its author hardly wanted, as facts.
//!
//! In: a finished tree. Out: [`Lint`]s in the order of the tree. Where an expression stands decides which of them
//! are worth a warning; a constant that fails is one everywhere.

mod missing;

use watershed_lang::span::Span;

use super::declarations::Overload;
use super::failure::Failure;
use super::fold::Constant;
use super::format::{self, Problem};
use super::typed::{Callee, Node, NodeId, NodeKind, Tree};

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Lint {
    /// A part that always fails, whatever is read.
    AlwaysFails {
        /// The innermost part that does.
        span: Span,
        /// Why.
        failure: Failure,
    },
    /// A template of `format` that never works.
    FormatFails {
        /// The call.
        span: Span,
        /// Why.
        problem: Problem,
    },
    /// `m.k != "x"` where the key may be missing: it is not true then, but fails.
    MissingKeyDiffers {
        /// The comparison.
        span: Span,
        /// The look-ups that may find nothing, each in what the one before it finds.
        lookups: Vec<Span>,
    },
    /// `!(m.k == "x")` or `!(m.k in xs)`, which fails in the same way.
    MissingKeyNegated {
        /// What is negated.
        span: Span,
        /// The look-ups that may find nothing, each in what the one before it finds.
        lookups: Vec<Span>,
    },
    /// The whole expression is always true or always false.
    AlwaysSame {
        /// Which.
        value: bool,
    },
}

/// The findings of a tree.
#[must_use]
pub fn lints(tree: &Tree) -> Vec<Lint> {
    let mut traps = missing::traps(tree);
    let mut lints: Vec<Lint> = tree
        .nodes()
        .filter_map(|(id, node)| failure(tree, node).or_else(|| traps.swap_remove(&id)))
        .collect();
    if let Some(value) = tree
        .root_node()
        .constant
        .as_ref()
        .and_then(Constant::as_bool)
    {
        lints.push(Lint::AlwaysSame { value });
    }
    lints
}

/// A part that always fails.
fn failure(tree: &Tree, node: &Node) -> Option<Lint> {
    let span = node.span;
    if let Some(problem) = format_problem(tree, node) {
        return Some(Lint::FormatFails { span, problem });
    }
    let Some(Constant::Failed(failure)) = node.constant else {
        return None;
    };
    let mut children = node.kind.children().into_iter();
    let is_origin = !children.any(|child| has_failed(tree, child));
    let is_name = matches!(node.kind, NodeKind::Local(_) | NodeKind::Variable(_));
    (is_origin && !is_name).then_some(Lint::AlwaysFails { span, failure })
}

/// The overload and the arguments of a call with one overload.
fn called(node: &Node) -> Option<(Overload, &[NodeId])> {
    match &node.kind {
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => match overloads.as_slice() {
            [only] => Some((*only, args)),
            _ => None,
        },
        _ => None,
    }
}

fn has_failed(tree: &Tree, id: NodeId) -> bool {
    matches!(tree.node(id).constant, Some(Constant::Failed(_)))
}

fn format_problem(tree: &Tree, node: &Node) -> Option<Problem> {
    let (Overload::Format, [template, arguments]) = called(node)? else {
        return None;
    };
    let Some(Constant::String(template)) = &tree.node(*template).constant else {
        return None;
    };
    let NodeKind::List(elements) = &tree.node(*arguments).kind else {
        return None;
    };
    if elements.iter().any(|element| element.optional) {
        return None;
    }
    let types: Vec<_> = elements
        .iter()
        .map(|element| &tree.node(element.value).ty)
        .collect();
    match format::check(template, &types) {
        format::Verdict::Fails(problem) => Some(problem),
        _ => None,
    }
}
