//! SARIF 2.1.0, the format in which code scanners exchange findings.
//!
//! One run with one result a finding. Only the rules that have a result are described. Columns count code points,
//! which `columnKind` says.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Place;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::source::SourceMap;

/// Renders findings as one SARIF log.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let codes: BTreeSet<Code> = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect();
    let codes: Vec<Code> = codes.into_iter().collect();
    let results: Vec<Value> = diagnostics
        .iter()
        .map(|diagnostic| result(diagnostic, &codes, sources))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "flowc",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": codes.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "name": format!("{code:?}"),
        "shortDescription": { "text": code.title() },
        "defaultConfiguration": { "level": code.severity().as_str() },
    })
}

fn result(diagnostic: &Diagnostic, codes: &[Code], sources: &SourceMap) -> Value {
    let message = match &diagnostic.help {
        Some(help) => format!("{}; {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let mut result = json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": codes.binary_search(&diagnostic.code).unwrap_or(0),
        "level": diagnostic.severity.as_str(),
        "message": { "text": message },
        "locations": [{ "physicalLocation": location(&Place::of(diagnostic.primary.span, sources)) }],
    });
    let related: Vec<Value> = diagnostic
        .secondary
        .iter()
        .map(|label| {
            let place = location(&Place::of(label.span, sources));
            json!({ "physicalLocation": place, "message": { "text": label.text } })
        })
        .collect();
    if let Some(fields) = result.as_object_mut() {
        if !related.is_empty() {
            fields.insert("relatedLocations".to_owned(), Value::Array(related));
        }
        if let Some(fix) = &diagnostic.fix {
            let help = diagnostic.help.as_deref().unwrap_or("change it");
            fields.insert("fixes".to_owned(), json!([change(fix, help, sources)]));
        }
    }
    result
}

fn location(place: &Place<'_>) -> Value {
    json!({ "artifactLocation": { "uri": uri(place.file) }, "region": region(place) })
}

fn region(place: &Place<'_>) -> Value {
    json!({
        "startLine": place.start.line,
        "startColumn": place.start.column,
        "endLine": place.end.line,
        "endColumn": place.end.column,
    })
}

fn change(fix: &Fix, help: &str, sources: &SourceMap) -> Value {
    let place = Place::of(fix.span, sources);
    json!({
        "description": { "text": help },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(place.file) },
            "replacements": [{
                "deletedRegion": region(&place),
                "insertedContent": { "text": fix.replacement },
            }],
        }],
    })
}

/// A path as a relative URI reference: forward slashes, everything unusual percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte))
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::super::fixture::findings;
    use super::*;

    #[test]
    fn a_log_has_rules_and_results() {
        let (diagnostics, sources) = findings();
        insta::assert_snapshot!(render(&diagnostics, &sources));
    }

    #[test]
    fn nothing_found_is_a_log_without_results() {
        let log: Value = serde_json::from_str(&render(&[], &SourceMap::new())).unwrap();
        assert_eq!(log["runs"][0]["results"], json!([]));
        assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri(r"flows\a b%é.flow"), "flows/a%20b%25%C3%A9.flow");
    }
}
