//! The page of every code: its failing example raises exactly that code, its fixed example raises nothing.

mod support;

use std::fs;
use std::path::PathBuf;

use watershed_lang::diagnostic::Code;
use watershed_lang::diagnostic::render::human::{self, Style};

/// Codes that no text of a sensible size can raise.
const WITHOUT_EXAMPLE: &[Code] = &[Code::FileTooLarge, Code::Internal];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics")
}

fn page(code: Code) -> String {
    let path = folder().join(format!("{}.md", code.as_str()));
    // A page that is not there lacks its title.
    fs::read_to_string(path).unwrap_or_default()
}

/// The fenced block below a heading.
fn example<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let below = page.split_once(&format!("\n## {heading}\n\n```flow\n"))?.1;
    Some(below.split_once("\n```")?.0)
}

/// The codes that a text raises, each once, with the findings as they are shown.
fn raised(text: &str) -> (Vec<Code>, String) {
    let checked = support::checked("example.flow", text);
    let mut codes: Vec<_> = checked
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect();
    codes.sort();
    codes.dedup();
    (
        codes,
        human::render(&checked.findings, &checked.sources, Style::Plain),
    )
}

#[test]
fn every_code_has_a_page_with_its_title() {
    for code in Code::ALL {
        let heading = format!("# {}: {}\n", code.as_str(), code.title());
        assert!(
            page(*code).starts_with(&heading),
            "{code} does not begin with {heading}"
        );
    }
}

#[test]
fn failing_examples_raise_exactly_their_code() {
    let mut wrong = Vec::new();
    for code in Code::ALL
        .iter()
        .filter(|code| !WITHOUT_EXAMPLE.contains(code))
    {
        let page = page(*code);
        let (codes, shown) = raised(example(&page, "Fails").expect("a page has a failing example"));
        if codes != [*code] {
            wrong.push(format!("{code} raises {codes:?}:\n{shown}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn fixed_examples_raise_nothing() {
    let mut wrong = Vec::new();
    for code in Code::ALL
        .iter()
        .filter(|code| !WITHOUT_EXAMPLE.contains(code))
    {
        let page = page(*code);
        let (codes, shown) = raised(example(&page, "Fixed").expect("a page has a fixed example"));
        if !codes.is_empty() {
            wrong.push(format!("the mended {code} raises {codes:?}:\n{shown}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_index_names_every_page() {
    let index = fs::read_to_string(folder().join("README.md")).expect("there is an index");
    for code in Code::ALL {
        let row = format!("| [{code}]({code}.md) | {} |", code.title());
        assert!(index.contains(&row), "the index lacks {row}");
    }
}
