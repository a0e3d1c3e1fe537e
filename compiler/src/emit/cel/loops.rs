//! Macros that go through lists and maps, as loops.

use proc_macro2::TokenStream;
use quote::quote;

use super::arguments::Arguments;
use super::piece::{Form, Piece};
use super::{Emitter, Unsupported};
use crate::cel::typed::{Comprehension, ComprehensionKind};

impl Emitter<'_> {
    /// An iterator over what a macro goes through: values, or pairs when it has two variables.
    pub(super) fn range(&mut self, comprehension: &Comprehension) -> Result<Piece, Unsupported> {
        let range = self.piece(comprehension.range)?;
        let operand = range.operand();
        if range.form == Form::Messages {
            let views = if comprehension.locals.len() > 1 {
                quote!(#operand.pairs())
            } else {
                quote!(#operand.iter())
            };
            return Ok(Piece::new(Form::Value, views).fallible(range.fallible));
        }
        let mut arguments = Arguments::new(vec![range]);
        if comprehension.locals.len() > 1 {
            let value = arguments.value(0);
            return Ok(arguments.tries(Form::Value, &quote!(cel::logic::pairs(#value))));
        }
        Ok(match arguments.form(0) {
            Form::List => arguments.gives(Form::Value, quote!(#operand.iter())),
            Form::Map => arguments.gives(Form::Value, quote!(#operand.keys())),
            _ => {
                let value = arguments.value(0);
                arguments.tries(Form::Value, &quote!(cel::logic::elements(#value)))
            }
        })
    }

    /// The variables of a loop; from here on the tree may read them.
    pub(super) fn loop_pattern(&mut self, comprehension: &Comprehension) -> TokenStream {
        let names: Vec<_> = comprehension
            .locals
            .iter()
            .map(|local| self.declare_value(*local))
            .collect();
        match names.as_slice() {
            [one] => quote!(#one),
            names => quote!((#(#names),*)),
        }
    }

    /// What a macro over a range gives.
    pub(super) fn comprehension(
        &mut self,
        comprehension: &Comprehension,
    ) -> Result<Piece, Unsupported> {
        match &comprehension.kind {
            ComprehensionKind::All => self.counted(comprehension, &quote!(all)),
            ComprehensionKind::Exists => self.counted(comprehension, &quote!(exists)),
            ComprehensionKind::ExistsOne => self.counted(comprehension, &quote!(exists_one)),
            ComprehensionKind::SortBy(_) => self.sorted(comprehension),
            _ => self.collected(comprehension),
        }
    }

    fn counted(
        &mut self,
        comprehension: &Comprehension,
        function: &TokenStream,
    ) -> Result<Piece, Unsupported> {
        let range = self.range(comprehension)?.tokens;
        let pattern = self.loop_pattern(comprehension);
        let body = self.leaf(comprehension.body)?.tokens;
        let tokens = quote!(cel::logic::#function(#range, |#pattern| Ok(#body))?);
        Ok(Piece::new(Form::Bool, tokens).fallible(true))
    }

    fn sorted(&mut self, comprehension: &Comprehension) -> Result<Piece, Unsupported> {
        let mut arguments = Arguments::new(vec![self.piece(comprehension.range)?]);
        let list = arguments.list(0);
        let pattern = self.loop_pattern(comprehension);
        let key = self
            .piece(comprehension.body)?
            .into_form(Form::Value)
            .tokens;
        let tokens = quote!(cel::lists::sort_by(#list, |#pattern| Ok(#key)));
        Ok(arguments.tries(Form::List, &tokens))
    }

    /// A list or a map of what each element gives.
    fn collected(&mut self, comprehension: &Comprehension) -> Result<Piece, Unsupported> {
        let range = self.range(comprehension)?;
        let pattern = self.loop_pattern(comprehension);
        let (condition, condition_fails) = match comprehension.condition {
            Some(condition) => {
                let condition = self.leaf(condition)?;
                (Some(condition.tokens), condition.fallible)
            }
            None => (None, false),
        };
        let step = self.step(comprehension)?;
        let is_map = matches!(
            comprehension.kind,
            ComprehensionKind::Map | ComprehensionKind::Entries
        );
        let fallible = range.fallible || step.fallible || condition_fails || is_map;
        let (iterator, step) = (range.tokens, step.tokens);
        let step = match condition {
            Some(condition) => quote!(if #condition { #step }),
            None => step,
        };
        let keeps_messages = comprehension.kind == ComprehensionKind::Filter
            && self.holds_messages(comprehension.range);
        let (form, start, end) = if keeps_messages {
            (Form::Messages, quote!(Kept::new()), quote!(built))
        } else if is_map {
            (
                Form::Map,
                quote!(cel::MapBuilder::new()),
                quote!(built.build()?),
            )
        } else {
            (
                Form::List,
                quote!(Vec::new()),
                quote!(cel::List::from(built)),
            )
        };
        let tokens = quote!({
            let mut built = #start;
            for #pattern in #iterator { #step }
            #end
        });
        Ok(Piece::new(form, tokens).fallible(fallible).loose())
    }

    /// What is done with one element. What is built is called `built`; within the value of an element that name is
    /// free for another loop, which makes it in a block of its own.
    fn step(&mut self, comprehension: &Comprehension) -> Result<Piece, Unsupported> {
        let body = match comprehension.kind {
            ComprehensionKind::Filter => self.leaf(comprehension.body)?,
            _ => self.piece(comprehension.body)?,
        };
        let fallible = body.fallible;
        let element = comprehension
            .locals
            .first()
            .map(|local| self.local_name(*local));
        let tokens = match comprehension.kind {
            ComprehensionKind::Filter => {
                let body = body.tokens;
                quote!(if #body { built.push(#element.clone()); })
            }
            ComprehensionKind::Map => {
                let value = body.into_form(Form::Value).tokens;
                quote!(built.insert(&#element, #value)?;)
            }
            ComprehensionKind::Entries => {
                let mut arguments = Arguments::new(vec![body]);
                let entry = arguments.map(0);
                quote!(built.extend(#entry);)
            }
            _ => {
                let value = body.into_form(Form::Value).tokens;
                quote!(built.push(#value);)
            }
        };
        Ok(Piece::new(Form::Value, tokens).fallible(fallible))
    }
}
