//! How deep conditions decide over conditions.
//!
//! A condition of the plan that decides (`c` of `c ? a : b`) or whose value is compared is emitted twice: once as "is
//! true" and once as "is false". Where such conditions stand in each other the text would double with each level, so
//! beyond a few levels the whole is left to the emitter of CEL, which evaluates each part once and gives up reading
//! in place for it. A named predicate is a function and starts anew.

use crate::plan::{Condition, ConditionKind, Value};

/// How many levels the plan keeps in forms of its own.
const MAX_NESTING: u32 = 6;

/// Whether a condition would be emitted too often.
pub(super) fn doubles(condition: &Condition) -> bool {
    of_condition(condition) > MAX_NESTING
}

/// Whether a part of a value would be emitted too often.
pub(super) fn value_doubles(value: &Value) -> bool {
    of_value(value) > MAX_NESTING
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
fn of_value(value: &Value) -> u32 {
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
