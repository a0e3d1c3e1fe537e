//! Strings and bytes: from their quotes and escapes to a value.

use super::Builder;
use crate::ast::{ExprKind, Literal};
use crate::parse::error::{EscapeProblem, SyntaxError};
use crate::span::Span;

impl Builder<'_> {
    /// The literal that a string token is.
    pub(super) fn string(&mut self, token: &str, span: Span) -> ExprKind {
        let form = Form::of(token);
        let base = span.start + crate::parse::offset(form.body_at);
        if form.raw {
            // Rust reads a line end in a raw string as `\n` too, whatever the file holds.
            let body = form.body.replace("\r\n", "\n");
            return ExprKind::Literal(if form.bytes {
                Literal::Bytes(body.into_bytes())
            } else {
                Literal::String(body)
            });
        }
        let mut unescaper = Unescaper {
            bytes: form.bytes,
            value: Vec::new(),
        };
        let mut rest = form.body;
        while let Some(next) = rest.chars().next() {
            let length = match unescaper.step(rest, next) {
                Ok(length) => length,
                Err((length, problem)) => {
                    let start = base + crate::parse::offset(form.body.len() - rest.len());
                    let span = Span::new(span.file, start, start + crate::parse::offset(length));
                    let text = rest.get(..length).unwrap_or("").to_owned();
                    self.errors.push(SyntaxError::InvalidEscape {
                        text,
                        span,
                        problem,
                        raw_fits: form.fits_raw(),
                    });
                    length
                }
            };
            rest = rest.get(length..).unwrap_or("");
        }
        ExprKind::Literal(unescaper.finish())
    }
}

/// The parts of a string token.
pub(crate) struct Form<'a> {
    /// Whether it is a literal of bytes.
    pub(crate) bytes: bool,
    /// Whether backslashes mean themselves.
    pub(crate) raw: bool,
    /// How many `#` stand on each side.
    pub(crate) hashes: usize,
    /// What stands between the quotes.
    pub(crate) body: &'a str,
    /// Where the body begins in the token.
    body_at: usize,
}

impl<'a> Form<'a> {
    /// Takes a whole token apart.
    pub(crate) fn of(token: &'a str) -> Self {
        let prefix = token.find(['"', '\'', '#']).unwrap_or(0);
        let (letters, quoted) = token.split_at_checked(prefix).unwrap_or(("", token));
        let hashes = quoted.len() - quoted.trim_start_matches('#').len();
        let unhashed = quoted.get(hashes..quoted.len() - hashes).unwrap_or("");
        let triple =
            unhashed.len() >= 6 && (unhashed.starts_with("\"\"\"") || unhashed.starts_with("'''"));
        let quotes = if triple && hashes == 0 { 3 } else { 1 };
        Self {
            bytes: letters.contains(['b', 'B']),
            raw: letters.contains(['r', 'R']),
            hashes,
            body: unhashed
                .get(quotes..unhashed.len().saturating_sub(quotes))
                .unwrap_or(""),
            body_at: prefix + hashes + quotes,
        }
    }

    /// Whether a raw string could hold the body as it is written.
    fn fits_raw(&self) -> bool {
        !self.bytes && !self.body.contains('"')
    }
}

/// The characters and escapes of a body that is not raw, each with the bytes that it stands for.
pub(crate) fn units(body: &str, bytes: bool) -> impl Iterator<Item = (&str, Vec<u8>)> {
    let mut rest = body;
    std::iter::from_fn(move || {
        let next = rest.chars().next()?;
        let mut unescaper = Unescaper {
            bytes,
            value: Vec::new(),
        };
        let length = match unescaper.step(rest, next) {
            Ok(length) | Err((length, _)) => length,
        };
        let (unit, tail) = rest.split_at_checked(length)?;
        rest = tail;
        Some((unit, unescaper.value))
    })
}

/// Collects the value of a string, escape by escape.
struct Unescaper {
    bytes: bool,
    value: Vec<u8>,
}

impl Unescaper {
    fn finish(self) -> Literal {
        if self.bytes {
            return Literal::Bytes(self.value);
        }
        // Only whole characters were added, so nothing is replaced here.
        Literal::String(String::from_utf8_lossy(&self.value).into_owned())
    }

    /// Takes one character or escape from the start of `rest`; gives its length, with the problem if it has one.
    fn step(&mut self, rest: &str, next: char) -> Result<usize, (usize, EscapeProblem)> {
        if next != '\\' {
            self.push(u32::from(next), false);
            return Ok(next.len_utf8());
        }
        let letter = rest.chars().nth(1).unwrap_or('\\');
        let simple = match letter {
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            '\\' | '?' | '"' | '\'' | '`' => u32::from(letter),
            'x' | 'X' => return self.coded(rest, 2, 2, 16),
            'u' if !self.bytes => return self.coded(rest, 2, 4, 16),
            'U' if !self.bytes => return self.coded(rest, 2, 8, 16),
            '0'..='3' => return self.coded(rest, 1, 3, 8),
            _ => return Err((1 + letter.len_utf8(), EscapeProblem::Unknown)),
        };
        self.push(simple, true);
        Ok(2)
    }

    /// An escape of exactly `digits` digits, which begin at `start`.
    fn coded(
        &mut self,
        rest: &str,
        start: usize,
        digits: usize,
        radix: u32,
    ) -> Result<usize, (usize, EscapeProblem)> {
        let written = rest
            .get(start..)
            .unwrap_or("")
            .chars()
            .take(digits)
            .take_while(|digit| digit.is_digit(radix));
        let written: String = written.collect();
        let end = start + written.len();
        if written.len() < digits {
            return Err((
                end,
                EscapeProblem::Digits {
                    wanted: digits,
                    radix,
                },
            ));
        }
        let code = u32::from_str_radix(&written, radix).unwrap_or(u32::MAX);
        if !self.bytes && char::from_u32(code).is_none() {
            return Err((end, EscapeProblem::NotACharacter));
        }
        self.push(code, true);
        Ok(end)
    }

    /// Adds a character; in bytes, an escape is one byte.
    fn push(&mut self, code: u32, escape: bool) {
        match (self.bytes && escape, u8::try_from(code)) {
            (true, Ok(byte)) => self.value.push(byte),
            _ => {
                let mut buffer = [0; 4];
                let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.value
                    .extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
            }
        }
    }
}
