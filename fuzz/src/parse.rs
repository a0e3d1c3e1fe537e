//! The parser: any text in, a tree and findings out.
//!
//! It ends without a panic, every place that it names lies in the text, and a tree with holes has findings. What is
//! found can be shown in every form.

use serde_json::Value;
use watershed_lang::ast::dump::dump;
use watershed_lang::diagnostic::render::{github, human, json, sarif, short};
use watershed_lang::diagnostic::{Diagnostic, Diagnostics};
use watershed_lang::parse::{parse, parse_expression};
use watershed_lang::source::{SourceFile, SourceMap};
use watershed_lang::span::{FileId, Span};

/// How many findings are rendered: a text of signs has one for each of them.
const SHOWN: usize = 20;

/// Parses `input` as a file and as an expression.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut diagnostics = Diagnostics::new();
    let file = parse(FileId(0), &text, &mut diagnostics);
    let found = diagnostics.into_sorted();
    let tree = serde_json::to_value(&file).expect("a tree can be written");
    for_each_span(&tree, &mut |start, end| {
        assert!(text.get(start..end).is_some(), "{start}..{end} is no text");
    });
    if found.is_empty() {
        let has_hole = format!("{file:?}").contains("kind: Error");
        assert!(!has_hole, "an error node, and nothing was reported");
    }
    let _ = dump(&file);
    show(&text, &found);
    let mut diagnostics = Diagnostics::new();
    let _ = parse_expression(FileId(0), &text, &mut diagnostics);
    show(&text, &diagnostics.into_sorted());
}

/// Checks where findings point, and renders them.
pub(crate) fn show(text: &str, found: &[Diagnostic]) {
    let mut sources = SourceMap::new();
    sources.add(SourceFile::new("fuzz.flow", text));
    for one in found {
        assert!(is_inside(text, one.primary.span), "{one:?} lies outside");
    }
    let shown = found.get(..SHOWN).unwrap_or(found);
    let _ = human::render(shown, &sources, human::Style::Plain);
    let _ = github::render(shown, &sources);
    let _ = json::render(shown, &sources);
    let _ = sarif::render(shown, &sources);
    let _ = short::render(shown, &sources);
}

/// Whether a span lies in the text and cuts no character.
pub(crate) fn is_inside(text: &str, span: Span) -> bool {
    text.get(span.start as usize..span.end as usize).is_some()
}

/// Calls `check` with every span of a serialised tree.
fn for_each_span(value: &Value, check: &mut impl FnMut(usize, usize)) {
    let place = |name| value.get(name).and_then(Value::as_u64);
    if let (Some(start), Some(end)) = (place("start"), place("end")) {
        check(offset(start), offset(end));
    }
    match value {
        Value::Array(values) => values.iter().for_each(|inner| for_each_span(inner, check)),
        Value::Object(fields) => fields
            .values()
            .for_each(|inner| for_each_span(inner, check)),
        _ => {}
    }
}

fn offset(number: u64) -> usize {
    usize::try_from(number).expect("an offset fits")
}
