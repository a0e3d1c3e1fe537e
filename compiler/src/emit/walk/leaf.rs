//! Leaves: a record, point, group or request is kept in an output.
//!
//! In: the output and the place of the walk. Out: the call that keeps the handle of the place, with the changes and the
//! subject that belong to the output.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::body::{Body, subject_variable};
use super::place::Place;
use crate::emit::outputs::{Goal, Keep, Step};

impl Body<'_, '_> {
    /// Keeps what the walk has come to in an output.
    pub(super) fn keep(&self, keep: &Keep, place: Place) -> TokenStream {
        let output = keep.output;
        let Some(target) = self.code.outputs.get(output) else {
            return TokenStream::new();
        };
        let selection = self.selection(target);
        let handle = self.handle(place);
        let around = self.edits_around(output, place);
        let change = self.edits_of_leaf(&keep.edits, place);
        let method = keep_method(place, change.is_some());
        if target.subject.is_none() {
            return quote!(#around #selection.#method(&#handle #change););
        }
        let subject = subject_variable(target);
        let known = if self.subjects.contains(&output) {
            TokenStream::new()
        } else {
            self.subject(target)
        };
        quote!(#around #known #selection.#method(#subject, &#handle #change);)
    }

    /// Whether a step only keeps what the walk has come to, with nothing to change or to name.
    pub(super) fn is_plain_keep(&self, step: &Step, place: Place) -> bool {
        let Step::Keep(keep) = step else {
            return false;
        };
        let target = self.code.outputs.get(keep.output);
        target.is_some_and(|target| {
            matches!(target.goal, Goal::Deliver(_))
                && target.subject.is_none()
                && !target.forked
                && target.edits.is_empty()
                && keep.edits.is_empty()
                && target.level() <= self.level(place)
        })
    }

    /// Keeps what the walk has come to in the selection that `chosen` is.
    pub(super) fn plain_keep(&self, place: Place) -> TokenStream {
        let (method, handle) = (keep_method(place, false), self.handle(place));
        quote!(chosen.#method(&#handle);)
    }
}

/// The method of a selection that keeps the handle of a place.
fn keep_method(place: Place, changes: bool) -> Ident {
    format_ident!(
        "{}",
        match place {
            Place::Request => "keep_request",
            Place::Resource => "keep_all",
            Place::Scope => "keep_scope",
            Place::Record if changes => "keep_changed",
            Place::Record => "keep",
            Place::Point if changes => "keep_changed_point",
            Place::Point => "keep_point",
        }
    )
}
