//! What becomes of each flow in `golden/`: its findings, its plan with what the passes changed, and its Rust, beside
//! its source.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fmt::Write;

use watershed_compiler::cargo::read_table;
use watershed_compiler::driver::{CompileOptions, Dump, compile};
use watershed_lang::diagnostic::render::human::{self, Style};
use watershed_lang::source::{SourceFile, SourceMap};

#[test]
fn flows_become_what_was_reviewed() {
    support::for_each_file("golden", "flow", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new(name, text.clone()));
        let options = CompileOptions {
            read_table: &|table| read_table(path.parent().unwrap(), table),
            ..CompileOptions::default()
        };
        let compilation = compile(&sources, file, &options);
        let mut snapshot = format!("---- source\n{text}");
        let findings = human::render(&compilation.diagnostics, &sources, Style::Plain);
        for (what, part) in [
            ("findings", Some(findings)),
            ("plan", compilation.dump(Dump::Plan)),
            ("rust", compilation.dump(Dump::Rust)),
        ] {
            if let Some(part) = part.filter(|part| !part.is_empty()) {
                write!(snapshot, "\n---- {what}\n{part}").unwrap();
            }
        }
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(snapshot);
        });
        assert!(!compilation.has_errors(), "{snapshot}");
    });
}

#[test]
fn the_same_flow_gives_the_same_bytes() {
    support::for_each_file("golden", "flow", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let folder = path.parent().unwrap();
        let generate = |path: &str| {
            let mut sources = SourceMap::new();
            let file = sources.add(SourceFile::new(path, text.clone()));
            let options = CompileOptions {
                read_table: &|table| read_table(folder, table),
                ..CompileOptions::default()
            };
            compile(&sources, file, &options).rendered.unwrap().text
        };
        // The folder of a flow is not part of its output.
        assert_eq!(generate("a/x.flow"), generate("/some/where/else/x.flow"));
    });
}
