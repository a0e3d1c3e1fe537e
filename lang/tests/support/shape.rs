//! What must be the same before and after formatting: the tree without its spans, and the comments.

use serde_json::{Value, json};
use watershed_lang::ast::TriviaKind;
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse;
use watershed_lang::span::FileId;

/// The tree of a text without spans, comments and blank lines, with fields in backticks as the formatter writes them.
/// `Err` with the messages for a text that has mistakes.
pub(crate) fn tree(text: &str) -> Result<Value, String> {
    let mut diagnostics = Diagnostics::new();
    let file = parse(FileId(0), text, &mut diagnostics);
    if !diagnostics.is_empty() {
        let messages: Vec<_> = diagnostics
            .iter()
            .map(|found| found.message.clone())
            .collect();
        return Err(messages.join("; "));
    }
    Ok(without_spans(serde_json::to_value(&file.items).unwrap()))
}

/// The words of every comment in the order of the text, doc comments too.
pub(crate) fn comments(text: &str) -> Vec<String> {
    let file = parse(FileId(0), text, &mut Diagnostics::new());
    let trivia = file
        .trivia
        .iter()
        .filter(|trivia| trivia.kind != TriviaKind::BlankLine)
        .map(|trivia| trivia.span);
    let docs = file
        .items
        .iter()
        .flat_map(|item| item.docs.iter().map(|doc| doc.span));
    let mut spans: Vec<_> = trivia.chain(docs).collect();
    spans.sort();
    let words = |comment: &str| {
        let signs = |next: char| "/*! \n".contains(next);
        comment
            .trim_matches(signs)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    spans
        .iter()
        .map(|span| words(&text[span.start as usize..span.end as usize]))
        .collect()
}

fn without_spans(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(without_spans).collect(),
        Value::Object(_) => match without_backticks(&value).unwrap_or(value) {
            Value::Object(fields) => fields
                .into_iter()
                .filter(|(key, _)| !matches!(key.as_str(), "span" | "op_span" | "head"))
                .map(|(key, value)| (key, without_spans(value)))
                .collect(),
            other => other,
        },
        other => other,
    }
}

/// The documented exception: a field in backticks is an index, inside `has` it is a test for a key.
fn without_backticks(expr: &Value) -> Option<Value> {
    let call = &expr["kind"]["Call"];
    if call["function"]["value"] == "has"
        && call["receiver"].is_null()
        && call["leading_dot"] == false
    {
        let [argument] = call["args"].as_array()?.as_slice() else {
            return None;
        };
        let select = &argument["kind"]["Select"];
        let (key, operand) = (
            odd_key(select).filter(|_| select["optional"] == false)?,
            &select["operand"],
        );
        return Some(json!({"kind": if is_optional(operand) {
            let index = json!({"operand": operand, "index": key, "optional": true});
            json!({"Call": {
                "receiver": {"kind": {"Index": index}},
                "function": {"value": "hasValue"},
                "leading_dot": false,
                "args": [],
            }})
        } else {
            json!({"Binary": {"op": "In", "left": key, "right": operand}})
        }}));
    }
    let select = &expr["kind"]["Select"];
    if select["backticked"] != true {
        return None;
    }
    let (operand, optional) = (&select["operand"], &select["optional"]);
    Some(json!({"kind": match odd_key(select) {
        Some(key) => json!({"Index": {"operand": operand, "index": key, "optional": optional}}),
        None => json!({"Select": {
            "operand": operand,
            "field": select["field"],
            "optional": optional,
            "backticked": false,
        }}),
    }}))
}

/// The key that a field in backticks is, unless it is a word.
fn odd_key(select: &Value) -> Option<Value> {
    let name = select["field"]["value"]
        .as_str()
        .filter(|_| select["backticked"] == true)?;
    (!is_word(name)).then(|| json!({"kind": {"Literal": {"String": name}}}))
}

/// Whether fields, indices and receivers down from `expr` take an optional one.
fn is_optional(expr: &Value) -> bool {
    let kind = &expr["kind"];
    let (select, index, call) = (&kind["Select"], &kind["Index"], &kind["Call"]);
    if select.is_object() {
        select["optional"] == true || is_optional(&select["operand"])
    } else if index.is_object() {
        index["optional"] == true || is_optional(&index["operand"])
    } else {
        call["receiver"].is_object() && is_optional(&call["receiver"])
    }
}

fn is_word(name: &str) -> bool {
    let first = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let rest = name
        .chars()
        .all(|next| next.is_ascii_alphanumeric() || next == '_');
    first && rest && !["in", "true", "false", "null"].contains(&name)
}
