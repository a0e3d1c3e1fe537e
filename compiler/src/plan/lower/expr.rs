//! Lowers expressions: what is known becomes a literal, what is `bool` a condition, the rest a value.
//!
//! Comparisons, tests and look-ups of data have forms of their own in the plan, so that passes can reason about them
//! and the emitter reads the bytes in place. Everything else is a [`crate::plan::Expression`] over what it reads.

use super::Lowering;
use super::nesting;
use super::part::Part;
use crate::hir::ExprId;
use crate::level::Level;
use crate::plan::{Condition, ConditionKind, Constant, Value, ValueKind};

impl Lowering<'_> {
    /// An expression of type `bool`.
    pub(super) fn condition(&self, id: ExprId) -> Condition {
        match self.types.tree(id) {
            Some(tree) => {
                let part = Part::of(self.types, tree);
                let condition = part.condition(tree.root());
                if nesting::doubles(&condition) {
                    part.whole_condition(tree.root())
                } else {
                    condition
                }
            }
            // Only programs without errors are lowered, and they have a tree for each expression.
            None => Condition {
                kind: ConditionKind::Constant(Constant::Error),
                level: Level::Const,
                span: self.program.exprs.at(id).span,
            },
        }
    }

    /// An expression whose value is wanted.
    pub(super) fn value(&self, id: ExprId) -> Value {
        match self.types.tree(id) {
            Some(tree) => {
                let part = Part::of(self.types, tree);
                let value = part.value(tree.root());
                if nesting::value_doubles(&value) {
                    part.whole_value(tree.root())
                } else {
                    value
                }
            }
            None => Value {
                kind: ValueKind::Failed,
                ty: self.types.ty(id).clone(),
                level: Level::Const,
                span: self.program.exprs.at(id).span,
            },
        }
    }
}
