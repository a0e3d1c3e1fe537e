//! Cuts a scanned text into items, and finds brackets that do not match.
//!
//! In: tokens. Out: one [`Slice`] per item, in the order of the text. An item ends at its `;`; where that is
//! missing, it ends before something that can only begin another item. So a mistake in one item never hides the
//! next one, and the grammar only ever sees texts whose brackets balance and do not nest too deeply.

mod block;

use std::ops::Range;

use super::brackets::Brackets;
use super::error::SyntaxError;
use super::scan::{Bracket, Scan, Token, TokenKind};
use crate::span::{Name, Span, Spanned};

/// The text of one item.
#[derive(Debug)]
pub(super) struct Slice {
    /// The `///` lines before it.
    pub(super) docs: Vec<Name>,
    /// From its first token to its last, the `;` left out.
    pub(super) span: Span,
    /// Where its `;` stands, if it is there.
    pub(super) semicolon: Option<Span>,
    /// Whether a mistake in it was reported that leaves nothing to parse.
    pub(super) broken: bool,
    /// Its keyword when it is an item that this version does not compile.
    pub(super) unsupported: Option<Name>,
    /// Its braces when it is a `template` or a `for` with braces.
    pub(super) block: Option<Block>,
}

/// An item with other items in braces.
#[derive(Debug)]
pub(super) struct Block {
    /// What stands before the braces.
    pub(super) head: Span,
    /// What stands in them.
    pub(super) items: Vec<Slice>,
}

/// Items of the language that this version only recognises; `true` for those that end with a block, not a `;`.
const UNSUPPORTED: [(&str, bool); 7] = [
    ("test", true),
    ("type", false),
    ("function", false),
    ("serve", false),
    ("observe", false),
    ("stream", false),
    ("include", false),
];

/// How far behind a `;` inside brackets the closing brackets are looked for, in tokens. A bound keeps hostile texts
/// linear; a block with that much behind a stray `;` only gets a less exact message.
const LOOKAHEAD: usize = 256;

/// Cuts `scan` into items and adds what is wrong with their brackets to `errors`.
pub(super) fn outline(text: &str, scan: &mut Scan, errors: &mut Vec<SyntaxError>) -> Vec<Slice> {
    let docs = std::mem::take(&mut scan.docs);
    let mut outliner = Outliner {
        text,
        tokens: &scan.tokens,
        unfinished: &scan.unfinished,
        at: 0,
        inside: false,
        errors,
        docs: docs.into_iter().peekable(),
    };
    let mut slices = Vec::new();
    let mut loose = Vec::new();
    while outliner.skip_strays() {
        slices.push(outliner.slice(&mut loose));
    }
    loose.extend(outliner.docs);
    scan.add_comments(loose);
    slices
}

struct Outliner<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Where strings and comments begin that do not end.
    unfinished: &'a [u32],
    at: usize,
    /// Whether the items here stand in the braces of another.
    inside: bool,
    errors: &'a mut Vec<SyntaxError>,
    docs: std::iter::Peekable<std::vec::IntoIter<Name>>,
}

impl Outliner<'_> {
    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    fn text(&self, index: usize) -> &str {
        self.tokens
            .get(index)
            .map_or("", |token| super::slice(self.text, token.span))
    }

    fn is_word(&self, index: usize) -> bool {
        self.kind(index) == Some(TokenKind::Word)
    }

    /// Reports tokens between items that belong to none, neighbours together; whether an item follows.
    fn skip_strays(&mut self) -> bool {
        let first = self.at;
        let mut closes = false;
        while let Some(token) = self.tokens.get(self.at) {
            let closer = matches!(token.kind, TokenKind::Close(_));
            if (!closer && self.text(self.at) != ";") || self.closes_block(token.kind) {
                break;
            }
            closes |= closer;
            self.at += 1;
        }
        if self.at > first {
            let token = Spanned::new(self.text(first).to_owned(), self.span_of(&(first..self.at)));
            self.errors.push(SyntaxError::Stray { token, closes });
        }
        self.at < self.tokens.len()
    }

    /// Takes the tokens of one item; doc comments inside it go to `loose`.
    fn slice(&mut self, loose: &mut Vec<Name>) -> Slice {
        if let Some(slice) = self.block(loose) {
            return slice;
        }
        let first = self.at;
        let docs = self.docs_before(first);
        let unsupported = self.unsupported();
        let has_body = unsupported.as_ref().is_some_and(|(_, body)| *body);
        let known_errors = self.errors.len();
        let (end, balanced) = self.find_end(has_body);
        let span = self.span_of(&(first..end));
        let semicolon = self
            .tokens
            .get(end)
            .filter(|_| self.at > end)
            .map(|token| token.span);
        let item_end = semicolon.map_or(span.end, |semicolon| semicolon.end);
        while let Some(doc) = self.docs.next_if(|doc| doc.span.start < item_end) {
            loose.push(doc);
        }
        let next = self
            .tokens
            .get(self.at)
            .map_or(u32::MAX, |next| next.span.start);
        let cut_short =
            self.has_unfinished(span.start..semicolon.map_or(next, |semicolon| semicolon.end));
        if cut_short {
            // What a string swallowed leaves brackets open; the string is reported already.
            self.errors.truncate(known_errors);
        }
        let unsupported = unsupported.map(|(keyword, _)| keyword);
        Slice {
            docs,
            span,
            semicolon,
            broken: cut_short || !balanced,
            unsupported,
            block: None,
        }
    }

    /// Whether a string or comment that does not end begins in this range of the text.
    fn has_unfinished(&self, range: Range<u32>) -> bool {
        let from = self.unfinished.partition_point(|at| *at < range.start);
        self.unfinished.get(from).is_some_and(|at| *at < range.end)
    }

    /// Whether a token is a string that swallowed the `;` at the end of its line: the item most likely ends there.
    fn swallows_end(&self, token: Token) -> bool {
        token.kind == TokenKind::String
            && super::slice(self.text, token.span)
                .trim_end()
                .ends_with(';')
            && self.has_unfinished(token.span.start..token.span.end)
    }

    fn docs_before(&mut self, first: usize) -> Vec<Name> {
        let start = self.tokens.get(first).map_or(0, |token| token.span.start);
        let mut docs = Vec::new();
        while let Some(doc) = self.docs.next_if(|doc| doc.span.start < start) {
            docs.push(doc);
        }
        docs
    }

    fn span_of(&self, tokens: &Range<usize>) -> Span {
        let first = self
            .tokens
            .get(tokens.start)
            .map_or_else(Span::default, |token| token.span);
        let last = tokens
            .end
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last));
        last.map_or(first, |last| first.to(last.span))
    }

    /// The keyword of an unsupported item that begins here, and whether the item ends with a block.
    fn unsupported(&self) -> Option<(Name, bool)> {
        let word = self.text(self.at);
        let (_, body) = UNSUPPORTED.iter().find(|(keyword, _)| *keyword == word)?;
        let follows = matches!(
            self.kind(self.at + 1),
            Some(TokenKind::Word | TokenKind::String)
        );
        let token = self.tokens.get(self.at).filter(|_| follows)?;
        Some((Spanned::new(word.to_owned(), token.span), *body))
    }

    /// Walks to the end of the item: the index behind its last token, and whether its brackets are sound. The `;`,
    /// if there is one, is stepped over.
    fn find_end(&mut self, has_body: bool) -> (usize, bool) {
        let first = self.at;
        let mut brackets = Brackets::default();
        let mut stopped_by = None;
        while let Some(token) = self.tokens.get(self.at).copied() {
            let depth = brackets.depth();
            let next_item =
                self.at > first + 1 && !has_body && self.begins_item(self.at, depth == 0);
            let block_ends = depth == 0 && self.closes_block(token.kind);
            let semicolon = self.text(self.at) == ";" && self.ends_item(depth, has_body);
            if next_item || block_ends || semicolon {
                stopped_by = Some(token.span);
                break;
            }
            brackets.see(token, self.errors);
            self.at += 1;
            let body_ends =
                has_body && brackets.depth() == 0 && token.kind == TokenKind::Close(Bracket::Curly);
            if body_ends || self.swallows_end(token) {
                break;
            }
        }
        let end = self.at;
        if self.text(end) == ";" {
            self.at += 1;
        }
        (end, brackets.finish(stopped_by, self.errors))
    }

    /// Whether a `;` inside `depth` brackets ends the item.
    fn ends_item(&self, depth: usize, has_body: bool) -> bool {
        depth == 0 || !(has_body || self.closes_later(depth))
    }

    /// Whether the brackets that are open at a `;` close before the next item begins: then the `;` is a slip for a
    /// comma, and not the end of an item with a bracket left open.
    fn closes_later(&self, open: usize) -> bool {
        let mut depth = open;
        for index in self.at + 1..self.at + LOOKAHEAD {
            let fresh = index > 0 && self.text(index - 1) == ";" && self.begins_chain(index);
            match self.kind(index) {
                None => return false,
                Some(_) if fresh || self.begins_declaration(index) => return false,
                Some(TokenKind::Open(_)) => depth += 1,
                Some(TokenKind::Close(_)) if depth == 1 => return true,
                Some(TokenKind::Close(_)) => depth -= 1,
                Some(_) => {}
            }
        }
        false
    }

    /// Whether the token can only begin another item.
    fn begins_item(&self, index: usize, outside: bool) -> bool {
        if self.begins_declaration(index) {
            return true;
        }
        // `word word =` begins an item even when its keyword is misspelt, but inside brackets it can also be an
        // option without a comma before it.
        let misspelt = self.is_word(index)
            && self.is_word(index + 1)
            && self.text(index + 2) == "="
            && self.text(index) != "in"
            && self.text(index + 1) != "in";
        outside && (misspelt || (self.starts_line_after_operand(index) && self.begins_chain(index)))
    }

    /// Whether a keyword and what must follow it stand here.
    fn begins_declaration(&self, index: usize) -> bool {
        let (next, third) = (index + 1, self.text(index + 2));
        if !self.is_word(index)
            || index
                .checked_sub(1)
                .is_some_and(|before| self.text(before) == ".")
        {
            return false;
        }
        match self.text(index) {
            "const" | "predicate" | "connection" | "sink" | "stage" | "type" => {
                self.is_word(next) && third == "="
            }
            "source" => self.is_word(next) && matches!(third, "=" | ":"),
            "config" => self.is_word(next) && third == ":",
            "template" | "function" => self.is_word(next) && third == "(",
            "serve" => self.is_word(next) && third == "{",
            "for" => self.is_word(next) && third == "in",
            "test" | "include" => self.kind(next) == Some(TokenKind::String),
            _ => false,
        }
    }

    /// `name ->` or `name.signal ->`
    fn begins_chain(&self, index: usize) -> bool {
        let after_name = self.text(index + 1);
        let signal = after_name == "." && self.is_word(index + 2) && self.text(index + 3) == "->";
        self.is_word(index) && (after_name == "->" || signal)
    }

    /// Whether the token is the first of its line and the one before it ends a value: two values side by side are
    /// never right, and on two lines they are two items.
    fn starts_line_after_operand(&self, index: usize) -> bool {
        let Some(before) = index
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
        else {
            return false;
        };
        let here = self.tokens.get(index).map_or(0, |token| token.span.start);
        let between = self
            .text
            .get(before.span.end as usize..here as usize)
            .unwrap_or("");
        before.ends_operand() && between.contains('\n')
    }
}
