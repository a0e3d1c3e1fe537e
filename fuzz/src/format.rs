//! The formatter: any text that parses in, the same flow in the one layout out.
//!
//! A text with mistakes is refused, by the mistakes that the parser finds. What is formatted does not change again,
//! means the same and holds the same comments. It also means the same between the braces of a `pipeline!`, except where
//! a record has a field that only backticks can write. Trees are the same but for the forms that the formatter
//! documents to mean the same, such as a field in backticks and an index.

// The formatter's own tests compare trees in the same way; they may fail by panicking, as a target may.
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a target fails by panicking"
)]
#[path = "../../lang/tests/support/shape.rs"]
mod trees;

use proc_macro2::TokenStream;
use watershed_compiler::token_text::TokenText;
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::fmt::format;
use watershed_lang::parse::parse;
use watershed_lang::span::FileId;

use crate::tokens::shape;

/// Formats `input`.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut diagnostics = Diagnostics::new();
    let _ = parse(FileId(0), &text, &mut diagnostics);
    let formatted = match format(FileId(0), &text) {
        Ok(formatted) => formatted,
        Err(found) => {
            assert!(diagnostics.has_errors() && found.has_errors(), "{found:?}");
            return;
        }
    };
    assert!(
        !diagnostics.has_errors(),
        "a text with mistakes is formatted: {diagnostics:?}"
    );
    let again = format(FileId(0), &formatted).ok();
    assert_eq!(again.as_ref(), Some(&formatted), "it changes again");
    let tree = trees::tree(&formatted);
    assert_eq!(tree, trees::tree(&text), "another tree: {formatted}");
    assert_eq!(
        trees::comments(&formatted),
        trees::comments(&text),
        "other comments: {formatted}"
    );
    if tree.is_ok_and(|tree| trees::needs_backticks(&tree)) {
        return;
    }
    let tokens: TokenStream = match formatted.parse() {
        Ok(tokens) => tokens,
        Err(error) => panic!("{error}: {formatted}"),
    };
    let text = TokenText::new(tokens);
    assert_eq!(
        shape(text.text()),
        shape(&formatted),
        "another flow as tokens"
    );
}
