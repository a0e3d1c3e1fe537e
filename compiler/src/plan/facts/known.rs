//! Facts by themselves: what places of a tree hand to each other.
//!
//! In: what was found on the way to a place. Out: the same facts somewhere else, and what two ways have in common.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::mem;

use indexmap::IndexMap;

use super::domain::Domain;
use super::outcomes::Outcomes;
use super::sets::Subject;
use crate::hir::Literal;
use crate::plan::{Condition, ConditionKind, Test, ValueKind};

/// Facts by themselves, to be carried from one place to another.
#[derive(Clone, Debug, Default)]
pub struct Known {
    pub(super) subjects: IndexMap<Subject, Domain>,
    /// Conditions that look at several things, with the outcomes that they can have.
    pub(super) conditions: Vec<Observed>,
    /// Guards of which at least one test did not pass.
    pub(super) failed: Vec<Vec<Needed>>,
    /// Whether the facts contradict each other: no record comes here.
    pub(super) impossible: bool,
}

/// A condition whose outcomes are known without a set of values that says them.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    /// Differs where conditions do, mostly: the others are compared only where it is the same.
    fingerprint: u64,
    condition: Condition,
    outcomes: Outcomes,
}

/// A test of a guard that did not hold.
#[derive(Clone, Debug)]
pub(super) enum Needed {
    /// It passes where a subject is one of some values.
    Value(Subject, Domain),
    /// Whatever else it passes on.
    Test(Test),
}

impl Known {
    /// What is known of a record that has come from either place.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        if other.impossible {
            return self;
        }
        if self.impossible {
            return other.clone();
        }
        self.subjects = self
            .subjects
            .into_iter()
            .filter_map(|(subject, domain)| {
                let domain = domain.union(other.subjects.get(&subject)?);
                Some((subject, domain))
            })
            .collect();
        for observed in &mut self.conditions {
            let theirs = other.observed(&observed.condition);
            observed.outcomes = observed.outcomes.union(theirs);
        }
        self.failed.clear();
        self
    }

    /// The outcomes that a condition can have, by what is known of this very condition.
    pub(super) fn observed(&self, condition: &Condition) -> Outcomes {
        if self.conditions.is_empty() {
            return Outcomes::ANY;
        }
        let wanted = fingerprint(condition);
        let known = self.conditions.iter();
        known
            .filter(|known| known.fingerprint == wanted && known.condition == *condition)
            .fold(Outcomes::ANY, |all, known| all.intersect(known.outcomes))
    }
}

impl Observed {
    /// A condition with the outcomes that it can have.
    pub(super) fn new(condition: &Condition, outcomes: Outcomes) -> Self {
        Self {
            fingerprint: fingerprint(condition),
            condition: condition.clone(),
            outcomes,
        }
    }
}

/// A number that is the same for equal conditions, and mostly another one for others.
fn fingerprint(condition: &Condition) -> u64 {
    let mut hasher = DefaultHasher::new();
    condition.for_each_condition(&mut |condition| {
        mem::discriminant(&condition.kind).hash(&mut hasher);
        match &condition.kind {
            ConditionKind::Matches { pattern, .. } => pattern.hash(&mut hasher),
            ConditionKind::HasKey { key, .. } => key.hash(&mut hasher),
            ConditionKind::Predicate(id) => id.hash(&mut hasher),
            _ => {}
        }
    });
    condition.for_each_value(&mut |value| match &value.kind {
        ValueKind::Attribute { key, .. } => key.hash(&mut hasher),
        ValueKind::Field(field) => field.name.hash(&mut hasher),
        ValueKind::Literal(Literal::String(text)) => text.hash(&mut hasher),
        ValueKind::Literal(Literal::Int(number)) => number.hash(&mut hasher),
        _ => {}
    });
    hasher.finish()
}
