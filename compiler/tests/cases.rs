//! Wrong and doubtful programs with what the compiler says of them: source and findings in one snapshot.

mod support;

use std::fs;

use insta::{assert_snapshot, glob};
use watershed_lang::diagnostic::render::human::{self, Style};

#[test]
fn findings() {
    glob!("cases/*.flow", |path| {
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
