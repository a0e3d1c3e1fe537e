//! How deep conditions decide over conditions.
//!
//! A condition that decides (`c` of `c ? a : b`) or whose value is compared is emitted twice: once as "is true" and
//! once as "is false". Where such conditions stand in each other the text doubles with each level, so a flow gets
//! only a few levels. A named predicate is a function and starts anew.

use watershed_lang::diagnostic::{Code, Diagnostic};
use watershed_lang::span::Span;

use super::Lowering;
use crate::hir::ExprId;
use crate::plan::{Condition, ConditionKind, Value};

/// How many levels a flow gets.
const MAX_NESTING: u32 = 6;

impl Lowering<'_> {
    /// The condition of a stage, an arm or a predicate.
    pub(super) fn decision(&mut self, id: ExprId) -> Condition {
        let condition = self.condition(id);
        self.limit(of_condition(&condition), condition.span);
        condition
    }

    /// Refuses what nests deeper than the limit.
    pub(super) fn limit(&mut self, nesting: u32, span: Span) {
        if nesting > MAX_NESTING {
            let message = "conditions decide over conditions too deeply";
            self.diagnostics.push(
                Diagnostic::new(Code::TooDeep, message, span)
                    .label(format!("more than {MAX_NESTING} levels"))
                    .help("name an inner condition with `predicate`"),
            );
        }
    }
}

/// The levels in a condition.
fn of_condition(condition: &Condition) -> u32 {
    if let ConditionKind::If { arms, otherwise } = &condition.kind {
        let results = arms
            .iter()
            .map(|(_, then)| then)
            .chain([otherwise.as_ref()]);
        let results = results.map(of_condition).max().unwrap_or(0);
        return results.max(deciding(arms.iter().map(|(when, _)| when)));
    }
    let operands = condition.operands().into_iter().map(of_condition);
    let values = condition.values().into_iter().map(of_value);
    operands.chain(values).max().unwrap_or(0)
}

/// The levels in a value.
pub(super) fn of_value(value: &Value) -> u32 {
    let operands = value.operands().into_iter().map(of_value);
    operands
        .max()
        .unwrap_or(0)
        .max(deciding(value.conditions().into_iter()))
}

/// One level more than in any of the conditions.
fn deciding<'c>(conditions: impl Iterator<Item = &'c Condition>) -> u32 {
    conditions
        .map(of_condition)
        .max()
        .map_or(0, |below| below + 1)
}
