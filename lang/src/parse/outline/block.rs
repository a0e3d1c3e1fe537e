//! Items with other items in braces: `template` and `for`.
//!
//! In: tokens, at the first of an item. Out: one [`Slice`] with the slices of the items inside. They nest one deep,
//! so a mistake inside costs the item that it stands in and neither the braces nor what follows them.

use super::{Block, Outliner, Slice};
use crate::parse::error::SyntaxError;
use crate::parse::scan::{Bracket, TokenKind};
use crate::span::{Name, Spanned};

impl Outliner<'_> {
    /// Whether a token closes the braces around the items here.
    pub(super) fn closes_block(&self, kind: TokenKind) -> bool {
        self.inside && kind == TokenKind::Close(Bracket::Curly)
    }

    /// The item that begins here when it has items in braces.
    pub(super) fn block(&mut self, loose: &mut Vec<Name>) -> Option<Slice> {
        let first = self.at;
        let opening = self.opening(first)?;
        let docs = self.docs_before(first);
        if self.inside {
            return self.nested(docs, loose);
        }
        self.docs_to(opening, loose);
        self.inside = true;
        self.at = opening + 1;
        let mut items = Vec::new();
        while self.skip_strays()
            && self
                .kind(self.at)
                .is_some_and(|kind| !self.closes_block(kind))
        {
            items.push(self.slice(loose));
        }
        self.docs_to(self.at, loose);
        let closed = self.at < self.tokens.len();
        if closed {
            self.at += 1;
        } else {
            self.unclosed(opening);
        }
        self.inside = false;
        Some(Slice {
            docs,
            span: self.span_of(&(first..self.at)),
            semicolon: None,
            broken: false,
            unsupported: None,
            block: Some(Block {
                head: self.span_of(&(first..opening)),
                items,
            }),
        })
    }

    /// An item with braces in braces, which is passed over as a whole.
    fn nested(&mut self, docs: Vec<Name>, loose: &mut Vec<Name>) -> Option<Slice> {
        let first = self.at;
        let keyword = Spanned::new(self.text(first).to_owned(), self.tokens.get(first)?.span);
        self.errors.push(SyntaxError::NestedBlock { keyword });
        let (end, _) = self.find_end(true);
        self.docs_to(self.at, loose);
        Some(Slice {
            docs,
            span: self.span_of(&(first..end)),
            semicolon: None,
            broken: true,
            unsupported: None,
            block: None,
        })
    }

    /// The index of the brace behind the head of a `template` or `for` that begins at `first`.
    fn opening(&self, first: usize) -> Option<usize> {
        let keyword = match self.text(first) {
            "template" => self.is_word(first + 1) || self.text(first + 1) == "(",
            "for" => self.is_word(first + 1),
            _ => false,
        };
        if !keyword {
            return None;
        }
        for index in first + 1..self.tokens.len() {
            match self.kind(index)? {
                // No head has braces, so this is the one, also where a bracket before it is not closed.
                TokenKind::Open(Bracket::Curly) => return Some(index),
                _ if self.text(index) == ";" || self.begins_declaration(index) => return None,
                _ => {}
            }
        }
        None
    }

    /// Documentation before the token at `index` that belongs to no item.
    fn docs_to(&mut self, index: usize, loose: &mut Vec<Name>) {
        let start = self
            .tokens
            .get(index)
            .map_or(u32::MAX, |token| token.span.start);
        while let Some(doc) = self.docs.next_if(|doc| doc.span.start < start) {
            loose.push(doc);
        }
    }

    fn unclosed(&mut self, opening: usize) {
        if let Some(token) = self.tokens.get(opening) {
            self.errors.push(SyntaxError::UnclosedBracket {
                bracket: Bracket::Curly,
                opener: token.span,
                before: None,
            });
        }
    }
}
