//! What the tests of the front half share: from a text to its findings, its program and its types.

#![allow(dead_code, reason = "each test program uses a part of it")]

use watershed_compiler::check::{TypeTable, check};
use watershed_compiler::hir::Program;
use watershed_compiler::resolve::resolve;
use watershed_lang::diagnostic::{Diagnostic, Diagnostics};
use watershed_lang::parse::parse;
use watershed_lang::source::{SourceFile, SourceMap};

/// A text that has gone through parser, resolver and checker.
pub(crate) struct Checked {
    /// The one file.
    pub(crate) sources: SourceMap,
    /// Everything that was found, in the order of the text.
    pub(crate) findings: Vec<Diagnostic>,
    /// The resolved program.
    pub(crate) program: Program,
    /// Its types.
    pub(crate) types: TypeTable,
}

/// Checks a text as the driver does: a phase runs when the one before it found no error.
pub(crate) fn checked(name: &str, text: &str) -> Checked {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(name, text));
    let mut diagnostics = Diagnostics::new();
    let text = sources.get(file).map(SourceFile::text).unwrap_or_default();
    let tree = parse(file, text, &mut diagnostics);
    let (mut program, mut types) = (Program::default(), TypeTable::default());
    if !diagnostics.has_errors() {
        program = resolve(&tree, &mut diagnostics);
        types = check(&program, &mut diagnostics);
    }
    Checked {
        sources,
        findings: diagnostics.into_sorted(),
        program,
        types,
    }
}
