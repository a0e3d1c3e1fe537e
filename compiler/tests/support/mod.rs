//! What tests over files share: which files there are, and from a text to its findings, its program and its types.

#![allow(dead_code, reason = "each test program uses a part of it")]
#![expect(
    clippy::expect_used,
    reason = "a folder that cannot be read must stop the test"
)]

use std::fs;
use std::path::{Path, PathBuf};

use watershed_compiler::check::TypeTable;
use watershed_compiler::driver::{CompileOptions, compile};
use watershed_compiler::hir::Program;
use watershed_lang::diagnostic::Diagnostic;
use watershed_lang::source::{SourceFile, SourceMap};

/// Runs a test on every file of a folder below `tests`, in the order of their names. Snapshots of each have its name
/// behind theirs. `insta::glob` does this too, with six more crates that every build of a test would wait for.
pub(crate) fn for_each_file(folder: &str, extension: &str, mut test: impl FnMut(&Path)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder);
    let entries = fs::read_dir(&folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no files", folder.display());
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        insta::with_settings!({ snapshot_suffix => name, input_file => &path }, {
            test(&path);
        });
    }
}

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
