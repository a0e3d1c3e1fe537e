//! Wrong and doubtful programs with what the compiler says of them: source and findings in one snapshot.

mod support;

use std::fs;

use insta::assert_snapshot;
use watershed_lang::diagnostic::render::human::{self, Style};
use watershed_lang::diagnostic::{Diagnostic, Fix};

#[test]
fn findings() {
    support::for_each_file("cases", "flow", |path| {
        let text = fs::read_to_string(path).expect("a case can be read");
        let name = path
            .file_name()
            .expect("a case has a name")
            .to_string_lossy();
        let checked = support::checked(&name, &text);
        let findings = human::render(&checked.findings, &checked.sources, Style::Plain);
        assert_snapshot!(format!("---- source\n{text}---- diagnostics\n{findings}"));
    });
}

#[test]
fn fixes_mend_what_they_promise() {
    support::for_each_file("cases", "flow", |path| {
        let text = fs::read_to_string(path).expect("a case can be read");
        let findings = support::checked("case.flow", &text).findings;
        for finding in &findings {
            if let Some(fix) = &finding.fix {
                let mended = support::checked("case.flow", &apply(&text, fix)).findings;
                let (before, after) = (count(&findings, finding), count(&mended, finding));
                let message = &finding.message;
                assert!(
                    after < before,
                    "{}: {message}: {before} before, {after} after",
                    path.display()
                );
                assert!(
                    syntax_errors(&mended) <= syntax_errors(&findings),
                    "{}: {message}: the fix does not parse",
                    path.display()
                );
            }
        }
    });
}

/// The text with a fix applied.
fn apply(text: &str, fix: &Fix) -> String {
    let (start, end) = (fix.span.start as usize, fix.span.end as usize);
    format!("{}{}{}", &text[..start], fix.replacement, &text[end..])
}

/// How many findings say that the text does not parse.
fn syntax_errors(findings: &[Diagnostic]) -> usize {
    let codes = findings.iter().map(|found| found.code.as_str());
    codes.filter(|code| code.starts_with("F01")).count()
}

/// How many findings have the code and message of this one.
fn count(findings: &[Diagnostic], like: &Diagnostic) -> usize {
    findings
        .iter()
        .filter(|found| found.code == like.code && found.message == like.message)
        .count()
}
