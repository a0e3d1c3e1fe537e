//! The tokens of a file with the comments around each of them.
//!
//! In: text without mistakes of syntax. Out: [`Token`]s that are spelled as they will be printed, each with the
//! comments that stand before it and behind it. Which of two tokens a comment belongs to is decided here, and in such
//! a way that printed text is decided in the same way again:
//!
//! * a comment that ends its line, on the line of a token, belongs to that token; `,` and `;` go before it;
//! * every other comment belongs to the token that follows it; before a closing bracket it is the last thing inside.

use std::borrow::Cow;

use super::doc::{Comment, Seq};
use super::{literal, rewrite};
use crate::ast::TriviaKind;
use crate::parse::scan::{self, TokenKind};
use crate::span::{FileId, Span};

/// A token as it is printed.
#[derive(Debug)]
pub(super) struct Token<'a> {
    /// Its text; empty at the end of the file.
    pub(super) text: Cow<'a, str>,
    /// The comments before it.
    before: Vec<Comment<'a>>,
    /// The comments behind it, on its line.
    behind: Vec<Comment<'a>>,
    /// Whether an empty line stood directly before it.
    blank: bool,
}

impl<'a> Token<'a> {
    /// Whether an empty line stood before it and its comments.
    pub(super) fn follows_blank(&self) -> bool {
        self.before
            .first()
            .map_or(self.blank, |comment| comment.blank)
    }

    /// Whether comments stand before it.
    pub(super) const fn has_comments_before(&self) -> bool {
        !self.before.is_empty()
    }

    /// Moves the comments before it to `seq`.
    pub(super) fn print_before(&mut self, seq: &mut Seq<'a>) {
        let ends_line = self.before.last().is_some_and(|last| last.ends_line);
        for comment in self.before.drain(..) {
            seq.comment(comment);
        }
        if ends_line && self.blank {
            seq.blank();
        }
    }

    /// Moves the token and the comments behind it to `seq`.
    pub(super) fn print(&mut self, seq: &mut Seq<'a>) {
        seq.text(std::mem::take(&mut self.text));
        for comment in self.behind.drain(..) {
            seq.comment(comment);
        }
    }
}

/// A token with everything that stands between it and the one before.
#[derive(Debug)]
pub(super) struct Raw<'a> {
    /// Its text.
    pub(super) text: Cow<'a, str>,
    /// What it is; `None` for the end of the file.
    pub(super) kind: Option<TokenKind>,
    /// The comments between the token before it and this one.
    gap: Vec<RawComment<'a>>,
    space: Space,
}

impl<'a> Raw<'a> {
    /// A token that was not written, behind one that was.
    pub(super) const fn made(text: Cow<'a, str>, kind: TokenKind) -> Self {
        Self {
            text,
            kind: Some(kind),
            gap: Vec::new(),
            space: Space {
                line_end: false,
                blank: false,
            },
        }
    }

    /// Takes over what stood before a token that is left out, and the comments before that.
    pub(super) fn take_gap_of(&mut self, left_out: Self) {
        let mut gap = left_out.gap;
        let ends = gap.last().is_some_and(|comment| comment.is_line) || left_out.space.line_end;
        match self.gap.first_mut() {
            Some(first) => first.space.line_end |= ends,
            None => self.space.line_end |= ends,
        }
        gap.append(&mut self.gap);
        self.gap = gap;
    }

    /// Whether the token is this sign or word.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) const fn opens(&self) -> bool {
        matches!(self.kind, Some(TokenKind::Open(_)))
    }

    pub(super) const fn closes(&self) -> bool {
        matches!(self.kind, Some(TokenKind::Close(_)))
    }

    fn separates(&self) -> bool {
        self.is(",") || self.is(";")
    }
}

/// White space before something.
#[derive(Clone, Copy, Debug, Default)]
struct Space {
    line_end: bool,
    blank: bool,
}

impl Space {
    fn of(text: &str) -> Self {
        let line_ends = text.matches('\n').count();
        Self {
            line_end: line_ends > 0,
            blank: line_ends > 1,
        }
    }
}

#[derive(Debug)]
struct RawComment<'a> {
    text: Cow<'a, str>,
    is_line: bool,
    space: Space,
}

/// The tokens of a text; the last one is the end of the file.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut raw = rewrite::rewrite(read(text));
    raw = without_last_commas(raw);
    put_separators_first(&mut raw);
    attach(raw)
}

/// Scans the text.
fn read(text: &str) -> Vec<Raw<'_>> {
    let scan = scan::scan(FileId(0), text);
    let mut comments: Vec<(Span, bool)> = scan
        .trivia
        .iter()
        .filter(|trivia| trivia.kind != TriviaKind::BlankLine)
        .map(|trivia| (trivia.span, trivia.kind == TriviaKind::LineComment))
        .chain(scan.docs.iter().map(|doc| (doc.span, true)))
        .collect();
    comments.sort_by_key(|(span, _)| span.start);
    let mut reader = Reader { text, at: 0 };
    let mut comments = comments.into_iter().peekable();
    let mut raw = Vec::with_capacity(scan.tokens.len() + 1);
    let end = text.len();
    let spans = scan.tokens.iter().map(|token| {
        (
            Some(token.kind),
            token.span.start as usize,
            token.span.end as usize,
        )
    });
    for (kind, start, token_end) in spans.chain([(None, end, end)]) {
        let mut gap = Vec::new();
        while let Some((span, is_line)) =
            comments.next_if(|(span, _)| (span.start as usize) < start)
        {
            let space = reader.skip_to(span.start as usize);
            let text = comment_text(reader.take(span.end as usize), is_line);
            gap.push(RawComment {
                text,
                is_line,
                space,
            });
        }
        let space = reader.skip_to(start);
        let text = reader.take(token_end);
        let text = match kind {
            Some(TokenKind::String) => literal::normalise(text),
            _ => Cow::Borrowed(text),
        };
        raw.push(Raw {
            text,
            kind,
            gap,
            space,
        });
    }
    raw
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn skip_to(&mut self, start: usize) -> Space {
        Space::of(self.take(start))
    }

    fn take(&mut self, end: usize) -> &'a str {
        let text = self.text.get(self.at..end).unwrap_or("");
        self.at = end;
        text
    }
}

/// A comment as Rust's lexer reads it as a comment: `//!`, `/*!` and `/**` document something there.
fn comment_text(text: &str, is_line: bool) -> Cow<'_, str> {
    if is_line {
        let text = text.trim_end();
        return match text.strip_prefix("//!") {
            Some(rest) => Cow::Owned(format!("// {}", rest.trim_start_matches(['!', ' ']))),
            // A doc comment of Rust holds no carriage return.
            None if text.contains('\r') => Cow::Owned(text.replace('\r', " ")),
            None => Cow::Borrowed(text),
        };
    }
    let text = if text.contains("\r\n") {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    };
    let inner = text.get(2..).unwrap_or("");
    let documents = inner.starts_with('!')
        || (inner.starts_with('*') && !inner.starts_with("**") && !inner.starts_with("*/"));
    if documents {
        let rest = inner.get(1..).unwrap_or("");
        let space = if rest.starts_with([' ', '\n']) {
            ""
        } else {
            " "
        };
        return Cow::Owned(format!("/*{space}{rest}"));
    }
    text
}

/// Leaves out commas before closing brackets; the printer writes them where a list is broken.
fn without_last_commas(raw: Vec<Raw<'_>>) -> Vec<Raw<'_>> {
    let mut kept: Vec<Raw<'_>> = Vec::with_capacity(raw.len());
    for mut token in raw {
        if token.closes()
            && let Some(comma) = kept.pop_if(|last| last.is(","))
        {
            token.take_gap_of(comma);
        }
        kept.push(token);
    }
    kept
}

/// Moves `,` and `;` before the comments that end a line, so that such a comment can stay behind what it is about.
fn put_separators_first(raw: &mut [Raw<'_>]) {
    for index in 1..raw.len() {
        let Some((head, [next, ..])) = raw.split_at_mut_checked(index) else {
            continue;
        };
        let Some(separator) = head.last_mut().filter(|token| token.separates()) else {
            continue;
        };
        let Some(first) = separator.gap.iter().position(|comment| comment.is_line) else {
            continue;
        };
        let mut moved = separator.gap.split_off(first);
        if separator.is(";") {
            moved.iter_mut().for_each(no_longer_documents);
        }
        let ends = moved.last().is_some_and(|last| last.is_line) || separator.space.line_end;
        match next.gap.first_mut() {
            Some(first) => first.space.line_end |= ends,
            None => next.space.line_end |= ends,
        }
        moved.append(&mut next.gap);
        next.gap = moved;
    }
}

/// A `///` inside an item documents nothing; behind the item it would document the next one.
fn no_longer_documents(comment: &mut RawComment<'_>) {
    if comment.is_line && comment.text.starts_with("///") && !comment.text.starts_with("////") {
        comment.text = Cow::Owned(format!(
            "// {}",
            comment.text.trim_start_matches(['/', ' '])
        ));
    }
}

/// Gives each comment to the token before it or to the one behind it.
fn attach(raw: Vec<Raw<'_>>) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(raw.len());
    let (mut opened, mut item_begins) = (false, true);
    for mut token in raw {
        let (separates, closes) = (token.separates(), token.closes());
        let next_item = token.is(";");
        let opens = token.opens();
        if item_begins {
            let docs = token.gap.iter_mut().filter(|comment| is_doc(&comment.text));
            docs.for_each(|doc| doc.space.line_end = true);
        }
        let breaks = token.gap.iter().map(|comment| comment.space.line_end);
        let first_break = breaks.chain([token.space.line_end]).position(|ends| ends);
        let first_break = first_break.or_else(|| {
            let joins = joins(&token.text) && tokens.last().is_some_and(ends_operand);
            joins.then_some(token.gap.len())
        });
        let kept = if separates || closes {
            None
        } else {
            first_break
        };
        if closes {
            put_lines_alone(&mut token);
        }
        let mut comments = comments(token.gap, token.space, opened, separates);
        let before = comments.split_off(kept.filter(|_| !tokens.is_empty()).unwrap_or(0));
        if let Some(last) = tokens.last_mut() {
            last.behind = comments;
        }
        tokens.push(Token {
            text: token.text,
            before,
            behind: Vec::new(),
            blank: token.space.blank && !opened,
        });
        (opened, item_begins) = (opens, next_item);
    }
    tokens
}

/// Nothing stands behind a comment of several lines at the end of a list: the bracket would hide there.
fn put_lines_alone(closer: &mut Raw<'_>) {
    let last = closer.gap.last();
    closer.space.line_end |= last.is_some_and(|comment| comment.text.contains('\n'));
}

/// Whether a line may end before a token that joins what stands before it to what stands behind it.
fn joins(text: &str) -> bool {
    const SIGNS: [&str; 18] = [
        "->", "=>", "?", ":", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*",
        "/", "%",
    ];
    SIGNS.contains(&text)
}

/// Whether an expression, a name or a step may end with the token.
fn ends_operand(token: &Token<'_>) -> bool {
    let last = |last: char| last.is_alphanumeric() || "_`\"#)]}".contains(last);
    token.text.ends_with(last)
}

fn is_doc(text: &str) -> bool {
    text.starts_with("///") && !text.starts_with("////")
}

/// The comments of a gap. Before a separator nothing ends a line; behind an opening bracket no empty line is kept.
fn comments<'a>(
    gap: Vec<RawComment<'a>>,
    behind: Space,
    opened: bool,
    separates: bool,
) -> Vec<Comment<'a>> {
    let next: Vec<bool> = gap
        .iter()
        .skip(1)
        .map(|comment| comment.space.line_end)
        .chain([behind.line_end])
        .collect();
    let comments = gap.into_iter().zip(next).map(|(comment, ends)| Comment {
        text: comment.text,
        own_line: comment.space.line_end && !separates,
        ends_line: (comment.is_line || ends) && !separates,
        blank: comment.space.blank && !opened,
    });
    comments.collect()
}
