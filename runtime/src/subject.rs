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
        if subject.split('.').any(|token| token.len() > MAX_TOKEN) {
            return Err(RejectReason::TokenTooLong);
        }
        if subject.starts_with('$') || subject.starts_with("_INBOX") {
            return Err(RejectReason::SubjectReserved);
        }
        Ok(subject)
    }
}

/// True for characters that stand for themselves in a token.
fn is_plain(character: char) -> bool {
    !matches!(character, '.' | '%' | '*' | '>')
        && !character.is_whitespace()
        && !character.is_control()
}
