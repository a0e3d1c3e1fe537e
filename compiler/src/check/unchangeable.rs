//! Why a path leads to nothing that `set` and `remove` can change.
//!
//! In: the tree of a path that [`changeable`](super::change::changeable) found nothing in. Out: what stands there
//! instead, so that the message can say what to write.

use super::change::field_at;
use crate::catalog::signals::{FieldSpec, Reader, Root};
use crate::cel::Tree;
use crate::cel::declarations::Overload;
use crate::cel::typed::{Callee, NodeId, NodeKind};

/// What a path names that cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unchangeable {
    /// All attributes at once.
    Map(&'static FieldSpec),
    /// An attribute whose key the data say.
    Key(&'static FieldSpec),
    /// What is computed from other fields.
    Computed(&'static FieldSpec),
    /// What lies in another place for each kind of metric.
    OfKind(&'static FieldSpec),
    /// A list of messages.
    Messages(&'static FieldSpec),
    /// A part of a value.
    Part(&'static FieldSpec),
    /// No path at all.
    Other,
}

/// What a path names.
pub(super) fn unchangeable(tree: &Tree) -> Unchangeable {
    if let Some(field) = field_at(tree, tree.root()) {
        return whole(field);
    }
    let mut at = tree.root();
    let mut is_key = true;
    while let Some(operand) = operand(tree, at) {
        if let Some(field) = field_at(tree, operand) {
            return match field.reader {
                Reader::Attributes if is_key => Unchangeable::Key(field),
                Reader::Messages(_) => Unchangeable::Messages(field),
                _ => Unchangeable::Part(field),
            };
        }
        (at, is_key) = (operand, false);
    }
    Unchangeable::Other
}

fn whole(field: &'static FieldSpec) -> Unchangeable {
    match field.reader {
        Reader::Attributes => Unchangeable::Map(field),
        Reader::Messages(_) => Unchangeable::Messages(field),
        Reader::SpanDuration => Unchangeable::Computed(field),
        _ if matches!(field.root, Root::DataPoint | Root::Metric) => Unchangeable::OfKind(field),
        _ => Unchangeable::Other,
    }
}

/// What `operand.key` or `operand[key]` looks into.
fn operand(tree: &Tree, id: NodeId) -> Option<NodeId> {
    match &tree.node(id).kind {
        NodeKind::Select { operand, .. } => Some(*operand),
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => match (overloads.as_slice(), args.as_slice()) {
            (overloads, [operand, _]) if overloads.iter().all(is_index) => Some(*operand),
            _ => None,
        },
        _ => None,
    }
}

/// What is indexed may be of a type that only the data say; then both are meant.
const fn is_index(overload: &Overload) -> bool {
    matches!(overload, Overload::IndexMap | Overload::IndexList)
}
