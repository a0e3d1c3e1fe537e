//! Keeps count of open brackets and reports those that do not match.

use super::MAX_NESTING;
use super::error::SyntaxError;
use super::scan::{Bracket, Token, TokenKind};
use crate::span::{Span, Spanned};

/// The brackets that are open at some place of an item.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    open: Vec<(Bracket, Span)>,
    faulty: bool,
}

impl Brackets {
    /// How many are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Takes a token into account, if it is a bracket.
    pub(super) fn see(&mut self, token: Token, errors: &mut Vec<SyntaxError>) {
        match token.kind {
            TokenKind::Open(bracket) => self.open(bracket, token.span, errors),
            TokenKind::Close(bracket) => self.close(bracket, token.span, errors),
            _ => {}
        }
    }

    /// Ends the item, `before` something that shows that it ends; whether all its brackets were sound.
    pub(super) fn finish(self, before: Option<Span>, errors: &mut Vec<SyntaxError>) -> bool {
        // One report an item: a bracket that was closed wrongly leaves others open that are right.
        if let Some((bracket, opener)) = self.open.last().copied().filter(|_| !self.faulty) {
            errors.push(SyntaxError::UnclosedBracket {
                bracket,
                opener,
                before,
            });
        }
        self.open.is_empty() && !self.faulty
    }

    fn open(&mut self, bracket: Bracket, opener: Span, errors: &mut Vec<SyntaxError>) {
        self.open.push((bracket, opener));
        if self.open.len() > MAX_NESTING && !self.faulty {
            errors.push(SyntaxError::NestedTooDeeply { opener });
            self.faulty = true;
        }
    }

    fn close(&mut self, bracket: Bracket, closer: Span, errors: &mut Vec<SyntaxError>) {
        let partner = self.open.iter().rposition(|(opened, _)| *opened == bracket);
        let Some(partner) = partner else {
            if !self.faulty {
                let token = Spanned::new(bracket.closer().to_owned(), closer);
                errors.push(SyntaxError::Stray {
                    token,
                    closes: true,
                });
            }
            self.faulty = true;
            return;
        };
        if let Some((bracket, opener)) = self.open.get(partner + 1).copied() {
            errors.push(SyntaxError::UnclosedBracket {
                bracket,
                opener,
                before: Some(closer),
            });
            self.faulty = true;
        }
        self.open.truncate(partner);
    }
}

/// Whether all brackets of `tokens` match and none nests too deeply.
pub(super) fn match_in(tokens: &[Token], errors: &mut Vec<SyntaxError>) -> bool {
    let mut brackets = Brackets::default();
    for token in tokens {
        brackets.see(*token, errors);
    }
    brackets.finish(None, errors)
}
