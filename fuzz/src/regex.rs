//! RE2 patterns: any text in, a pattern of the `regex` crate or a fault out.
//!
//! What is rewritten can be compiled, but for names that only the crate knows (scripts, repeated group names), and
//! what is compiled can search. A fault points into the pattern. The run-time library refuses what the rewriter
//! refuses.

use regex_syntax::{Error, ParserBuilder, ast, hir};
use watershed::cel::pattern;
use watershed_re2::rewrite;

/// Rewrites `input`, compiles the result and searches the pattern with itself.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    let pattern = String::from_utf8_lossy(input);
    match rewrite(&pattern) {
        Ok(rewritten) => {
            // As the crate parses patterns for bytes.
            let parsed = ParserBuilder::new().utf8(false).build().parse(&rewritten);
            if let Err(error) = parsed {
                assert!(is_name(&error), "{pattern} became {rewritten}: {error}");
            }
            let _ = pattern::matches(&pattern, &pattern);
        }
        Err(fault) => {
            assert!(
                pattern.is_char_boundary(fault.offset),
                "{fault:?} of {pattern}"
            );
            assert!(
                pattern::compile(&pattern).is_err(),
                "{pattern} is {fault} and compiles"
            );
        }
    }
}

/// Whether the crate does not know a name.
fn is_name(error: &Error) -> bool {
    match error {
        Error::Parse(error) => matches!(error.kind(), ast::ErrorKind::GroupNameDuplicate { .. }),
        Error::Translate(error) => matches!(
            error.kind(),
            hir::ErrorKind::UnicodePropertyNotFound | hir::ErrorKind::UnicodePropertyValueNotFound
        ),
        _ => false,
    }
}
