//! Switches that only choose an output: every case keeps the same handle, each in an output of its own.
//!
//! In: the cases. Out: a list of the outputs in front of all loops, and a look-up in it. A `match` over the cases would be a
//! jump that the processor foresees for no record; the place in a list is only an address.

use std::collections::BTreeSet;

use proc_macro2::{Literal as Token, TokenStream};
use quote::{format_ident, quote};

use super::body::Body;
use super::place::Place;
use crate::emit::outputs::Step;
use crate::hir::Literal;

/// With fewer cases than this, a jump is foreseen often enough.
const MANY: usize = 4;

/// A case: its keys, and what happens then.
type Case = (Vec<Literal>, Step);

impl Body<'_, '_> {
    /// Whether a switch only chooses an output. Its outputs must differ and stand nowhere else in the walk: the list
    /// borrows them for the whole function.
    pub(super) fn only_chooses(&self, cases: &[Case], otherwise: &Step, place: Place) -> bool {
        let thens = || cases.iter().map(|(_, then)| then).chain([otherwise]);
        let outputs: BTreeSet<usize> = thens().flat_map(Step::outputs).collect();
        let may_choose = cases.len() >= MANY
            && self.fork.is_none()
            && outputs.len() == cases.len() + 1
            && thens().all(|then| self.is_plain_keep(then, place));
        if !may_choose {
            return false;
        }
        let leaves = self.code.step.leaves();
        outputs.iter().all(|output| leaves.get(output) == Some(&1))
    }

    /// Keeps the handle of a place in the output that `case` says.
    pub(super) fn choose_output(
        &mut self,
        case: &TokenStream,
        cases: &[Case],
        otherwise: &Step,
        place: Place,
    ) -> TokenStream {
        let list = format_ident!("outputs_{}", self.chosen.len() + 1);
        let entries = cases.iter().map(|(_, then)| self.selection_of(then));
        let entries: Vec<_> = entries.collect();
        let rest = self.selection_of(otherwise);
        let others = Token::usize_unsuffixed(cases.len());
        self.chosen
            .push(quote!(let mut #list = [#(&mut #entries,)* &mut #rest];));
        let keep = self.plain_keep(place);
        quote! {
            let chosen_case = #case.map_or(#others, usize::from);
            if let Some(chosen) = #list.get_mut(chosen_case) { #keep }
        }
    }

    fn selection_of(&self, step: &Step) -> Option<TokenStream> {
        let outputs = step.outputs();
        let output = self.code.outputs.get(*outputs.first()?)?;
        Some(self.selection(output))
    }
}
