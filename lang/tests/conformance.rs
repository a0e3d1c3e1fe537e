//! The parser against the public conformance suite of CEL: every expression of the suite is read.
//!
//! The suite is data that stands beside the project, not in it. Where it is missing the test says so and passes,
//! except in continuous integration.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests may fail the test and say what they saw"
)]

use std::path::Path;

use watershed_lang::diagnostic::{Diagnostic, Diagnostics};
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

/// How many of the 1,400 expressions must parse.
const WANTED: usize = 1_397;

#[test]
fn conformance_expressions_parse() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/cel-conformance.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert_ne!(
            std::env::var("CI").as_deref(),
            Ok("true"),
            "{} is needed in CI",
            path.display()
        );
        println!("skipped: {} is not there", path.display());
        return;
    };
    let mut total = 0;
    let mut refused = Vec::new();
    for line in text.lines() {
        let test: serde_json::Value = serde_json::from_str(line).unwrap();
        let expression = test["expr"].as_str().unwrap();
        let mut diagnostics = Diagnostics::new();
        let _ = parse_expression(FileId(0), expression, &mut diagnostics);
        total += 1;
        if diagnostics.has_errors() {
            let messages: Vec<&str> = diagnostics.iter().map(message).collect();
            refused.push(format!("{expression}: {}", messages.join("; ")));
        }
    }
    println!("{} of {total} expressions parse", total - refused.len());
    assert!(
        total - refused.len() >= WANTED,
        "refused:\n{}",
        refused.join("\n")
    );
}

fn message(diagnostic: &Diagnostic) -> &str {
    &diagnostic.message
}
