//! Parts of conditions that are computed once, before the loop over what does not change them.
//!
//! In: the parts that the plan marked, as the statements inside of a loop ask for them. Out: variables, defined in front of
//! the outermost loop that what a part reads allows. A variable exists for a polarity that something asks for only.

use std::cell::{Cell, RefCell};

use proc_macro2::Ident;
use quote::{format_ident, quote};

use super::code::Bool;
use super::context::Polarity;
use crate::level::Level;
use crate::plan::Condition;

/// The parts that a walk has asked for and that are not defined yet.
#[derive(Debug, Default)]
pub(super) struct OnceParts {
    pending: RefCell<Vec<OncePart>>,
    named: Cell<usize>,
    /// What is known outside of the loop that is being emitted; `None` outside of every loop.
    known_outside: Cell<Option<Level>>,
}

/// A part and its variable.
#[derive(Clone, Debug)]
pub(super) struct OncePart {
    pub(super) condition: Condition,
    pub(super) polarity: Polarity,
    pub(super) variable: Ident,
}

impl OnceParts {
    /// The variable of a part; `None` where no loop stands between the part and its use. `name` is what it is called
    /// unless that is taken.
    pub(super) fn variable(
        &self,
        part: &Condition,
        polarity: Polarity,
        name: Option<&str>,
    ) -> Option<Bool> {
        if self.known_outside.get() < Some(part.level) {
            return None;
        }
        let mut pending = self.pending.borrow_mut();
        let known = pending
            .iter()
            .find(|known| known.polarity == polarity && known.condition == *part);
        let variable = if let Some(known) = known {
            known.variable.clone()
        } else {
            let number = self.named.get() + 1;
            self.named.set(number);
            let not = if polarity == Polarity::False {
                "not_"
            } else {
                ""
            };
            let variable = match name {
                Some(name) => format_ident!("is_{not}{name}_{number}"),
                None => format_ident!("{}_test_{number}", part.level.name()),
            };
            pending.push(OncePart {
                condition: part.clone(),
                polarity,
                variable: variable.clone(),
            });
            variable
        };
        Some(Bool::atom(quote!(#variable)))
    }

    /// The parts that something has asked for and that are not defined yet.
    pub(super) fn asked_for(&self) -> Vec<Condition> {
        let pending = self.pending.borrow();
        pending.iter().map(|part| part.condition.clone()).collect()
    }

    /// Goes into a loop whose surroundings know `level`; gives back what [`Self::leave`] takes.
    pub(super) fn enter(&self, level: Level) -> Option<Level> {
        self.known_outside.replace(Some(level))
    }

    /// The parts of a loop over instances, none yet: they are not defined outside of it.
    pub(super) fn inside_fork(&self) -> Self {
        Self {
            named: self.named.clone(),
            ..Self::default()
        }
    }

    /// Goes on behind a loop over instances.
    pub(super) fn behind_fork(&self, inner: &Self) {
        self.named.set(inner.named.get());
    }

    /// Leaves a loop, and gives the parts to define in front of it: those that no outer loop can.
    pub(super) fn leave(&self, outside: Option<Level>) -> Vec<OncePart> {
        self.known_outside.set(outside);
        let mut pending = self.pending.borrow_mut();
        let (outer, here) = pending
            .drain(..)
            .partition(|part| Some(part.condition.level) <= outside);
        *pending = outer;
        here
    }
}
