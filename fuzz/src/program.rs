//! The whole compiler: any text in, a generated module or findings out.
//!
//! Compilation ends; what it accepts becomes a file of Rust, the same at every time; what it refuses still has a
//! skeleton that rustc can read. No finding says that the compiler itself is at fault.

use watershed_compiler::driver::{Compilation, CompileOptions, Dump, RUNTIME_PATH, compile};
use watershed_lang::diagnostic::Code;
use watershed_lang::source::{SourceFile, SourceMap};

use crate::parse::show;
use crate::rust;

/// Compiles `input` as a file.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    // As a file is read: without the mark of its byte order.
    let text = SourceFile::new("fuzz.flow", String::from_utf8_lossy(input));
    let text = text.text();
    let made = compiled(text);
    show(text, &made.diagnostics);
    let mut findings = made.diagnostics.iter();
    assert!(
        findings.all(|found| found.code != Code::Internal),
        "{:?}",
        made.diagnostics
    );
    for (_, dump) in Dump::ALL {
        let _ = made.dump(dump);
    }
    let tokens = made.tokens(RUNTIME_PATH);
    rust::check::<syn::File>(&tokens);
    if !made.has_errors() {
        let rendered = made.rendered.expect("what has no errors is rendered");
        rust::check::<syn::File>(&rendered.text);
        let again = compiled(text).rendered.map(|rendered| rendered.text);
        assert_eq!(
            again.as_ref(),
            Some(&rendered.text),
            "the output depends on chance"
        );
    }
}

fn compiled(text: &str) -> Compilation {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("fuzz.flow", text));
    compile(&sources, file, &CompileOptions::default())
}
