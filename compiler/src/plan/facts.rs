//! What is known of a record at a place of a decision tree: what guards in front of it have found.
//!
//! In: conditions with the outcomes that led to a place. Out: which outcomes another condition can still have there.
//! A failed test is worth less than its negation: `team == "a"` that is not true says "another value, or absent", while
//! `team != "a"` that is true says "another value, and present".
//!
//! Facts are kept in scopes: what is assumed in one is forgotten when it ends. What cannot be said as a set of values of
//! one subject is known as it is written: the same condition has the same outcome wherever it stands.

mod arms;
mod domain;
mod intervals;
mod known;
mod outcomes;
mod sets;

use std::borrow::Cow;
use std::mem;

use indexmap::IndexMap;

use self::domain::Domain;
use self::known::{Needed, Observed};
use self::sets::{SetFinder, Sets};
use super::{Condition, ConditionKind, Predicate, Test};
use crate::hir::PredicateId;

pub use known::Known;
pub use outcomes::Outcomes;
pub use sets::Subject;

/// How many named predicates are looked into for one question: they may name each other so often that what they stand
/// for doubles with each.
const MAX_OPENED: u32 = 64;

/// How many guards that did not hold, and why is open, are kept for a place.
const MAX_FAILED: usize = 64;

/// What is known at a place.
pub struct Facts<'p> {
    predicates: &'p IndexMap<PredicateId, Predicate>,
    finder: SetFinder,
    known: Known,
    scopes: Vec<Scope>,
    may_open: u32,
}

/// What stood before the facts of a scope.
#[derive(Debug, Default)]
struct Scope {
    subjects: IndexMap<Subject, Option<Domain>>,
    conditions: usize,
    failed: usize,
    impossible: bool,
}

impl<'p> Facts<'p> {
    /// Nothing is known.
    #[must_use]
    pub fn new(predicates: &'p IndexMap<PredicateId, Predicate>) -> Self {
        Self {
            predicates,
            finder: SetFinder::new(predicates),
            known: Known::default(),
            scopes: Vec::new(),
            may_open: MAX_OPENED,
        }
    }

    /// Starts over from other facts.
    pub fn enter(&mut self, known: Known) {
        self.known = known;
    }

    /// A copy of what is known here.
    #[must_use]
    pub fn known(&self) -> Known {
        self.known.clone()
    }

    /// Whether no record can come here.
    #[must_use]
    pub const fn is_impossible(&self) -> bool {
        self.known.impossible
    }

    /// Forgets afterwards what `run` assumes.
    pub fn scope<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.open_scope();
        let result = run(self);
        self.close_scope();
        result
    }

    /// What is assumed from here on is forgotten by [`close_scope`](Self::close_scope).
    pub fn open_scope(&mut self) {
        self.scopes.push(Scope {
            subjects: IndexMap::new(),
            conditions: self.known.conditions.len(),
            failed: self.known.failed.len(),
            impossible: self.known.impossible,
        });
    }

    /// Forgets what was assumed since the last scope was opened.
    pub fn close_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        for (subject, before) in scope.subjects {
            self.put(subject, before);
        }
        self.known.conditions.truncate(scope.conditions);
        self.known.failed.truncate(scope.failed);
        self.known.impossible = scope.impossible;
    }

    /// Runs with what was known before the innermost scope.
    pub fn before_scope<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let Some(scope) = self.scopes.last() else {
            return run(self);
        };
        let (conditions, failed) = (scope.conditions, scope.failed);
        let inside = self.known.clone();
        let before = scope.subjects.clone();
        self.known.impossible = scope.impossible;
        self.known.conditions.truncate(conditions);
        self.known.failed.truncate(failed);
        for (subject, domain) in before {
            self.put(subject, domain);
        }
        let result = self.scope(run);
        self.known = inside;
        result
    }

    fn put(&mut self, subject: Subject, domain: Option<Domain>) {
        match domain {
            Some(domain) => _ = self.known.subjects.insert(subject, domain),
            None => _ = self.known.subjects.swap_remove(&subject),
        }
    }

    /// What is known of a subject.
    fn domain(&self, subject: &Subject) -> Cow<'_, Domain> {
        let known = self.known.subjects.get(subject);
        known.map_or_else(|| Cow::Owned(subject.domain()), Cow::Borrowed)
    }

    /// The outcomes that a condition can have here.
    pub fn outcomes(&mut self, condition: &Condition) -> Outcomes {
        self.may_open = MAX_OPENED;
        self.possible(condition)
    }

    /// The outcomes that a test can have here: whether it can pass, and whether it can fail.
    pub fn can_pass_and_fail(&mut self, test: &Test) -> (bool, bool) {
        let outcomes = self.outcomes(&test.condition);
        let passing = Outcomes::from(test.outcome);
        let none = |outcomes: Outcomes| outcomes == Outcomes::ANY.others();
        (
            !none(outcomes.intersect(passing)),
            !outcomes.is_subset(passing),
        )
    }

    fn possible(&mut self, condition: &Condition) -> Outcomes {
        if let Some(sets) = self.finder.sets(condition) {
            return self.outcomes_of_sets(&sets);
        }
        let outcomes = match &condition.kind {
            ConditionKind::Constant(constant) => Outcomes::from(*constant),
            ConditionKind::Not(operand) => self.possible(operand).negated(),
            ConditionKind::All(operands) => self.conjunction(operands, false),
            ConditionKind::Any(operands) => self.conjunction(operands, true).negated(),
            ConditionKind::If { arms, otherwise } => {
                let mut below = self.possible(otherwise);
                for (when, then) in arms.iter().rev() {
                    let (when, then) = (self.possible(when), self.possible(then));
                    below = when.choose(then, below);
                }
                below
            }
            ConditionKind::Predicate(id) => match self.open(*id) {
                Some(inner) => self.possible(inner),
                None => Outcomes::ANY,
            },
            ConditionKind::HasAttribute(_) | ConditionKind::HasField(_) => {
                Outcomes::TRUE.union(Outcomes::FALSE)
            }
            _ => Outcomes::ANY,
        };
        outcomes.intersect(self.known.observed(condition))
    }

    fn conjunction(&mut self, operands: &[Condition], negate: bool) -> Outcomes {
        operands.iter().fold(Outcomes::TRUE, |sum, operand| {
            let outcomes = self.possible(operand);
            sum.and(if negate { outcomes.negated() } else { outcomes })
        })
    }

    fn outcomes_of_sets(&self, sets: &Sets) -> Outcomes {
        let domain = self.domain(&sets.subject);
        let is_true = !domain.is_disjoint(&sets.is_true);
        let is_false = !domain.is_disjoint(&sets.is_false);
        let decided = match (is_true, is_false) {
            (true, false) => domain.is_subset(&sets.is_true),
            (false, true) => domain.is_subset(&sets.is_false),
            (true, true) => domain.is_subset(&sets.is_true.union(&sets.is_false)),
            (false, false) => domain.is_empty(),
        };
        Outcomes {
            is_true,
            is_false,
            error: !decided,
        }
    }

    fn open(&mut self, id: PredicateId) -> Option<&'p Condition> {
        let predicate = self.predicates.get(&id)?;
        self.may_open = self.may_open.checked_sub(1)?;
        Some(&predicate.condition)
    }

    /// Notes that a condition has one of some outcomes here.
    pub fn assume(&mut self, condition: &Condition, outcomes: Outcomes) {
        self.may_open = MAX_OPENED;
        self.learn(condition, outcomes);
    }

    /// Notes that a test has passed.
    pub fn assume_passed(&mut self, test: &Test) {
        self.assume(&test.condition, Outcomes::from(test.outcome));
    }

    /// Notes that at least one of some tests has not passed.
    pub fn assume_failed(&mut self, tests: &[Test]) {
        let mut open = Vec::new();
        for test in tests {
            if self.can_pass_and_fail(test).1 {
                open.push(test);
            }
        }
        match open.as_slice() {
            [] => self.known.impossible = true,
            [only] => self.assume(&only.condition, Outcomes::from(only.outcome).others()),
            several if self.known.failed.len() < MAX_FAILED => {
                let needed = several.iter().map(|test| self.needed(test)).collect();
                self.known.failed.push(needed);
            }
            _ => {}
        }
    }

    fn needed(&self, test: &Test) -> Needed {
        match self.accepted_by(test) {
            Some((subject, domain)) => Needed::Value(subject, domain),
            None => Needed::Test(test.clone()),
        }
    }

    /// Whether a guard that did not hold would have held with what is known now: then no record comes here.
    pub fn contradicts_failed(&mut self) -> bool {
        let failed = mem::take(&mut self.known.failed);
        let mut failed_guards = failed.iter();
        let contradicts = failed_guards.any(|tests| tests.iter().all(|test| self.is_met(test)));
        self.known.failed = failed;
        contradicts
    }

    /// Whether a test passes for all that is possible here.
    fn is_met(&mut self, needed: &Needed) -> bool {
        match needed {
            Needed::Value(subject, accepted) => match self.known.subjects.get(subject) {
                Some(domain) => domain.is_subset(accepted),
                None => subject.domain().is_subset(accepted),
            },
            Needed::Test(test) => !self.can_pass_and_fail(test).1,
        }
    }

    fn learn(&mut self, condition: &Condition, outcomes: Outcomes) {
        if let Some(sets) = self.finder.sets(condition) {
            self.restrict(sets, outcomes);
            return;
        }
        match &condition.kind {
            ConditionKind::Constant(constant) => {
                self.known.impossible |= !Outcomes::from(*constant).is_subset(outcomes);
                return;
            }
            ConditionKind::Not(operand) => return self.learn(operand, outcomes.negated()),
            ConditionKind::All(operands) => self.learn_all(operands, outcomes, false),
            ConditionKind::Any(operands) => self.learn_all(operands, outcomes.negated(), true),
            ConditionKind::Predicate(id) => {
                if let Some(inner) = self.open(*id) {
                    self.learn(inner, outcomes);
                }
            }
            _ => {}
        }
        let possible = self.possible(condition).intersect(outcomes);
        self.known.impossible |= possible == Outcomes::ANY.others();
        let observed = Observed::new(condition, possible);
        self.known.conditions.push(observed);
    }

    /// What the outcomes of `a && b && …` say of its operands; with `negate`, of those of `!a && !b && …`.
    fn learn_all(&mut self, operands: &[Condition], outcomes: Outcomes, negate: bool) {
        let of_operand = |outcomes: Outcomes| if negate { outcomes.negated() } else { outcomes };
        if !outcomes.is_false {
            // None of them is false; all are true when the whole is.
            let each = if outcomes.error {
                Outcomes::NOT_FALSE
            } else {
                Outcomes::TRUE
            };
            operands
                .iter()
                .for_each(|operand| self.learn(operand, of_operand(each)));
            return;
        }
        // All but one are true: the one decides.
        let mut open = Vec::new();
        for operand in operands {
            if of_operand(self.possible(operand)) != Outcomes::TRUE {
                open.push(operand);
            }
        }
        if let [only] = open.as_slice() {
            self.learn(only, of_operand(outcomes));
        }
    }

    /// Narrows what a subject can be to the values for which a condition has one of some outcomes.
    fn restrict(&mut self, sets: Sets, outcomes: Outcomes) {
        let Sets {
            subject,
            is_true,
            is_false,
        } = sets;
        let mut allowed = Domain::none();
        if outcomes.error {
            // Everything but what the missing outcomes have: one set, however many values are left.
            let mut excluded = Domain::none();
            if !outcomes.is_true {
                excluded = excluded.union(&is_true);
            }
            if !outcomes.is_false {
                excluded = excluded.union(&is_false);
            }
            allowed = excluded.complement();
        } else {
            if outcomes.is_true {
                allowed = allowed.union(&is_true);
            }
            if outcomes.is_false {
                allowed = allowed.union(&is_false);
            }
        }
        let scope = self.scopes.last();
        let is_kept = scope.is_none_or(|scope| scope.subjects.contains_key(&subject));
        if let Some(domain) = self.known.subjects.get_mut(&subject).filter(|_| is_kept) {
            // Behind thousands of arms the set is large and each takes a little of it.
            domain.narrow(&allowed);
            self.known.impossible |= domain.is_empty();
            return;
        }
        let narrowed = self.domain(&subject).intersect(&allowed);
        self.known.impossible |= narrowed.is_empty();
        let before = self.known.subjects.insert(subject.clone(), narrowed);
        if let Some(scope) = self.scopes.last_mut() {
            scope.subjects.entry(subject).or_insert(before);
        }
    }
}
