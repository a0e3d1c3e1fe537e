//! Many branches whose guards are known before a loop: the loop goes over those that are open.
//!
//! In: the steps of a loop. Out: the list of open branches that stands before the loop, and the statements inside. A few
//! branches are tested by variables; for many of them, tests of closed branches would be most of the work for a record.
//! What costs much and stands in several guards is a variable in front of the list.

use indexmap::IndexMap;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::body::Body;
use super::place::Place;
use crate::emit::code::Bool;
use crate::emit::context::Polarity;
use crate::emit::outputs::Step;
use crate::emit::statements::{lone_call, lone_if};
use crate::level::Level;
use crate::plan::cost::cost;
use crate::plan::{Condition, ConditionKind, Test};

/// With fewer guarded branches than this, a variable for each guard costs less than the list.
const MANY: usize = 8;
/// What costs less than this, such as a comparison or a prefix, is computed wherever it stands: see [`cost`].
const COSTLY: u32 = 6;

/// The steps of a loop, told apart.
pub(super) struct Branches {
    /// The tests of each branch that are known before the loop.
    guards: Vec<Vec<Test>>,
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
            branches.guards.push(known);
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

    /// `let open_branches = OpenBranches::of([…]);`, in a loop that has been gone into: what its `inside` has asked for is
    /// known, and what guards share is asked for beside that. `outside` is what surrounds the loop around it.
    pub(super) fn list_branches(
        &self,
        mut branches: Branches,
        outside: Option<Level>,
    ) -> TokenStream {
        self.share_parts(&mut branches.guards);
        let expressions = self.expressions();
        let guards = branches.guards.iter().map(|tests| {
            let tests = tests.iter().map(|test| {
                if Some(test.condition.level) <= outside {
                    expressions.test(test)
                } else {
                    expressions.test_in_place(test)
                }
            });
            Bool::all(tests.collect()).tokens
        });
        quote!(let open_branches = OpenBranches::of([#(#guards),*]);)
    }

    /// Marks what costs much and stands in several guards, or in a guard and inside of the loop.
    fn share_parts(&self, guards: &mut [Vec<Test>]) {
        let mut found = IndexMap::new();
        for part in self.once.asked_for() {
            self.count_parts(&part, &mut found);
        }
        for test in guards.iter().flatten() {
            self.count_parts(&test.condition, &mut found);
        }
        if found.values().all(|count| *count < 2) {
            return;
        }
        for test in guards.iter_mut().flatten() {
            self.mark_parts(&mut test.condition, &found);
        }
    }

    /// Counts the costly parts of a condition by their code. Those inside of a part that was found before are no others.
    fn count_parts(&self, condition: &Condition, found: &mut IndexMap<String, usize>) {
        if !self.is_worth_a_variable(condition) {
            return;
        }
        let count = found.entry(self.code_of(condition)).or_default();
        *count += 1;
        if *count == 1 {
            for operand in condition.operands() {
                self.count_parts(operand, found);
            }
        }
    }

    fn mark_parts(&self, condition: &mut Condition, found: &IndexMap<String, usize>) {
        if !self.is_worth_a_variable(condition) {
            return;
        }
        if found
            .get(&self.code_of(condition))
            .is_some_and(|count| *count > 1)
        {
            condition.kind = ConditionKind::Once(Box::new(condition.clone()));
            return;
        }
        for operand in condition.operands_mut() {
            self.mark_parts(operand, found);
        }
    }

    /// Whether a part costs much. Chance decides for each use of it anew.
    fn is_worth_a_variable(&self, condition: &Condition) -> bool {
        !draws(condition) && cost(self.context().plan, condition) >= COSTLY
    }

    fn code_of(&self, condition: &Condition) -> String {
        let code = self.expressions().condition(condition, Polarity::True);
        code.tokens.to_string()
    }
}

/// Whether a condition, or a part of it, is decided by chance.
fn draws(condition: &Condition) -> bool {
    let is_drawn = matches!(condition.kind, ConditionKind::Sampled { .. });
    is_drawn || condition.operands().into_iter().any(draws)
}
