//! Functions on constant texts, as far as the standard library does what the run time does.
//!
//! In: an overload with its arguments. Out: the value, a failure, or nothing where only the run knows. What could
//! grow is measured before it is made.

use std::fmt::Write;

use super::{Constant, MAX_WEIGHT};
use crate::cel::declarations::Overload as O;
use crate::cel::failure::Failure;

const OUT_OF_RANGE: Constant = Constant::Failed(Failure::OutOfRange);

/// The value of a call; `None` when it is not known here.
pub(super) fn call(overload: O, args: &[&Constant]) -> Option<Constant> {
    use Constant::{Int, List, String};
    Some(match (overload, args) {
        (O::LowerAscii, [String(text)]) => String(text.to_ascii_lowercase()),
        (O::UpperAscii, [String(text)]) => String(text.to_ascii_uppercase()),
        (O::Trim, [String(text)]) => text_of(text.trim()),
        (O::ReverseString, [String(text)]) => String(text.chars().rev().collect()),
        (O::CharAt, [String(text), Int(index)]) => character(text, *index),
        (O::Substring, [String(text), Int(start)]) => between(text, *start, None),
        (O::SubstringTo, [String(text), Int(start), Int(end)]) => between(text, *start, Some(*end)),
        (O::Split, [String(text), String(separator)]) => split(text, separator),
        (O::Replace, [String(text), String(old), String(new)]) => return replace(text, old, new),
        (O::Join, [List(texts)]) => return join(texts, ""),
        (O::JoinWith, [List(texts), String(separator)]) => return join(texts, separator),
        (O::Format, [String(template), List(arguments)]) => return format(template, arguments),
        _ => return None,
    })
}

fn text_of(text: &str) -> Constant {
    Constant::String(text.to_owned())
}

/// The byte at which a position begins; the position may be the end.
fn offset(text: &str, position: i64) -> Option<usize> {
    let position = usize::try_from(position).ok()?;
    let starts = text.char_indices().map(|(start, _)| start);
    starts.chain([text.len()]).nth(position)
}

/// One character, or none right behind the last.
fn character(text: &str, index: i64) -> Constant {
    match offset(text, index).and_then(|start| text.get(start..)) {
        Some(rest) => Constant::String(rest.chars().take(1).collect()),
        None => OUT_OF_RANGE,
    }
}

/// What stands between two positions, or behind one.
fn between(text: &str, start: i64, end: Option<i64>) -> Constant {
    let part = || {
        let end = match end {
            Some(end) => offset(text, end)?,
            None => text.len(),
        };
        text.get(offset(text, start)?..end)
    };
    part().map_or(OUT_OF_RANGE, text_of)
}

/// Without a separator a text is split into its characters.
fn split(text: &str, separator: &str) -> Constant {
    Constant::List(if separator.is_empty() {
        let characters = text.chars().map(|character| character.to_string());
        characters.map(Constant::String).collect()
    } else {
        text.split(separator).map(text_of).collect()
    })
}

fn replace(text: &str, old: &str, new: &str) -> Option<Constant> {
    let added = text.matches(old).count().saturating_mul(new.len());
    (added <= MAX_WEIGHT).then(|| Constant::String(text.replace(old, new)))
}

/// Elements that are no texts are left to the run, which fails with them.
fn join(elements: &[Constant], separator: &str) -> Option<Constant> {
    if elements.len().saturating_mul(separator.len()) > MAX_WEIGHT {
        return None;
    }
    let texts: Option<Vec<&str>> = elements
        .iter()
        .map(|element| match element {
            Constant::String(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    texts.map(|texts| Constant::String(texts.join(separator)))
}

/// A template of nothing but `%s`, `%d` and `%%`, filled in with texts, integers and truth values.
fn format(template: &str, arguments: &[Constant]) -> Option<Constant> {
    let mut arguments = arguments.iter();
    let mut written = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((plain, clause)) = rest.split_once('%') {
        written.push_str(plain);
        let (verb, after) = clause.split_at_checked(1)?;
        rest = after;
        // Writing into a text cannot fail.
        let _ = match (verb, if verb == "%" { None } else { arguments.next() }) {
            ("%", None) => write!(written, "%"),
            ("s", Some(Constant::String(text))) => write!(written, "{text}"),
            ("s", Some(Constant::Bool(truth))) => write!(written, "{truth}"),
            ("s" | "d", Some(Constant::Int(number))) => write!(written, "{number}"),
            ("s" | "d", Some(Constant::Uint(number))) => write!(written, "{number}"),
            _ => return None,
        };
        if written.len() > MAX_WEIGHT {
            return None;
        }
    }
    written.push_str(rest);
    Some(Constant::String(written))
}
