//! A switch: one look-up of a value, and a `match` over what it leads to.
//!
//! In: the value, the keys of each case and the steps behind them. Out: statements. Texts are found in a static table, whole
//! numbers by the `match` itself; a value that is missing or of another type is none of the keys.

use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::{format_ident, quote};

use super::body::{Body, KnownCase};
use super::place::Place;
use crate::emit::code::{Code, Form};
use crate::emit::outputs::Step;
use crate::emit::statics::Static;
use crate::hir::Literal;
use crate::plan::Value;

/// How many keys a comment names.
const NAMED: usize = 4;

impl Body<'_, '_> {
    /// The statements that decide a switch.
    pub(super) fn switch(
        &mut self,
        on: &Value,
        cases: &[(Vec<Literal>, Step)],
        otherwise: &Step,
        place: Place,
        last: bool,
    ) -> TokenStream {
        if on.level > self.level(place) {
            let whole = Step::Switch {
                on: on.clone(),
                cases: cases.to_vec(),
                otherwise: Box::new(otherwise.clone()),
            };
            return self.descend(vec![whole], place, last);
        }
        let looked_up = self.look_up(on, cases);
        if let LookedUp::Case(case) = &looked_up
            && self.only_chooses(cases, otherwise, place)
        {
            return self.choose_output(case, cases, otherwise, place);
        }
        let mut arms = TokenStream::new();
        for (number, (keys, then)) in cases.iter().enumerate() {
            let pattern = looked_up.pattern(number, keys);
            let comment = match looked_up {
                LookedUp::Case(_) => self.context().comment(&named(keys)),
                LookedUp::Number { .. } => TokenStream::new(),
            };
            let then = self.block(then, place, last);
            arms.extend(quote!(#pattern => { #comment #then }));
        }
        let selector = looked_up.tokens();
        let otherwise = self.block(otherwise, place, last);
        quote!(match #selector { #arms _ => { #otherwise } })
    }

    /// What the `match` goes over: the variable that was set before the loop, or the look-up itself.
    fn look_up(&self, on: &Value, cases: &[(Vec<Literal>, Step)]) -> LookedUp {
        let code = self.expressions().value(on);
        let Some(table) = self.table(cases) else {
            return whole_number(code);
        };
        LookedUp::Case(match self.known_case(&table, on) {
            Some(variable) => quote!(#variable),
            None => find(&table, code),
        })
    }

    fn known_case(&self, table: &Ident, on: &Value) -> Option<&Ident> {
        let mut known = self.cases.iter();
        known
            .find(|known| known.table == *table && known.on == *on)
            .map(|known| &known.variable)
    }

    /// The table of the texts that lead to cases; whole numbers have none.
    fn table(&self, cases: &[(Vec<Literal>, Step)]) -> Option<Ident> {
        let entries = cases.iter().zip(0_u16..).flat_map(|((keys, _), case)| {
            keys.iter().filter_map(move |key| match key {
                Literal::String(text) => Some((text.clone(), case)),
                _ => None,
            })
        });
        let entries: Vec<_> = entries.collect();
        (!entries.is_empty()).then(|| self.context().prepared(Static::Table(entries)))
    }

    /// `let … = TABLE_1.find(…);` for each table below whose value is known here.
    pub(super) fn hoist_cases(&mut self, steps: &[Step], place: Place) -> TokenStream {
        let mut wanted = Vec::new();
        for step in steps {
            step.for_each_switch(&mut |on, cases| {
                if on.level <= self.level(place) {
                    wanted.push((on, cases));
                }
            });
        }
        let mut statements = TokenStream::new();
        for (on, cases) in wanted {
            let Some(table) = self.table(cases) else {
                continue;
            };
            if self.known_case(&table, on).is_some() {
                continue;
            }
            let found = find(&table, self.expressions().value(on));
            let variable = format_ident!("{}_case_{}", on.level.name(), self.cases.len() + 1);
            statements.extend(quote!(let #variable = #found;));
            self.cases.push(KnownCase {
                table,
                on: on.clone(),
                variable,
            });
        }
        statements
    }
}

/// What a `match` goes over.
enum LookedUp {
    /// The number of a case, as an `Option`.
    Case(TokenStream),
    /// The whole number itself.
    Number {
        tokens: TokenStream,
        /// Whether it is an `Option`.
        is_option: bool,
    },
}

impl LookedUp {
    const fn tokens(&self) -> &TokenStream {
        match self {
            Self::Case(tokens) | Self::Number { tokens, .. } => tokens,
        }
    }

    /// The pattern of a case.
    fn pattern(&self, number: usize, keys: &[Literal]) -> TokenStream {
        let numbers: Vec<_> = match self {
            Self::Case(_) => vec![Token::usize_unsuffixed(number)],
            Self::Number { .. } => keys
                .iter()
                .filter_map(|key| match key {
                    Literal::Int(number) => Some(Token::i64_unsuffixed(*number)),
                    _ => None,
                })
                .collect(),
        };
        match self {
            Self::Number {
                is_option: false, ..
            } => quote!(#(#numbers)|*),
            _ => quote!(Some(#(#numbers)|*)),
        }
    }
}

/// The case of a text or of a value that may be one.
fn find(table: &Ident, code: Code) -> TokenStream {
    let (form, fallible) = (code.form, code.fallible);
    match (form, fallible) {
        (Form::Any, _) => {
            let value = code.into_argument();
            quote!(#table.find_value(#value))
        }
        (_, true) => {
            let value = code.tokens;
            let text = Code::total(quote!(value), form).into_text_argument();
            quote!(#value.and_then(|value| #table.find(#text)))
        }
        (_, false) => {
            let text = code.into_text_argument();
            quote!(#table.find(#text))
        }
    }
}

/// A value as the whole number that it is equal to.
fn whole_number(code: Code) -> LookedUp {
    let tokens = code.tokens;
    match (code.form, code.fallible) {
        (Form::Any, _) => LookedUp::Number {
            tokens: quote!(#tokens.whole_number()),
            is_option: true,
        },
        (_, is_option) => LookedUp::Number { tokens, is_option },
    }
}

/// The first of some keys, for a comment.
fn named(keys: &[Literal]) -> String {
    let texts = keys.iter().filter_map(|key| match key {
        Literal::String(text) => Some(format!("`{}`", text.escape_debug())),
        _ => None,
    });
    let shown: Vec<_> = texts.take(NAMED).collect();
    match keys.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
