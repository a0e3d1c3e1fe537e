//! Expressions in a place where more is known than their types say.
//!
//! In: a finished tree and what is given there: look-ups that find a value, perhaps of a known type. Out: the reasons
//! why the whole can still fail, or its value; and the other way round, the parts that must have had a value when the
//! whole came out as it did.

use indexmap::IndexSet;

use super::declarations::{self, Overload, Shape};
use super::environment::VariableId;
use super::failure::{Fails, Failure};
use super::fold::{self, Constant};
use super::totality;
use super::typed::{Callee, Node, NodeId, NodeKind, Tree};
use super::types::Type;

/// What is known of a look-up that finds a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The type of the value, where that is known.
    pub ty: Option<Type>,
}

/// How an expression came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was true.
    True,
    /// It was false.
    False,
    /// It had some value.
    Value,
}

impl Outcome {
    const fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Value => Self::Value,
        }
    }
}

/// Why an expression can fail where `given` says what some of its nodes find. `named` says it of variables that stand
/// for something with reasons of its own. Reasons that never come up may be left in.
pub fn fails(
    tree: &Tree,
    given: impl Fn(NodeId) -> Option<Given>,
    named: impl Fn(VariableId) -> Option<Fails>,
) -> Fails {
    let mut known = tree.clone();
    let mut typed = IndexSet::new();
    for (id, node) in tree.nodes() {
        let fails = match (&node.constant, &node.kind, given(id)) {
            (Some(_), ..) => node.fails,
            (None, NodeKind::Variable(variable), _) => named(*variable).unwrap_or(node.fails),
            (None, _, Some(Given { ty })) => {
                if let Some(ty) = ty {
                    known.nodes.at_mut(id).ty = ty;
                    typed.insert(id);
                }
                Fails::NEVER
            }
            (None, _, None) => of_node(tree, &known, id, &typed),
        };
        known.nodes.at_mut(id).fails = fails;
    }
    known.root_node().fails
}

/// The reasons of a node, those of the nodes below it being known.
fn of_node(tree: &Tree, known: &Tree, id: NodeId, typed: &IndexSet<NodeId>) -> Fails {
    let node = tree.node(id);
    let mut own = match &node.kind {
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => of_call(tree, known, node, (overloads, args), typed),
        // Leaves and functions of the environment have their reasons from elsewhere.
        NodeKind::Call { .. } => return node.fails,
        kind if kind.children().is_empty() => return node.fails,
        kind => {
            let mut typed = kind
                .children()
                .into_iter()
                .filter(|child| typed.contains(child));
            let are_bool = typed.all(|child| known.node(child).ty == Type::Bool);
            totality::own(if are_bool { known } else { tree }, node)
        }
    };
    if tree.regexes.contains_key(&id) {
        own = own.without(Failure::InvalidRegex);
    }
    if node.fails.contains(Failure::MixedNull) {
        own = own.or(Fails::because(Failure::MixedNull));
    }
    let failing = totality::failing_children(&node.kind).into_iter();
    failing.fold(own, |fails, child| fails.or(known.node(child).fails))
}

/// The reasons of a call: only those of its ways remain that take the types which are known now.
fn of_call(
    tree: &Tree,
    known: &Tree,
    node: &Node,
    (overloads, args): (&[Overload], &[NodeId]),
    typed: &IndexSet<NodeId>,
) -> Fails {
    if !args.iter().any(|arg| typed.contains(arg)) {
        return totality::own(tree, node);
    }
    let takes = |overload: &Overload| {
        let shapes = declarations::signature(*overload).map_or(&[][..], |found| found.parameters);
        let mut pairs = args.iter().zip(shapes);
        pairs.all(|(arg, shape)| !typed.contains(arg) || is_taken(&known.node(*arg).ty, *shape))
    };
    let fitting: Vec<Overload> = overloads.iter().copied().filter(takes).collect();
    if fitting.is_empty() {
        return totality::own(tree, node).or(Fails::because(Failure::WrongType));
    }
    let narrowed = Node {
        kind: NodeKind::Call {
            callee: Callee::Language(fitting),
            args: args.to_vec(),
        },
        ..node.clone()
    };
    totality::own(known, &narrowed)
}

/// Whether a parameter takes every value of a type.
fn is_taken(ty: &Type, shape: Shape) -> bool {
    match shape {
        Shape::A | Shape::B | Shape::Dyn => true,
        other => other.to_type() == *ty,
    }
}

/// The value of an expression where `known` says what some of its variables are; `None` when that is not enough.
pub fn value(tree: &Tree, known: impl Fn(VariableId) -> Option<Constant>) -> Option<Constant> {
    let mut valued = tree.clone();
    for (id, node) in tree.nodes().filter(|(_, node)| node.constant.is_none()) {
        valued.nodes.at_mut(id).constant = match node.kind {
            NodeKind::Variable(variable) => known(variable),
            _ => fold::fold(&valued, node),
        };
    }
    valued.root_node().constant.clone()
}

/// The parts that had a value, or came out as told, when the whole came out like this. What may have been skipped is
/// none of them.
#[must_use]
pub fn settled(tree: &Tree, outcome: Outcome) -> Vec<(NodeId, Outcome)> {
    let mut found = Vec::new();
    let mut open = vec![(tree.root(), outcome)];
    while let Some((id, outcome)) = open.pop() {
        found.push((id, outcome));
        match &tree.node(id).kind {
            NodeKind::And(operands) if outcome == Outcome::True => {
                open.extend(operands.iter().map(|operand| (*operand, outcome)));
            }
            NodeKind::Or(operands) if outcome == Outcome::False => {
                open.extend(operands.iter().map(|operand| (*operand, outcome)));
            }
            NodeKind::Call {
                callee: Callee::Language(overloads),
                args,
            } if overloads.as_slice() == [Overload::Not] => {
                open.extend(args.iter().map(|operand| (*operand, outcome.negated())));
            }
            // Operands that may be skipped, or that stand for one element alone.
            NodeKind::And(_)
            | NodeKind::Or(_)
            | NodeKind::Conditional { .. }
            | NodeKind::Comprehension(_)
            | NodeKind::OptionalMap { .. }
            | NodeKind::Bind { .. }
            | NodeKind::Block { .. } => {}
            kind => {
                let strict = totality::failing_children(kind).into_iter();
                open.extend(strict.map(|child| (child, Outcome::Value)));
            }
        }
    }
    found
}
