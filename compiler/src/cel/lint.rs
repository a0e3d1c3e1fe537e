//! What an expression does that its author hardly wanted, as facts.
//!
//! In: a finished tree. Out: [`Lint`]s in the order of the tree. Where an expression stands decides which of them
//! are worth a warning; a constant that fails is one everywhere.

use indexmap::IndexSet;
use watershed_lang::span::Span;

use super::declarations::Overload;
use super::failure::Failure;
use super::fold::Constant;
use super::format::{self, Problem};
use super::typed::{Callee, Comprehension, ComprehensionKind, Node, NodeId, NodeKind, Tree};
use super::types::Type;

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
    let negated = negated(tree);
    let mut lints: Vec<Lint> = tree
        .nodes()
        .filter_map(|(id, node)| {
            failure(tree, node).or_else(|| missing(tree, node, negated.contains(&id)))
        })
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

/// A comparison that is not true when a key is missing, where its author may want it to be: "is not" in a condition,
/// "is" in what a condition negates.
fn missing(tree: &Tree, node: &Node, is_negated: bool) -> Option<Lint> {
    let span = node.span;
    let (overload, args) = called(node)?;
    let lookups = || args.iter().find_map(|arg| missing_keys(tree, *arg));
    match (overload, is_negated) {
        (Overload::NotEquals, false) => {
            let lookups = lookups()?;
            Some(Lint::MissingKeyDiffers { span, lookups })
        }
        (Overload::Equals | Overload::InList, true) => {
            let lookups = lookups()?;
            Some(Lint::MissingKeyNegated { span, lookups })
        }
        _ => None,
    }
}

/// The nodes that make the whole true when they are false: those below an odd number of `!`.
fn negated(tree: &Tree) -> IndexSet<NodeId> {
    let mut negated = IndexSet::new();
    // Nodes stand behind those below them.
    for (id, node) in tree.nodes().rev() {
        let here = negated.contains(&id);
        let (below, flips) = match &node.kind {
            NodeKind::And(operands) | NodeKind::Or(operands) => (operands.clone(), false),
            NodeKind::Conditional { arms, otherwise } => {
                let values = arms.iter().map(|(_, value)| *value);
                (values.chain([*otherwise]).collect(), false)
            }
            NodeKind::Bind { body, .. } | NodeKind::Block { body, .. } => (vec![*body], false),
            NodeKind::Comprehension(Comprehension {
                kind: ComprehensionKind::All | ComprehensionKind::Exists,
                body,
                ..
            }) => (vec![*body], false),
            _ => match called(node) {
                Some((Overload::Not, operands)) => (operands.to_vec(), true),
                _ => continue,
            },
        };
        if here != flips {
            negated.extend(below);
        }
    }
    negated
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

/// Where the look-ups stand whose keys may be missing, when the operand is made of such look-ups.
fn missing_keys(tree: &Tree, id: NodeId) -> Option<Vec<Span>> {
    let mut found = Vec::new();
    let mut next = id;
    while let Some(container) = looked_up_in(tree, next) {
        found.push(tree.node(next).span);
        next = container;
    }
    found.reverse();
    (!found.is_empty()).then_some(found)
}

/// What a look-up with a key that may be missing looks in. A number may be a position, for which no one can ask.
fn looked_up_in(tree: &Tree, id: NodeId) -> Option<NodeId> {
    match &tree.node(id).kind {
        NodeKind::Select {
            operand,
            optional: false,
            ..
        } if !matches!(tree.node(*operand).ty, Type::Optional(_)) => Some(*operand),
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } if overloads.contains(&Overload::IndexMap) => match args.as_slice() {
            [operand, key] if overloads.len() == 1 || tree.node(*key).ty == Type::String => {
                Some(*operand)
            }
            _ => None,
        },
        _ => None,
    }
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
