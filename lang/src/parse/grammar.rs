//! The grammar, as pest makes it of the three `.pest` files. Text in, pairs out; no other module names pest's
//! parser.

use pest::Parser;
use pest::error::{Error, ErrorVariant};
use pest::iterators::Pairs;

/// The parser that pest generates, with its `Rule` enum.
mod generated {
    #![allow(missing_docs, reason = "pest generates an undocumented enum")]

    #[derive(pest_derive::Parser)]
    #[grammar = "parse/lexical.pest"]
    #[grammar = "parse/cel.pest"]
    #[grammar = "parse/flow.pest"]
    pub(super) struct Grammar;
}

pub(super) use generated::Rule;

/// Why a text does not parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Nothing fits behind this offset.
    At(usize),
    /// The text nests deeper than the stack of this thread allows.
    StackLimit,
}

/// Parses all of `text` as `rule`.
pub(super) fn pairs(rule: Rule, text: &str) -> Option<Pairs<'_, Rule>> {
    generated::Grammar::parse(rule, text).ok()
}

/// Parses a text that does not fit `rule` once more, to learn how far it fits.
///
/// The position that pest gives without its error detail is often the start of an outer rule. The detail is a
/// setting of the process that costs time only, so it stays on once a text with a mistake was met: threads that
/// parse at the same time could not agree on when to turn it off.
pub(super) fn failure(rule: Rule, text: &str) -> Failure {
    pest::set_error_detail(true);
    match generated::Grammar::parse(rule, text) {
        Ok(_) => Failure::At(text.len()),
        Err(error) => furthest(&error),
    }
}

fn furthest(error: &Error<Rule>) -> Failure {
    match (&error.variant, error.parse_attempts()) {
        // The grammar makes no errors of its own: this is pest's guard of the stack.
        (ErrorVariant::CustomError { .. }, _) => Failure::StackLimit,
        (_, Some(attempts)) => Failure::At(attempts.max_position),
        (_, None) => Failure::At(0),
    }
}
