//! Makes one guard of filters that stand one behind the other, the cheapest tests first, and moves a test that all
//! branches share in front of them. No test stands twice on a way through the tree.
//!
//! before:  filter(log.body.contains("x")) -> filter(prod) -> [filter(prod) -> a, filter(prod) -> filter(loud) -> b]
//! after:   when prod then log.body.contains("x") all of -> a, when loud -> b
//!
//! Tests read and never write, so their order is free. A test keeps its outcome: `drop(p)` passes what fails on `p`
//! before and after.

use crate::level::Level;
use crate::plan::cost::cost;
use crate::plan::{Arm, Guard, Plan, PlanLog, Test, Tree};

/// The pass in logs.
pub const NAME: &str = "merge_filters";

/// Returns `plan` with as few guards and tests as decide the same.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let known = plan.clone();
    plan.for_each_walk(|walk| {
        let tree = std::mem::replace(&mut walk.tree, Tree::Nothing);
        let tree = drop_repeated(tree, &mut Vec::new(), log);
        walk.tree = merge(tree, log);
        walk.tree
            .for_each_guard(&mut |guard| sort(&known, guard, log));
    });
    plan
}

/// The tree without tests that a record has passed before. `passed` are those in front of it.
fn drop_repeated(tree: Tree, passed: &mut Vec<Test>, log: &mut PlanLog) -> Tree {
    match tree {
        Tree::Nothing | Tree::Keep(_) | Tree::Refuse(_) => tree,
        Tree::Filter { mut guard, then } => {
            let before = passed.len();
            pass(&mut guard, passed, log);
            let then = drop_repeated(*then, passed, log);
            passed.truncate(before);
            filter(guard, then)
        }
        Tree::FanOut(branches) => Tree::FanOut(
            branches
                .into_iter()
                .map(|branch| drop_repeated(branch, passed, log))
                .collect(),
        ),
        Tree::Route { arms, otherwise } => Tree::Route {
            arms: drop_repeated_in(arms, passed, log),
            otherwise: Box::new(drop_repeated(*otherwise, passed, log)),
        },
        Tree::Split(arms) => Tree::Split(drop_repeated_in(arms, passed, log)),
        // A read behind a change is one of the bytes that came in, so what was found in front of it still holds.
        mut other @ (Tree::Switch { .. }
        | Tree::Edit { .. }
        | Tree::Limit { .. }
        | Tree::Fork(_)) => {
            for child in other.children_mut() {
                let below = std::mem::replace(child, Tree::Nothing);
                *child = drop_repeated(below, passed, log);
            }
            other
        }
    }
}

fn drop_repeated_in(arms: Vec<Arm>, passed: &mut Vec<Test>, log: &mut PlanLog) -> Vec<Arm> {
    let arms = arms.into_iter();
    arms.map(|Arm { mut guard, then }| {
        let before = passed.len();
        pass(&mut guard, passed, log);
        let then = drop_repeated(then, passed, log);
        passed.truncate(before);
        Arm { guard, then }
    })
    .collect()
}

/// Takes what has been passed out of a guard, and adds what is left of it to what has been passed.
fn pass(guard: &mut Guard, passed: &mut Vec<Test>, log: &mut PlanLog) {
    let mut repeated = false;
    guard.tests.retain(|test| {
        let known = passed.contains(test);
        repeated |= known;
        if !known {
            passed.push(test.clone());
        }
        !known
    });
    if repeated {
        log.note(
            NAME,
            guard.span,
            "what was tested in front of it is not tested again",
        );
    }
}

/// The tree with one guard for filters behind each other, and with shared tests in front.
fn merge(tree: Tree, log: &mut PlanLog) -> Tree {
    match tree {
        Tree::Nothing | Tree::Keep(_) | Tree::Refuse(_) => tree,
        Tree::Filter { guard, then } => {
            let (guard, then) = absorb(guard, merge(*then, log), log);
            filter(guard, then)
        }
        Tree::FanOut(branches) => merge_fan_out(branches, log),
        Tree::Route { arms, otherwise } => {
            let mut arms: Vec<Arm> = arms
                .into_iter()
                .map(|arm| Arm {
                    then: merge(arm.then, log),
                    ..arm
                })
                .collect();
            let otherwise = merge(*otherwise, log);
            // What fails the shared tests takes no arm, so it must be lost behind the arms too.
            let shared = if otherwise == Tree::Nothing {
                take_shared(arms.iter_mut().map(|arm| &mut arm.guard).collect(), log)
            } else {
                None
            };
            let otherwise = Box::new(otherwise);
            in_front(shared, Tree::Route { arms, otherwise })
        }
        Tree::Split(arms) => merge_split(arms, log),
        // No test moves in front of a quota, which counts what comes to it.
        mut other @ (Tree::Switch { .. }
        | Tree::Edit { .. }
        | Tree::Limit { .. }
        | Tree::Fork(_)) => {
            for child in other.children_mut() {
                let below = std::mem::replace(child, Tree::Nothing);
                *child = merge(below, log);
            }
            other
        }
    }
}

fn merge_fan_out(branches: Vec<Tree>, log: &mut PlanLog) -> Tree {
    let branches = branches.into_iter().map(|branch| merge(branch, log));
    let mut branches = flatten(branches.collect());
    let guards: Option<Vec<&mut Guard>> = branches
        .iter_mut()
        .map(|branch| match branch {
            Tree::Filter { guard, .. } => Some(guard),
            _ => None,
        })
        .collect();
    let shared = guards.and_then(|guards| take_shared(guards, log));
    let branches = branches.into_iter().map(|branch| match branch {
        Tree::Filter { guard, then } => filter(guard, *then),
        other => other,
    });
    in_front(shared, Tree::FanOut(flatten(branches.collect())))
}

/// The branches of a fan-out and of those that stand in it.
fn flatten(branches: Vec<Tree>) -> Vec<Tree> {
    let branches = branches.into_iter();
    branches
        .flat_map(|branch| match branch {
            Tree::FanOut(inner) => flatten(inner),
            other => vec![other],
        })
        .collect()
}

fn merge_split(arms: Vec<Arm>, log: &mut PlanLog) -> Tree {
    let arms = arms.into_iter().map(|Arm { guard, then }| {
        let (guard, then) = absorb(guard, merge(then, log), log);
        Arm { guard, then }
    });
    let mut arms: Vec<Arm> = arms.collect();
    if arms.len() == 1
        && let Some(Arm { guard, then }) = arms.pop()
    {
        return filter(guard, then);
    }
    let shared = take_shared(arms.iter_mut().map(|arm| &mut arm.guard).collect(), log);
    in_front(shared, Tree::Split(arms))
}

/// A guard together with those directly behind it.
fn absorb(mut guard: Guard, then: Tree, log: &mut PlanLog) -> (Guard, Tree) {
    let Tree::Filter {
        guard: behind,
        then,
    } = then
    else {
        return (guard, then);
    };
    log.note(
        NAME,
        behind.span,
        "decided together with what stands in front of it",
    );
    guard.tests.extend(behind.tests);
    (guard, *then)
}

/// Takes the tests that all guards have out of them. Nothing is shared by a guard alone.
fn take_shared(mut guards: Vec<&mut Guard>, log: &mut PlanLog) -> Option<Guard> {
    let (first, others) = guards.split_first()?;
    if others.is_empty() {
        return None;
    }
    let mut tests = first.tests.clone();
    for guard in others {
        tests.retain(|test| guard.tests.contains(test));
    }
    if tests.is_empty() {
        return None;
    }
    let span = first.span;
    for guard in &mut guards {
        guard.tests.retain(|test| !tests.contains(test));
        log.note(
            NAME,
            guard.span,
            "what all branches test is tested once, in front of them",
        );
    }
    Some(Guard { tests, span })
}

/// A tree behind shared tests.
fn in_front(shared: Option<Guard>, tree: Tree) -> Tree {
    match shared {
        Some(guard) => filter(guard, tree),
        None => tree,
    }
}

/// A filter; what stands behind it when it has no test left.
fn filter(guard: Guard, then: Tree) -> Tree {
    if guard.tests.is_empty() {
        return then;
    }
    Tree::Filter {
        guard,
        then: Box::new(then),
    }
}

/// Puts the shallowest tests first, and the cheapest of each level. Tests that cost the same stay as they were written.
fn sort(plan: &Plan, guard: &mut Guard, log: &mut PlanLog) {
    if guard.tests.len() < 2 {
        return;
    }
    let order = |test: &Test| (test.condition.level, cost(plan, &test.condition));
    let mut keyed: Vec<((Level, u32), Test)> = guard
        .tests
        .drain(..)
        .map(|test| (order(&test), test))
        .collect();
    if !keyed.is_sorted_by_key(|(key, _)| *key) {
        keyed.sort_by_key(|(key, _)| *key);
        log.note(
            NAME,
            guard.span,
            "the shallowest and cheapest tests come first",
        );
    }
    guard.tests = keyed.into_iter().map(|(_, test)| test).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::testing::before_and_after;

    #[test]
    fn filters_behind_each_other_are_one_guard() {
        let text = before_and_after(
            "predicate prod = resource.attributes[\"env\"] == \"prod\";\n\
             ingest.logs -> filter(log.body.matches(\"x+\")) -> filter(prod)\n\
             -> drop(log.flags == 1u) -> filter(prod, on_error: keep)\n\
             -> split { log.flags == 2u => filter(prod) -> filter(log.body == \"y\") -> a, prod => b };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn what_all_branches_test_is_tested_in_front_of_them() {
        let text = before_and_after(
            "predicate prod = resource.attributes[\"env\"] == \"prod\";\n\
             ingest.logs -> filter(prod) -> a;\n\
             ingest.logs -> filter(log.flags == 1u) -> filter(prod) -> b;\n\
             ingest.logs -> filter(prod) -> [filter(log.flags == 2u) -> b, split { log.flags == 3u => c }];\n\
             ingest.traces -> [filter(prod) -> a, drop(prod) -> b];\n\
             ingest.metrics -> [filter(prod) -> a, b];",
            &[run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn an_arm_of_a_route_keeps_its_filter_apart() {
        let text = before_and_after(
            "predicate prod = resource.attributes[\"env\"] == \"prod\";\n\
             ingest.logs -> route { prod => filter(log.flags == 1u) -> filter(prod) -> a, else => filter(prod) -> b };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }
}
