//! A flow means the same in a file and in a macro: text, then tokens as a macro gets them, then text again gives the
//! same plan.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use watershed_compiler::cargo::read_table;
use watershed_compiler::driver::{Compilation, CompileOptions, Dump, compile};
use watershed_compiler::expand::expand;
use watershed_compiler::token_text::TokenText;
use watershed_lang::source::{SourceFile, SourceMap};

fn compile_text(text: &str, folder: &Path) -> Compilation {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("flow.flow", text));
    let options = CompileOptions {
        read_table: &|table| read_table(folder, table),
        ..CompileOptions::default()
    };
    compile(&sources, file, &options)
}

/// The flows of a folder beside this package, and of the folders in it.
fn flows(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(flows(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "flow")
        {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_file_and_a_macro_have_the_same_plan() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/golden", "../tests/flows", "../examples"];
    let found: Vec<_> = folders
        .iter()
        .flat_map(|folder| flows(&package.join(folder)))
        .collect();
    assert!(found.len() >= 12, "{found:?}");
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        let folder = path.parent().unwrap();
        let file = compile_text(&text, folder);
        let tokens: TokenStream = text.parse().unwrap();
        let in_macro = compile_text(TokenText::new(tokens.clone()).text(), folder);
        let plan = file.dump(Dump::Plan).unwrap();
        assert_eq!(
            plan,
            in_macro.dump(Dump::Plan).unwrap(),
            "{}",
            path.display()
        );
        assert_eq!(file.dump(Dump::NaivePlan), in_macro.dump(Dump::NaivePlan));
        assert!(
            !expand(tokens, "::watershed", folder)
                .to_string()
                .contains("compile_error")
        );
    }
}

#[test]
fn a_macro_makes_rustc_read_its_tables() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tenants.json"), r#"["acme", "globex"]"#).unwrap();
    let tokens: TokenStream = "source i = otlp; \
         template link(tenant: string) { sink o = file { path: tenant }; i.logs -> o; } \
         for t in json(\"tenants.json\") { link(t); }"
        .parse()
        .unwrap();
    let expanded = expand(tokens.clone(), "::watershed", folder.path()).to_string();
    assert!(!expanded.contains("compile_error"), "{expanded}");
    assert!(expanded.contains("include_bytes ! (\""), "{expanded}");
    assert!(expanded.contains("tenants.json\")"), "{expanded}");
    assert!(expanded.contains("\"globex\""), "{expanded}");
    let elsewhere = expand(tokens, "::watershed", Path::new("/nowhere")).to_string();
    assert!(elsewhere.contains("[F0411]"), "{elsewhere}");
}

#[test]
fn a_mistake_in_a_macro_is_reported_beside_a_skeleton() {
    let tokens: TokenStream = "config url: string = \"x\"; source i = otlp; sink o = stdout; \
         i.logs -> filter(log.severity_numbr >= 9) -> o;"
        .parse()
        .unwrap();
    let expanded = expand(tokens, "::watershed", Path::new("")).to_string();
    assert!(expanded.contains("compile_error !"), "{expanded}");
    assert!(
        expanded.contains("[F0203]") && expanded.contains("severity_number"),
        "{expanded}"
    );
    assert!(
        expanded.contains("pub fn url (self , _value : impl Into < String >)"),
        "{expanded}"
    );
    assert_eq!(expanded.matches("compile_error").count(), 1, "{expanded}");
}

#[test]
fn a_warning_in_a_macro_is_a_use_of_something_deprecated() {
    let tokens: TokenStream = "source i = otlp; sink o = stdout; sink idle = stdout; i.logs -> o;"
        .parse()
        .unwrap();
    let expanded = expand(tokens, "::watershed", Path::new("")).to_string();
    assert!(!expanded.contains("compile_error"), "{expanded}");
    assert!(
        expanded.contains("# [deprecated (note = \"[W"),
        "{expanded}"
    );
    assert!(expanded.contains("pub struct Flow"), "{expanded}");
}
