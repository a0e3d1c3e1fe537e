//! A route: the first arm that holds.
//!
//! In: arms with their tests, and what happens otherwise. Out: statements. It goes from arm to arm without recursion, so a
//! route may have thousands.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Body;
use super::place::Place;
use crate::emit::code::Bool;
use crate::emit::outputs::Step;
use crate::emit::statements::one_of;
use crate::level::Level;
use crate::plan::Test;

/// An arm: what must hold, and what happens then.
type Arm = (Vec<Test>, Step);

impl Body<'_, '_> {
    /// The first arm that holds. Arms that are known here stand one behind the other; from the first that is not, the rest
    /// is decided one loop deeper.
    pub(super) fn route(
        &mut self,
        arms: &[Arm],
        otherwise: &Step,
        place: Place,
        last: bool,
    ) -> TokenStream {
        let known = self.subjects.len();
        let (mut statements, mut rest) = (TokenStream::new(), arms);
        let mut depths = self.depths(arms, otherwise).into_iter();
        while last && depths.next() > Some(self.level(place)) {
            let Some((holds, then, below)) = self.next_arm(rest, place) else {
                break;
            };
            depths
                .by_ref()
                .take(rest.len() - below.len() - 1)
                .for_each(drop);
            let shared = outputs_below(below, otherwise);
            let both = then.outputs().into_iter();
            let subjects = self.make_subjects(both.filter(|one| shared.contains(one)), place);
            let taken = self.block(then, place, true);
            let leave = self.leave(place, self.code.depth(then) <= self.level(place));
            let holds = holds.tokens;
            statements.extend(quote!(#subjects if #holds { #taken #leave }));
            rest = below;
        }
        let after = self.choose(rest, otherwise, place, last);
        statements.extend(after);
        self.subjects.truncate(known);
        statements
    }

    /// `if … { … } else if … { … } else { … }`
    fn choose(&mut self, arms: &[Arm], otherwise: &Step, place: Place, last: bool) -> TokenStream {
        let (mut taken, mut rest) = (Vec::new(), arms);
        while let Some((holds, then, below)) = self.next_arm(rest, place) {
            taken.push((holds, self.block(then, place, false)));
            rest = below;
        }
        let last = last && taken.is_empty();
        let passed = if rest.is_empty() {
            self.block(otherwise, place, last)
        } else {
            let rest = Step::Route(rest.to_vec(), Box::new(otherwise.clone()));
            self.descend(vec![rest], place, last)
        };
        one_of(taken, passed)
    }

    /// The next arm when it is known here, together with those behind it that do the same, and the arms behind them.
    fn next_arm<'s>(&self, arms: &'s [Arm], place: Place) -> Option<(Bool, &'s Step, &'s [Arm])> {
        let (_, then) = arms.first()?;
        let same = arms.iter().take_while(|(tests, step)| {
            step == then && tests.iter().all(|test| self.is_known(test, place))
        });
        let (same, below) = arms.split_at(same.count());
        if same.is_empty() {
            return None;
        }
        let holds = same.iter().map(|(tests, _)| self.all(tests)).collect();
        Some((Bool::any(holds), then, below))
    }

    /// How deep a route has to look from each arm on.
    fn depths(&self, arms: &[Arm], otherwise: &Step) -> Vec<Level> {
        let mut deepest = self.code.depth(otherwise);
        let mut depths: Vec<Level> = arms
            .iter()
            .rev()
            .map(|(tests, then)| {
                let tests = tests.iter().map(|test| test.condition.level).max();
                deepest = deepest
                    .max(self.code.depth(then))
                    .max(tests.unwrap_or(Level::Const));
                deepest
            })
            .collect();
        depths.reverse();
        depths
    }
}

/// The outputs of the arms that are left and of what follows them.
fn outputs_below(arms: &[Arm], otherwise: &Step) -> BTreeSet<usize> {
    let steps = arms.iter().map(|(_, then)| then).chain([otherwise]);
    steps.flat_map(Step::outputs).collect()
}
