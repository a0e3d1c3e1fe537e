//! Every `.flow` file in `cases/ast` with its tree, and every one in `cases/errors` with its messages.

use watershed_lang::ast::dump::dump;
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse;
use watershed_lang::source::{SourceFile, SourceMap};

/// The file's text, its tree and its rendered findings.
fn run(path: &std::path::Path) -> (String, String, String) {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let mut sources = SourceMap::new();
    let id = sources.add(SourceFile::new(name, text));
    let text = sources.get(id).unwrap().text().to_owned();
    let mut diagnostics = Diagnostics::new();
    let file = parse(id, &text, &mut diagnostics);
    let _ = &sources;
    let rendered = format!("{:#?}", diagnostics.into_sorted());
    (text, dump(&file), rendered)
}

#[test]
fn valid_files_have_trees() {
    insta::glob!("cases/ast/*.flow", |path| {
        let (text, tree, found) = run(path);
        assert_eq!(found, "[]", "{}", path.display());
        insta::assert_snapshot!(format!("---- source\n{text}---- ast\n{tree}"));
    });
}
