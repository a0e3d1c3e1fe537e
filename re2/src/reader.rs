//! The pattern and how far it has been read.

use crate::{Fault, Problem};

pub(crate) struct Reader<'p> {
    pattern: &'p str,
    offset: usize,
}

impl<'p> Reader<'p> {
    pub(crate) fn new(pattern: &'p str) -> Self {
        Self { pattern, offset: 0 }
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'p str {
        self.pattern.get(self.offset..).unwrap_or_default()
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.offset += character.len_utf8();
        Some(character)
    }

    /// Reads `text` if it comes next.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.offset += text.len();
        }
        found
    }

    /// Reads up to `end`, which is read too but not returned. Nothing is read without an `end`.
    pub(crate) fn take_until(&mut self, end: &str) -> Option<&'p str> {
        let (before, _) = self.rest().split_once(end)?;
        self.offset += before.len() + end.len();
        Some(before)
    }

    /// Reads everything.
    pub(crate) fn take_rest(&mut self) -> &'p str {
        let rest = self.rest();
        self.offset = self.pattern.len();
        rest
    }

    /// Reads decimal digits. Numbers with leading zeros are none, as in RE2.
    pub(crate) fn take_number(&mut self) -> Option<u32> {
        let rest = self.rest();
        let end = rest
            .find(|character: char| !character.is_ascii_digit())
            .unwrap_or(rest.len());
        let digits = rest.get(..end)?;
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
            return None;
        }
        self.offset += end;
        Some(digits.parse().unwrap_or(u32::MAX))
    }

    /// Goes back to where `offset` was read.
    pub(crate) fn go_back(&mut self, offset: usize) {
        self.offset = offset;
    }

    /// A problem with what starts at `offset`.
    pub(crate) fn fault(&self, problem: Problem, offset: usize) -> Fault {
        Fault { problem, offset }
    }
}
