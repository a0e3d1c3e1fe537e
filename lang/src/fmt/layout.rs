//! A walk over the tokens of a file, and the layout of lists in brackets.
//!
//! In: tokens. Out: pieces for the printer, one [`Seq`] for each construct. The tokens are those of a text that the
//! parser took, so each function knows what comes next; what it does not expect stays where it is and the next
//! function prints it.

use super::doc::Seq;
use super::tokens::Token;

/// How far the lines of a broken construct are indented.
pub(super) const INDENT: usize = 2;

/// A place in the tokens of a file.
pub(super) struct Layout<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
}

/// How a list in brackets looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// What stands behind the opening and before the closing bracket on one line.
    padding: &'static str,
    /// What a broken list has behind its last element.
    last: &'static str,
    /// Whether every element stands on a line of its own.
    broken: bool,
}

impl Style {
    /// `[a, b]`; broken lists end with a comma.
    pub(super) const LIST: Self = Self {
        padding: "",
        last: ",",
        broken: false,
    };
    /// `f(a, b)`: CEL takes no comma behind the last argument.
    pub(super) const ARGUMENTS: Self = Self {
        padding: "",
        last: "",
        broken: false,
    };
    /// `{ a: b }`, the options of a connector.
    pub(super) const OPTIONS: Self = Self {
        padding: " ",
        last: ",",
        broken: false,
    };
    /// The arms of `route` and `split`, which always stand on lines of their own.
    pub(super) const ARMS: Self = Self {
        padding: "",
        last: ",",
        broken: true,
    };
}

impl<'a> Layout<'a> {
    /// Begins at the first token.
    pub(super) const fn new(tokens: Vec<Token<'a>>) -> Self {
        Self { tokens, at: 0 }
    }

    /// Whether the next token is this sign or word.
    pub(super) fn is(&self, text: &str) -> bool {
        self.follows(0, text)
    }

    /// Whether the token `ahead` of the next one is this sign or word.
    pub(super) fn follows(&self, ahead: usize, text: &str) -> bool {
        self.text(ahead) == text
    }

    /// The text of the token `ahead` of the next one; nothing at the end of the file.
    pub(super) fn text(&self, ahead: usize) -> &str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |token| token.text.as_ref())
    }

    /// How many tokens were taken.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// Whether an empty line stood before the next token and its comments.
    pub(super) fn follows_blank(&self) -> bool {
        self.tokens.get(self.at).is_some_and(Token::follows_blank)
    }

    /// Takes the next token with its comments.
    pub(super) fn take(&mut self, seq: &mut Seq<'a>) {
        self.take_comments(seq);
        if let Some(token) = self.tokens.get_mut(self.at) {
            token.print(seq);
            self.at += 1;
        }
    }

    /// Takes the comments before the next token.
    pub(super) fn take_comments(&mut self, seq: &mut Seq<'a>) {
        if let Some(token) = self.tokens.get_mut(self.at) {
            token.print_before(seq);
        }
    }

    /// Whether comments stand before the next token.
    pub(super) fn has_comments(&self) -> bool {
        self.tokens
            .get(self.at)
            .is_some_and(Token::has_comments_before)
    }

    /// Takes the next token if it is this sign or word.
    pub(super) fn take_if(&mut self, text: &str, seq: &mut Seq<'a>) -> bool {
        let found = self.is(text);
        if found {
            self.take(seq);
        }
        found
    }

    /// Takes everything up to the `;` and the `;` itself. Nothing stands before it when the item was understood.
    pub(super) fn finish_item(&mut self, seq: &mut Seq<'a>) {
        while !self.text(0).is_empty() && !self.is(";") {
            seq.space();
            self.take(seq);
        }
        self.take(seq);
    }

    /// A list in brackets, from the opening to the closing one.
    pub(super) fn list(
        &mut self,
        style: Style,
        mut element: impl FnMut(&mut Self, &mut Seq<'a>),
    ) -> Seq<'a> {
        let (mut outer, mut list) = (Seq::new(), Seq::new());
        self.take_comments(&mut outer);
        self.take(&mut list);
        let mut inner = Seq::new();
        let empty = self.closes();
        if !empty {
            style.line(&mut inner, false);
            loop {
                element(self, &mut inner);
                if !self.take_if(",", &mut inner) {
                    break;
                }
                inner.line(" ", self.follows_blank());
            }
            inner.if_broken(style.last);
        }
        let comments = self.has_comments();
        self.take_comments(&mut inner);
        list.nest(INDENT, inner);
        if !empty || comments {
            style.line(&mut list, empty);
        }
        self.take(&mut list);
        outer.group(list);
        outer
    }

    fn closes(&self) -> bool {
        matches!(self.text(0), ")" | "]" | "}" | "")
    }
}

impl Style {
    fn line(self, seq: &mut Seq<'_>, empty: bool) {
        if self.broken && !empty {
            seq.hard_line(false);
        } else {
            seq.line(self.padding, false);
        }
    }
}
