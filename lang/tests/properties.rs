//! What holds for every text: no panic, spans that lie in it, and errors wherever the tree has holes.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests may fail the test and say what they saw"
)]

use proptest::prelude::*;
use serde_json::Value;
use watershed_lang::ast::File;
use watershed_lang::ast::dump::dump;
use watershed_lang::diagnostic::render::{github, human, json, sarif, short};
use watershed_lang::diagnostic::{Diagnostic, Diagnostics};
use watershed_lang::parse::{parse, parse_expression};
use watershed_lang::source::{SourceFile, SourceMap};
use watershed_lang::span::FileId;

const VALID: [&str; 3] = [
    include_str!("cases/ast/tour.flow"),
    include_str!("cases/ast/cel.flow"),
    include_str!("cases/ast/chains.flow"),
];

/// Words and signs that make up most texts, right or wrong.
const PIECES: [&str; 48] = [
    "sink",
    "source",
    "const",
    "config",
    "predicate",
    "stage",
    "route",
    "split",
    "else",
    "filter",
    "batch",
    "a",
    "b.logs",
    "in",
    "true",
    "1",
    "0x1F",
    "5s",
    "64MiB",
    "\"s\"",
    "'s'",
    "r\"s\"",
    "\"",
    "'",
    "`",
    "->",
    "=>",
    "==",
    "=",
    ":",
    ";",
    ",",
    ".",
    "?",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "&&",
    "||",
    "!",
    "-",
    "+",
    "// c\n",
    "/* c */",
    "/// d\n",
];

/// Calls `check` with every span of a serialised tree.
fn spans(value: &Value, check: &mut impl FnMut(usize, usize)) {
    if let (Some(start), Some(end)) = (value["start"].as_u64(), value["end"].as_u64()) {
        check(
            usize::try_from(start).unwrap(),
            usize::try_from(end).unwrap(),
        );
    }
    match value {
        Value::Array(values) => values.iter().for_each(|inner| spans(inner, check)),
        Value::Object(fields) => fields.values().for_each(|inner| spans(inner, check)),
        _ => {}
    }
}

/// Checks that the parts of an expression lie inside it, which look-ups by place rely on.
fn parts_lie_inside(value: &Value, around: Option<&Value>) {
    let is_expression = value["kind"].is_object() && value["span"].is_object();
    if let (true, Some(around)) = (is_expression, around) {
        let (part, whole) = (&value["span"], around);
        assert!(
            part["start"].as_u64() >= whole["start"].as_u64()
                && part["end"].as_u64() <= whole["end"].as_u64(),
            "{part} lies outside {whole}"
        );
    }
    let around = if is_expression {
        Some(&value["span"])
    } else {
        around
    };
    match value {
        Value::Array(values) => values
            .iter()
            .for_each(|part| parts_lie_inside(part, around)),
        Value::Object(fields) => fields
            .values()
            .for_each(|part| parts_lie_inside(part, around)),
        _ => {}
    }
}

fn parse_text(text: &str) -> (File, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::new();
    let file = parse(FileId(0), text, &mut diagnostics);
    (file, diagnostics.into_sorted())
}

/// Checks everything that must hold for `text`.
fn check(text: &str) {
    let (file, found) = parse_text(text);
    let mut check_span = |start: usize, end: usize| {
        assert!(
            start <= end && end <= text.len(),
            "{start}..{end} lies outside {text:?}"
        );
        assert!(
            text.is_char_boundary(start) && text.is_char_boundary(end),
            "{start}..{end} cuts {text:?}"
        );
    };
    spans(&serde_json::to_value(&file).unwrap(), &mut check_span);
    spans(&serde_json::to_value(&found).unwrap(), &mut check_span);
    if found.is_empty() {
        for item in &file.items {
            parts_lie_inside(&serde_json::to_value(&item.kind).unwrap(), None);
        }
        let tree = format!("{file:?}");
        assert!(
            !tree.contains("kind: Error"),
            "{text:?} has an error node and no error"
        );
    }
    let _ = dump(&file);
    let mut sources = SourceMap::new();
    sources.add(SourceFile::new("any.flow", text));
    let _ = human::render(&found, &sources, human::Style::Plain);
    let _ = (
        github::render(&found, &sources),
        json::render(&found, &sources),
    );
    let _ = (
        sarif::render(&found, &sources),
        short::render(&found, &sources),
    );
    let mut diagnostics = Diagnostics::new();
    let _ = parse_expression(FileId(0), text, &mut diagnostics);
}

/// Takes the characters `from..from + length` out of `text` and puts `piece` there.
fn mutate(text: &str, from: usize, length: usize, piece: &str) -> String {
    let from = from % (text.chars().count() + 1);
    let kept = text.chars().take(from);
    kept.chain(piece.chars())
        .chain(text.chars().skip(from + length))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_text(text in "(?s).{0,200}") {
        check(&text);
    }

    #[test]
    fn any_pieces(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60), glue in "( )?") {
        check(&pieces.join(&glue));
    }

    #[test]
    fn valid_texts_with_a_change(
        text in prop::sample::select(&VALID[..]),
        from in 0_usize..4_000,
        length in 0_usize..12,
        piece in prop::sample::select(&PIECES[..]),
    ) {
        check(&mutate(text, from, length, piece));
    }

    /// White space between tokens means nothing: the tree is the same wherever lines end.
    #[test]
    fn line_ends_mean_nothing(index in 0_usize..400, blank in "[ \t\n\r]{1,4}") {
        let text = VALID[0].split("//").next().unwrap();
        let valid = "predicate p = a.b[\"c\"] >= 17 && !d in e; in.logs -> filter(p, q: -1) -> [a, b -> c];";
        for text in [text, valid] {
            let places: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
            if let Some(at) = places.get(index % places.len().max(1)) {
                let changed = format!("{}{blank}{}", &text[..*at], &text[at + 1..]);
                prop_assert_eq!(shape(text), shape(&changed));
            }
        }
    }
}

/// The dump of a text without spans and trivia.
fn shape(text: &str) -> String {
    let (file, found) = parse_text(text);
    let tree = dump(&file);
    let lines = tree.lines().filter(|line| !line.starts_with("trivia"));
    let lines = lines.map(|line| match line.rsplit_once(' ') {
        Some((words, span)) if span.contains("..") => words,
        _ => line,
    });
    format!(
        "{} findings\n{}",
        found.len(),
        lines.collect::<Vec<_>>().join("\n")
    )
}
