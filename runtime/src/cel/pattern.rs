//! `matches` with a pattern that is known only at run time.
//!
//! Literal patterns are compiled once, as statics of the generated code, from text that the compiler has rewritten.
//! This is for the others: the pattern is rewritten and compiled here, and the last ones are kept.

use std::cell::RefCell;

use regex::bytes::{Regex, RegexBuilder};

use super::Error;

/// How many patterns a thread keeps.
const KEPT: usize = 16;

/// The longest pattern that is compiled, in bytes.
const MAX_PATTERN: usize = 4_096;

/// How large a compiled pattern may be, in bytes.
const MAX_COMPILED: usize = 1 << 20;

thread_local! {
    /// The patterns used last, the latest at the end.
    static PATTERNS: RefCell<Vec<(String, Result<Regex, Error>)>> = const { RefCell::new(Vec::new()) };
}

/// CEL `text.matches(pattern)`: an unanchored search in RE2 syntax.
///
/// ```
/// use watershed::cel::{Error, pattern};
///
/// assert_eq!(pattern::matches("banana", "ba(na)*$"), Ok(true));
/// assert_eq!(pattern::matches("é", "\\w"), Ok(false), "classes are those of ASCII");
/// assert_eq!(pattern::matches("a", "(?=a)"), Err(Error::InvalidRegex));
/// ```
pub fn matches(text: &str, pattern: &str) -> Result<bool, Error> {
    PATTERNS.with_borrow_mut(|patterns| {
        match patterns.iter().position(|(known, _)| known == pattern) {
            Some(place) => {
                let used = patterns.remove(place);
                patterns.push(used);
            }
            None => {
                if patterns.len() >= KEPT {
                    drop(patterns.remove(0));
                }
                patterns.push((pattern.to_owned(), compile(pattern)));
            }
        }
        let (_, compiled) = patterns.last().ok_or(Error::InvalidRegex)?;
        let compiled = compiled.as_ref().map_err(|error| *error)?;
        Ok(compiled.is_match(text.as_bytes()))
    })
}

/// Compiles a pattern in RE2 syntax.
pub fn compile(pattern: &str) -> Result<Regex, Error> {
    if pattern.len() > MAX_PATTERN {
        return Err(Error::TooLarge);
    }
    let rewritten = watershed_re2::rewrite(pattern).map_err(|_| Error::InvalidRegex)?;
    let compiled = RegexBuilder::new(&rewritten)
        .size_limit(MAX_COMPILED)
        .build();
    compiled.map_err(|_| Error::InvalidRegex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_unanchored() {
        assert_eq!(matches("abc", "b"), Ok(true));
        assert_eq!(matches("abc", "^b$"), Ok(false));
        assert_eq!(matches("a\nb", "a.b"), Ok(false));
        assert_eq!(matches("é", "^.$"), Ok(true));
        assert_eq!(matches("abc", ""), Ok(true));
    }

    #[test]
    fn many_patterns_take_turns() {
        for round in 0..3 {
            for number in 0..2 * KEPT {
                let pattern = format!("^{number}$");
                assert_eq!(matches(&number.to_string(), &pattern), Ok(true), "{round}");
                assert_eq!(matches("x", &pattern), Ok(false));
            }
        }
        PATTERNS.with_borrow(|patterns| assert_eq!(patterns.len(), KEPT));
    }

    #[test]
    fn large_patterns_are_refused() {
        assert_eq!(
            matches("a", &"a".repeat(MAX_PATTERN + 1)),
            Err(Error::TooLarge)
        );
        assert_eq!(matches("a", "(\\pL{100}){10}"), Err(Error::InvalidRegex));
        assert_eq!(matches("a", "["), Err(Error::InvalidRegex));
        assert_eq!(
            matches("a", "["),
            Err(Error::InvalidRegex),
            "also the second time"
        );
    }
}
