//! Forms of CEL that Rust's lexer refuses or takes apart, written so that both read the same.
//!
//! In: the tokens of a text without mistakes of syntax. Out: tokens with the same meaning.
//!
//! | written | becomes | because |
//! | --- | --- | --- |
//! | ``m.`a-b` `` | `m["a-b"]` | Rust knows no backticks |
//! | ``m.?`a-b` `` | `m[?"a-b"]` | |
//! | ``m.`word` `` | `m.word` | the backticks are not needed |
//! | ``has(m.`a-b`)`` | `m[?"a-b"].hasValue()` | `has` takes no index |
//! | ``has(log.attributes.`a-b`)`` | `"a-b" in log.attributes`, in parentheses where it must be | the same, as people write it |
//! | `.5`, `. 5` | `0.5` | Rust sees two tokens |
//!
//! `in` stands only for what is certainly a map: in a list it looks for an element, where `has` is an error.
//! `hasValue` and `has` are true, false and errors for the same operands, optional ones too. (The checker refuses the
//! key of text that either form has where it knows the keys to be numbers.)
//!
//! A field of a record in backticks that is no word has no other form and stays.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::tokens::Raw;
use crate::parse::build::SYNTAX_WORDS;
use crate::parse::scan::{Bracket, TokenKind};

/// What has attributes, as flows call it; no item can have one of these names.
const ROOTS: [&str; 5] = ["resource", "scope", "log", "span", "datapoint"];

/// What becomes of a token.
#[derive(Clone, Debug)]
enum Mark {
    Keep,
    LeaveOut,
    Become(Vec<(String, TokenKind)>),
}

/// Rewrites every form of the table.
pub(super) fn rewrite(raw: Vec<Raw<'_>>) -> Vec<Raw<'_>> {
    let mut rewriter = Rewriter {
        partners: partners(&raw),
        marks: vec![Mark::Keep; raw.len()],
        variables: variables(&raw),
        raw: &raw,
    };
    for index in 0..raw.len() {
        rewriter.has(index);
    }
    for index in 0..raw.len() {
        rewriter.backticked(index);
        rewriter.fraction(index);
    }
    let marks = rewriter.marks;
    apply(raw, marks)
}

/// For each opening bracket the index of the one that closes it.
fn partners(raw: &[Raw<'_>]) -> Vec<usize> {
    let mut partners = vec![0; raw.len()];
    let mut open = Vec::new();
    for (index, token) in raw.iter().enumerate() {
        if token.opens() {
            open.push(index);
        } else if token.closes()
            && let Some(partner) = open.pop().and_then(|opener| partners.get_mut(opener))
        {
            *partner = index;
        }
    }
    partners
}

/// The names that may be variables of macros: words between a bracket or a comma and a comma.
fn variables<'r>(raw: &'r [Raw<'_>]) -> BTreeSet<&'r str> {
    let named = raw.windows(3).filter_map(|window| match window {
        [before, name, behind] if (before.is("(") || before.is(",")) && behind.is(",") => {
            Some(&*name.text)
        }
        _ => None,
    });
    named.collect()
}

fn apply<'a>(raw: Vec<Raw<'a>>, marks: Vec<Mark>) -> Vec<Raw<'a>> {
    let mut kept = Vec::with_capacity(raw.len());
    let mut left_out: Option<Raw<'a>> = None;
    for (mut token, mark) in raw.into_iter().zip(marks) {
        if let Some(before) = left_out.take() {
            token.take_gap_of(before);
        }
        match mark {
            Mark::Keep => kept.push(token),
            Mark::LeaveOut => left_out = Some(token),
            Mark::Become(texts) => {
                let mut texts = texts.into_iter();
                if let Some((text, kind)) = texts.next() {
                    token.text = Cow::Owned(text);
                    token.kind = Some(kind);
                }
                kept.push(token);
                kept.extend(texts.map(|(text, kind)| Raw::made(Cow::Owned(text), kind)));
            }
        }
    }
    kept
}

struct Rewriter<'r, 'a> {
    raw: &'r [Raw<'a>],
    partners: Vec<usize>,
    marks: Vec<Mark>,
    variables: BTreeSet<&'r str>,
}

impl Rewriter<'_, '_> {
    fn is(&self, index: usize, text: &str) -> bool {
        self.raw.get(index).is_some_and(|token| token.is(text))
    }

    fn is_before(&self, index: usize, text: &str) -> bool {
        index
            .checked_sub(1)
            .is_some_and(|before| self.is(before, text))
    }

    fn mark(&mut self, index: usize, mark: Mark) {
        if let Some(slot) = self.marks.get_mut(index) {
            *slot = mark;
        }
    }

    fn partner(&self, opener: usize) -> usize {
        self.partners.get(opener).copied().unwrap_or(0)
    }

    /// The field in backticks at `index`, if it is no word.
    fn odd_field(&self, index: usize) -> Option<String> {
        let token = self.raw.get(index)?;
        let name = token.text.trim_matches('`');
        let odd = token.kind == Some(TokenKind::Backticked) && !is_plain(name);
        odd.then(|| name.to_owned())
    }

    /// `m.field` with a field in backticks.
    fn backticked(&mut self, index: usize) {
        let Some(token) = self.raw.get(index) else {
            return;
        };
        if token.kind != Some(TokenKind::Backticked) || !self.is_kept(index) {
            return;
        }
        let Some(name) = self.odd_field(index) else {
            let name = token.text.trim_matches('`').to_owned();
            self.mark(index, Mark::Become(vec![(name, TokenKind::Word)]));
            return;
        };
        let optional = self.is_before(index, "?");
        let dot = index.checked_sub(if optional { 2 } else { 1 });
        let Some(dot) = dot.filter(|dot| self.is(*dot, ".")) else {
            return;
        };
        self.mark(dot, Mark::Become(vec![open("[", Bracket::Square)]));
        self.mark(
            index,
            Mark::Become(vec![key(&name), close("]", Bracket::Square)]),
        );
    }

    fn is_kept(&self, index: usize) -> bool {
        matches!(self.marks.get(index), Some(Mark::Keep))
    }

    /// `.5`: a point before a number is part of it.
    fn fraction(&mut self, index: usize) {
        let Some(number) = self.raw.get(index) else {
            return;
        };
        if number.kind == Some(TokenKind::Number) && self.is_before(index, ".") {
            let text = format!("0.{}", number.text);
            self.mark(index - 1, Mark::LeaveOut);
            self.mark(index, Mark::Become(vec![(text, TokenKind::Number)]));
        }
    }

    /// `has(m.field)` with a field in backticks that is no word.
    fn has(&mut self, index: usize) {
        if !self.is(index, "has") || !self.is(index + 1, "(") || self.is_before(index, ".") {
            return;
        }
        let closer = self.partner(index + 1);
        let mut argument = index + 2..closer;
        // Parentheses around the whole argument change nothing.
        while self.is(argument.start, "(") && self.partner(argument.start) + 1 == argument.end {
            argument = argument.start + 1..argument.end - 1;
        }
        let Some(field) = argument
            .end
            .checked_sub(1)
            .filter(|last| *last > argument.start)
        else {
            return;
        };
        let Some(name) = self.odd_field(field).filter(|_| self.is_before(field, ".")) else {
            return;
        };
        let operand = argument.start..field - 1;
        if !self.is_chain(operand.clone()) {
            return;
        }
        for left_out in (index + 2..argument.start).chain(argument.end..closer) {
            self.mark(left_out, Mark::LeaveOut);
        }
        if self.is_attributes(operand) {
            self.key_in_map(index, field, closer, &name);
        } else {
            self.has_value(index, argument.start, field, closer, &name);
        }
    }

    /// `"name" in operand`
    fn key_in_map(&mut self, index: usize, field: usize, closer: usize, name: &str) {
        let needed = self.needs_parentheses(index, closer);
        let has = if needed {
            vec![open("(", Bracket::Round), key(name)]
        } else {
            vec![key(name)]
        };
        self.mark(index, Mark::Become(has));
        self.mark(
            index + 1,
            Mark::Become(vec![("in".to_owned(), TokenKind::Word)]),
        );
        self.mark(field - 1, Mark::LeaveOut);
        self.mark(field, Mark::LeaveOut);
        self.mark(closer, if needed { Mark::Keep } else { Mark::LeaveOut });
    }

    /// `operand[?"name"].hasValue()`; the parentheses of `has` keep signs before it off a number.
    fn has_value(&mut self, index: usize, operand: usize, field: usize, closer: usize, name: &str) {
        self.mark(index, Mark::LeaveOut);
        if !self.begins_number(operand) {
            self.mark(index + 1, Mark::LeaveOut);
            self.mark(closer, Mark::LeaveOut);
        }
        self.mark(field - 1, Mark::Become(vec![open("[", Bracket::Square)]));
        let sign = |text: &str| (text.to_owned(), TokenKind::Punctuation);
        let index_of = vec![sign("?"), key(name), close("]", Bracket::Square)];
        let call = [
            sign("."),
            ("hasValue".to_owned(), TokenKind::Word),
            open("(", Bracket::Round),
            close(")", Bracket::Round),
        ];
        self.mark(
            field,
            Mark::Become(index_of.into_iter().chain(call).collect()),
        );
    }

    /// Whether the operand is the attributes of something, which are a map whatever the data holds.
    fn is_attributes(&self, operand: Range<usize>) -> bool {
        let Some([root, dot, field]) = self.raw.get(operand) else {
            return false;
        };
        ROOTS.contains(&&*root.text)
            && !self.variables.contains(&*root.text)
            && dot.is(".")
            && field.is("attributes")
    }

    /// Whether the operand is a chain of fields, calls and indices.
    fn is_chain(&self, operand: Range<usize>) -> bool {
        let mut at = operand.start;
        while let Some(token) = self.raw.get(at).filter(|_| at < operand.end) {
            let known = match token.kind {
                Some(TokenKind::Open(_)) => {
                    at = self.partner(at).max(at);
                    true
                }
                Some(TokenKind::Punctuation) => {
                    let marked = self.is(at, "?") && self.is_before(at, ".");
                    marked || self.is(at, ".") || self.is_sign(at, &operand)
                }
                Some(_) => !self.is(at, "in"),
                None => false,
            };
            if !known {
                return false;
            }
            at += 1;
        }
        true
    }

    /// Whether the token is the sign of a number at the start of an operand.
    fn is_sign(&self, index: usize, operand: &Range<usize>) -> bool {
        index == operand.start && self.is(index, "-") && self.begins_number(index + 1)
    }

    /// Whether a number may begin here, with or without a sign.
    fn begins_number(&self, index: usize) -> bool {
        let number = self.raw.get(index);
        let number = number.is_some_and(|token| token.kind == Some(TokenKind::Number));
        number || self.is(index, "-") || self.is(index, ".")
    }

    /// Whether `a in b` in place of the tokens from `first` to `last` would be read differently without parentheses.
    fn needs_parentheses(&self, first: usize, last: usize) -> bool {
        const BEFORE: [&str; 9] = ["(", "[", "{", ",", "&&", "||", "?", ":", "="];
        const BEHIND: [&str; 10] = [")", "]", "}", ",", ";", "&&", "||", "?", ":", "=>"];
        let before = BEFORE.iter().any(|text| self.is_before(first, text));
        let behind = BEHIND.iter().any(|text| self.is(last + 1, text));
        !(before && behind)
    }
}

fn is_plain(name: &str) -> bool {
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let word = |next: char| next.is_ascii_alphanumeric() || next == '_';
    begins && name.chars().all(word) && !SYNTAX_WORDS.contains(&name)
}

fn key(name: &str) -> (String, TokenKind) {
    (format!("\"{name}\""), TokenKind::String)
}

fn open(text: &str, bracket: Bracket) -> (String, TokenKind) {
    (text.to_owned(), TokenKind::Open(bracket))
}

fn close(text: &str, bracket: Bracket) -> (String, TokenKind) {
    (text.to_owned(), TokenKind::Close(bracket))
}
