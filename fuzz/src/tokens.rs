//! `pipeline!`: any text that is tokens of Rust in, the same flow as from a file out.
//!
//! Expansion ends in items that rustc can read. A flow that parses as a file and has a meaning as tokens is the same
//! tree in both.

use std::path::Path;

use proc_macro2::TokenStream;
use watershed_compiler::driver::RUNTIME_PATH;
use watershed_compiler::expand::expand;
use watershed_compiler::token_text::TokenText;
use watershed_lang::ast::dump::dump;
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse;
use watershed_lang::span::FileId;

use crate::rust;

/// Expands `input` as the body of a `pipeline!`, where it is tokens.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return;
    };
    let items = expand(tokens.clone(), RUNTIME_PATH, Path::new(""));
    rust::check::<syn::File>(&items);
    let written = TokenText::new(tokens);
    if let (Some(file), Some(expanded)) = (shape(&text), shape(written.text())) {
        assert_eq!(file, expanded, "{text} and {}", written.text());
    }
}

/// The tree of a text without places and comments; `None` for a text with mistakes.
pub(crate) fn shape(text: &str) -> Option<String> {
    let mut diagnostics = Diagnostics::new();
    let tree = dump(&parse(FileId(0), text, &mut diagnostics));
    let lines = tree.lines().filter(|line| !line.starts_with("trivia"));
    let without_places = lines.map(|line| match line.rsplit_once(' ') {
        Some((words, place)) if place.contains("..") => words,
        _ => line,
    });
    (!diagnostics.has_errors()).then(|| without_places.collect::<Vec<_>>().join("\n"))
}
