//! Loops that cannot keep anything: what is known in front of a loop says so, and nothing in it is read.
//!
//! In: the steps of a loop and the place in front of it. Out: the condition under which every way to an output is closed. A
//! test of a record may stand around tests of resources, where branches share it; it is looked through.

use indexmap::IndexSet;
use proc_macro2::TokenStream;
use quote::quote;

use super::body::Body;
use super::place::Place;
use crate::emit::code::Bool;
use crate::emit::outputs::Step;
use crate::plan::Test;

impl Body<'_, '_> {
    /// True when no step of a loop can keep anything, as far as that is known at `place`. `None` where some step depends on
    /// nothing that is known there.
    pub(super) fn no_branch_is_open(&self, steps: &[Step], place: Place) -> Option<TokenStream> {
        let (mut openings, mut nothings) = (Vec::new(), IndexSet::new());
        for step in steps {
            match self.found_nothing(step) {
                Some(nothing) => {
                    nothings.insert(nothing);
                }
                None => openings.push(self.opening_of(step, place)?),
            }
        }
        let closed = (!openings.is_empty()).then(|| Bool::any(openings).not());
        let nothings = nothings
            .iter()
            .map(|found| Bool::atom(quote!(#found.is_empty())));
        let none = Bool::all(closed.into_iter().chain(nothings).collect()).tokens;
        Some(none)
    }

    /// What must hold at `place` so that a step can keep anything.
    fn opening_of(&self, step: &Step, place: Place) -> Option<Bool> {
        match step {
            Step::Filter(tests, then) => self.opening_behind(tests, then, place),
            Step::FanOut(branches) => {
                let branches = branches.iter();
                let openings = branches.map(|branch| self.opening_of(branch, place));
                openings.collect::<Option<Vec<_>>>().map(Bool::any)
            }
            Step::Route(arms, otherwise) => {
                let arms = arms.iter();
                let openings = arms.map(|(tests, then)| self.opening_behind(tests, then, place));
                let last = (**otherwise != Step::Nothing).then_some(otherwise);
                let last = last.map(|step| self.opening_of(step, place));
                let openings = openings.chain(last).collect::<Option<Vec<_>>>();
                openings.map(Bool::any)
            }
            _ => None,
        }
    }

    fn opening_behind(&self, tests: &[Test], then: &Step, place: Place) -> Option<Bool> {
        let known = tests.iter().filter(|test| self.is_known(test, place));
        let known: Vec<_> = known.cloned().collect();
        let further = self.opening_of(then, place);
        if known.is_empty() {
            return further;
        }
        let here = std::iter::once(self.all(&known));
        Some(Bool::all(here.chain(further).collect()))
    }
}
