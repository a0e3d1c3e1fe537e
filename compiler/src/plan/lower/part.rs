//! One typed tree on its way into the plan.
//!
//! In: a node of a tree. Out: a [`Condition`] or a [`Value`]. `read` knows what is read from the data, `test` the
//! conditions and `native` the values that have forms of their own; what has none becomes an [`Expression`].

mod native;
mod read;
mod test;

use std::sync::Arc;

use indexmap::IndexMap;

use crate::cel::declarations::Overload;
use crate::cel::fold::Constant as Known;
use crate::cel::typed::{Callee, Node, NodeId, NodeKind};
use crate::cel::{Tree, Type};
use crate::check::types::TypeTable;
use crate::plan::{Condition, ConditionKind, Constant, Expression, Value, ValueKind};

/// How many arms of `c ? a : …` have forms of their own: they are emitted one in the other, so more are left to the
/// emitter of CEL, which puts them one behind the other.
const MANY_ARMS: usize = 8;

/// How many texts of `c ? "a" : …` stay apart.
const MANY_TEXTS: usize = 64;

/// A typed tree, with what its variables stand for.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    types: &'t TypeTable,
    tree: &'t Arc<Tree>,
}

impl<'t> Part<'t> {
    /// The tree, whose variables `types` knows.
    pub(super) const fn of(types: &'t TypeTable, tree: &'t Arc<Tree>) -> Self {
        Self { types, tree }
    }

    /// A node that stands where a `bool` is needed: it is one, or the data decides.
    pub(super) fn condition(&self, id: NodeId) -> Condition {
        let node = self.node(id);
        let kind = match &node.constant {
            Some(Known::Bool(true)) => ConditionKind::Constant(Constant::True),
            Some(Known::Bool(false)) => ConditionKind::Constant(Constant::False),
            Some(_) => ConditionKind::Constant(Constant::Error),
            None => self
                .test(id)
                .unwrap_or_else(|| ConditionKind::Expression(self.expression(id))),
        };
        Condition {
            kind,
            level: node.level,
            span: node.span,
        }
    }

    /// A node whose value is wanted.
    pub(super) fn value(&self, id: NodeId) -> Value {
        if let Some(value) = self.native(id) {
            return value;
        }
        let parts = self.tree.joined_parts(id);
        let kind = if parts.len() > 1 {
            ValueKind::Concatenate(parts.into_iter().map(|part| self.value(part)).collect())
        } else {
            self.chosen_text(id)
                .unwrap_or_else(|| ValueKind::Expression(self.expression(id)))
        };
        self.with(id, kind)
    }

    /// `c ? "a.b" : text`: the texts stay apart, because a subject takes those of the flow as they are and each of the
    /// others as one token.
    fn chosen_text(&self, id: NodeId) -> Option<ValueKind> {
        let node = self.node(id);
        let NodeKind::Conditional { arms, otherwise } = &node.kind else {
            return None;
        };
        if node.ty != Type::String || arms.len() > MANY_TEXTS {
            return None;
        }
        let arms = arms.iter();
        Some(ValueKind::If {
            arms: arms
                .map(|(when, then)| (self.condition(*when), self.value(*then)))
                .collect(),
            otherwise: Box::new(self.value(*otherwise)),
        })
    }

    /// A condition without any form of its own in it.
    pub(super) fn whole_condition(&self, id: NodeId) -> Condition {
        let node = self.node(id);
        Condition {
            kind: ConditionKind::Expression(self.expression(id)),
            level: node.level,
            span: node.span,
        }
    }

    /// A value whose parts have no form of their own; texts that are joined stay apart.
    pub(super) fn whole_value(&self, id: NodeId) -> Value {
        let parts = self.tree.joined_parts(id);
        if parts.len() > 1 {
            let parts = parts.into_iter().map(|part| self.whole_value(part));
            return self.with(id, ValueKind::Concatenate(parts.collect()));
        }
        match self.node(id).constant {
            Some(_) => self.value(id),
            None => self.with(id, ValueKind::Expression(self.expression(id))),
        }
    }

    /// A part that has no form of its own, with everything that it reads.
    fn expression(&self, id: NodeId) -> Expression {
        let mut reads = IndexMap::new();
        self.reads(id, &mut reads);
        Expression {
            tree: Arc::clone(self.tree),
            root: id,
            reads,
        }
    }

    fn reads(&self, id: NodeId, reads: &mut IndexMap<NodeId, Value>) {
        let node = self.node(id);
        if node.constant.is_some() {
            return;
        }
        match self.read(id).or_else(|| self.with_default(id)) {
            Some(value) => {
                reads.insert(id, value);
            }
            None => {
                let children = node.kind.children().into_iter();
                children.for_each(|child| self.reads(child, reads));
            }
        }
    }

    fn node(&self, id: NodeId) -> &'t Node {
        self.tree.node(id)
    }

    /// A value of this kind in the place of a node.
    fn with(&self, id: NodeId, kind: ValueKind) -> Value {
        let node = self.node(id);
        Value {
            kind,
            ty: present(&node.ty).clone(),
            level: node.level,
            span: node.span,
        }
    }

    /// The overloads and arguments of a call of the language.
    fn call(&self, id: NodeId) -> Option<(&'t [Overload], &'t [NodeId])> {
        match &self.node(id).kind {
            NodeKind::Call {
                callee: Callee::Language(overloads),
                args,
            } => Some((overloads, args)),
            _ => None,
        }
    }

    /// The text that a node is known to be.
    fn known_text(&self, id: NodeId) -> Option<&'t str> {
        match &self.node(id).constant {
            Some(Known::String(text)) => Some(text),
            _ => None,
        }
    }
}

/// The type of what is there: in the plan an absent value is a missing one, and not an optional.
fn present(ty: &Type) -> &Type {
    match ty {
        Type::Optional(value) => value,
        other => other,
    }
}
