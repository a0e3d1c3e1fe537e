//! Cuts a text into tokens, in one pass, before the grammar sees it.
//!
//! In: text. Out: [`Scan`]: tokens, comments and blank lines, and the mistakes that only a scan can place well
//! (a string or a comment that never ends). The tokens serve to cut the text into items (`outline`), to find
//! brackets that do not match before a recursive parser sees them, and to say in words where a text goes wrong.

use super::MAX_NESTING;
use std::borrow::Cow;

use super::error::SyntaxError;
use crate::ast::{Trivia, TriviaKind};
use crate::span::{FileId, Name, Span, Spanned};

/// A pair of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// `( )`
    Round,
    /// `[ ]`
    Square,
    /// `{ }`
    Curly,
}

impl Bracket {
    /// The opening bracket as it is written.
    pub(super) const fn opener(self) -> &'static str {
        match self {
            Self::Round => "(",
            Self::Square => "[",
            Self::Curly => "{",
        }
    }

    /// The closing bracket as it is written.
    pub(super) const fn closer(self) -> &'static str {
        match self {
            Self::Round => ")",
            Self::Square => "]",
            Self::Curly => "}",
        }
    }
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number with its suffix.
    Number,
    /// A string of any form.
    String,
    /// A field in backticks.
    Backticked,
    /// `(`, `[`, `{`
    Open(Bracket),
    /// `)`, `]`, `}`
    Close(Bracket),
    /// `->`, `==`, `,` …
    Punctuation,
    /// A character that the language does not use.
    Unknown,
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// Where it stands.
    pub(crate) span: Span,
}

impl Token {
    /// Whether a value, a name or a block can end with this token.
    pub(super) const fn ends_operand(&self) -> bool {
        !matches!(
            self.kind,
            TokenKind::Open(_) | TokenKind::Punctuation | TokenKind::Unknown
        )
    }
}

/// What a scan finds.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The tokens, in the order of the text.
    pub(crate) tokens: Vec<Token>,
    /// Comments and blank lines, in the order of the text; `///` comments stand in `docs`.
    pub(crate) trivia: Vec<Trivia>,
    /// The lines of `///` comments, without slashes and one leading space.
    pub(crate) docs: Vec<Name>,
    /// Strings and comments that do not end.
    pub(super) errors: Vec<SyntaxError>,
    /// Where those begin, ascending: the item around such a place cannot be parsed.
    pub(super) unfinished: Vec<u32>,
}

impl Scan {
    /// Puts doc comments that document nothing among the other comments.
    pub(super) fn add_comments(&mut self, docs: Vec<Name>) {
        let comments = docs.into_iter().map(|doc| Trivia {
            kind: TriviaKind::LineComment,
            span: doc.span,
        });
        self.trivia.extend(comments);
        self.trivia.sort_by_key(|trivia| trivia.span);
    }

    /// The text with blanks in place of its comments, so that the grammar need not know them. All offsets stay.
    pub(super) fn without_comments<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let comments = self
            .trivia
            .iter()
            .filter(|trivia| trivia.kind != TriviaKind::BlankLine);
        let spans = comments
            .map(|trivia| trivia.span)
            .chain(self.docs.iter().map(|doc| doc.span));
        let mut bytes = Cow::Borrowed(text.as_bytes());
        for span in spans {
            if let Some(comment) = bytes
                .to_mut()
                .get_mut(span.start as usize..span.end as usize)
            {
                comment.fill(b' ');
            }
        }
        match bytes {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            // Comments are whole characters, and so are blanks.
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).unwrap_or_default()),
        }
    }

    fn unfinished(&mut self, error: SyntaxError, start: u32) {
        self.errors.push(error);
        self.unfinished.push(start);
    }
}

/// Scans a whole text.
pub(crate) fn scan(file: FileId, text: &str) -> Scan {
    let mut scanner = Scanner {
        file,
        text,
        at: 0,
        scan: Scan::default(),
    };
    while let Some(next) = scanner.rest().chars().next() {
        scanner.step(next);
    }
    scanner.scan
}

/// Two-character punctuation; everything else is one character long.
const PAIRS: [&str; 8] = ["->", "=>", "==", "!=", "<=", ">=", "&&", "||"];

struct Scanner<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    scan: Scan,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, super::offset(start), super::offset(end))
    }

    /// Reads one token, comment or run of white space that begins with `next`.
    fn step(&mut self, next: char) {
        let rest = self.rest();
        match next {
            ' ' | '\t' | '\r' | '\n' | '\u{c}' => self.white_space(),
            _ if rest.starts_with("//") => self.line_comment(),
            _ if rest.starts_with("/*") => self.block_comment(),
            '"' | '\'' => self.string(0, false),
            '`' => self.backticked(),
            '0'..='9' => self.token(TokenKind::Number, number_length(rest)),
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            '(' => self.token(TokenKind::Open(Bracket::Round), 1),
            '[' => self.token(TokenKind::Open(Bracket::Square), 1),
            '{' => self.token(TokenKind::Open(Bracket::Curly), 1),
            ')' => self.token(TokenKind::Close(Bracket::Round), 1),
            ']' => self.token(TokenKind::Close(Bracket::Square), 1),
            '}' => self.token(TokenKind::Close(Bracket::Curly), 1),
            _ if PAIRS.iter().any(|pair| rest.starts_with(pair)) => {
                self.token(TokenKind::Punctuation, 2)
            }
            '.' | ',' | ':' | ';' | '?' | '=' | '<' | '>' | '+' | '-' | '*' | '/' | '%' | '!'
            | '&' | '|' => {
                self.token(TokenKind::Punctuation, 1);
            }
            other => self.token(TokenKind::Unknown, other.len_utf8()),
        }
    }

    fn token(&mut self, kind: TokenKind, length: usize) {
        let span = self.span(self.at, self.at + length);
        self.scan.tokens.push(Token { kind, span });
        self.at += length;
    }

    /// A run of white space; two line ends or more leave at least one line empty.
    fn white_space(&mut self) {
        let rest = self.rest();
        let run = rest
            .find(|next: char| !matches!(next, ' ' | '\t' | '\r' | '\n' | '\u{c}'))
            .unwrap_or(rest.len());
        let run = rest.get(..run).unwrap_or("");
        if let (Some(first), Some(last)) = (run.find('\n'), run.rfind('\n'))
            && first < last
        {
            let span = self.span(self.at + first + 1, self.at + last + 1);
            self.scan.trivia.push(Trivia {
                kind: TriviaKind::BlankLine,
                span,
            });
        }
        self.at += run.len();
    }

    /// `// …`, or `/// …` which documents the item behind it.
    fn line_comment(&mut self) {
        let rest = self.rest();
        let line = rest
            .get(..rest.find('\n').unwrap_or(rest.len()))
            .unwrap_or("")
            .trim_end_matches('\r');
        let span = self.span(self.at, self.at + line.len());
        match line.strip_prefix("///") {
            Some(doc) if !doc.starts_with('/') => {
                let doc = doc.strip_prefix(' ').unwrap_or(doc).trim_end();
                // White space like any other; Rust allows none of it in a doc comment.
                let doc = doc.replace('\r', " ");
                self.scan.docs.push(Spanned::new(doc, span));
            }
            _ => self.scan.trivia.push(Trivia {
                kind: TriviaKind::LineComment,
                span,
            }),
        }
        self.at += line.len();
    }

    /// `/* … */`, which may hold others of its kind.
    fn block_comment(&mut self) {
        let rest = self.rest();
        let (mut depth, mut deepest, mut length) = (0_usize, 0, 0);
        while let Some(tail) = rest.get(length..).filter(|tail| !tail.is_empty()) {
            if tail.starts_with("/*") {
                depth += 1;
                deepest = deepest.max(depth);
                length += 2;
            } else if tail.starts_with("*/") {
                depth -= 1;
                length += 2;
                if depth == 0 {
                    break;
                }
            } else {
                length += tail.chars().next().map_or(1, char::len_utf8);
            }
        }
        let span = self.span(self.at, self.at + length);
        let opener = self.span(self.at, self.at + 2);
        if depth > 0 {
            self.scan
                .unfinished(SyntaxError::UnclosedComment { opener }, opener.start);
        } else if deepest > MAX_NESTING {
            self.scan
                .unfinished(SyntaxError::NestedTooDeeply { opener }, opener.start);
        }
        self.scan.trivia.push(Trivia {
            kind: TriviaKind::BlockComment,
            span,
        });
        self.at += length;
    }

    /// A word, or a string if the word is a prefix of one.
    fn word(&mut self) {
        let rest = self.rest();
        let length = rest
            .find(|next: char| !next.is_ascii_alphanumeric() && next != '_')
            .unwrap_or(rest.len());
        let (word, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let lower = word.to_ascii_lowercase();
        let raw = matches!(lower.as_str(), "r" | "br" | "rb");
        let quoted = tail.starts_with(['"', '\'']);
        let hashed = raw && tail.starts_with('#') && tail.trim_start_matches('#').starts_with('"');
        if hashed || (quoted && (raw || lower == "b")) {
            self.string(length, raw);
        } else {
            self.token(TokenKind::Word, length);
        }
    }

    /// A string whose prefix (`r`, `b` …) is `prefix` bytes long.
    fn string(&mut self, prefix: usize, raw: bool) {
        let quoted = self.rest().get(prefix..).unwrap_or("");
        match string_length(quoted, raw) {
            Ok(length) => self.token(TokenKind::String, prefix + length),
            Err(length) => {
                let length = prefix + length;
                // One line is enough to show where it begins.
                let line = self.rest().find(['\r', '\n']).unwrap_or(length).min(length);
                let string = self.span(self.at, self.at + line);
                self.scan
                    .unfinished(SyntaxError::UnclosedString { string }, string.start);
                self.token(TokenKind::String, length);
            }
        }
    }

    /// A field in backticks, on one line.
    fn backticked(&mut self) {
        let body = self.rest().get(1..).unwrap_or("");
        match body.find(['`', '\n']) {
            Some(end) if body.get(end..).is_some_and(|tail| tail.starts_with('`')) => {
                self.token(TokenKind::Backticked, end + 2);
            }
            _ => self.token(TokenKind::Unknown, 1),
        }
    }
}

/// The length of the number at the start of `rest`, its exponent and suffix included.
fn number_length(rest: &str) -> usize {
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut length = 0;
    let mut previous = ' ';
    let mut characters = rest.chars().peekable();
    while let Some(next) = characters.next() {
        let follows = characters.peek().copied().unwrap_or(' ');
        let point = next == '.' && !hex && follows.is_ascii_digit() && previous != '.';
        let sign = matches!(next, '+' | '-')
            && !hex
            && matches!(previous, 'e' | 'E')
            && follows.is_ascii_digit();
        if !(next.is_ascii_alphanumeric() || next == '_' || point || sign) {
            break;
        }
        length += next.len_utf8();
        previous = next;
    }
    length
}

/// The length of the string at the start of `quoted`, quotes included; `Err` with the length up to which it runs
/// when it does not end.
fn string_length(quoted: &str, raw: bool) -> Result<usize, usize> {
    let hashes = quoted.len() - quoted.trim_start_matches('#').len();
    let body = quoted.get(hashes..).unwrap_or("");
    let single = if body.starts_with('\'') { "'" } else { "\"" };
    let triple = single.repeat(3);
    if hashes > 0 {
        let end = format!("{single}{}", "#".repeat(hashes));
        let found = body.get(1..).and_then(|inner| inner.find(&end));
        return found
            .map(|at| hashes + 1 + at + end.len())
            .ok_or(quoted.len());
    }
    let quote = if body.starts_with(&triple) {
        triple.as_str()
    } else {
        single
    };
    let one_line = !raw && quote.len() == 1;
    let mut length = quote.len();
    while let Some(tail) = body.get(length..).filter(|tail| !tail.is_empty()) {
        let next = tail.chars().next().unwrap_or(' ');
        if tail.starts_with(quote) {
            return Ok(length + quote.len());
        }
        if one_line && matches!(next, '\n' | '\r') {
            return Err(length);
        }
        length += next.len_utf8();
        if next == '\\' && !raw {
            let escaped = body.get(length..).and_then(|tail| tail.chars().next());
            length += escaped
                .filter(|next| !(one_line && matches!(next, '\n' | '\r')))
                .map_or(0, char::len_utf8);
        }
    }
    Err(body.len())
}
