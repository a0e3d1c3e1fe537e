//! What must be the same before and after formatting: the tree without its spans, and the comments.
//!
//! The tests of the formatter and its fuzz target share this file.

use serde_json::{Value, json};
use watershed_lang::ast::{ItemKind, TriviaKind};
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
    let inner = file.items.iter().flat_map(|item| match &item.kind {
        ItemKind::Template(template) => &template.items[..],
        ItemKind::For(item) => &item.items[..],
        _ => &[],
    });
    let docs = file
        .items
        .iter()
        .chain(inner)
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

/// Whether a record in a tree has a field that only backticks can write: Rust's lexer refuses such a text.
pub(crate) fn needs_backticks(tree: &Value) -> bool {
    let odd = |field: &Value| {
        let name = field["name"]["value"].as_str();
        name.is_some_and(|name| !is_word(name))
    };
    let mut fields = tree["Record"]["fields"].as_array().into_iter().flatten();
    fields.any(odd)
        || match tree {
            Value::Array(values) => values.iter().any(needs_backticks),
            Value::Object(fields) => fields.values().any(needs_backticks),
            _ => false,
        }
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

/// The documented exception: a field in backticks is an index, and inside `has` a test for a key.
fn without_backticks(expr: &Value) -> Option<Value> {
    if let Some((operand, key)) = tested_key(&expr["kind"]) {
        return Some(json!({"kind": {"HasKey": {"operand": operand, "key": key}}}));
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

/// The operand and the key of ``has(operand.`k k`)`` and of the two forms that mean the same: `operand[?"k k"].hasValue()`,
/// and `"k k" in operand` where that is a field of attributes. `in` is something else on any other operand.
fn tested_key(kind: &Value) -> Option<(&Value, Value)> {
    let (call, binary) = (&kind["Call"], &kind["Binary"]);
    let text = |expr: &Value| {
        let text = &expr["kind"]["Literal"]["String"];
        text.is_string()
            .then(|| json!({"kind": {"Literal": {"String": text}}}))
    };
    if binary["op"] == "In" {
        let (key, operand) = (text(&binary["left"])?, &binary["right"]);
        return is_attributes(operand).then_some((operand, key));
    }
    let args = call["args"].as_array()?;
    let function = call["function"]["value"].as_str()?;
    match (function, args.as_slice(), &call["receiver"]) {
        ("has", [argument], Value::Null) if call["leading_dot"] == false => {
            let select = &argument["kind"]["Select"];
            let key = odd_key(select).filter(|_| select["optional"] == false)?;
            Some((&select["operand"], key))
        }
        ("hasValue", [], receiver) => {
            let index = &receiver["kind"]["Index"];
            let key = text(&index["index"]).filter(|_| index["optional"] == true)?;
            Some((&index["operand"], key))
        }
        _ => None,
    }
}

/// Whether an expression is the attributes of something.
fn is_attributes(expr: &Value) -> bool {
    let select = &expr["kind"]["Select"];
    let root = &select["operand"]["kind"]["Ident"];
    let roots = ["resource", "scope", "log", "span", "datapoint"];
    select["field"]["value"] == "attributes"
        && select["optional"] == false
        && root["leading_dot"] == false
        && root["name"]
            .as_str()
            .is_some_and(|name| roots.contains(&name))
}

/// The key that a field in backticks is, unless it is a word.
fn odd_key(select: &Value) -> Option<Value> {
    let name = select["field"]["value"]
        .as_str()
        .filter(|_| select["backticked"] == true)?;
    (!is_word(name)).then(|| json!({"kind": {"Literal": {"String": name}}}))
}

fn is_word(name: &str) -> bool {
    let first = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let rest = name
        .chars()
        .all(|next| next.is_ascii_alphanumeric() || next == '_');
    first && rest && !["in", "true", "false", "null"].contains(&name)
}
