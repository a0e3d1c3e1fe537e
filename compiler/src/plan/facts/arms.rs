//! What guards say of one subject: which of its values pass, and whether arms can share some.
//!
//! In: the tests of guards. Out: answers about arms beside each other, for the facts of a place.

use super::Facts;
use super::domain::Domain;
use super::outcomes::Outcomes;
use super::sets::Subject;
use crate::plan::Test;

impl Facts<'_> {
    /// What one subject must be for all tests to pass, when they look at nothing else.
    fn accepted(&self, tests: &[Test]) -> Option<(Subject, Domain)> {
        let mut accepted: Option<(Subject, Domain)> = None;
        for test in tests {
            let (subject, domain) = self.accepted_by(test)?;
            accepted = Some(match accepted {
                Some((known, before)) if known == subject => (known, before.intersect(&domain)),
                Some(_) => return None,
                None => (subject, domain),
            });
        }
        accepted
    }

    /// What one subject must be for a test to pass.
    pub(super) fn accepted_by(&self, test: &Test) -> Option<(Subject, Domain)> {
        let sets = self.finder.sets(&test.condition)?;
        let outcomes = Outcomes::from(test.outcome);
        let domain = match (outcomes.is_true, outcomes.error) {
            (true, false) => sets.is_true,
            (false, false) => sets.is_false,
            (true, true) => sets.is_false.complement(),
            (false, true) => sets.is_true.complement(),
        };
        Some((sets.subject, domain))
    }

    /// Whether some values that pass the tests came here before the innermost scope and come no more.
    pub fn took_some_of(&mut self, tests: &[Test]) -> bool {
        let Some((subject, accepted)) = self.accepted(tests) else {
            return false;
        };
        let now = self.domain(&subject);
        let scope = self.scopes.last();
        let before = scope.and_then(|scope| scope.subjects.get(&subject));
        let before = match before {
            Some(Some(domain)) => domain.clone(),
            Some(None) => subject.domain(),
            None => return false,
        };
        !before.intersect(&accepted).is_subset(&now)
    }

    /// The subject that tells guards apart: for each value of it at most one of them holds. With it, for each guard,
    /// which of its tests look at it.
    #[must_use]
    pub fn excludes(&self, guards: &[&[Test]]) -> Option<Subject> {
        let (first, _) = guards.split_first()?;
        let candidates = first.iter().filter_map(|test| self.accepted_by(test));
        let mut subjects: Vec<Subject> = Vec::new();
        for (subject, _) in candidates {
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
        subjects.into_iter().find(|subject| {
            let mut taken = Domain::none();
            guards.iter().all(|tests| {
                let Some(domain) = self.part_of(tests, subject) else {
                    return false;
                };
                let is_apart = taken.is_disjoint(&domain);
                taken = taken.union(&domain);
                is_apart
            })
        })
    }

    /// What a subject must be for those of the tests to pass that look at it alone; `None` when none does.
    fn part_of(&self, tests: &[Test], subject: &Subject) -> Option<Domain> {
        let domains = tests.iter().filter_map(|test| self.accepted_by(test));
        domains
            .filter(|(of, _)| of == subject)
            .map(|(_, domain)| domain)
            .reduce(|one, other| one.intersect(&other))
    }

    /// Whether a test looks at one subject alone.
    #[must_use]
    pub fn is_about(&self, test: &Test, subject: &Subject) -> bool {
        self.finder
            .sets(&test.condition)
            .is_some_and(|sets| sets.subject == *subject)
    }
}
