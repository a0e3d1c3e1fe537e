//! Carries what guards have found down the tree: what is implied is not tested again, and what cannot hold is false.
//! Inside an arm its guard holds; behind an arm of a `route` it did not.
//!
//! before:  route { team == "a" => a, team in ["a", "b"] => b, team == "b" => c, else => [filter(team != "a") -> d] }
//! after:   first of { team == "a" => a, team in ["a", "b"] => b, false => c, else => d when has(team) }
//!
//! A failed test may have been an error: behind `team == "a"` the team is another one or absent, so `team != "a"` still
//! asks whether it is there. Facts go through batches too: what all ways to a batch have in common holds behind it.
//! [`prune_dead`](super::prune_dead) removes what is false here. Named predicates are looked through.

mod exclusive;
#[cfg(test)]
mod random_tests;
mod simplify;
#[cfg(test)]
mod tests;

use indexmap::IndexMap;
use watershed_lang::diagnostic::Code;
use watershed_lang::span::Span;

use self::exclusive::one_arm_at_most;
use self::simplify::simplify;
use crate::catalog::signals::{Root, Signals, field};
use crate::cel::Type;
use crate::hir::Literal;
use crate::level::Level;
use crate::plan::dump::condition_text;
use crate::plan::facts::{Facts, Known, Outcomes};
use crate::plan::{
    Arm, BatchId, Case, Condition, ConditionKind, Constant, Fork, Guard, Plan, PlanLog, Target,
    Test, Tree, Value, ValueKind,
};

/// The pass in logs.
pub const NAME: &str = "narrow_arms";

/// Up to how many ways to a batch it is asked what they have in common.
const MAX_WAYS: usize = 32;

/// Returns `plan` with every guard as narrow as what is known in front of it allows.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let named = plan.clone();
    let mut narrowing = Narrowing {
        plan: &named,
        facts: Facts::new(&named.predicates),
        log,
        ways: IndexMap::new(),
        changes: 0,
    };
    for walk in &mut plan.walks {
        narrowing.walk(&mut walk.tree, Known::default(), walk.signals);
    }
    for id in named.batches_by_way() {
        if let Some(batch) = plan.batches.get_mut(&id) {
            let known = narrowing.known_behind(id);
            narrowing.walk(&mut batch.walk.tree, known, batch.walk.signals);
        }
    }
    plan
}

struct Narrowing<'p, 'l> {
    plan: &'p Plan,
    facts: Facts<'p>,
    log: &'l mut PlanLog,
    /// What is known of the records that come to a batch, and on how many ways they do.
    ways: IndexMap<BatchId, (Known, usize)>,
    /// How many changes stand in front of this place. What is known is known of the bytes that came in, so behind a
    /// batch it does not hold for what was changed.
    changes: usize,
}

impl Narrowing<'_, '_> {
    fn walk(&mut self, tree: &mut Tree, known: Known, signals: Signals) {
        self.facts.enter(known);
        if let Some(condition) = is_one_of(signals) {
            self.facts.assume(&condition, Outcomes::TRUE);
        }
        let before = std::mem::replace(tree, Tree::Nothing);
        *tree = self.tree(before);
    }

    /// What all ways to a batch have in common.
    fn known_behind(&mut self, id: BatchId) -> Known {
        let ways = self.ways.swap_remove(&id);
        ways.filter(|(_, ways)| *ways <= MAX_WAYS)
            .map(|(known, _)| known)
            .unwrap_or_default()
    }

    fn tree(&mut self, tree: Tree) -> Tree {
        match tree {
            Tree::Nothing | Tree::Refuse(_) => tree,
            Tree::Edit { edit, then } => {
                self.changes += 1;
                let then = Box::new(self.tree(*then));
                self.changes -= 1;
                Tree::Edit { edit, then }
            }
            Tree::Limit { limit, then } => {
                let then = Box::new(self.tree(*then));
                Tree::Limit { limit, then }
            }
            Tree::Keep(target) => {
                if let Target::Batch(id) = target {
                    self.comes_to(id);
                }
                tree
            }
            Tree::Filter { guard, then } => self.in_scope(|own| {
                let (guard, then) = own.behind(guard, *then);
                if guard.tests.is_empty() {
                    return then;
                }
                let then = Box::new(then);
                Tree::Filter { guard, then }
            }),
            Tree::FanOut(branches) => {
                let branches = branches.into_iter();
                let branches = branches.map(|branch| self.in_scope(|own| own.tree(branch)));
                Tree::FanOut(branches.collect())
            }
            Tree::Split(arms) => self.split(arms),
            Tree::Route { arms, otherwise } => self.in_scope(|own| own.route(arms, *otherwise)),
            Tree::Fork(fork) => Tree::Fork(Fork {
                body: Box::new(self.in_scope(|own| own.tree(*fork.body))),
                ..fork
            }),
            Tree::Switch {
                on,
                cases,
                otherwise,
            } => {
                let cases = cases.into_iter().map(|case| Case {
                    then: self.in_scope(|own| own.tree(case.then)),
                    ..case
                });
                let cases = cases.collect();
                let otherwise = Box::new(self.in_scope(|own| own.tree(*otherwise)));
                Tree::Switch {
                    on,
                    cases,
                    otherwise,
                }
            }
        }
    }

    fn split(&mut self, arms: Vec<Arm>) -> Tree {
        let arms = match one_arm_at_most(&self.facts, arms) {
            Ok((subject, arms)) => {
                if let Some(first) = arms.first() {
                    let reason = format!(
                        "no record takes two of these arms, because of `{subject}`: the first that holds is the only one"
                    );
                    self.log.note(NAME, first.guard.span, reason);
                }
                return self.tree(Tree::Route {
                    arms,
                    otherwise: Box::new(Tree::Nothing),
                });
            }
            Err(arms) => arms,
        };
        let arms = arms.into_iter().map(|Arm { guard, then }| {
            self.in_scope(|own| {
                let (guard, then) = own.behind(guard, then);
                Arm { guard, then }
            })
        });
        Tree::Split(arms.collect())
    }

    fn route(&mut self, arms: Vec<Arm>, otherwise: Tree) -> Tree {
        let mut narrowed: Vec<Arm> = Vec::new();
        let always = arms.iter().any(|arm| arm.guard.decided() == Some(true));
        for Arm { guard, then } in arms {
            if self.facts.is_impossible() {
                self.shadowed(guard.span, &then);
                narrowed.push(Arm {
                    guard: never(guard),
                    then,
                });
                continue;
            }
            self.note_overlap(&guard);
            let before = guard.clone();
            let (guard, then) = self.in_scope(|own| own.behind(guard, then));
            if guard.decided() == Some(false)
                && self.facts.before_scope(|facts| may_pass(facts, &before))
            {
                self.shadowed(before.span, &then);
            }
            if guard.decided() != Some(false) {
                self.facts.assume_failed(&guard.tests);
            }
            narrowed.push(Arm { guard, then });
        }
        let last = narrowed.last().map(|last| last.guard.span);
        let refuses = last.is_some_and(|span| otherwise.refuses_at(span));
        // What a validation refuses goes with the arm that takes everything, which tells so.
        let is_told = refuses && narrowed.iter().any(|arm| arm.guard.decided() == Some(true));
        let otherwise = if self.facts.is_impossible() && !is_told {
            if let Some(last) = last.filter(|_| !always && !refuses && otherwise != Tree::Nothing) {
                let reason = "these arms take every record: nothing is left for `else`";
                self.log.note(NAME, last, reason);
            }
            Tree::Nothing
        } else {
            self.in_scope(|own| own.tree(otherwise))
        };
        Tree::Route {
            arms: narrowed,
            otherwise: Box::new(otherwise),
        }
    }

    /// A guard with what stands behind it, both narrowed; a guard that cannot hold is false.
    fn behind(&mut self, mut guard: Guard, then: Tree) -> (Guard, Tree) {
        for mut test in std::mem::take(&mut guard.tests) {
            let before = test.clone();
            let changed = simplify(&mut self.facts, &mut test);
            match test.decided() {
                // What is decided without any fact is left to the pass that removes it and tells so.
                Some(true) if before.decided().is_some() => guard.tests.push(test),
                Some(true) => self.note_decided(&before, guard.span, true),
                Some(false) => {
                    self.note_decided(&before, guard.span, false);
                    return (never(guard), then);
                }
                None => {
                    if changed {
                        self.note_changed(&before, &test, guard.span);
                    }
                    self.facts.assume_passed(&test);
                    guard.tests.push(test);
                }
            }
        }
        guard.tests.sort_by_key(|test| test.condition.level);
        if self.facts.is_impossible() || self.facts.contradicts_failed() {
            return (never(guard), then);
        }
        let then = self.tree(then);
        (guard, then)
    }

    /// Runs with facts that are forgotten afterwards.
    fn in_scope<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.facts.open_scope();
        let result = run(self);
        self.facts.close_scope();
        result
    }

    fn comes_to(&mut self, id: BatchId) {
        let here = match self.changes {
            0 => self.facts.known(),
            _ => Known::default(),
        };
        match self.ways.get_mut(&id) {
            None => _ = self.ways.insert(id, (here, 1)),
            Some((known, ways)) => {
                *ways += 1;
                // Nobody asks any more for what too many ways have in common.
                if *ways <= MAX_WAYS {
                    *known = std::mem::take(known).join(&here);
                }
            }
        }
    }

    fn note_decided(&mut self, test: &Test, span: Span, passes: bool) {
        // What is decided without any fact is told by the pass that removes it.
        if test.decided().is_some() {
            return;
        }
        let condition = condition_text(self.plan, &test.condition);
        let reason = if passes {
            format!("`{condition}` is known here and is not tested")
        } else {
            format!("`{condition}` lets nothing pass here")
        };
        if passes {
            self.log.untested(NAME, span, reason);
        } else {
            self.log.removed(NAME, span, reason);
        }
    }

    fn note_changed(&mut self, before: &Test, after: &Test, span: Span) {
        let before = condition_text(self.plan, &before.condition);
        let after = condition_text(self.plan, &after.condition);
        let reason = format!("of `{before}` only `{after}` is open here");
        self.log.note(NAME, span, reason);
    }

    fn note_overlap(&mut self, guard: &Guard) {
        if self.facts.took_some_of(&guard.tests) {
            let reason = "earlier arms take some of the records for which this holds";
            self.log.note(NAME, guard.span, reason);
        }
    }

    /// An arm that was written takes nothing. One that refuses what does not pass a validation was not.
    fn shadowed(&mut self, span: Span, then: &Tree) {
        if then.refuses_at(span) {
            return;
        }
        let reason = "no record takes this arm: earlier arms take all that it would";
        self.log.warn(NAME, Code::ShadowedArm, span, reason);
    }
}

/// Whether a record can pass a guard.
fn may_pass(facts: &mut Facts<'_>, guard: &Guard) -> bool {
    for test in &guard.tests {
        if !facts.can_pass_and_fail(test).0 {
            return false;
        }
        facts.assume_passed(test);
    }
    !facts.is_impossible() && !facts.contradicts_failed()
}

/// A guard that never holds.
fn never(guard: Guard) -> Guard {
    let condition = Condition {
        kind: ConditionKind::Constant(Constant::False),
        level: Level::Const,
        span: guard.span,
    };
    Guard {
        span: guard.span,
        ..Guard::one(condition, crate::plan::Outcome::True)
    }
}

/// `signal in ["logs", …]`: what is known of every record of a walk.
fn is_one_of(signals: Signals) -> Option<Condition> {
    let signal = field(Root::Payload, "")?;
    let value = |kind, level| Value {
        kind,
        ty: Type::String,
        level,
        span: Span::default(),
    };
    let names = signals.iter().map(|signal| {
        let name = Literal::String(signal.name().to_owned());
        value(ValueKind::Literal(name), Level::Const)
    });
    Some(Condition {
        kind: ConditionKind::OneOf {
            element: value(ValueKind::Field(signal), signal.level()),
            list: names.collect(),
        },
        level: signal.level(),
        span: Span::default(),
    })
}
