//! At which levels the parts of a condition read, behind the names of predicates too.

use indexmap::IndexMap;

use crate::hir::PredicateId;
use crate::level::Level;
use crate::plan::{Condition, ConditionKind, Predicate};

/// How many named predicates are opened for one guard. Predicates may name each other so often that what they stand
/// for doubles with each; what is not opened is tested whole.
pub(super) const MAX_OPENED: u32 = 64;

/// Whether a condition has parts of different levels.
pub(super) fn reads_several_levels(
    condition: &Condition,
    predicates: &IndexMap<PredicateId, Predicate>,
    may_open: &mut u32,
) -> bool {
    let mut levels = Vec::new();
    collect_levels(condition, predicates, may_open, &mut levels);
    levels.iter().any(|level| *level != condition.level)
}

/// The levels of the operands of a condition, at any depth.
pub(super) fn collect_levels(
    condition: &Condition,
    predicates: &IndexMap<PredicateId, Predicate>,
    may_open: &mut u32,
    levels: &mut Vec<Level>,
) {
    let opened = match condition.kind {
        ConditionKind::Predicate(id) => predicates.get(&id).filter(|_| *may_open > 0),
        _ => None,
    };
    if let Some(predicate) = opened {
        *may_open -= 1;
        return collect_levels(&predicate.condition, predicates, may_open, levels);
    }
    let operands = condition.operands();
    // What is marked went through this pass before.
    if operands.is_empty() || matches!(condition.kind, ConditionKind::Once(_)) {
        levels.push(condition.level);
        return;
    }
    for operand in operands {
        collect_levels(operand, predicates, may_open, levels);
    }
}
