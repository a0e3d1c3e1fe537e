//! Finds where a text stops fitting the grammar, and what was expected there.
//!
//! In: the span of an item, or of a part of a block, that does not parse. Out: one [`SyntaxError`]. The place comes
//! from parsing the text once more with pest's detail on; the words come from the tokens around the place, so they
//! are about the language and not about grammar rules.

use super::Source;
use super::error::SyntaxError;
use super::grammar::{self, Failure, Rule};
use super::scan::{Bracket, Token, TokenKind};
use super::slip;
use crate::span::Span;

/// What a text should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// An item, without its `;`.
    Item,
    /// What stands before the braces of a `template`.
    Template,
    /// What stands before the braces of a `for`.
    For,
    /// `name: value` of an option block.
    Option,
    /// An argument of a stage.
    Argument,
    /// An arm of a `route` or `split`.
    Arm,
    /// A branch of a fan-out.
    Branch,
    /// A step of a chain.
    Step,
    /// A lone expression.
    Expression,
}

impl Context {
    /// What an item should have been, by its keyword.
    pub(super) fn of_item(text: &str) -> Self {
        let mut words = text.split_whitespace();
        let keyword = words.next().unwrap_or("");
        // `template -> …` is a chain that begins with a source of this name.
        let declares = words
            .next()
            .is_some_and(|next| !next.starts_with(['-', '.']));
        match keyword {
            "template" if declares => Self::Template,
            "for" if declares => Self::For,
            _ => Self::Item,
        }
    }

    pub(super) const fn rule(self) -> Rule {
        match self {
            Self::Item => Rule::item_text,
            Self::Template => Rule::template_text,
            Self::For => Rule::for_text,
            Self::Option => Rule::option_text,
            Self::Argument => Rule::argument_text,
            Self::Arm => Rule::arm_text,
            Self::Branch => Rule::branch_text,
            Self::Step => Rule::step_text,
            Self::Expression => Rule::expression_text,
        }
    }
}

/// Signs of one part of a list.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    /// How many `?` have no `:` yet.
    open_choices: usize,
    /// Whether a `:` stands behind a key or a name.
    colon: bool,
}

/// Says what is wrong with the text under `span`, which does not parse as `context`.
pub(super) fn diagnose(source: Source<'_>, context: Context, span: Span) -> SyntaxError {
    let offset = match grammar::failure(context.rule(), super::slice(source.code, span)) {
        Failure::At(offset) => span.start.saturating_add(super::offset(offset)),
        Failure::StackLimit => return SyntaxError::NestedTooDeeply { opener: span },
    };
    let site = Site::new(source, context, span, offset);
    slip::find(&site).unwrap_or_else(|| site.unexpected())
}

/// The place where a text goes wrong, among its tokens.
pub(super) struct Site<'a> {
    source: Source<'a>,
    /// What the text should have been.
    pub(super) context: Context,
    /// The index of the first token of the text.
    pub(super) first: usize,
    /// The index of the token that does not fit; the one behind the text when its end does not.
    pub(super) at: usize,
    /// The index behind the last token of the text.
    pub(super) end: usize,
}

impl<'a> Site<'a> {
    fn new(source: Source<'a>, context: Context, span: Span, offset: u32) -> Self {
        let first = source
            .tokens
            .partition_point(|token| token.span.start < span.start);
        let end = source
            .tokens
            .partition_point(|token| token.span.end <= span.end);
        // A place inside a token means that the token does not fit.
        let at = source
            .tokens
            .partition_point(|token| token.span.end <= offset);
        Self {
            source,
            context,
            first,
            at: at.clamp(first, end.max(first)),
            end,
        }
    }

    /// The token at an index of the file.
    pub(super) fn token(&self, index: usize) -> Option<Token> {
        self.source.tokens.get(index).copied()
    }

    /// The text of the token at an index of the file; empty when there is none.
    pub(super) fn text(&self, index: usize) -> &'a str {
        self.source
            .tokens
            .get(index)
            .map_or("", |token| self.source.text_of(token))
    }

    /// The span of the token at an index of the file; the end of the file when there is none.
    pub(super) fn span(&self, index: usize) -> Span {
        let end = super::offset(self.source.text.len());
        self.token(index)
            .map_or(Span::new(self.source.file, end, end), |token| token.span)
    }

    /// The text of the file from the start of the token at `index`.
    pub(super) fn text_from(&self, index: usize) -> &'a str {
        self.source.text_at(self.span(index).start)
    }

    /// Whether the token at `index` is of this kind.
    pub(super) fn is(&self, index: usize, kind: TokenKind) -> bool {
        self.token(index).is_some_and(|token| token.kind == kind)
    }

    /// The index of the token before the place, if the text has one.
    pub(super) fn before(&self) -> Option<usize> {
        self.at
            .checked_sub(1)
            .filter(|before| *before >= self.first)
    }

    /// Whether the tokens before the place end with a value, so that an operator or a separator was expected.
    pub(super) fn follows_operand(&self) -> bool {
        let ends_operand =
            |index: usize| self.token(index).is_some_and(|token| token.ends_operand());
        self.before()
            .is_some_and(|before| ends_operand(before) && self.text(before) != "in")
    }

    /// Whether a value can begin at the place.
    pub(super) fn begins_operand(&self) -> bool {
        let kind = self.token(self.at).map(|token| token.kind);
        self.at < self.end
            && matches!(
                kind,
                Some(
                    TokenKind::Word
                        | TokenKind::Number
                        | TokenKind::String
                        | TokenKind::Open(_)
                        | TokenKind::Backticked
                )
            )
    }

    /// Whether a token with this text stands between the start of the text and the place, outside brackets.
    pub(super) fn has_before(&self, text: &str) -> bool {
        let mut depth = 0_usize;
        (self.first..self.at).any(|index| {
            match self.token(index).map(|token| token.kind) {
                Some(TokenKind::Open(_)) => depth += 1,
                Some(TokenKind::Close(_)) => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && self.text(index) == text
        })
    }

    /// The index and kind of the innermost bracket of the text that is open at the place.
    fn opener(&self) -> Option<(usize, Bracket)> {
        let mut open = Vec::new();
        for index in self.first..self.at {
            match self.token(index).map(|token| token.kind) {
                Some(TokenKind::Open(bracket)) => open.push((index, bracket)),
                Some(TokenKind::Close(_)) => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// The innermost bracket of the text that is open at the place.
    pub(super) fn innermost(&self) -> Option<Bracket> {
        self.opener().map(|(_, bracket)| bracket)
    }

    /// The signs that stand before the place in the same part: between the same brackets and behind the last comma.
    fn signs_of_part(&self) -> Signs {
        let mut signs = Signs::default();
        let mut depth = 0_usize;
        let start = self.opener().map_or(self.first, |(opener, _)| opener + 1);
        for index in start..self.at {
            let text = self.text(index);
            match self.token(index).map(|token| token.kind) {
                Some(TokenKind::Open(_)) => depth += 1,
                Some(TokenKind::Close(_)) => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                _ if text == "," => signs = Signs::default(),
                _ if text == ":" && signs.open_choices > 0 => signs.open_choices -= 1,
                _ if text == ":" => signs.colon = true,
                // A `?` behind a value asks; in front of one it marks an optional part.
                _ if text == "?"
                    && index > start
                    && self
                        .token(index - 1)
                        .is_some_and(|token| token.ends_operand()) =>
                {
                    signs.open_choices += 1;
                }
                _ => {}
            }
        }
        signs
    }

    /// The item's keyword, if the text is an item that begins with one.
    pub(super) fn keyword(&self) -> Option<&'a str> {
        let word = self.text(self.first);
        let chain = matches!(self.text(self.first + 1), "." | "->");
        (self.context == Context::Item && KEYWORDS.contains(&word) && !chain).then_some(word)
    }

    /// The general answer: what was expected, and what was found.
    fn unexpected(&self) -> SyntaxError {
        let after = self
            .before()
            .map(|before| self.text(before))
            .filter(|text| text.chars().count() <= 24);
        SyntaxError::Unexpected {
            expected: self.expected(),
            after: after.map(str::to_owned),
            found: self.token(self.at).map(|_| self.text(self.at).to_owned()),
            at: self.span(self.at),
        }
    }

    fn expected(&self) -> &'static str {
        if let Some(expected) = self.expected_in_head() {
            return expected;
        }
        let before = self.before().map_or("", |before| self.text(before));
        let signs = self.signs_of_part();
        match (self.follows_operand(), self.innermost()) {
            (false, _) if before == "." => "a field",
            (false, None) if matches!(before, "->" | "=>") => "a stage or a sink",
            (false, Some(Bracket::Curly)) if self.is_connector() => "the name of an option",
            (false, _) => "an expression",
            (true, _) if signs.open_choices > 0 => "an operator or `:` and the other value",
            (true, Some(Bracket::Round)) => "an operator, `,` or `)`",
            (true, Some(Bracket::Square)) => "an operator, `,` or `]`",
            (true, Some(Bracket::Curly)) if !signs.colon => "`:` and a value",
            (true, Some(Bracket::Curly)) => "an operator, `,` or `}`",
            (true, None) => self.expected_end(),
        }
    }

    /// Whether the text is an item whose braces hold options.
    fn is_connector(&self) -> bool {
        self.keyword()
            .is_some_and(|keyword| matches!(keyword, "connection" | "source" | "sink"))
    }

    /// What is expected before the first expression of an item or a part.
    fn expected_in_head(&self) -> Option<&'static str> {
        let index = self.at - self.first;
        let before = self.before().map_or("", |before| self.text(before));
        match (self.context, self.keyword()) {
            (Context::Template, _) => Some(expected_in_template(index, before, self.innermost())),
            (Context::For, _) => Some(expected_in_for(index)),
            (Context::Item, Some(_)) if self.innermost().is_some() => None,
            (Context::Item, Some(keyword)) => expected_in_declaration(keyword, index, before),
            (Context::Item, None) => match index {
                0 => Some("a declaration or a chain"),
                _ if before == "." && !self.has_before("->") => {
                    Some("`logs`, `metrics` or `traces`")
                }
                _ if self.innermost() == Some(Bracket::Square) => Some("the name of a source"),
                _ => None,
            },
            (Context::Option, _) => match index {
                0 => Some("the name of an option"),
                1 => Some("`:`"),
                _ => None,
            },
            (Context::Step | Context::Branch, _) if index == 0 => Some("a stage or a sink"),
            (Context::Arm, _) if index == 0 => Some("a condition or `else`"),
            _ => None,
        }
    }

    /// What is expected behind a complete value outside brackets.
    fn expected_end(&self) -> &'static str {
        match self.context {
            Context::Item if self.keyword().is_some() => "an operator or `;`",
            Context::Item => "`->`",
            Context::Template | Context::For => "`{`",
            Context::Option => "an operator, `,` or `}`",
            Context::Argument => "an operator, `,` or `)`",
            Context::Arm if !self.has_before("=>") => "`=>`",
            Context::Arm => "`->`, `,` or `}`",
            Context::Branch => "`->`, `,` or `]`",
            Context::Step => "`->` or the end of the chain",
            Context::Expression => "an operator or the end of the expression",
        }
    }
}

/// The keywords of items that this version compiles.
pub(super) const KEYWORDS: [&str; 7] = [
    "config",
    "const",
    "predicate",
    "connection",
    "source",
    "sink",
    "stage",
];

/// What is expected at a token before the braces of a `template`.
const fn expected_in_template(
    index: usize,
    before: &str,
    innermost: Option<Bracket>,
) -> &'static str {
    match (index, before.as_bytes(), innermost) {
        (1, ..) => "a name",
        (2, ..) => "`(` and the parameters",
        (_, b":", _) => "a type",
        (_, b"(" | b",", Some(_)) => "a parameter such as `tenant: string`",
        (_, _, Some(_)) => "`,` or `)`, and `:` and a type behind each name",
        (_, _, None) => "`{`",
    }
}

/// What is expected at a token before the braces of a `for`.
const fn expected_in_for(index: usize) -> &'static str {
    match index {
        1 => "a name for the row",
        2 => "`in`",
        3 => "the name of a `const`, `csv(\"…\")` or `json(\"…\")`",
        4 | 5 => "`{`, or the path of a file in `(\"…\")`",
        _ => "`{`",
    }
}

/// What is expected at a token of a declaration, before its first expression or block.
fn expected_in_declaration(keyword: &str, index: usize, before: &str) -> Option<&'static str> {
    let node = matches!(keyword, "connection" | "source" | "sink");
    match (index, before) {
        (1, _) => Some("a name"),
        (2, _) if keyword == "config" => Some("`:` and a type"),
        (2, _) => Some("`=`"),
        (3, ":") => Some("a type"),
        (3 | 5, "=") if node => Some("a connector"),
        (3, "=") if keyword == "stage" => Some("a stage"),
        (4, _) if keyword == "stage" => Some("`(`"),
        (4, _) if keyword == "config" => Some("`=` or `;`"),
        (4, _) if keyword == "source" && before != "}" => Some("`=`, `{` or `;`"),
        (_, "}") if node => Some("`;`"),
        (_, _) if node => Some("`{` or `;`"),
        _ => None,
    }
}
