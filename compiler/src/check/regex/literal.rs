//! Characters that RE2 takes as they are and the `regex` crate takes for syntax.
//!
//! In: a pattern of RE2. Out: the same pattern with such characters escaped: `[` and `&&` inside of brackets, braces
//! that repeat nothing, everything between `\Q` and `\E`. What is wrong with a pattern stays wrong.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::CharIndices;

/// The pattern with every such character escaped.
pub(super) fn escape(pattern: &str) -> Cow<'_, str> {
    // Most patterns have none of the three that can begin one.
    if !pattern.contains(['[', '{', '\\']) {
        return Cow::Borrowed(pattern);
    }
    let mut escaper = Escaper {
        pattern,
        rest: pattern.char_indices().peekable(),
        escaped: String::with_capacity(pattern.len()),
    };
    while let Some((at, character)) = escaper.rest.next() {
        match character {
            '\\' => escaper.backslash(),
            '[' => escaper.class(),
            '{' if !repeats(pattern.get(at..).unwrap_or_default()) => {
                escaper.escaped.push_str("\\{");
            }
            other => escaper.escaped.push(other),
        }
    }
    Cow::Owned(escaper.escaped)
}

struct Escaper<'a> {
    pattern: &'a str,
    rest: Peekable<CharIndices<'a>>,
    escaped: String,
}

impl Escaper<'_> {
    /// What stands behind a backslash: one character, or a quotation up to `\E`.
    fn backslash(&mut self) {
        match self.rest.next() {
            Some((_, 'Q')) => self.quotation(),
            Some((_, other)) => {
                self.escaped.push('\\');
                self.escaped.push(other);
                // The braces of `\p{Greek}` and `\x{1F600}` belong to the escape.
                if matches!(other, 'p' | 'P' | 'x') {
                    self.take_if('{');
                }
            }
            None => self.escaped.push('\\'),
        }
    }

    fn quotation(&mut self) {
        while let Some((_, character)) = self.rest.next() {
            if character == '\\' && self.rest.next_if(|(_, next)| *next == 'E').is_some() {
                return;
            }
            self.escaped
                .push_str(&regex_syntax::escape(character.encode_utf8(&mut [0; 4])));
        }
    }

    /// Brackets, of which the first has been taken.
    fn class(&mut self) {
        self.escaped.push('[');
        self.take_if('^');
        // A closing bracket that stands first is one of the characters.
        self.take_if(']');
        let mut before = None;
        while let Some((at, character)) = self.rest.next() {
            match character {
                ']' => {
                    self.escaped.push(']');
                    return;
                }
                '\\' => {
                    self.escaped.push('\\');
                    self.escaped.extend(self.rest.next().map(|(_, next)| next));
                }
                '[' => match named_class(self.pattern.get(at..).unwrap_or_default()) {
                    Some(name) => {
                        self.escaped.push_str(name);
                        let end = at + name.len();
                        while self.rest.next_if(|(next, _)| *next < end).is_some() {}
                    }
                    None => self.escaped.push_str("\\["),
                },
                '&' | '~' if before == Some(character) => {
                    self.escaped.push('\\');
                    self.escaped.push(character);
                }
                other => self.escaped.push(other),
            }
            before = Some(character);
        }
    }

    fn take_if(&mut self, wanted: char) {
        if self.rest.next_if(|(_, next)| *next == wanted).is_some() {
            self.escaped.push(wanted);
        }
    }
}

/// Whether the text begins with a repetition such as `{2}`, `{2,}` or `{2,3}`.
fn repeats(text: &str) -> bool {
    let Some((bounds, _)) = text.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
        return false;
    };
    let (least, most) = bounds.split_once(',').unwrap_or((bounds, ""));
    let is_number = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    !least.is_empty() && is_number(least) && is_number(most)
}

/// `[:alpha:]`, when the text begins with one.
fn named_class(text: &str) -> Option<&str> {
    let end = text.strip_prefix("[:")?.find(":]")? + "[:".len() + ":]".len();
    let name = text.get(..end)?;
    let letters = name.get(2..end - 2)?.trim_start_matches('^');
    letters
        .bytes()
        .all(|letter| letter.is_ascii_lowercase())
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_brackets_are_characters() {
        for (pattern, escaped) in [
            ("[[a]", "[\\[a]"),
            ("[a[bc]]", "[a\\[bc]]"),
            ("[]a[]", "[]a\\[]"),
            ("[^][a]", "[^]\\[a]"),
            ("[a&&b~~c]", "[a&\\&b~\\~c]"),
            ("[&&&]", "[&\\&\\&]"),
            ("[[:alpha:][:^digit:]x[:]", "[[:alpha:][:^digit:]x\\[:]"),
            ("[\\]&&]", "[\\]&\\&]"),
            ("a&&b~~", "a&&b~~"),
        ] {
            assert_eq!(escape(pattern), escaped, "{pattern}");
        }
    }

    #[test]
    fn braces_that_repeat_nothing_are_characters() {
        for (pattern, escaped) in [
            ("a{,3}", "a\\{,3}"),
            ("a{1, 2}", "a\\{1, 2}"),
            ("x{2", "x\\{2"),
            ("{{name}}", "\\{\\{name}}"),
            ("a{2}b{2,}c{2,3}", "a{2}b{2,}c{2,3}"),
            ("\\pL\\p{Greek}", "\\pL\\p{Greek}"),
        ] {
            assert_eq!(escape(pattern), escaped, "{pattern}");
        }
    }

    #[test]
    fn quotations_are_characters() {
        assert_eq!(escape("\\Qa.b\\E+"), "a\\.b+");
        assert_eq!(escape("\\Q[\\"), "\\[\\\\");
        assert_eq!(escape("a\\\\Q"), "a\\\\Q");
    }
}
