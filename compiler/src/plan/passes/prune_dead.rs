//! Removes what can never run: branches whose guard never holds, arms behind one that always does, and then
//! every batch, sink, connection, source and predicate that nothing needs any more.
//!
//! before:  ingest.logs -> route { false => a, true => b, else => c }
//! after:   ingest.logs -> b                                            (a and c are gone)
//!
//! An edge on which everything is dropped keeps its walk: its source still answers.

mod unreached;

use std::collections::BTreeSet;

use self::unreached::remove_unreached;
use crate::plan::{Arm, BatchId, Case, Fork, Plan, PlanLog, Target, Tree, Value};

/// The pass in logs.
pub const NAME: &str = "prune_dead";

/// Returns `plan` without its dead parts; each removal is logged with the span that caused it.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    plan.for_each_walk(|walk| {
        let tree = std::mem::replace(&mut walk.tree, Tree::Nothing);
        walk.tree = prune(tree, log);
    });
    cut_empty_batches(&mut plan, log);
    remove_unreached(&mut plan, log);
    plan
}

/// The tree without the branches that no record takes.
fn prune(tree: Tree, log: &mut PlanLog) -> Tree {
    match tree {
        Tree::Nothing | Tree::Keep(_) | Tree::Refuse(_) => tree,
        Tree::Edit { edit, then } => match prune(*then, log) {
            Tree::Nothing => Tree::Nothing,
            then => Tree::Edit {
                edit,
                then: Box::new(then),
            },
        },
        // A quota answers also for what is dropped behind it.
        Tree::Limit { limit, then } => Tree::Limit {
            limit,
            then: Box::new(prune(*then, log)),
        },
        Tree::Filter { mut guard, then } => match guard.decided() {
            Some(false) => {
                log.removed(NAME, guard.span, "nothing passes this stage");
                Tree::Nothing
            }
            decided => {
                let then = prune(*then, log);
                guard.tests.retain(|test| test.decided().is_none());
                match then {
                    Tree::Nothing => Tree::Nothing,
                    then if decided == Some(true) => {
                        log.untested(NAME, guard.span, "everything passes this stage");
                        then
                    }
                    then => Tree::Filter {
                        guard,
                        then: Box::new(then),
                    },
                }
            }
        },
        Tree::FanOut(branches) => {
            let mut branches: Vec<_> = branches
                .into_iter()
                .map(|branch| prune(branch, log))
                .collect();
            branches.retain(|branch| *branch != Tree::Nothing);
            one_or_all(branches)
        }
        Tree::Route { arms, otherwise } => prune_route(arms, *otherwise, log),
        Tree::Split(arms) => prune_split(arms, log),
        Tree::Fork(fork) => in_fork(fork, |body| prune(body, log)),
        Tree::Switch {
            on,
            cases,
            otherwise,
        } => {
            let cases = cases.into_iter().map(|case| Case {
                keys: case.keys,
                then: prune(case.then, log),
            });
            switch(on, cases.collect(), prune(*otherwise, log))
        }
    }
}

/// A fork with another body; nothing when nothing is left of it.
fn in_fork(fork: Fork, change: impl FnOnce(Tree) -> Tree) -> Tree {
    match change(*fork.body) {
        Tree::Nothing => Tree::Nothing,
        body => Tree::Fork(Fork {
            body: Box::new(body),
            ..fork
        }),
    }
}

/// A switch of which some case does something that the others do not.
fn switch(on: Value, mut cases: Vec<Case>, otherwise: Tree) -> Tree {
    cases.retain(|case| case.then != otherwise);
    if cases.is_empty() {
        return otherwise;
    }
    Tree::Switch {
        on,
        cases,
        otherwise: Box::new(otherwise),
    }
}

fn prune_route(arms: Vec<Arm>, mut otherwise: Tree, log: &mut PlanLog) -> Tree {
    let mut kept: Vec<Arm> = Vec::new();
    let mut arms = arms.into_iter();
    for mut arm in arms.by_ref() {
        match arm.guard.decided() {
            Some(false) => note_never(&arm, &otherwise, log),
            Some(true) => {
                note_always(&arm, &otherwise, log);
                otherwise = arm.then;
                break;
            }
            None => {
                arm.guard.tests.retain(|test| test.decided().is_none());
                arm.then = prune(arm.then, log);
                kept.push(arm);
            }
        }
    }
    for shadowed in arms {
        let span = shadowed.guard.span;
        if !shadowed.then.refuses_at(span) {
            log.removed(NAME, span, "an earlier arm takes every record");
        }
    }
    let otherwise = prune(otherwise, log);
    // Arms that drop stay in front of others: they say what the later ones do not get.
    while kept.last().is_some_and(|arm| arm.then == otherwise) {
        kept.pop();
    }
    if otherwise == Tree::Nothing && kept.len() == 1 {
        return one_arm(kept);
    }
    if kept.is_empty() {
        otherwise
    } else {
        Tree::Route {
            arms: kept,
            otherwise: Box::new(otherwise),
        }
    }
}

/// Notes an arm that is never taken. The arms of a validation were not written as such: one lets records pass, the
/// others refuse them.
fn note_never(arm: &Arm, otherwise: &Tree, log: &mut PlanLog) {
    let span = arm.guard.span;
    if arm.then.refuses_at(span) {
        return;
    }
    let reason = if otherwise.refuses_at(span) {
        "no record passes"
    } else {
        "no record takes this arm"
    };
    log.removed(NAME, span, reason);
}

/// Notes an arm that everything takes which comes to it.
fn note_always(arm: &Arm, otherwise: &Tree, log: &mut PlanLog) {
    let span = arm.guard.span;
    if arm.then.refuses_at(span) {
        return log.note(NAME, span, "every record that comes here is refused");
    }
    let reason = if otherwise.refuses_at(span) {
        "every record that comes here passes"
    } else {
        "every record that comes to this arm takes it"
    };
    log.untested(NAME, span, reason);
}

/// The only arm that is left, as a filter.
fn one_arm(mut arms: Vec<Arm>) -> Tree {
    let Some(Arm { guard, then }) = arms.pop() else {
        return Tree::Nothing;
    };
    if guard.tests.is_empty() {
        return then;
    }
    Tree::Filter {
        guard,
        then: Box::new(then),
    }
}

fn prune_split(arms: Vec<Arm>, log: &mut PlanLog) -> Tree {
    let mut branches = Vec::new();
    for Arm { mut guard, then } in arms {
        match guard.decided() {
            Some(false) => log.removed(NAME, guard.span, "no record takes this arm"),
            decided => {
                guard.tests.retain(|test| test.decided().is_none());
                let then = prune(then, log);
                if then == Tree::Nothing {
                    continue;
                }
                if decided == Some(true) {
                    log.untested(NAME, guard.span, "every record takes this arm");
                }
                branches.push(Arm { guard, then });
            }
        }
    }
    match branches.len() {
        0 | 1 => one_arm(branches),
        _ => Tree::Split(branches),
    }
}

/// A batch behind which everything is dropped need not be filled: what went there is dropped before.
fn cut_empty_batches(plan: &mut Plan, log: &mut PlanLog) {
    loop {
        let empty: BTreeSet<BatchId> = plan
            .batches
            .iter()
            .filter(|(_, batch)| batch.walk.tree == Tree::Nothing)
            .map(|(id, _)| *id)
            .collect();
        if empty.is_empty() {
            return;
        }
        plan.batches.retain(|id, batch| {
            let keep = !empty.contains(id);
            if !keep {
                log.removed(NAME, batch.span, "everything behind this batch is dropped");
            }
            keep
        });
        plan.for_each_walk(|walk| {
            let tree = std::mem::replace(&mut walk.tree, Tree::Nothing);
            walk.tree = prune(without(tree, &empty), &mut PlanLog::new());
        });
    }
}

/// The tree with nothing where a batch of `gone` stood.
fn without(tree: Tree, gone: &BTreeSet<BatchId>) -> Tree {
    let arms_without = |arms: Vec<Arm>| {
        arms.into_iter()
            .map(|arm| Arm {
                guard: arm.guard,
                then: without(arm.then, gone),
            })
            .collect()
    };
    match tree {
        Tree::Keep(Target::Batch(id)) if gone.contains(&id) => Tree::Nothing,
        Tree::Nothing | Tree::Keep(_) | Tree::Refuse(_) => tree,
        Tree::Edit { edit, then } => Tree::Edit {
            edit,
            then: Box::new(without(*then, gone)),
        },
        Tree::Limit { limit, then } => Tree::Limit {
            limit,
            then: Box::new(without(*then, gone)),
        },
        Tree::Filter { guard, then } => Tree::Filter {
            guard,
            then: Box::new(without(*then, gone)),
        },
        Tree::FanOut(branches) => Tree::FanOut(
            branches
                .into_iter()
                .map(|branch| without(branch, gone))
                .collect(),
        ),
        Tree::Route { arms, otherwise } => Tree::Route {
            arms: arms_without(arms),
            otherwise: Box::new(without(*otherwise, gone)),
        },
        Tree::Split(arms) => Tree::Split(arms_without(arms)),
        Tree::Fork(fork) => in_fork(fork, |body| without(body, gone)),
        Tree::Switch {
            on,
            cases,
            otherwise,
        } => {
            let cases = cases.into_iter().map(|case| Case {
                keys: case.keys,
                then: without(case.then, gone),
            });
            Tree::Switch {
                on,
                cases: cases.collect(),
                otherwise: Box::new(without(*otherwise, gone)),
            }
        }
    }
}

/// One branch as it is, none as nothing.
fn one_or_all(mut branches: Vec<Tree>) -> Tree {
    match branches.len() {
        0 => Tree::Nothing,
        1 => branches.remove(0),
        _ => Tree::FanOut(branches),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::fold_constants;
    use crate::plan::passes::testing::before_and_after;

    #[test]
    fn arms_that_no_record_takes_are_gone() {
        let text = before_and_after(
            "const off = false;\n\
             ingest.logs -> route { off => a, log.flags == 1u => b, !off => c, log.flags == 2u => a, else => a };",
            &[fold_constants::run, run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_batch_that_feeds_nothing_is_gone_and_its_edge_still_answers() {
        let text = before_and_after(
            "const off = false;\n\
             ingest.logs -> [batch(timeout: 1s) -> filter(off) -> a, filter(off) -> b];\ningest.traces -> c;",
            &[fold_constants::run, run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn changes_of_what_is_dropped_are_gone_and_gates_stay() {
        let text = before_and_after(
            "const off = false;\n\
             ingest.logs -> validate(log.flags == 1u, reason: \"one\") -> limit(5, per: 1s)\n\
             -> split { off => set(log.body, \"x\") -> a, log.flags == 2u => remove(log.body) -> filter(off) -> b };\n\
             ingest.traces -> validate(!off, reason: \"two\") -> set(span.name, \"n\") -> batch(timeout: 1s) -> filter(off) -> c;",
            &[fold_constants::run, run],
        );
        insta::assert_snapshot!(text);
    }
}
