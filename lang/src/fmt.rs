//! The one layout of every flow.
//!
//! In: the text of a file. Out: the text that `flowc fmt` writes, or what is wrong with the file. The tree of both
//! texts is the same, every comment stays beside what it was written beside, and a formatted text does not change
//! again. Forms of CEL that Rust's lexer refuses are written in another way, so a formatted file is a valid body of
//! `pipeline!` too.
//!
//! 1. `tokens` reads the text and gives each comment to a token; `literal` and `rewrite` spell tokens for Rust.
//! 2. `layout`, `item` and `expression` walk over the tokens and say where lines may end (`doc`).
//! 3. `print` decides where they do.
//!
//! The tokens and not the tree are walked because only they know parentheses, spellings and the places of comments.

mod doc;
mod expression;
mod item;
mod layout;
mod literal;
mod print;
mod rewrite;
mod tokens;

use crate::diagnostic::Diagnostics;
use crate::parse::parse;
use crate::span::FileId;
use layout::Layout;

/// Formats a whole file.
///
/// # Errors
///
/// A text with mistakes is not formatted: what is wrong with it is given back, with spans in `file`.
///
/// ```
/// use watershed_lang::{fmt::format, span::FileId};
///
/// let text = "sink   rest=file{path:'rest'} ; // here\n\n\n";
/// assert_eq!(format(FileId(0), text).unwrap(), "sink rest = file { path: \"rest\" }; // here\n");
/// assert!(format(FileId(0), "sink rest =").is_err());
/// ```
pub fn format(file: FileId, text: &str) -> Result<String, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let tree = parse(file, text, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let mut layout = Layout::new(tokens::tokens(text));
    Ok(print::print(&layout.file(&tree)))
}
