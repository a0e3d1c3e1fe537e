//! Takes each guard apart by level, so that what a resource decides is decided once a resource and no record is read for it.
//!
//! before:  when (log.severity_number >= 17 && resource.attributes["team"] == "a") [record]
//! after:   when resource.attributes["team"] == "a" [resource] then log.severity_number >= 17 [record]
//!
//! before:  when (resource.attributes["team"] == "a" || log.severity_number >= 17) [record] -> x
//! after:   first of { resource.attributes["team"] == "a" [resource] => x, log.severity_number >= 17 [record] => x }
//!
//! `bounds` finds what a shallower level says of a test for sure (it passes, or it cannot pass), and `once` marks the
//! shallower parts of what is left, so that a walk computes them before its loop. What a record must pass does not change.

mod bounds;
mod once;

use indexmap::IndexMap;
use watershed_lang::span::Span;

use super::levels::{MAX_OPENED, collect_levels};
use super::split_conjunctions::conjuncts_of;
use crate::hir::PredicateId;
use crate::level::Level;
use crate::plan::{Arm, Guard, Plan, PlanLog, Predicate, Test, Tree};
use bounds::Bounds;

/// The pass in logs.
pub const NAME: &str = "hoist_predicates";

/// How many nodes a branch may have that is written twice: once for what the resource decides, once for the rest.
const MAX_REPEATED: usize = 6;

/// Returns `plan` with each guard taken apart by level.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let predicates = plan.predicates.clone();
    plan.for_each_walk(|walk| {
        let mut hoisting = Hoisting {
            predicates: &predicates,
            log,
        };
        let tree = std::mem::replace(&mut walk.tree, Tree::Nothing);
        walk.tree = hoisting.tree(tree);
        once::mark(&mut walk.tree, &predicates, log);
    });
    plan
}

struct Hoisting<'a> {
    predicates: &'a IndexMap<PredicateId, Predicate>,
    log: &'a mut PlanLog,
}

/// What some level says of tests that must all pass.
struct Decided {
    /// The tests that it decides.
    shallow: Vec<Test>,
    /// When these pass, the deeper ones do. `None` when it cannot say so.
    sure: Option<Vec<Test>>,
    /// When one of these fails, a deeper one does.
    necessary: Vec<Test>,
    /// The deeper ones, where it is not sure that they pass.
    deep: Vec<Test>,
}

impl Hoisting<'_> {
    fn tree(&mut self, mut tree: Tree) -> Tree {
        for child in tree.children_mut() {
            let below = std::mem::replace(child, Tree::Nothing);
            *child = self.tree(below);
        }
        match tree {
            Tree::Filter { guard, then } => {
                let tests = self.split(&guard);
                self.filter(guard.span, tests, *then, Level::Config)
            }
            Tree::Route { arms, otherwise } => {
                let mut hoisted: Vec<Arm> = Vec::new();
                let mut passed = Level::Const;
                for arm in arms {
                    let level = arm.guard.level();
                    hoisted.extend(self.route_arm(arm, passed));
                    passed = passed.max(level);
                }
                Tree::Route {
                    arms: hoisted,
                    otherwise,
                }
            }
            Tree::Split(arms) => {
                let arms = arms.into_iter().map(|arm| self.split_arm(arm));
                Tree::Split(arms.collect())
            }
            other => other,
        }
    }

    /// A filter, level by level: what passes for sure at one goes on there, and only the rest is tested deeper. `asked` is
    /// the last level that had its say.
    fn filter(&mut self, span: Span, tests: Vec<Test>, then: Tree, asked: Level) -> Tree {
        let Some(level) = self.next_level(&tests, asked) else {
            return filter(span, tests, then);
        };
        let may_repeat = may_repeat(&then);
        let decided = self.decide(span, tests, level, may_repeat);
        let Some(sure) = decided.sure else {
            let deep = self.filter(span, decided.deep, then, level);
            let deep = filter(span, decided.necessary, deep);
            return filter(span, decided.shallow, deep);
        };
        let taken = Arm {
            guard: Guard { tests: sure, span },
            then: then.clone(),
        };
        let deep = self.filter(span, decided.deep, then, level);
        let rest = filter(span, decided.necessary, deep);
        filter(span, decided.shallow, route(taken, rest))
    }

    /// An arm of a route: others in front of it take what passes for sure at a shallower level. `passed` is how deep the
    /// arms before it read: a shallower level cannot decide anything any more.
    fn route_arm(&mut self, arm: Arm, passed: Level) -> Vec<Arm> {
        let span = arm.guard.span;
        let may_repeat = may_repeat(&arm.then);
        let mut tests = self.split(&arm.guard);
        let (mut arms, mut asked) = (Vec::new(), Level::Config);
        while let Some(level) = self.next_level(&tests, asked) {
            asked = level;
            let decided = self.decide(span, tests, level, may_repeat && level >= passed);
            if let Some(sure) = decided.sure {
                let sure = decided.shallow.iter().cloned().chain(sure);
                let tests = sure.collect();
                arms.push(Arm {
                    guard: Guard { tests, span },
                    then: arm.then.clone(),
                });
            }
            tests = decided.shallow;
            tests.extend(decided.necessary);
            tests.extend(decided.deep);
        }
        arms.push(Arm {
            guard: Guard { tests, span },
            then: arm.then,
        });
        arms
    }

    /// An arm of a split is a filter of its own.
    fn split_arm(&mut self, arm: Arm) -> Arm {
        let span = arm.guard.span;
        let tests = self.split(&arm.guard);
        match self.filter(span, tests, arm.then, Level::Config) {
            Tree::Filter { guard, then } => Arm { guard, then: *then },
            then => Arm {
                guard: Guard {
                    tests: Vec::new(),
                    span,
                },
                then,
            },
        }
    }

    /// The tests of a guard that must all pass, the shallowest first.
    fn split(&mut self, guard: &Guard) -> Vec<Test> {
        let tests = conjuncts_of(guard.tests.clone(), self.predicates);
        if tests.len() > guard.tests.len() {
            let reason = format!(
                "the predicate is tested in {} parts, the shallowest first",
                tests.len()
            );
            self.log.note(NAME, guard.span, reason);
        }
        tests
    }

    /// What `level` says of tests. Only what is short is worth to be written twice, once for what is sure.
    fn decide(&mut self, span: Span, tests: Vec<Test>, level: Level, may_repeat: bool) -> Decided {
        let bounds = Bounds::new(self.predicates, level);
        let (shallow, mut deep): (Vec<_>, Vec<_>) = tests
            .into_iter()
            .partition(|test| test.condition.level <= level);
        let sure: Option<Vec<Test>> = deep.iter().map(|test| bounds.sufficient(test)).collect();
        let sure = sure.filter(|_| may_repeat).map(without_repetitions);
        if let ([only], Some(_)) = (deep.as_slice(), &sure) {
            deep = conjuncts_of(vec![bounds.undecided(only)], self.predicates);
        }
        let necessary = deep.iter().filter_map(|test| bounds.necessary(test));
        let necessary = necessary.filter(|test| !shallow.contains(test));
        let necessary = without_repetitions(necessary.collect());
        let name = level.name();
        if sure.is_some() {
            let reason = format!("where the {name} says that it holds, nothing below it is read");
            self.log.note(NAME, span, reason);
        }
        if !necessary.is_empty() {
            let reason =
                format!("where the {name} says that it cannot hold, nothing below it is read");
            self.log.note(NAME, span, reason);
        }
        Decided {
            shallow,
            sure,
            necessary,
            deep,
        }
    }

    /// The next level that says something of tests that read deeper. Configuration is like a local variable to a walk.
    fn next_level(&self, tests: &[Test], asked: Level) -> Option<Level> {
        let mut levels = Vec::new();
        for test in tests {
            let (mut own, mut may_open) = (Vec::new(), MAX_OPENED);
            collect_levels(&test.condition, self.predicates, &mut may_open, &mut own);
            own.retain(|level| *level < test.condition.level);
            levels.extend(own);
        }
        // Where one part of one test is known, so are the tests of that level.
        if !levels.is_empty() {
            let own = tests.iter().map(|test| test.condition.level);
            let deepest = own.clone().max();
            levels.extend(own.filter(|level| Some(*level) < deepest));
        }
        levels.into_iter().filter(|level| *level > asked).min()
    }
}

/// Whether a branch may be written twice. A quota may not: it is one, wherever records come from.
fn may_repeat(then: &Tree) -> bool {
    let mut quotas = 0;
    then.for_each_limit(&mut |_| quotas += 1);
    quotas == 0 && then.size() <= MAX_REPEATED
}

/// `then` behind tests; filters one behind the other that one stage was made into are one.
fn filter(span: Span, mut tests: Vec<Test>, then: Tree) -> Tree {
    let then = match then {
        Tree::Filter { guard, then } if guard.span == span => {
            tests.extend(guard.tests);
            *then
        }
        then => then,
    };
    if tests.is_empty() {
        return then;
    }
    Tree::Filter {
        guard: Guard { tests, span },
        then: Box::new(then),
    }
}

/// A route that takes `first`, else `rest`; routes one behind the other are one.
fn route(first: Arm, rest: Tree) -> Tree {
    let mut arms = vec![first];
    let otherwise = match rest {
        Tree::Route {
            arms: more,
            otherwise,
        } => {
            arms.extend(more);
            otherwise
        }
        Tree::Filter { guard, then } => {
            arms.push(Arm { guard, then: *then });
            Box::new(Tree::Nothing)
        }
        rest => Box::new(rest),
    };
    Tree::Route { arms, otherwise }
}

/// Each test once.
fn without_repetitions(tests: Vec<Test>) -> Vec<Test> {
    let mut kept: Vec<Test> = Vec::new();
    for test in tests {
        if !kept.contains(&test) {
            kept.push(test);
        }
    }
    kept
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

    #[test]
    fn what_a_resource_decides_for_sure_is_decided_there() {
        let text = before_and_after(
            "predicate loud = log.severity_number >= 17;\n\
             ingest.logs -> split {\n\
             resource.attributes[\"team\"] == \"a\" || loud => a,\n\
             (resource.attributes[\"k\"] == 1 && loud) || (resource.attributes[\"k\"] == 2 && log.flags == 1u) => b,\n\
             (resource.attributes[\"k\"] == 1 ? loud : scope.name == \"s\") => c,\n\
             };\n\
             ingest.logs -> drop(resource.attributes[\"v\"] == 1 && loud) -> route {\n\
             scope.name == \"z\" || log.flags == 2u || resource.attributes[\"w\"] == 1 => a,\n\
             else => b };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }
}
