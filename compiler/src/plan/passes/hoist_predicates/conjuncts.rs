//! What must hold together, as tests of their own.
//!
//! What may be split depends on the outcome that passes: `a && b` is true when both are, `a || b` is "not true" when neither
//! is true. A named predicate is opened only when its parts have different levels.

use indexmap::IndexMap;

use super::{MAX_OPENED, reads_several_levels};
use crate::hir::PredicateId;
use crate::plan::{Condition, ConditionKind, Outcome, Predicate, Test};

/// The tests that together pass exactly when all of `tests` do, the shallowest first.
pub(super) fn split(tests: Vec<Test>, predicates: &IndexMap<PredicateId, Predicate>) -> Vec<Test> {
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
