//! Arms of a `split` of which a record takes one at most.
//!
//! before:  each of { team == "a" && loud => a, team == "b" => b }
//! after:   first of { team == "a" => a when loud, team == "b" => b, else nothing }
//!
//! What tells the arms apart becomes their guard, and the rest of each guard a filter behind it: a record that fails it
//! could take no other arm. So the arms can share outputs and be one look-up.

use crate::plan::facts::{Facts, Subject};
use crate::plan::{Arm, Guard, Test, Tree};

/// The arms of a route that does the same as a split, and what tells them apart; the arms as they were when nothing
/// does. What tells them apart must not be deeper than the rest: tests on the resource stay in front of those on records.
pub(super) fn one_arm_at_most(
    facts: &Facts<'_>,
    arms: Vec<Arm>,
) -> Result<(Subject, Vec<Arm>), Vec<Arm>> {
    if arms.len() < 2 {
        return Err(arms);
    }
    let guards: Vec<&[Test]> = arms.iter().map(|arm| arm.guard.tests.as_slice()).collect();
    let Some(subject) = facts.excludes(&guards) else {
        return Err(arms);
    };
    let comes_first = |tests: &[Test]| {
        let first = tests.first().map(|test| test.condition.level);
        let about = tests.iter().filter(|test| facts.is_about(test, &subject));
        about.map(|test| test.condition.level).min() == first
    };
    if !guards.iter().all(|tests| comes_first(tests)) {
        return Err(arms);
    }
    let arms = arms.into_iter().map(|arm| nested(facts, arm, &subject));
    Ok((subject.clone(), arms.collect()))
}

/// An arm whose guard looks at the subject alone, with the other tests behind it.
fn nested(facts: &Facts<'_>, arm: Arm, subject: &Subject) -> Arm {
    let span = arm.guard.span;
    let tests = arm.guard.tests.into_iter();
    let (own, rest): (Vec<Test>, Vec<Test>) = tests.partition(|test| facts.is_about(test, subject));
    let then = if rest.is_empty() {
        arm.then
    } else {
        Tree::Filter {
            guard: Guard { tests: rest, span },
            then: Box::new(arm.then),
        }
    };
    Arm {
        guard: Guard { tests: own, span },
        then,
    }
}
