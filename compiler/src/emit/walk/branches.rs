//! Many branches whose guards are known before a loop: the loop goes over those that are open.
//!
//! In: the steps of a loop. Out: the list of open branches that stands before the loop, and the statements inside. A few
//! branches are tested by variables; for many of them, tests of closed branches would be most of the work for a record.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::body::Body;
use super::place::Place;
use crate::emit::outputs::Step;
use crate::emit::statements::{lone_call, lone_if};

/// With fewer guarded branches than this, a variable for each guard costs less than the list.
const MANY: usize = 8;

/// The steps of a loop, told apart.
pub(super) struct Branches {
    /// What the guards of branches come to before the loop.
    guards: Vec<TokenStream>,
    /// What is left of those branches.
    guarded: Vec<Step>,
    /// Steps without such a guard.
    pub(super) others: Vec<Step>,
}

impl Body<'_, '_> {
    /// The guarded branches among the steps of a loop from `place` to `inner`, when there are many and that is the last loop:
    /// branches that go deeper share a loop only when they stand side by side.
    pub(super) fn many_branches(
        &self,
        steps: &[Step],
        place: Place,
        inner: Place,
    ) -> Option<Branches> {
        let is_guarded = |step: &&Step| match step {
            Step::Filter(tests, _) => tests.iter().any(|test| self.is_known(test, place)),
            _ => false,
        };
        let guarded = steps.iter().filter(is_guarded).count();
        // The numbers of branches have 16 bits.
        if !(MANY..usize::from(u16::MAX)).contains(&guarded) {
            return None;
        }
        let mut depths = steps.iter().map(|step| self.code.depth(step));
        if depths.any(|depth| depth > self.level(inner)) {
            return None;
        }
        let mut branches = Branches {
            guards: Vec::new(),
            guarded: Vec::new(),
            others: Vec::new(),
        };
        for step in steps {
            let Step::Filter(tests, then) = step else {
                branches.others.push(step.clone());
                continue;
            };
            let (known, later): (Vec<_>, Vec<_>) = tests
                .iter()
                .cloned()
                .partition(|test| self.is_known(test, place));
            if known.is_empty() {
                branches.others.push(step.clone());
                continue;
            }
            branches.guards.push(self.all(&known).tokens);
            branches.guarded.push(match later.is_empty() {
                true => (**then).clone(),
                false => Step::Filter(later, then.clone()),
            });
        }
        Some(branches)
    }

    /// What stands inside the loop: the open branches, then the other steps.
    pub(super) fn inside_branches(&mut self, branches: &Branches, inner: Place) -> TokenStream {
        let mut arms = TokenStream::new();
        for (step, number) in branches.guarded.iter().zip(0_u16..) {
            let number = Literal::u16_unsuffixed(number);
            let then = self.block(step, inner, false);
            arms.extend(match lone_if(&then) {
                Some((condition, body)) => match lone_call(&body) {
                    Some(call) => quote!(#number if #condition => #call,),
                    None => quote!(#number if #condition => #body),
                },
                None => quote!(#number => { #then }),
            });
        }
        let others = match branches.others.as_slice() {
            [] => TokenStream::new(),
            [only] => self.block(only, inner, true),
            others => self.fan_out(others, inner, true),
        };
        quote!(for open_branch in open_branches.iter() { match open_branch { #arms _ => {} } } #others)
    }
}

impl Branches {
    /// `let open_branches = OpenBranches::of([…]);`
    pub(super) fn list(&self) -> TokenStream {
        let guards = &self.guards;
        quote!(let open_branches = OpenBranches::of([#(#guards),*]);)
    }
}
