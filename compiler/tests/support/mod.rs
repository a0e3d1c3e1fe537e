//! What the tests of findings share: from a text to its findings, its program and its types.

#![allow(dead_code, reason = "each test program uses a part of it")]

use watershed_compiler::check::TypeTable;
use watershed_compiler::driver::{CompileOptions, compile};
use watershed_compiler::hir::Program;
use watershed_lang::diagnostic::Diagnostic;
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

/// Checks a text with the driver, as every front door does.
pub(crate) fn checked(name: &str, text: &str) -> Checked {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(name, text));
    let compilation = compile(&sources, file, &CompileOptions::default());
    Checked {
        sources,
        findings: compilation.diagnostics,
        program: compilation.program.unwrap_or_default(),
        types: compilation.types.unwrap_or_default(),
    }
}
