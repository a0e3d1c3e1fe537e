//! `element in [a, b, …]`: a list that the flow writes out.
//!
//! A few literals are compared one by one; more are a sorted static.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::{Bool, Code, Form};
use super::comparison::compare_typed;
use super::condition::{Expressions, lift, truth};
use super::context::Polarity;
use super::statics::Static;
use crate::hir::Literal;
use crate::plan::{CompareOp, Value};

/// How many literals are compared one by one.
const FEW: usize = 4;

impl Expressions<'_, '_> {
    /// T(element in list) or F(element in list).
    pub(super) fn membership(&self, element: &Value, list: &[Value], polarity: Polarity) -> Bool {
        match sorted(list) {
            Some(set) if list.len() > FEW => self.in_set(element, set, polarity),
            _ => self.one_of(element, list, polarity),
        }
    }

    /// A search in a static. What stands in it has one type, so a static element has the same.
    fn in_set(&self, element: &Value, set: Static, polarity: Polarity) -> Bool {
        let element = self.value(element);
        let is_text = matches!(set, Static::Texts(_));
        let name = self.context.prepared(set);
        if element.form == Form::Any {
            let element = element.tokens;
            let test = if is_text {
                quote!(#element.is_one_of_texts(&#name))
            } else {
                quote!(#element.is_one_of_ints(&#name))
            };
            return truth(&test, polarity);
        }
        let form = element.form;
        lift(element, polarity, |value| {
            let value = match form {
                Form::Text | Form::Int => value,
                _ => Code::total(value, form).into_text_argument(),
            };
            Bool::atom(quote!(#name.contains(#value)))
        })
    }

    fn one_of(&self, element: &Value, list: &[Value], polarity: Polarity) -> Bool {
        let open = |one: &Value| one.literal().is_none() && self.value(one).can_fail();
        if list.iter().any(open) {
            return self.one_of_open(element, list, polarity);
        }
        let element = self.value(element);
        let candidates: Vec<Code> = list.iter().map(|one| self.value(one)).collect();
        if element.form == Form::Any {
            let element = element.tokens;
            let same = candidates
                .windows(2)
                .all(|pair| matches!(pair, [a, b] if a.form == b.form));
            let candidates: Vec<_> = candidates
                .into_iter()
                .map(|one| {
                    if same {
                        one.into_any_argument()
                    } else {
                        one.into_any()
                    }
                })
                .collect();
            let list = if candidates.is_empty() {
                quote!([AnyValue::Null; 0])
            } else {
                quote!([#(#candidates),*])
            };
            return truth(&quote!(#element.is_one_of(#list)), polarity);
        }
        let form = element.form;
        let equal = |value: TokenStream| {
            let equals = candidates.iter().map(|one| {
                let element = Code::total(value.clone(), form);
                compare_typed(CompareOp::Equal, element, one.clone(), Polarity::True)
            });
            Bool::any(equals.collect())
        };
        lift(element, polarity, equal)
    }

    /// `element in [a, b]` where an element of the list can be an error. Such a list is an error as a whole, so
    /// beside one that equals each comparison has to be true or false.
    fn one_of_open(&self, element: &Value, list: &[Value], polarity: Polarity) -> Bool {
        let compare = |polarity| {
            let compared = list.iter();
            compared.map(move |one| self.compare(CompareOp::Equal, element, one, polarity))
        };
        if polarity == Polarity::False {
            return Bool::all(compare(Polarity::False).collect());
        }
        let decided = compare(Polarity::True).zip(compare(Polarity::False));
        let mut parts = vec![Bool::any(compare(Polarity::True).collect())];
        parts.extend(
            decided
                .zip(list)
                .filter(|(_, one)| self.value(one).can_fail())
                .map(|((equal, differs), _)| Bool::any(vec![equal, differs])),
        );
        Bool::all(parts)
    }
}

/// The set that a list is, when all of it is text or all of it whole numbers.
fn sorted(list: &[Value]) -> Option<Static> {
    let texts: Option<Vec<String>> = list
        .iter()
        .map(|one| match one.literal() {
            Some(Literal::String(text)) => Some(text.clone()),
            _ => None,
        })
        .collect();
    if let Some(mut texts) = texts {
        texts.sort();
        texts.dedup();
        return Some(Static::Texts(texts));
    }
    let numbers: Option<Vec<i64>> = list
        .iter()
        .map(|one| match one.literal() {
            Some(Literal::Int(number)) => Some(*number),
            _ => None,
        })
        .collect();
    numbers.map(|mut numbers| {
        numbers.sort_unstable();
        numbers.dedup();
        Static::Ints(numbers)
    })
}
