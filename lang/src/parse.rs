//! Text to syntax tree; the only part of Watershed that knows pest.
//!
//! In: the text of one file. Out: an [`ast::File`](crate::ast::File), always, and diagnostics for what was wrong.
//!
//! 1. `scan` cuts the text into tokens and keeps comments and blank lines.
//! 2. `outline` cuts the tokens into items and refuses brackets that do not match or nest too deeply.
//! 3. The grammar (`*.pest`) parses one item at a time; `build` makes nodes of its pairs.
//! 4. Where a text does not fit the grammar, `diagnose` finds the place and `words` says what is wrong.
//!
//! So a mistake costs the part it stands in and nothing else, and no text, however hostile, makes the parser
//! recurse deeper than [`MAX_NESTING`] brackets or build a tree deeper than [`MAX_DEPTH`] nodes.

mod brackets;
pub(crate) mod build;
mod diagnose;
mod error;
mod grammar;
mod outline;
pub(crate) mod scan;
mod slip;
mod words;

use crate::ast::{Expr, ExprKind, File, ForItem, Item, ItemKind, TemplateItem};
use crate::diagnostic::Diagnostics;
use crate::span::{FileId, Span};
use build::Builder;
use diagnose::Context;
use error::SyntaxError;
use grammar::Rule;
use outline::{Block, Slice};
use scan::Token;

/// How deep brackets and block comments may nest.
pub const MAX_NESTING: usize = 96;

/// How many nodes an expression may have from its root to its deepest leaf. Lists of `&&`, `||` and `?:` are one
/// node each, however long; a chain such as `a + b + c` or `a.b.c` has a node per link.
pub const MAX_DEPTH: u32 = 128;

/// Parses one file. Never fails: what could not be parsed is an error node and a diagnostic.
///
/// ```
/// use watershed_lang::{ast::ItemKind, diagnostic::Diagnostics, parse::parse, span::FileId};
///
/// let mut diagnostics = Diagnostics::new();
/// let file = parse(FileId(0), "sink rest = file { path: \"rest\" };", &mut diagnostics);
/// assert!(diagnostics.is_empty());
/// assert!(matches!(file.items[0].kind, ItemKind::Sink(_)));
/// ```
#[must_use]
pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> File {
    if u32::try_from(text.len()).is_err() {
        diagnostics.push(SyntaxError::FileTooLarge {
            file: Span::new(file, 0, 0),
        });
        return File::default();
    }
    let mut scan = scan::scan(file, text);
    let mut errors = std::mem::take(&mut scan.errors);
    let code = scan.without_comments(text);
    let slices = outline::outline(text, &mut scan, &mut errors);
    let source = Source {
        file,
        text,
        code: &code,
        tokens: &scan.tokens,
    };
    let items = slices
        .into_iter()
        .map(|slice| item(source, slice, &mut errors))
        .collect();
    for error in errors {
        diagnostics.push(error);
    }
    File {
        items,
        trivia: scan.trivia,
    }
}

/// Parses a lone CEL expression, as the conformance suite has them. Never fails, as [`parse`].
#[must_use]
pub fn parse_expression(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Expr {
    let scan = scan::scan(file, text);
    let code = scan.without_comments(text);
    let source = Source {
        file,
        text,
        code: &code,
        tokens: &scan.tokens,
    };
    let whole = Span::new(file, 0, offset(text.len()));
    let mut errors = scan.errors;
    let sound = errors.is_empty() && brackets::match_in(&scan.tokens, &mut errors);
    let mut expression = Expr {
        kind: ExprKind::Error,
        span: whole,
    };
    if sound {
        let pair = grammar::pairs(Rule::expression_text, &code).and_then(|mut pairs| pairs.next());
        match pair {
            Some(pair) => expression = Builder::new(source, 0, &mut errors).expression(pair),
            None => errors.push(diagnose::diagnose(source, Context::Expression, whole)),
        }
    }
    for error in errors {
        diagnostics.push(error);
    }
    expression
}

/// Parses the text of one item.
fn item(source: Source<'_>, slice: Slice, errors: &mut Vec<SyntaxError>) -> Item {
    let span = slice
        .semicolon
        .map_or(slice.span, |semicolon| slice.span.to(semicolon));
    Item {
        docs: slice.docs.clone(),
        kind: item_kind(source, slice, errors),
        span,
    }
}

fn item_kind(source: Source<'_>, slice: Slice, errors: &mut Vec<SyntaxError>) -> ItemKind {
    if let Some(keyword) = &slice.unsupported {
        errors.push(SyntaxError::Unsupported {
            keyword: keyword.clone(),
        });
        return ItemKind::Unsupported(keyword.clone());
    }
    if slice.broken {
        return ItemKind::Error;
    }
    if let Some(block) = slice.block {
        return block_kind(source, block, errors);
    }
    let text = self::slice(source.code, slice.span);
    let Some(pair) = grammar::pairs(Rule::item_text, text).and_then(|mut pairs| pairs.next())
    else {
        let context = Context::of_item(self::slice(source.code, slice.span));
        errors.push(diagnose::diagnose(source, context, slice.span));
        return ItemKind::Error;
    };
    let kind = Builder::new(source, slice.span.start, errors).item(pair);
    if slice.semicolon.is_none() {
        errors.push(SyntaxError::MissingSemicolon {
            item: describe(&kind),
            after: slice.span,
        });
    }
    kind
}

/// A `template` or a `for` with the items in its braces.
fn block_kind(source: Source<'_>, block: Block, errors: &mut Vec<SyntaxError>) -> ItemKind {
    let text = slice(source.code, block.head);
    let context = Context::of_item(text);
    let head = grammar::pairs(context.rule(), text).and_then(|mut pairs| pairs.next());
    let kind = match head {
        Some(pair) => Builder::new(source, block.head.start, errors).block_item(pair),
        None => {
            errors.push(diagnose::diagnose(source, context, block.head));
            ItemKind::Error
        }
    };
    let items: Vec<Item> = block
        .items
        .into_iter()
        .map(|slice| item(source, slice, errors))
        .collect();
    match kind {
        ItemKind::Template(template) => ItemKind::Template(TemplateItem { items, ..template }),
        ItemKind::For(item) => ItemKind::For(ForItem { items, ..item }),
        other => other,
    }
}

/// What an item is called in a message.
const fn describe(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::Config(_) => "config",
        ItemKind::Const(_) => "const",
        ItemKind::Predicate(_) => "predicate",
        ItemKind::Connection(_) => "connection",
        ItemKind::Source(_) => "source",
        ItemKind::Sink(_) => "sink",
        ItemKind::Stage(_) => "stage",
        ItemKind::Chain(_) => "chain",
        ItemKind::Template(_) => "template",
        ItemKind::For(_) => "for",
        ItemKind::Use(_) => "use of a template",
        ItemKind::Unsupported(_) | ItemKind::Error => "item",
    }
}

/// A text with its tokens.
#[derive(Clone, Copy)]
struct Source<'a> {
    file: FileId,
    text: &'a str,
    /// The text with blanks in place of comments: what the grammar reads.
    code: &'a str,
    tokens: &'a [Token],
}

impl<'a> Source<'a> {
    /// The tokens that lie inside `span`.
    fn tokens_in(self, span: Span) -> &'a [Token] {
        let first = self
            .tokens
            .partition_point(|token| token.span.start < span.start);
        let last = self
            .tokens
            .partition_point(|token| token.span.end <= span.end);
        self.tokens.get(first..last).unwrap_or(&[])
    }

    /// The last token that ends at `start` or before.
    fn token_before(self, start: u32) -> Option<&'a Token> {
        let behind = self.tokens.partition_point(|token| token.span.end <= start);
        behind.checked_sub(1).and_then(|last| self.tokens.get(last))
    }

    /// Where the last token before `end` ends: what follows it is white space and comments.
    fn last_token_end(self, end: u32) -> u32 {
        self.token_before(end).map_or(end, |token| token.span.end)
    }

    /// The text of a token.
    fn text_of(self, token: &Token) -> &'a str {
        slice(self.text, token.span)
    }

    /// The text from `start` on.
    fn text_at(self, start: u32) -> &'a str {
        self.text.get(start as usize..).unwrap_or("")
    }
}

/// The text under a span of the same file.
fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize)
        .unwrap_or("")
}

/// Offsets are `u32`; [`parse`] refuses longer texts before the first is made.
fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
