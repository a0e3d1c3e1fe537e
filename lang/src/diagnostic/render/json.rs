//! JSON Lines: one object a finding, one line an object, so that a reader need not wait for the end.
//!
//! `start` and `end` hold `line`, `column` (code points, from 1) and `offset` (bytes from the start of the text);
//! `end` lies behind the last character. `label` belongs to the place itself, `labels` to other places. A field
//! that has nothing to say is left out, `labels` excepted.

use serde::Serialize;

use super::Place;
use crate::diagnostic::{Code, Diagnostic, Fix, Label, Severity};
use crate::source::SourceMap;

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: Code,
    severity: Severity,
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    labels: Vec<JsonLabel<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<JsonFix<'a>>,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    replacement: &'a str,
}

impl<'a> JsonDiagnostic<'a> {
    fn of(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Self {
        let label = |label: &'a Label| JsonLabel {
            place: Place::of(label.span, sources),
            text: &label.text,
        };
        let fix = |fix: &'a Fix| JsonFix {
            place: Place::of(fix.span, sources),
            replacement: &fix.replacement,
        };
        Self {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message: &diagnostic.message,
            place: Place::of(diagnostic.primary.span, sources),
            label: &diagnostic.primary.text,
            labels: diagnostic.secondary.iter().map(label).collect(),
            help: diagnostic.help.as_deref(),
            fix: diagnostic.fix.as_ref().map(fix),
        }
    }
}

/// Renders findings, one object a line; no findings are no lines.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        // Strings and numbers always serialise.
        text.push_str(
            &serde_json::to_string(&JsonDiagnostic::of(diagnostic, sources)).unwrap_or_default(),
        );
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::fixture::findings;
    use super::*;

    #[test]
    fn a_finding_is_an_object_on_a_line() {
        let (diagnostics, sources) = findings();
        insta::assert_snapshot!(render(&diagnostics, &sources));
    }
}
