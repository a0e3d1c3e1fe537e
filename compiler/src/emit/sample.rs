//! Samples: whether a record is kept, by its trace id where it has one.
//!
//! In: the threshold that the plan made of the ratio. Out: a call of the runtime, which knows the rule.

use proc_macro2::Literal as Token;
use quote::quote;

use super::code::Bool;
use super::condition::Expressions;
use crate::plan::{Condition, ConditionKind};

impl Expressions<'_, '_> {
    /// Whether a record is in a sample.
    pub(super) fn sampled(&self, sample: &Condition) -> Bool {
        let ConditionKind::Sampled {
            threshold,
            trace_id,
            ..
        } = &sample.kind
        else {
            return Bool::literal(false);
        };
        let threshold = Token::u64_unsuffixed(*threshold);
        Bool::atom(match trace_id {
            Some(id) => {
                let id = self.value(id).into_argument();
                quote!(is_sampled(#threshold, #id))
            }
            None => quote!(is_sampled_at_random(#threshold)),
        })
    }
}
