//! Splits each guard into tests that must all pass, each at its own level, the shallowest first. So a part that
//! reads the resource alone is tested once a resource, and the records of a resource that fails are not read.
//!
//! before:  when (log.severity_number >= 17 && resource.attributes["team"] == "a") [record]
//! after:   when resource.attributes["team"] == "a" [resource] then log.severity_number >= 17 [record]
//!
//! What may be split depends on the outcome that passes: `a && b` is true when both are, `a || b` is "not true"
//! when neither is true. A named predicate is opened only when its parts have different levels.

use indexmap::IndexMap;

use super::levels::{MAX_OPENED, reads_several_levels};
use crate::hir::PredicateId;
use crate::plan::{Condition, ConditionKind, Guard, Outcome, Plan, PlanLog, Predicate, Test};

/// The pass in logs.
pub const NAME: &str = "split_conjunctions";

/// Returns `plan` with each guard split by level.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let predicates = plan.predicates.clone();
    plan.for_each_walk(|walk| {
        walk.tree
            .for_each_guard(&mut |guard| split(guard, &predicates, log))
    });
    plan
}

fn split(guard: &mut Guard, predicates: &IndexMap<PredicateId, Predicate>, log: &mut PlanLog) {
    let before = guard.tests.len();
    guard.tests = conjuncts_of(std::mem::take(&mut guard.tests), predicates);
    if guard.tests.len() > before {
        let reason = format!(
            "the predicate is tested in {} parts, the shallowest first",
            guard.tests.len()
        );
        log.note(NAME, guard.span, reason);
    }
}

/// The tests that together pass exactly when all of `tests` do, the shallowest first.
pub(super) fn conjuncts_of(
    tests: Vec<Test>,
    predicates: &IndexMap<PredicateId, Predicate>,
) -> Vec<Test> {
    let mut may_open = MAX_OPENED;
    let mut parts: Vec<Test> = tests
        .into_iter()
        .flat_map(|test| conjuncts(test, predicates, &mut may_open))
        .collect();
    // A stable sort: within a level the author's order stays.
    parts.sort_by_key(|test| test.condition.level);
    parts
}

fn conjuncts(
    test: Test,
    predicates: &IndexMap<PredicateId, Predicate>,
    may_open: &mut u32,
) -> Vec<Test> {
    let Test { condition, outcome } = test;
    match (condition.kind, outcome) {
        (ConditionKind::All(parts), Outcome::True | Outcome::NotFalse)
        | (ConditionKind::Any(parts), Outcome::False | Outcome::NotTrue) => parts
            .into_iter()
            .flat_map(|condition| conjuncts(Test { condition, outcome }, predicates, may_open))
            .collect(),
        (ConditionKind::Not(operand), _) => conjuncts(
            Test {
                condition: *operand,
                outcome: outcome.of_negation(),
            },
            predicates,
            may_open,
        ),
        (ConditionKind::Predicate(id), _) => {
            let opened = predicates.get(&id).filter(|predicate| {
                *may_open > 0 && reads_several_levels(&predicate.condition, predicates, may_open)
            });
            match opened {
                Some(predicate) => {
                    *may_open -= u32::from(*may_open > 0);
                    let condition = predicate.condition.clone();
                    conjuncts(Test { condition, outcome }, predicates, may_open)
                }
                None => vec![Test {
                    condition: Condition {
                        kind: ConditionKind::Predicate(id),
                        ..condition
                    },
                    outcome,
                }],
            }
        }
        (kind, _) => vec![Test {
            condition: Condition { kind, ..condition },
            outcome,
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::testing::before_and_after;

    #[test]
    fn parts_stand_at_their_own_level_the_shallowest_first() {
        let text = before_and_after(
            "predicate mixed = log.body == \"x\" && resource.attributes[\"k\"] == 1;\n\
             predicate deep = log.body == \"x\" && log.flags == 1u;\n\
             ingest.logs -> filter(mixed) -> drop(log.body == \"y\" || scope.name == \"z\", on_error: drop)\n\
             -> route { deep => a, !(log.body == \"w\" || resource.attributes[\"v\"] == 2) => b, else => c };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }
}
