//! A formatted flow is a valid body of `pipeline!` and means there what the file meant: its text is lexed as Rust, made
//! text again as the macro does it, and has the same tree.
//!
//! Checked for every flow of the repository, for generated ones and, where it is at hand, for every expression of the
//! public conformance suite of CEL.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests may fail the test and say what they saw"
)]

#[path = "../../lang/tests/support/generate.rs"]
mod generate;
#[path = "../../lang/tests/support/shape.rs"]
#[allow(
    dead_code,
    reason = "comments are compared where the formatter is tested"
)]
mod shape;

use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use proptest::prelude::*;
use watershed_compiler::token_text::TokenText;
use watershed_lang::fmt::format;
use watershed_lang::span::FileId;

/// Formats a text without mistakes and reads it as a macro does.
fn check(text: &str) {
    let formatted = format(FileId(0), text)
        .unwrap_or_else(|_| panic!("mistakes in {text}"))
        // The one form that has no spelling in Rust: a field of a record that is no word.
        .replace("`a-b`: ", "a_b: ");
    let text = text.replace("`a-b`: ", "a_b: ");
    let tokens: TokenStream = formatted
        .parse()
        .unwrap_or_else(|error| panic!("{error}:\n{formatted}"));
    let in_macro = TokenText::new(tokens);
    assert!(
        shape::tree(&text) == shape::tree(in_macro.text()),
        "---- source\n{text}\n---- formatted\n{formatted}\n---- in a macro\n{}",
        in_macro.text()
    );
}

/// Checks every flow below a folder; how many there were without mistakes of syntax.
fn check_flows(folder: &Path) -> usize {
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if entry.file_type().unwrap().is_dir() && !name.starts_with('.') && name != "target" {
            checked += check_flows(&path);
        } else if name.ends_with(".flow") {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.trim_start_matches('\u{feff}');
            if shape::tree(text).is_ok() {
                check(text);
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn every_flow_of_the_repository_is_a_macro_body() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let checked = check_flows(&root);
    assert!(checked >= 50, "{checked}");
}

#[test]
fn conformance_expressions_are_macro_bodies() {
    let data = std::env::var("WATERSHED_CEL_DATA").map_or_else(
        |_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
        Into::into,
    );
    let Ok(suite) = fs::read_to_string(data.join("cel-conformance.jsonl")) else {
        println!("skipped: {} holds no conformance suite", data.display());
        return;
    };
    let mut checked = 0;
    for line in suite.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = format!("const x = {};", case["expr"].as_str().unwrap());
        if shape::tree(&text).is_ok() {
            check(&text);
            checked += 1;
        }
    }
    println!("{checked} expressions");
    assert!(checked > 0, "nothing was checked");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_flows_are_macro_bodies(text in generate::program()) {
        prop_assume!(shape::tree(&text).is_ok());
        check(&text);
    }
}
