//! What a shallow level says of a deeper test: that it passes for sure, or that it cannot pass.
//!
//! In: a test and a level. Out: tests that read no deeper than the level. A part of a condition that reads deeper may come
//! to anything there, an error included, so the bounds hold whatever the records are: when the *sufficient* test passes,
//! the test passes; when the test passes, the *necessary* one does.

use std::cell::Cell;

use indexmap::IndexMap;

use crate::hir::PredicateId;
use crate::level::Level;
use crate::plan::passes::levels::MAX_OPENED;
use crate::plan::{Condition, ConditionKind, Outcome, Predicate, Test};

/// Finds bounds at one level.
pub(super) struct Bounds<'p> {
    predicates: &'p IndexMap<PredicateId, Predicate>,
    level: Level,
    may_open: Cell<u32>,
}

impl<'p> Bounds<'p> {
    /// Bounds over what is known at `level`.
    pub(super) const fn new(
        predicates: &'p IndexMap<PredicateId, Predicate>,
        level: Level,
    ) -> Self {
        Self {
            predicates,
            level,
            may_open: Cell::new(MAX_OPENED),
        }
    }

    /// A test that passes only when `test` does; `None` when no part of it is enough.
    pub(super) fn sufficient(&self, test: &Test) -> Option<Test> {
        let condition = &test.condition;
        Some(match test.outcome {
            Outcome::True => is_true(self.sure(condition, true)?),
            Outcome::False => is_true(self.sure(condition, false)?),
            // It is not true for sure where it cannot be true.
            Outcome::NotTrue => is_not_true(self.possible(condition, true)?),
            Outcome::NotFalse => is_not_true(self.possible(condition, false)?),
        })
    }

    /// A test that passes wherever `test` does; `None` when that says nothing.
    pub(super) fn necessary(&self, test: &Test) -> Option<Test> {
        let condition = &test.condition;
        Some(match test.outcome {
            Outcome::True => is_true(self.possible(condition, true)?),
            Outcome::False => is_true(self.possible(condition, false)?),
            Outcome::NotTrue => is_not_true(self.sure(condition, true)?),
            Outcome::NotFalse => is_not_true(self.sure(condition, false)?),
        })
    }

    /// The test where its sufficient bound did not pass: operands of the level alone have had their say.
    pub(super) fn undecided(&self, test: &Test) -> Test {
        let mut test = test.clone();
        let decides = matches!(
            (&test.condition.kind, test.outcome),
            (ConditionKind::Any(_), Outcome::True | Outcome::NotFalse)
                | (ConditionKind::All(_), Outcome::False | Outcome::NotTrue)
        );
        if let ConditionKind::Any(operands) | ConditionKind::All(operands) =
            &mut test.condition.kind
            && decides
        {
            operands.retain(|operand| operand.level > self.level);
            if operands.len() == 1 {
                test.condition = operands.remove(0);
            }
        }
        test
    }

    /// A condition that is true only where `condition` comes to `wanted`.
    fn sure(&self, condition: &Condition, wanted: bool) -> Option<Condition> {
        if condition.level <= self.level {
            return Some(exactly(condition, wanted));
        }
        match &condition.kind {
            ConditionKind::Not(operand) => self.sure(operand, !wanted),
            ConditionKind::All(operands) | ConditionKind::Any(operands) => {
                let sure = operands.iter().map(|operand| self.sure(operand, wanted));
                if decides_alone(condition, wanted) {
                    any(condition, sure.flatten().collect())
                } else {
                    all(condition, sure.collect::<Option<_>>()?)
                }
            }
            ConditionKind::If { arms, otherwise } => {
                let mut below = self.sure(otherwise, wanted);
                for (when, then) in arms.iter().rev() {
                    let taken = self.sure(when, true).zip(self.sure(then, wanted));
                    let passed = self.sure(when, false).zip(below);
                    let ways = [taken, passed].into_iter().flatten();
                    let ways = ways.filter_map(|(when, then)| all(condition, vec![when, then]));
                    below = any(condition, ways.collect());
                }
                below
            }
            ConditionKind::Predicate(id) => self.sure(self.open(*id)?, wanted),
            _ => None,
        }
    }

    /// A condition that is true wherever `condition` comes to `wanted`.
    fn possible(&self, condition: &Condition, wanted: bool) -> Option<Condition> {
        if condition.level <= self.level {
            return Some(exactly(condition, wanted));
        }
        match &condition.kind {
            ConditionKind::Not(operand) => self.possible(operand, !wanted),
            ConditionKind::All(operands) | ConditionKind::Any(operands) => {
                let possible = operands
                    .iter()
                    .map(|operand| self.possible(operand, wanted));
                if decides_alone(condition, wanted) {
                    any(condition, possible.collect::<Option<_>>()?)
                } else {
                    all(condition, possible.flatten().collect())
                }
            }
            ConditionKind::If { arms, otherwise } => {
                let mut below = self.possible(otherwise, wanted);
                for (when, then) in arms.iter().rev() {
                    let then = self.possible(then, wanted);
                    // That the condition comes to something is not worth a test.
                    if then.is_none() && below.is_none() {
                        continue;
                    }
                    // `c || (!c && b)` is no tighter than `c || b` but where `c` fails.
                    let (is_open, is_below) = (then.is_some(), below.is_some());
                    let taken = [
                        self.possible(when, true).filter(|_| is_below || !is_open),
                        then,
                    ];
                    let passed = [
                        self.possible(when, false).filter(|_| is_open || !is_below),
                        below,
                    ];
                    let ways = [taken, passed].into_iter();
                    let ways = ways.map(|way| all(condition, way.into_iter().flatten().collect()));
                    below = any(condition, ways.collect::<Option<_>>()?);
                }
                below
            }
            ConditionKind::Predicate(id) => self.possible(self.open(*id)?, wanted),
            _ => None,
        }
    }

    fn open(&self, id: PredicateId) -> Option<&'p Condition> {
        let left = self.may_open.get().checked_sub(1)?;
        self.may_open.set(left);
        Some(&self.predicates.get(&id)?.condition)
    }
}

/// Whether one operand that comes to `wanted` is enough for the whole: a true one of `||`, a false one of `&&`.
const fn decides_alone(condition: &Condition, wanted: bool) -> bool {
    matches!(condition.kind, ConditionKind::Any(_)) == wanted
}

/// A condition that is true exactly where `condition` comes to `wanted`.
fn exactly(condition: &Condition, wanted: bool) -> Condition {
    if wanted {
        return condition.clone();
    }
    Condition {
        kind: ConditionKind::Not(Box::new(condition.clone())),
        ..*condition
    }
}

fn any(whole: &Condition, parts: Vec<Condition>) -> Option<Condition> {
    joined(whole, parts, ConditionKind::Any)
}

fn all(whole: &Condition, parts: Vec<Condition>) -> Option<Condition> {
    joined(whole, parts, ConditionKind::All)
}

/// Parts of `whole` as one condition; `None` without any.
fn joined(
    whole: &Condition,
    mut parts: Vec<Condition>,
    make: fn(Vec<Condition>) -> ConditionKind,
) -> Option<Condition> {
    if parts.len() < 2 {
        return parts.pop();
    }
    let mut joined = Condition {
        kind: make(parts),
        ..*whole
    };
    joined.refresh_level();
    Some(joined)
}

fn is_true(condition: Condition) -> Test {
    test(condition, Outcome::True)
}

fn is_not_true(condition: Condition) -> Test {
    test(condition, Outcome::NotTrue)
}

/// A test without a `!` around its condition.
fn test(condition: Condition, outcome: Outcome) -> Test {
    match condition.kind {
        ConditionKind::Not(operand) => test(*operand, outcome.of_negation()),
        _ => Test { condition, outcome },
    }
}
