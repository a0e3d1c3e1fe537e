//! Subjects: what a flow wrote as one text becomes literals and tokens, so that no value from the data can be
//! more than one token of a subject.

use proc_macro2::TokenStream;
use quote::quote;

use super::Item;
use super::code::Form;
use super::condition::{Expressions, Variables};
use super::context::{Context, Polarity};
use super::fields::Function;
use super::predicate::parameters;
use crate::hir::Literal;
use crate::level::Level;
use crate::plan::reads::Reads;
use crate::plan::{Target, Value, ValueKind};

/// The functions that write the subjects of the sinks that emitted walks keep records for.
pub(super) fn emit(context: &Context<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    for (id, sink) in &context.plan.sinks {
        let Some(subject) = sink
            .subject
            .as_ref()
            .filter(|_| context.is_subject_used(*id))
        else {
            continue;
        };
        let name = context.subject_function(*id);
        let expressions = Expressions {
            context,
            variables: Variables::Borrowed,
            once: None,
        };
        let body = write(&expressions, subject);
        let function = Function::Subject(Target::Sink(*id));
        let parameters = parameters(context, function, &Reads::of_value(context.plan, subject));
        let ours = format!(
            "`subject` of `sink {}`{} (level: {}).",
            sink.node.name,
            context.place(subject.span),
            subject.level.name()
        );
        let docs = context.docs(&[], &ours);
        let tokens =
            quote!(#docs fn #name(subject: &mut SubjectWriter, #(#parameters),*) { #body });
        items.push(Item::new(tokens, Some(subject.span)));
    }
    items
}

/// The statements that write one part of a subject.
pub(super) fn write(expressions: &Expressions<'_, '_>, part: &Value) -> TokenStream {
    match &part.kind {
        ValueKind::Concatenate(parts) => {
            parts.iter().map(|part| write(expressions, part)).collect()
        }
        ValueKind::Literal(Literal::String(text)) => quote!(subject.literal(#text);),
        // Configuration belongs to whoever runs the flow: it may hold several tokens.
        ValueKind::Config(_) => {
            let text = expressions.value(part).tokens;
            quote!(subject.literal(#text);)
        }
        ValueKind::If { arms, otherwise }
            if arms.iter().all(|(when, _)| !expressions.can_fail(when)) =>
        {
            let mut tokens = write(expressions, otherwise);
            for (when, then) in arms.iter().rev() {
                let when = expressions.condition(when, Polarity::True).tokens;
                let then = write(expressions, then);
                tokens = quote!(if #when { #then } else { #tokens });
            }
            tokens
        }
        _ => {
            let code = expressions.value(part);
            // What is known when the flow starts is its author's text; what the data says is one token.
            let method = if part.level <= Level::Config {
                quote!(literal)
            } else {
                quote!(token)
            };
            let text = match code.form {
                Form::Owned | Form::Text | Form::Str => code.into_text_argument(),
                _ => quote!(""),
            };
            quote!(subject.#method(#text);)
        }
    }
}
