//! Every `.flow` file in `cases/ast` with its tree, and every one in `cases/errors` with its messages.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests may fail the test and say what they saw"
)]

use std::path::Path;

use watershed_lang::ast::dump::dump;
use watershed_lang::diagnostic::render::human::{Style, render};
use watershed_lang::diagnostic::{Diagnostic, Diagnostics};
use watershed_lang::parse::parse;
use watershed_lang::source::{SourceFile, SourceMap};

/// A file of the folder, parsed.
struct Case {
    sources: SourceMap,
    text: String,
    tree: String,
    found: Vec<Diagnostic>,
}

impl Case {
    fn read(path: &Path) -> Self {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut sources = SourceMap::new();
        let id = sources.add(SourceFile::new(
            name,
            std::fs::read_to_string(path).unwrap(),
        ));
        let text = sources.get(id).unwrap().text().to_owned();
        let mut diagnostics = Diagnostics::new();
        let tree = dump(&parse(id, &text, &mut diagnostics));
        Self {
            sources,
            text,
            tree,
            found: diagnostics.into_sorted(),
        }
    }

    fn messages(&self) -> String {
        render(&self.found, &self.sources, Style::Plain)
    }
}

/// Compares a text and what was made of it with the snapshot of the case.
fn assert_case(title: &str, text: &str, output: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(title, format!("---- source\n{text}---- {title}\n{output}"));
    });
}

#[test]
fn valid_files_have_trees() {
    insta::glob!("cases/ast/*.flow", |path| {
        let case = Case::read(path);
        assert!(case.found.is_empty(), "{}", case.messages());
        assert_case("ast", &case.text, &case.tree);
    });
}

#[test]
fn mistakes_have_messages() {
    insta::glob!("cases/errors/*.flow", |path| {
        let case = Case::read(path);
        assert!(!case.found.is_empty(), "{} has no mistake", path.display());
        assert_case("diagnostics", &case.text, &case.messages());
    });
}

#[test]
fn ten_mistakes_in_one_file_are_ten_findings() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/errors/ten.flow");
    let case = Case::read(&path);
    assert_eq!(case.found.len(), 10, "{}", case.messages());
}

/// A fix that is offered takes the finding away that offers it.
#[test]
fn fixes_mend() {
    insta::glob!("cases/errors/*.flow", |path| {
        let case = Case::read(path);
        for finding in &case.found {
            let Some(fix) = &finding.fix else { continue };
            let mut text = case.text.clone();
            text.replace_range(
                fix.span.start as usize..fix.span.end as usize,
                &fix.replacement,
            );
            let mut diagnostics = Diagnostics::new();
            let _ = parse(fix.span.file, &text, &mut diagnostics);
            let left = diagnostics
                .iter()
                .filter(|other| (&other.code, &other.message) == (&finding.code, &finding.message));
            let before = case
                .found
                .iter()
                .filter(|other| (&other.code, &other.message) == (&finding.code, &finding.message));
            let place = case.sources.describe(finding.primary.span);
            assert!(
                left.count() < before.count(),
                "{place}: {} is still there in\n{text}",
                finding.message
            );
        }
    });
}
