//! Subjects made from data (delivery rules, section 5): an interpolated value is exactly one token, whatever
//! it contains, so data can neither choose another subject nor reach the server's own.

use std::borrow::Borrow;
use std::sync::Arc;

use crate::select::RejectReason;

/// Most bytes of one token.
const MAX_TOKEN: usize = 128;

/// Most bytes of a subject.
const MAX_SUBJECT: usize = 1024;

/// A complete subject. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject(Arc<str>);

impl Subject {
    /// A subject that is written already.
    pub fn new(subject: &str) -> Self {
        Self(subject.into())
    }

    /// The subject as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Subject {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Writes one subject from constant text and interpolated values.
///
/// Values are percent-encoded: `.`, `%`, `*`, `>`, white space, controls and bytes that are not UTF-8; other
/// text stays as it is. An empty value becomes `%`, which no other value encodes to. So different values
/// give different tokens.
#[derive(Clone, Debug, Default)]
pub struct SubjectWriter {
    subject: String,
    /// The value that was too long to be written at all.
    refused: Option<RejectReason>,
}

impl SubjectWriter {
    /// Appends constant text of the flow as it is, dots included.
    pub fn literal(&mut self, text: &str) {
        self.subject.push_str(text);
    }

    /// Appends a value as one token, or as a piece of the token that it stands in.
    pub fn token(&mut self, value: impl AsRef<[u8]>) {
        let value = value.as_ref();
        if value.len() > MAX_TOKEN {
            self.refused.get_or_insert(RejectReason::TokenTooLong);
            return;
        }
        self.encode(value);
    }

    /// Appends a value whose dots separate tokens (`tokens(x)` in a flow). An empty token becomes `%`.
    pub fn tokens(&mut self, value: impl AsRef<[u8]>) {
        let value = value.as_ref();
        if value.len() > MAX_SUBJECT {
            self.refused.get_or_insert(RejectReason::SubjectTooLong);
            return;
        }
        for (index, token) in value.split(|byte| *byte == b'.').enumerate() {
            if index > 0 {
                self.subject.push('.');
            }
            self.encode(token);
        }
    }

    /// Appends `value`, percent-encoded.
    fn encode(&mut self, value: &[u8]) {
        if value.is_empty() {
            self.subject.push('%');
        }
        for chunk in value.utf8_chunks() {
            for character in chunk.valid().chars() {
                if is_plain(character) {
                    self.subject.push(character);
                } else {
                    self.escape(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            self.escape(chunk.invalid());
        }
    }

    /// Appends `%` and two digits for each byte.
    fn escape(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.subject.push('%');
            for digit in [byte >> 4, byte & 0xf] {
                let digit = char::from_digit(digit.into(), 16).unwrap_or('0');
                self.subject.push(digit.to_ascii_uppercase());
            }
        }
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.subject.clear();
        self.refused = None;
    }

    /// The subject, or why there is none.
    pub(crate) fn finish(&self) -> Result<&str, RejectReason> {
        let subject = self.subject.as_str();
        if let Some(reason) = self.refused {
            return Err(reason);
        }
        if subject.len() > MAX_SUBJECT {
            return Err(RejectReason::SubjectTooLong);
        }
        if subject.starts_with('$') || subject.starts_with("_INBOX") {
            return Err(RejectReason::SubjectReserved);
        }
        check_tokens(subject)?;
        Ok(subject)
    }
}

/// Whether every token has its length and nothing that the server takes for more than a name. Values are encoded
/// when they are written; this is about constant text and configuration, which are written as they are.
fn check_tokens(subject: &str) -> Result<(), RejectReason> {
    let mut length = 0;
    for byte in subject.bytes() {
        match byte {
            b'.' if length > 0 => length = 0,
            b'.' | b'*' | b'>' | b' ' | 0..b' ' | 0x7f => return Err(RejectReason::SubjectInvalid),
            _ if length == MAX_TOKEN => return Err(RejectReason::TokenTooLong),
            _ => length += 1,
        }
    }
    let is_foreign = |character: char| character.is_whitespace() || character.is_control();
    if length > 0 && (subject.is_ascii() || !subject.contains(is_foreign)) {
        Ok(())
    } else {
        Err(RejectReason::SubjectInvalid)
    }
}

/// True for characters that stand for themselves in a token.
fn is_plain(character: char) -> bool {
    !matches!(character, '.' | '%' | '*' | '>')
        && !character.is_whitespace()
        && !character.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The subject `s.` and `value` as one token.
    fn token(value: &str) -> Result<String, RejectReason> {
        written(|writer| {
            writer.literal("s.");
            writer.token(value);
        })
    }

    fn written(write: impl FnOnce(&mut SubjectWriter)) -> Result<String, RejectReason> {
        let mut writer = SubjectWriter::default();
        write(&mut writer);
        writer.finish().map(str::to_owned)
    }

    #[test]
    fn a_value_is_exactly_one_token() {
        let cases = [
            ("checkout", "s.checkout"),
            ("a.b", "s.a%2Eb"),
            ("*", "s.%2A"),
            (">", "s.%3E"),
            ("50%", "s.50%25"),
            ("a b\tc\r\n", "s.a%20b%09c%0D%0A"),
            ("\u{0}\u{7f}", "s.%00%7F"),
            ("\u{85}\u{2003}", "s.%C2%85%E2%80%83"),
            ("größe-😀", "s.größe-😀"),
            ("", "s.%"),
            ("%", "s.%25"),
            ("$JS.API.STREAM.PURGE.T", "s.$JS%2EAPI%2ESTREAM%2EPURGE%2ET"),
        ];
        for (value, expected) in cases {
            assert_eq!(token(value).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn different_values_give_different_tokens() {
        let alphabet = ["", ".", "%", "2", "E", "%2E", " ", "a", "\u{85}", "é"];
        let mut seen = std::collections::BTreeMap::new();
        for first in alphabet {
            for second in alphabet {
                for third in alphabet {
                    let value = [first, second, third].concat();
                    let subject = token(&value).unwrap();
                    assert_eq!(subject.matches('.').count(), 1);
                    let earlier = seen.insert(subject, value.clone());
                    assert!(earlier.is_none_or(|earlier| earlier == value));
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_encoded() {
        let subject = written(|writer| writer.token([b'a', 0xff, 0xc3]));
        assert_eq!(subject.as_deref(), Ok("a%FF%C3"));
    }

    #[test]
    fn dots_separate_tokens_only_where_they_may() {
        let subject = written(|writer| writer.tokens("a.b c..d."));
        assert_eq!(subject.as_deref(), Ok("a.b%20c.%.d.%"));
        let long = written(|writer| writer.tokens(["x"; 300].join(".")));
        assert_eq!(long.map(|subject| subject.len()), Ok(599));
        let longer = written(|writer| writer.tokens(["xy"; 400].join(".")));
        assert_eq!(longer, Err(RejectReason::SubjectTooLong));
    }

    #[test]
    fn lengths_are_bounded_after_encoding() {
        assert_eq!(
            token(&"x".repeat(128)).map(|subject| subject.len()),
            Ok(130)
        );
        assert_eq!(token(&"x".repeat(129)), Err(RejectReason::TokenTooLong));
        assert_eq!(token(&".".repeat(43)), Err(RejectReason::TokenTooLong));
        assert_eq!(token(&"x".repeat(5000)), Err(RejectReason::TokenTooLong));
        let many = written(|writer| {
            (0..9).for_each(|_| {
                writer.literal("s.");
                writer.token("x".repeat(120));
                writer.literal(".");
            })
        });
        assert_eq!(many, Err(RejectReason::SubjectTooLong));
    }

    #[test]
    fn the_servers_own_subjects_are_out_of_reach() {
        for (literal, value) in [("", "$JS"), ("$", "JS"), ("_INBOX.", "x"), ("", "_INBOX")] {
            let subject = written(|writer| {
                writer.literal(literal);
                writer.token(value);
            });
            assert_eq!(subject, Err(RejectReason::SubjectReserved));
        }
    }

    #[test]
    fn constant_text_is_neither_a_wildcard_nor_empty() {
        let bad = [
            "", "*", "a*", ">", "a b", "\t", "\u{0}", "\u{7f}", "\u{85}", "\u{2003}", ".a", "a.",
            "a..b",
        ];
        for literal in bad {
            let subject = written(|writer| {
                writer.literal("s.");
                writer.literal(literal);
            });
            assert_eq!(subject, Err(RejectReason::SubjectInvalid), "{literal:?}");
        }
        assert_eq!(written(|_| {}), Err(RejectReason::SubjectInvalid));
        for literal in ["a", "a.b", "größe", "50%"] {
            assert!(
                written(|writer| writer.literal(literal)).is_ok(),
                "{literal:?}"
            );
        }
    }

    #[test]
    fn a_writer_begins_anew() {
        let mut writer = SubjectWriter::default();
        writer.token("x".repeat(200));
        assert!(writer.finish().is_err());
        writer.clear();
        writer.literal("a");
        assert_eq!(writer.finish(), Ok("a"));
    }
}
