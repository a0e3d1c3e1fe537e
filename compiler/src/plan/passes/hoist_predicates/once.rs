//! Marks the parts of a test that read less deep than the whole: a walk computes each before its loop, once for all the
//! records that share what it reads.
//!
//! before:  when (resource.attributes["k"] == 1 ? log.flags == 1u : log.flags == 2u) [record]
//! after:   when (once[resource](resource.attributes["k"] == 1) ? log.flags == 1u : log.flags == 2u) [record]

use indexmap::IndexMap;

use super::NAME;
use crate::hir::PredicateId;
use crate::level::Level;
use crate::plan::passes::levels::{MAX_OPENED, reads_several_levels};
use crate::plan::{Condition, ConditionKind, PlanLog, Predicate, Tree};

/// Marks the parts of every test of a tree.
pub(super) fn mark(
    tree: &mut Tree,
    predicates: &IndexMap<PredicateId, Predicate>,
    log: &mut PlanLog,
) {
    let mut marking = Marking {
        predicates,
        log,
        may_open: 0,
    };
    tree.for_each_guard(&mut |guard| {
        marking.may_open = MAX_OPENED;
        for test in &mut guard.tests {
            // What the request decides is tested outside of every loop.
            if test.condition.level > Level::Payload {
                let level = test.condition.level;
                marking.condition(&mut test.condition, level);
            }
        }
    });
}

struct Marking<'p> {
    predicates: &'p IndexMap<PredicateId, Predicate>,
    log: &'p mut PlanLog,
    may_open: u32,
}

impl Marking<'_> {
    /// Marks the parts of a condition inside of a test at `level`.
    fn condition(&mut self, condition: &mut Condition, level: Level) {
        if condition.level < level && condition.constant().is_none() {
            self.tell(condition);
            let inner = condition.clone();
            condition.kind = ConditionKind::Once(Box::new(inner));
            return;
        }
        if let ConditionKind::Predicate(id) = condition.kind
            && let Some(predicate) = self.predicates.get(&id).filter(|_| self.may_open > 0)
            && reads_several_levels(&predicate.condition, self.predicates, &mut self.may_open)
        {
            *condition = predicate.condition.clone();
        }
        for operand in condition.operands_mut() {
            self.condition(operand, level);
        }
    }

    fn tell(&mut self, part: &Condition) {
        if matches!(part.kind, ConditionKind::Once(_)) {
            return;
        }
        let reason = format!(
            "this part is computed once a {}, before the loop",
            part.level.name()
        );
        self.log.note(NAME, part.span, reason);
    }
}
