//! Named predicates as functions.

use proc_macro2::TokenStream;
use quote::quote;

use super::Item;
use super::condition::{Expressions, Variables};
use super::context::{Context, Polarity};
use super::fields::Function;
use crate::catalog::signals::Root;
use crate::plan::reads::Reads;

/// The functions of the predicates that emitted code names. A predicate names earlier ones only, so the last is
/// emitted first and each finds what the later ones need; they are returned in the order of the text.
pub(super) fn emit(context: &Context<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    for (id, predicate) in context.plan.predicates.iter().rev() {
        for polarity in [Polarity::False, Polarity::True] {
            if !context.is_predicate_used(*id, polarity) {
                continue;
            }
            let expressions = Expressions {
                context,
                variables: Variables::Borrowed,
                once: None,
            };
            let body = expressions.condition(&predicate.condition, polarity).tokens;
            let name = context.predicate_function(*id, polarity);
            let reads = Reads::of_condition(context.plan, &predicate.condition);
            let parameters = parameters(context, Function::Predicate(*id), &reads);
            let what = match polarity {
                Polarity::True => "",
                Polarity::False => " is false",
            };
            let ours = format!(
                "`predicate {}`{what}{} (level: {}).",
                predicate.name,
                context.place(predicate.span),
                predicate.condition.level.name()
            );
            let user: &[String] = if polarity == Polarity::True {
                &predicate.docs
            } else {
                &[]
            };
            let docs = context.docs(user, &ours);
            let tokens = quote!(#docs fn #name(#(#parameters),*) -> bool { #body });
            items.push(Item::new(tokens, Some(predicate.span)));
        }
    }
    items.reverse();
    items
}

/// The parameters of a function that reads this, in the order of [`Expressions::arguments`].
pub(super) fn parameters(
    context: &Context<'_>,
    function: Function,
    reads: &Reads,
) -> Vec<TokenStream> {
    let mut parameters = Vec::new();
    if reads.config {
        parameters.push(quote!(config: &Config));
    }
    if let Some(template) = reads.template {
        parameters.push(context.template(template).parameter());
    }
    if reads.request {
        parameters.push(quote!(request: Request<'_>));
    }
    for root in Root::WITH_FIELDS
        .into_iter()
        .filter(|root| reads.reads(*root))
    {
        let Some(fields) = context.structs.of_function(function, root) else {
            continue;
        };
        let (variable, ty) = (context.ident(root.name()), fields.parameter_type());
        parameters.push(quote!(#variable: #ty));
    }
    parameters
}
