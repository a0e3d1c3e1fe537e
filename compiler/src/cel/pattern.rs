//! Literal patterns of `matches`, checked at build time.
//!
//! In: a pattern as CEL means it, in the syntax of RE2. Out: the pattern that means the same to the `regex` crate, or
//! what is wrong with it. Rewriting reads what RE2 reads; what only a table of Unicode can tell (a script that does
//! not exist, a group name that repeats) is found by parsing the result.

/// Why a pattern is not taken.
#[derive(Debug)]
pub(super) struct Fault {
    /// What follows "the regular expression".
    pub(super) reason: String,
    /// Where in the pattern, in bytes, when that is known.
    pub(super) offset: Option<usize>,
}

/// The pattern for the `regex` crate.
pub(super) fn rewrite(pattern: &str) -> Result<String, Fault> {
    let rewritten = watershed_re2::rewrite(pattern).map_err(|fault| Fault {
        reason: fault.to_string(),
        offset: Some(fault.offset),
    })?;
    // The runtime searches bytes, where a class may leave UTF-8.
    let mut parser = regex_syntax::ParserBuilder::new().utf8(false).build();
    match parser.parse(&rewritten) {
        Ok(_) => Ok(rewritten),
        Err(error) => {
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default();
            Err(Fault {
                reason: format!("is malformed: {}", reason.trim_start_matches("error: ")),
                offset: None,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_unicode_tells_is_found_too() {
        assert_eq!(rewrite(r"^\d+$").unwrap(), "^[0-9]+$");
        for bad in ["(", r"\p{Klingon}", "(?P<a>x)(?P<a>y)", "a**"] {
            assert!(rewrite(bad).is_err(), "{bad}");
        }
    }
}
