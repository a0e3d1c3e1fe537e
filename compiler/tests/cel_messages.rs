//! What the checker of expressions says: one snapshot per file of expressions, each with its messages.

mod cel_support;
mod support;

use cel_support::{parsed, telemetry};
use watershed_compiler::cel::{Mode, check};
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::diagnostic::render::human::{Style, render};
use watershed_lang::source::{SourceFile, SourceMap};

#[test]
fn mistakes_have_messages() {
    let environment = telemetry();
    support::for_each_file("cases/cel", "cel", |path| {
        let mut output = String::new();
        for line in std::fs::read_to_string(path)
            .unwrap()
            .lines()
            .filter(|line| !line.is_empty())
        {
            let mut sources = SourceMap::new();
            let file = sources.add(SourceFile::new("expression", line));
            let checked = check(&parsed(file, line), &environment, Mode::Static);
            assert!(!checked.errors.is_empty(), "{line} has no mistake");
            let mut diagnostics = Diagnostics::new();
            checked
                .errors
                .into_iter()
                .for_each(|error| diagnostics.push(error));
            output += &render(&diagnostics.into_sorted(), &sources, Style::Plain);
            output.push('\n');
        }
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!("cel", output);
        });
    });
}
