//! From the tokens of `pipeline! { … }` to the text of a flow, with the way back from a place in the text to the
//! token that the user wrote.
//!
//! In: a token stream. Out: [`TokenText`]. A macro never sees the layout of its input, so the text has single spaces
//! between tokens; white space means nothing in a flow. What Rust's lexer takes apart is put together again:
//!
//! | tokens | text |
//! | --- | --- |
//! | `-` `>` written together | `->` |
//! | `.` `5` | `.5` |
//! | `'x'` | `"x"` |
//! | a group without delimiters (a fragment of a `macro_rules!`) | `( … )` |
//! | `#[doc = " text"]` | `/// text` |

use proc_macro2::{Delimiter, Group, Literal, Spacing, Span as Token, TokenStream, TokenTree};
use watershed_lang::span::Span;

/// A text made of tokens, and where each of its pieces was written.
#[derive(Clone, Debug)]
pub struct TokenText {
    text: String,
    pieces: Vec<Piece>,
}

/// The bytes that one token became.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    end: usize,
    token: Token,
}

impl TokenText {
    /// Writes tokens as text.
    ///
    /// ```
    /// use watershed_compiler::token_text::TokenText;
    ///
    /// let tokens = "ingest.logs->filter(log.body == 'x');".parse().unwrap();
    /// assert_eq!(TokenText::new(tokens).text(), "ingest . logs -> filter ( log . body == \"x\" ) ; ");
    /// ```
    #[must_use]
    pub fn new(tokens: TokenStream) -> Self {
        let mut text = Self {
            text: String::new(),
            pieces: Vec::new(),
        };
        text.stream(tokens);
        text
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The first and the last token under a span. A span without text belongs to the token before it, because what
    /// is missing is missing behind that.
    #[must_use]
    pub fn tokens(&self, span: Span) -> (Token, Token) {
        let (start, end) = (span.start as usize, span.end as usize);
        let before = self
            .pieces
            .iter()
            .rev()
            .find(|piece| piece.start < end.max(start))
            .or(self.pieces.first());
        let last = before.map_or_else(Token::call_site, |piece| piece.token);
        if start >= end {
            return (last, last);
        }
        let first = self
            .pieces
            .iter()
            .find(|piece| piece.end > start)
            .map_or(last, |piece| piece.token);
        (first, last)
    }

    fn stream(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.group(&group),
                TokenTree::Ident(ident) => self.piece(&ident.to_string(), ident.span(), true),
                TokenTree::Literal(literal) => {
                    self.piece(&literal_text(&literal), literal.span(), true)
                }
                TokenTree::Punct(hash) if hash.as_char() == '#' => {
                    match tokens.peek().and_then(doc_text) {
                        Some(docs) => {
                            self.docs(&docs, hash.span());
                            tokens.next();
                        }
                        None => self.piece("#", hash.span(), true),
                    }
                }
                TokenTree::Punct(punct) => {
                    let joint = punct.spacing() == Spacing::Joint;
                    let number = punct.as_char() == '.' && tokens.peek().is_some_and(is_number);
                    self.piece(
                        &punct.as_char().to_string(),
                        punct.span(),
                        !joint && !number,
                    );
                }
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Parenthesis | Delimiter::None => ("(", ")"),
        };
        self.piece(open, group.span_open(), true);
        self.stream(group.stream());
        self.piece(close, group.span_close(), true);
    }

    fn docs(&mut self, docs: &str, token: Token) {
        // An empty line of documentation is one too.
        for line in docs.lines().chain(docs.is_empty().then_some("")) {
            // A doc comment starts on a line of its own and ends with it.
            self.text.push('\n');
            self.piece(&format!("///{line}"), token, false);
        }
        self.text.push('\n');
    }

    fn piece(&mut self, text: &str, token: Token, space: bool) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece {
            start,
            end: self.text.len(),
            token,
        });
        if space {
            self.text.push(' ');
        }
    }
}

/// A literal as a flow writes it: a Rust character is a CEL string.
fn literal_text(literal: &Literal) -> String {
    let text = literal.to_string();
    if text.starts_with('\'')
        && let Ok(character) = syn::parse_str::<syn::LitChar>(&text)
    {
        return format!("\"{}\"", escaped(character.value()));
    }
    if text.starts_with("b'")
        && let Ok(byte) = syn::parse_str::<syn::LitByte>(&text)
    {
        return format!("b\"{}\"", byte.value().escape_ascii());
    }
    text
}

/// A character inside a text of the language, whose escapes are those of CEL and not of Rust.
fn escaped(character: char) -> String {
    match character {
        '"' | '\\' => format!("\\{character}"),
        _ if character.is_control() => format!("\\u{:04x}", u32::from(character)),
        _ => character.to_string(),
    }
}

fn is_number(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Literal(literal) if literal.to_string().starts_with(|first: char| first.is_ascii_digit()))
}

/// The text of the `[doc = "…"]` behind a `#`.
fn doc_text(token: &TokenTree) -> Option<String> {
    let TokenTree::Group(group) = token else {
        return None;
    };
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let mut tokens = group.stream().into_iter();
    match (tokens.next()?, tokens.next()?, tokens.next()?) {
        (TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(text))
            if name == "doc" =>
        {
            syn::parse_str::<syn::LitStr>(&text.to_string())
                .ok()
                .map(|text| text.value())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use watershed_lang::span::FileId;

    use super::*;

    fn text(tokens: &str) -> String {
        TokenText::new(tokens.parse().unwrap())
            .text()
            .trim_end()
            .to_owned()
    }

    #[test]
    fn what_the_lexer_took_apart_is_put_together() {
        assert_eq!(text("a->b=>c"), "a -> b => c");
        assert_eq!(text("x >= .5 && !y"), "x >= .5 && ! y");
        assert_eq!(text("10ms 64KiB 1.5 7u"), "10ms 64KiB 1.5 7u");
        assert_eq!(text("m[?\"k\"].?f"), "m [ ? \"k\" ] .? f");
        assert_eq!(
            text("r\"\\d\" r#\"a\"b\"# b\"x\""),
            "r\"\\d\" r#\"a\"b\"# b\"x\""
        );
        assert_eq!(
            text("'x' '\"' '\\n' b'\\''"),
            "\"x\" \"\\\"\" \"\\u000a\" b\"\\'\""
        );
    }

    #[test]
    fn characters_become_texts_that_the_language_reads() {
        for (literal, character) in [
            ("'\\0'", '\0'),
            ("'\\u{7f}'", '\u{7f}'),
            ("'\u{200b}'", '\u{200b}'),
            ("'\\\\'", '\\'),
        ] {
            let mut diagnostics = watershed_lang::diagnostic::Diagnostics::new();
            let text = text(literal);
            let expr = watershed_lang::parse::parse_expression(FileId(0), &text, &mut diagnostics);
            assert!(diagnostics.is_empty(), "{text}");
            let expected = watershed_lang::ast::Literal::String(character.to_string());
            assert_eq!(
                expr.kind,
                watershed_lang::ast::ExprKind::Literal(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn a_group_without_delimiters_gets_parentheses() {
        let inner: TokenStream = "a || b".parse().unwrap();
        let group = TokenTree::Group(Group::new(Delimiter::None, inner));
        assert_eq!(TokenText::new(group.into()).text(), "( a || b ) ");
    }

    #[test]
    fn doc_comments_become_lines() {
        let text = text("/// Splits \"a\".\n/** two\nlines */\nsource a = otlp;");
        assert_eq!(
            text,
            "\n/// Splits \"a\".\n\n/// two\n///lines \nsource a = otlp ;"
        );
    }

    #[test]
    fn empty_lines_of_documentation_stay() {
        assert_eq!(
            text("/// A.\n///\n/// B.\nsource a = otlp;"),
            "\n/// A.\n\n///\n\n/// B.\nsource a = otlp ;"
        );
    }

    #[test]
    fn places_lead_back_to_tokens() {
        let tokens: TokenStream = "first -> second . third".parse().unwrap();
        let spans: Vec<_> = tokens
            .clone()
            .into_iter()
            .map(|token| format!("{:?}", token.span()))
            .collect();
        let text = TokenText::new(tokens);
        let span = |start, end| {
            let (first, last) = text.tokens(Span::new(FileId(0), start, end));
            (format!("{first:?}"), format!("{last:?}"))
        };
        // `second . third` stands at 9..23 of `first -> second . third `.
        assert_eq!(text.text(), "first -> second . third ");
        assert_eq!(span(9, 23), (spans[3].clone(), spans[5].clone()));
        assert_eq!(span(9, 15), (spans[3].clone(), spans[3].clone()));
        assert_eq!(span(5, 5), (spans[0].clone(), spans[0].clone()));
        assert_eq!(span(24, 24), (spans[5].clone(), spans[5].clone()));
        assert_eq!(span(0, 0), (spans[0].clone(), spans[0].clone()));
    }
}
