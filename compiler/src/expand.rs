//! What `pipeline! { … }` expands to.
//!
//! In: the tokens between the braces. Out: the items of the flow, with the user's own spans on what the user wrote;
//! for a flow with errors a `compile_error!` at exactly the tokens that are wrong, beside a skeleton with the flow's
//! types. The macro crate is a shell around [`expand`], so all of this runs in tests without a compiler around it.

use std::path::Path;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use watershed_lang::diagnostic::Diagnostic;
use watershed_lang::source::{SourceFile, SourceMap};
use watershed_lang::span::Span;

use crate::cargo::read_table;
use crate::driver::{CompileOptions, compile};
use crate::token_text::TokenText;

/// What stands for the path of the flow where it has none.
pub const MACRO_PATH: &str = "pipeline!";

/// Expands the body of a `pipeline!`. `runtime_path` is the path of the runtime crate; tables are read in `folder`.
#[must_use]
pub fn expand(input: TokenStream, runtime_path: &str, folder: &Path) -> TokenStream {
    let text = TokenText::new(input);
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(MACRO_PATH, text.text()));
    let spans = |span: Span| text.tokens(span).0;
    let compilation = compile(
        &sources,
        file,
        &CompileOptions {
            runtime_path,
            spans: Some(&spans),
            read_table: &|table| read_table(folder, table),
        },
    );
    let findings = compilation.diagnostics.iter().map(|found| {
        if found.is_error() {
            error(found, &text)
        } else {
            warning(found, &text)
        }
    });
    let findings: TokenStream = findings.collect();
    let items = compilation.tokens(runtime_path);
    let tables = compilation.tables.iter();
    let tables = tables.filter(|table| table.text.is_some());
    let tracked: TokenStream = tables
        .map(|table| track(&folder.join(&table.path)))
        .collect();
    quote!(#findings #tracked #items)
}

/// Makes rustc read a file too, so that the crate is built again when it changes.
fn track(path: &Path) -> TokenStream {
    let path = path.display().to_string();
    quote!(
        const _: &[u8] = ::core::include_bytes!(#path);
    )
}

/// `compile_error! { "…" }` that rustc underlines from the first token of the mistake to the last.
fn error(found: &Diagnostic, text: &TokenText) -> TokenStream {
    let (first, last) = text.tokens(found.primary.span);
    let message = message(found);
    let name = quote_spanned!(first=> ::core::compile_error!);
    let body = quote_spanned!(last=> { #message });
    quote!(#name #body)
}

/// A macro on stable Rust cannot warn. What it can do is to use something deprecated at the user's token.
fn warning(found: &Diagnostic, text: &TokenText) -> TokenStream {
    let (first, _) = text.tokens(found.primary.span);
    let message = message(found);
    let definition = Ident::new(
        &found.code.as_str().to_lowercase(),
        proc_macro2::Span::call_site(),
    );
    let used = Ident::new(&found.code.as_str().to_lowercase(), first);
    quote! {
        const _: () = {
            #[deprecated(note = #message)]
            const fn #definition() {}
            #used();
        };
    }
}

/// Code, message, what to do and what else has to do with it, for a place that can show text only.
fn message(found: &Diagnostic) -> String {
    let mut message = format!("[{}] {}", found.code, found.message);
    if !found.primary.text.is_empty() {
        message.push_str(&format!(": {}", found.primary.text));
    }
    for label in found
        .secondary
        .iter()
        .filter(|label| !label.text.is_empty())
    {
        message.push_str(&format!("\nnote: {}", label.text));
    }
    if let Some(help) = &found.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    message
}
