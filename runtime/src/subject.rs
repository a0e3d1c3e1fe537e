//! Subjects made from data: an interpolated value can never become more than one token.

use std::sync::Arc;

/// A complete subject. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject(Arc<str>);

impl Subject {
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

/// Writes one subject from constant text and interpolated values.
#[derive(Clone, Debug, Default)]
pub struct SubjectWriter {
    buffer: String,
}

impl SubjectWriter {
    /// Appends constant text of the flow, dots included, as it is.
    pub fn literal(&mut self, text: &str) {
        todo!()
    }

    /// Appends a value as one token (or a piece of one, next to other text), percent-encoded.
    pub fn token(&mut self, value: impl AsRef<[u8]>) {
        todo!()
    }

    /// Appends a value whose dots separate tokens (`tokens(x)`).
    pub fn tokens(&mut self, value: impl AsRef<[u8]>) {
        todo!()
    }
}
