//! From the plan to Rust: plain structs and functions that read like the flow they were made from.
//!
//! In: an optimised [`Plan`]. Out: [`Emitted`], the items of one module with the places that they come from; the
//! renderer makes a file of them and the macro hands them to rustc. One file per kind of item.
//!
//! Loops, selection, batching, retries and shutdown live in the runtime. What is generated is what only the flow
//! knows: which fields are read, what is tested and at which level, what goes where, and how it is wired.

pub mod cel;
mod code;
mod comparison;
mod condition;
mod config;
mod connector;
mod context;
mod expression;
mod field_reader;
mod fields;
mod members;
mod membership;
mod names;
mod once;
mod outputs;
#[cfg(test)]
mod polarity_tests;
mod predicate;
mod sample;
mod skeleton;
mod stage;
mod statements;
mod statics;
mod subject;
mod template;
mod template_wiring;
mod value;
mod walk;
mod wiring;

use proc_macro2::TokenStream;
use quote::quote;
use watershed_lang::span::Span;

pub use skeleton::skeleton;

use crate::plan::Plan;
use context::Context;
use walk::WalkCode;

/// The name of the statement that stands for a comment until the renderer has made one of it.
pub const COMMENT_MARKER: &str = "comment__";

/// How code is emitted.
pub struct EmitOptions<'a> {
    /// The file name that doc comments show, such as `split.flow`.
    pub flow: &'a str,
    /// The name of the flow in metrics: the file name without its ending.
    pub name: &'a str,
    /// The path of the runtime crate, `::watershed` unless it was renamed.
    pub runtime_path: &'a str,
    /// Where rustc shall look for a mistake in what the user wrote at a span.
    pub spans: &'a dyn Fn(Span) -> proc_macro2::Span,
    /// `split.flow:14`; `None` where lines mean nothing.
    pub describe: &'a dyn Fn(Span) -> Option<String>,
    /// Whether comments are wanted: a file has them, tokens for rustc cannot.
    pub comments: bool,
}

/// The items of a generated module, in the order in which they are read.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    /// The items.
    pub items: Vec<Item>,
    /// Expressions that have no Rust: each is a compile error.
    pub unsupported: Vec<cel::Unsupported>,
}

/// One generated item, or a few that belong together.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its tokens.
    pub tokens: TokenStream,
    /// What it was made from.
    pub span: Option<Span>,
}

impl Item {
    const fn new(tokens: TokenStream, span: Option<Span>) -> Self {
        Self { tokens, span }
    }
}

impl Emitted {
    /// All items as one stream, for rustc.
    #[must_use]
    pub fn into_tokens(self) -> TokenStream {
        self.items.into_iter().map(|item| item.tokens).collect()
    }
}

/// Emits the module of a plan: first what a program uses, then the walks from the sources on, then what they read.
#[must_use]
pub fn emit(plan: &Plan, options: &EmitOptions<'_>) -> Emitted {
    let context = Context::new(plan, options);
    let walks: Vec<_> = plan
        .all_walks()
        .enumerate()
        .map(|(position, walk)| WalkCode::new(&context, position, walk))
        .collect();
    let mut items = vec![prelude(options)];
    items.extend(config::emit(&context));
    items.extend(template::emit(&context));
    items.push(wiring::emit(&context, &walks));
    for walk in &walks {
        items.push(stage::emit(&context, walk));
        items.extend(walk.emit(&context));
    }
    // Subjects and predicates are emitted when something emitted before names them.
    let subjects = subject::emit(&context);
    items.extend(predicate::emit(&context));
    items.extend(subjects);
    items.extend(statics::emit(&context));
    items.extend(
        context
            .structs
            .all()
            .iter()
            .map(|fields| Item::new(fields.emit(&context), None)),
    );
    let unsupported = context.unsupported();
    Emitted { items, unsupported }
}

/// `use watershed::generated::*;`
fn prelude(options: &EmitOptions<'_>) -> Item {
    // A path that does not parse cannot come from a user: the front doors check it.
    let path: TokenStream = options
        .runtime_path
        .parse()
        .unwrap_or_else(|_| quote!(::watershed));
    Item::new(quote!(use #path::generated::*;), None)
}
