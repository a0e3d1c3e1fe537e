//! Makes syntax trees of pest's pairs: items here, chains, expressions and literals in the files below.
//!
//! In: the pairs of one item. Out: its [`ItemKind`], and the mistakes that the grammar lets pass because they are
//! better said here: parts of blocks that do not parse, numbers out of range, escapes that mean nothing, reserved
//! words, expressions that are too deep.

mod chain;
mod expression;
mod number;
mod precedence;
mod primary;
mod template;
pub(crate) mod text;

use pest::iterators::{Pair, Pairs};

use super::Source;
use super::diagnose::{self, Context};
use super::error::{Role, SyntaxError};
use super::grammar::Rule;
use crate::ast::{
    ConfigItem, ConstItem, Expr, ExprKind, ItemKind, NodeItem, OptionBlock, OptionItem,
    OptionValue, PredicateItem, StageItem,
};
use crate::span::{Name, Span, Spanned};

/// Words that no variable may be called, because CEL keeps them; as fields and methods most of them are fine.
const RESERVED: [&str; 16] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "while",
];

/// Words that are part of the expression syntax itself and cannot be fields either.
pub(crate) const SYNTAX_WORDS: [&str; 4] = ["in", "true", "false", "null"];

/// Turns pairs of one text into nodes with spans of the whole file.
pub(super) struct Builder<'a> {
    source: Source<'a>,
    /// Where the text that was parsed begins in the file (bytes).
    base: u32,
    errors: &'a mut Vec<SyntaxError>,
    /// Whether an expression of this text was reported as too deep.
    too_deep: bool,
}

impl<'a> Builder<'a> {
    /// A builder for a text that begins at `base`.
    pub(super) fn new(source: Source<'a>, base: u32, errors: &'a mut Vec<SyntaxError>) -> Self {
        Self {
            source,
            base,
            errors,
            too_deep: false,
        }
    }

    /// The span of a pair, without the white space and comments that pest counts to its end.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let (start, end) = (
            self.base + super::offset(span.start()),
            self.base + super::offset(span.end()),
        );
        Span::new(
            self.source.file,
            start,
            self.source.last_token_end(end).max(start),
        )
    }

    fn name(&self, pair: &Pair<'_, Rule>) -> Name {
        Spanned::new(pair.as_str().to_owned(), self.span(pair))
    }

    /// A name for a `parts` that lacks one; the grammar lets no such item through.
    fn next_name(&self, parts: &mut Pairs<'_, Rule>) -> Name {
        parts.next().map_or_else(
            || Spanned::new(String::new(), Span::default()),
            |pair| self.name(&pair),
        )
    }

    /// The name that an item declares.
    fn declared_name(&mut self, parts: &mut Pairs<'_, Rule>) -> Name {
        let name = self.next_name(parts);
        if RESERVED.contains(&name.value.as_str()) || SYNTAX_WORDS.contains(&name.value.as_str()) {
            self.reserved(&name, Role::Declaration);
        }
        name
    }

    fn reserved(&mut self, word: &Name, role: Role) {
        self.errors.push(SyntaxError::ReservedWord {
            word: word.clone(),
            role,
        });
    }

    fn error_expression(span: Span) -> Expr {
        Expr {
            kind: ExprKind::Error,
            span,
        }
    }

    fn next_expression(&mut self, parts: &mut Pairs<'_, Rule>) -> Expr {
        match parts.next() {
            Some(pair) => self.expression(pair),
            None => Self::error_expression(Span::default()),
        }
    }

    /// Builds the item that `pair` holds.
    pub(super) fn item(&mut self, pair: Pair<'_, Rule>) -> ItemKind {
        let rule = pair.as_rule();
        let mut parts = pair.into_inner();
        match rule {
            Rule::chain => return ItemKind::Chain(self.chain(parts)),
            Rule::r#use => return self.template_use(parts),
            _ => {}
        }
        // The keyword says nothing that the rule does not say.
        parts.next();
        match rule {
            Rule::config => self.config(&mut parts),
            Rule::const_item => {
                let name = self.declared_name(&mut parts);
                ItemKind::Const(ConstItem {
                    name,
                    value: self.next_expression(&mut parts),
                })
            }
            Rule::predicate => {
                let name = self.declared_name(&mut parts);
                ItemKind::Predicate(PredicateItem {
                    name,
                    value: self.next_expression(&mut parts),
                })
            }
            Rule::connection => ItemKind::Connection(self.node_item(parts)),
            Rule::source => ItemKind::Source(self.node_item(parts)),
            Rule::sink => ItemKind::Sink(self.node_item(parts)),
            Rule::stage => {
                let name = self.declared_name(&mut parts);
                match parts.next() {
                    Some(call) => ItemKind::Stage(StageItem {
                        name,
                        call: self.stage_call(call),
                    }),
                    None => ItemKind::Error,
                }
            }
            _ => ItemKind::Error,
        }
    }

    fn config(&mut self, parts: &mut Pairs<'_, Rule>) -> ItemKind {
        let name = self.declared_name(parts);
        let ty = self.next_name(parts);
        let default = parts.next().map(|pair| self.expression(pair));
        ItemKind::Config(ConfigItem { name, ty, default })
    }

    /// A connection, source or sink.
    fn node_item(&mut self, mut parts: Pairs<'_, Rule>) -> NodeItem {
        let name = self.declared_name(&mut parts);
        let mut ty = None;
        let mut kind = Spanned::new(String::new(), name.span.after());
        let mut options = None;
        for part in parts {
            match part.as_rule() {
                Rule::declared_type => ty = part.into_inner().next().map(|pair| self.name(&pair)),
                Rule::block => options = Some(self.block(part)),
                _ => kind = self.name(&part),
            }
        }
        NodeItem {
            name,
            ty,
            kind,
            options,
        }
    }

    fn block(&mut self, pair: Pair<'_, Rule>) -> OptionBlock {
        let span = self.span(&pair);
        let options = pair
            .into_inner()
            .filter_map(|part| self.option(part))
            .collect();
        OptionBlock { options, span }
    }

    fn option(&mut self, pair: Pair<'_, Rule>) -> Option<OptionItem> {
        if pair.as_rule() == Rule::bad_option {
            return self.bad_option(&pair);
        }
        let mut parts = pair.into_inner();
        let name = self.next_name(&mut parts);
        let value = parts.next()?;
        let value = match value.as_rule() {
            Rule::block => OptionValue::Block(self.block(value)),
            _ => OptionValue::Expr(self.expression(value)),
        };
        Some(OptionItem { name, value })
    }

    /// Reports an option that does not parse, and keeps its name when it has one.
    fn bad_option(&mut self, pair: &Pair<'_, Rule>) -> Option<OptionItem> {
        let span = self.report(pair, Context::Option);
        let tokens = self.source.tokens_in(span);
        let name = tokens.first()?;
        let colon = tokens
            .get(1)
            .is_some_and(|token| self.source.text_of(token) == ":");
        let name = Spanned::new(self.source.text_of(name).to_owned(), name.span);
        let value = OptionValue::Expr(Self::error_expression(span));
        colon.then_some(OptionItem { name, value })
    }

    /// Adds what is wrong with a `bad_…` pair; gives its span.
    fn report(&mut self, pair: &Pair<'_, Rule>, context: Context) -> Span {
        let span = self.span(pair);
        self.errors
            .push(diagnose::diagnose(self.source, context, span));
        span
    }
}
