//! The page of the language of expressions, `docs/expressions.md`, against the compiler.
//!
//! Its tables are made from those of the compiler, and its examples are checked here: types, errors that are found
//! at build time, and the codes of what is refused. `cel_conformance` compiles and runs the same examples.
//!
//! `WATERSHED_UPDATE_DOCS=1` writes the tables into the page instead of comparing them.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod cel_page;
mod cel_suite;
mod support;

use std::fmt::Write as _;
use std::fs;

use cel_page::{Example, Outcome, tables, telemetry};
use watershed_compiler::cel::fold::Constant;

#[test]
fn the_tables_are_those_of_the_compiler() {
    let page = fs::read_to_string(cel_page::path()).unwrap();
    let updated = with_tables(&page);
    if std::env::var_os("WATERSHED_UPDATE_DOCS").is_some() {
        fs::write(cel_page::path(), updated).unwrap();
        return;
    }
    let old = page.lines().zip(updated.lines());
    let first = old.into_iter().find(|(old, new)| old != new);
    assert!(
        page == updated,
        "docs/expressions.md is out of date at {first:#?}; run this test with WATERSHED_UPDATE_DOCS=1"
    );
}

#[test]
fn every_field_stands_in_a_table() {
    assert_eq!(
        tables::missing_fields(&tables::tables()),
        Vec::<String>::new()
    );
}

/// The page with what stands between its markers replaced. Every table has its place, and there is no other.
fn with_tables(page: &str) -> String {
    let mut tables = tables::tables();
    let mut parts = page.split("<!-- table: ");
    let mut updated = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->").expect("a marker ends");
        let (_, behind) = rest.split_once("<!-- end -->").expect("a table ends");
        let table = tables.remove(name);
        assert!(
            table.is_some(),
            "there is no table `{name}`, or it stands twice"
        );
        let table = table.unwrap_or_default();
        write!(
            updated,
            "<!-- table: {name} -->\n\n{table}\n<!-- end -->{behind}"
        )
        .unwrap();
    }
    assert!(
        tables.is_empty(),
        "docs/expressions.md has no place for {:?}",
        tables.keys()
    );
    updated
}

#[test]
fn the_flows_of_the_page_compile() {
    let page = fs::read_to_string(cel_page::path()).unwrap();
    for flow in cel_page::blocks(&page, "flow") {
        assert_eq!(support::checked("page.flow", flow).findings, [], "{flow}");
    }
}

#[test]
fn the_examples_are_checked_as_the_page_says() {
    let examples = cel_page::examples();
    let wrong: Vec<String> = examples.iter().filter_map(mistake).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with an example.
fn mistake(example: &Example) -> Option<String> {
    let expression = &example.expression;
    let is = |what: &str| Some(format!("{expression} {what}"));
    let checked = match (telemetry::checked(expression), &example.outcome) {
        (Err(error), Outcome::Refused(code)) if error.code.as_str() == code => return None,
        (Err(error), _) => return is(&format!("is refused: {} {}", error.code, error.message)),
        (Ok(_), Outcome::Refused(_)) => return is("is not refused"),
        (Ok(checked), _) => checked,
    };
    let root = checked.tree.root_node();
    let has_failed = matches!(root.constant, Some(Constant::Failed(_)));
    match &example.outcome {
        Outcome::Error(_) if root.fails.is_total() => is("is called total"),
        Outcome::Value(_) if has_failed => is("always fails"),
        Outcome::Type(wanted) if *wanted != root.ty.to_string() => {
            is(&format!("is of type {}", root.ty))
        }
        _ => None,
    }
}
