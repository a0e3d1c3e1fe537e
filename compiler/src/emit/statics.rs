//! Statics of the generated code: what a literal of an expression is prepared as, once for the whole program.

use indexmap::IndexMap;
use proc_macro2::{Literal as Token, TokenStream};
use quote::{format_ident, quote};

use super::Item;
use super::context::Context;

/// Something that is prepared once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Static {
    /// A regular expression, in the syntax of the `regex` crate.
    Pattern(String),
    /// A text that is looked for in others.
    Needle(String),
    /// Texts, sorted and each once.
    Texts(Vec<String>),
    /// Whole numbers, sorted and each once.
    Ints(Vec<i64>),
    /// Texts with the case of a switch that each leads to.
    Table(Vec<(String, u16)>),
}

impl Static {
    /// The beginning of its name; sets share one.
    const fn prefix(&self) -> &'static str {
        match self {
            Self::Pattern(_) => "PATTERN",
            Self::Needle(_) => "NEEDLE",
            Self::Texts(_) | Self::Ints(_) => "SET",
            Self::Table(_) => "TABLE",
        }
    }

    /// What it stands for, in its doc comment.
    const fn noun(&self) -> &'static str {
        match self {
            Self::Pattern(_) => "The pattern of a `matches`",
            Self::Needle(_) => "The text of a `contains`",
            Self::Texts(_) | Self::Ints(_) => "The list of an `in`",
            Self::Table(_) => "The values that arms ask for, with the case that each leads to,",
        }
    }

    fn definition(&self, name: &str) -> TokenStream {
        let name = format_ident!("{name}");
        match self {
            Self::Pattern(pattern) => quote! {
                static #name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(#pattern).ok());
            },
            Self::Needle(text) => quote! {
                static #name: LazyLock<Needle> = LazyLock::new(|| Needle::new(#text));
            },
            Self::Texts(texts) => quote! {
                static #name: TextSet = TextSet::sorted(&[#(#texts),*]);
            },
            Self::Ints(numbers) => {
                let numbers = numbers.iter().map(|number| Token::i64_unsuffixed(*number));
                quote!(static #name: IntSet = IntSet::sorted(&[#(#numbers),*]);)
            }
            Self::Table(entries) => {
                // With so much room nearly every key stands where it is looked for first, which the processor foresees.
                let slots = Token::usize_unsuffixed((4 * entries.len()).next_power_of_two());
                let entries = entries.iter().map(|(text, case)| {
                    let case = Token::u16_unsuffixed(*case);
                    quote!((#text, #case))
                });
                quote!(static #name: TextTable<#slots> = TextTable::new(&[#(#entries),*]);)
            }
        }
    }
}

/// Gives each static its name when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Statics {
    names: IndexMap<Static, String>,
}

impl Statics {
    /// The name of a static.
    pub(super) fn name(&mut self, wanted: Static) -> &str {
        let prefix = wanted.prefix();
        let same_kind = self.names.keys().filter(|known| known.prefix() == prefix);
        let number = same_kind.count() + 1;
        self.names
            .entry(wanted)
            .or_insert_with(|| format!("{prefix}_{number}"))
    }

    /// Every static with its name, in the order in which they were asked for.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Static, &str)> {
        self.names.iter().map(|(one, name)| (one, name.as_str()))
    }
}

/// The statics that emitted code names.
pub(super) fn emit(context: &Context<'_>) -> Vec<Item> {
    context.statics(|one, name| {
        let ours = format!("{} of {}.", one.noun(), context.options.flow);
        let docs = context.docs(&[], &ours);
        let definition = one.definition(name);
        Item::new(quote!(#docs #definition), None)
    })
}
