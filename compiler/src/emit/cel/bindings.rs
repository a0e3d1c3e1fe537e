//! `cel.bind`, `cel.block`, `optMap`: parts of an expression that have a name.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Lifetime;

use super::arguments::Arguments;
use super::messages::is_message;
use super::piece::{Form, Piece};
use super::{Emitter, Unsupported};
use crate::cel::typed::{LocalId, NodeId};

impl Emitter<'_> {
    /// The name of a variable of the expression in the code.
    pub(super) fn local_name(&self, local: LocalId) -> Ident {
        let name = &self.tree.local(local).name;
        let written = name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
        let unused = if self.used.contains(&local) { "" } else { "_" };
        let written = written.trim_start_matches('_');
        Ident::new(
            &format!("{unused}local_{written}_{}", local.0),
            Span::call_site(),
        )
    }

    /// The variable of a loop or of an `optMap`: a value that is borrowed or copied from there.
    pub(super) fn declare_value(&mut self, local: LocalId) -> Ident {
        let name = self.local_name(local);
        let form = if is_message(&self.tree.local(local).ty) {
            Form::Message
        } else {
            Form::Value
        };
        self.locals.insert(local, Piece::place(form, quote!(#name)));
        name
    }

    /// Statements that make the variables. What can fail is evaluated when it is first needed, and once.
    pub(super) fn bindings(
        &mut self,
        bindings: &[(LocalId, NodeId)],
    ) -> Result<TokenStream, Unsupported> {
        let mut statements = TokenStream::new();
        for (local, value) in bindings {
            let name = self.local_name(*local);
            let value = self.piece(*value)?;
            let form = value.form;
            let value = value.into_form(form);
            let tokens = &value.tokens;
            let (statement, piece) = if !value.fallible {
                (
                    quote!(let #name = #tokens;),
                    Piece::place(form, quote!(#name)),
                )
            } else {
                let read = if form.is_copy() {
                    quote!((*#name)?)
                } else {
                    quote!((*#name).clone()?)
                };
                (
                    quote! {
                        let #name = std::cell::LazyCell::new(|| cel::logic::attempt(|| Ok(#tokens)));
                    },
                    Piece::new(form, read).fallible(true),
                )
            };
            statements.extend(statement);
            self.locals.insert(*local, piece);
        }
        Ok(statements)
    }

    /// A value that is made with variables.
    pub(super) fn bound(
        &mut self,
        bindings: &[(LocalId, NodeId)],
        body: NodeId,
    ) -> Result<Piece, Unsupported> {
        let statements = self.bindings(bindings)?;
        let body = self.piece(body)?;
        let form = body.form;
        let body = body.into_form(form);
        let tokens = &body.tokens;
        Ok(Piece::new(form, quote!({ #statements #tokens }))
            .fallible(body.fallible)
            .loose())
    }

    /// `target.optMap(local, body)`, `target.optFlatMap(local, body)`
    pub(super) fn optional_map(
        &mut self,
        target: NodeId,
        local: LocalId,
        body: NodeId,
        flat: bool,
    ) -> Result<Piece, Unsupported> {
        let mut arguments = Arguments::new(vec![self.piece(target)?]);
        let target = arguments.optional(0);
        let name = self.declare_value(local);
        let body = self.piece(body)?;
        let body_fails = body.fallible;
        let made = if flat {
            if body.form == Form::Optional {
                body.owned()
            } else {
                let mut inner = Arguments::new(vec![body]);
                let inner = inner.optional(0);
                let tokens = quote!((#inner).clone());
                return Ok(
                    Piece::new(Form::Optional, optional_match(&target, &name, &tokens))
                        .fallible(true)
                        .loose(),
                );
            }
        } else {
            let value = body.into_form(Form::Value).tokens;
            quote!(cel::Optional::of(#value))
        };
        let piece = arguments.gives(Form::Optional, optional_match(&target, &name, &made));
        let fallible = piece.fallible || body_fails;
        Ok(piece.fallible(fallible).loose())
    }
}

fn optional_match(target: &TokenStream, name: &Ident, made: &TokenStream) -> TokenStream {
    quote! {
        match (#target).get() {
            Some(#name) => #made,
            None => cel::Optional::none(),
        }
    }
}

/// A label for a block that belongs to a node. Blocks stand inside blocks, and rustc warns of a label that hides
/// another.
pub(super) fn block_label(name: &str, node: Option<NodeId>) -> Lifetime {
    let number = node.map_or(0, |node| node.0);
    Lifetime::new(&format!("'{name}_{number}"), Span::call_site())
}
