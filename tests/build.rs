//! Compiles every flow that this package runs or includes: its own, those of the examples, and the golden flows of the
//! compiler.
//!
//! Most of them belong to other packages, so this uses the compiler itself instead of the helper for `build.rs`, which
//! the examples and benchmarks use. Out: one Rust file a flow, and `flows.rs` and `golden.rs` that include them as
//! modules named after their files.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use watershed_compiler::cargo::read_table;
use watershed_compiler::driver::{CompileOptions, compile};
use watershed_lang::diagnostic::render::human::{self, Style};
use watershed_lang::source::{SourceFile, SourceMap};

fn main() -> Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").context("Cargo sets OUT_DIR")?);
    let run = compile_folders(
        &["flows", "../examples/quickstart", "../examples/nats-split"],
        &out,
    )?;
    fs::write(
        out.join("flows.rs"),
        modules(&run)? + &start_function(&run)?,
    )?;
    let golden = compile_folders(&["../compiler/tests/golden"], &out.join("golden"))?;
    fs::write(out.join("golden.rs"), modules(&golden)?)?;
    Ok(())
}

/// Compiles the flows of `folders` into `out`, and gives the name and the generated file of each.
fn compile_folders(folders: &[&str], out: &Path) -> Result<Vec<(String, PathBuf)>> {
    fs::create_dir_all(out)?;
    let mut compiled = Vec::new();
    for folder in folders {
        println!("cargo::rerun-if-changed={folder}");
        let mut flows = fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<Vec<_>>>()?;
        flows.retain(|path| {
            path.extension()
                .is_some_and(|extension| extension == "flow")
        });
        flows.sort();
        for flow in flows {
            let name = flow
                .file_stem()
                .context("a flow has a name")?
                .to_string_lossy()
                .into_owned();
            let target = out.join(&name).with_extension("flow.rs");
            fs::write(&target, compile_flow(&flow)?)?;
            compiled.push((name, target));
        }
    }
    Ok(compiled)
}

/// The Rust of one flow.
fn compile_flow(path: &Path) -> Result<String> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(
        path.display().to_string(),
        fs::read_to_string(path)?,
    ));
    let folder = path.parent().unwrap_or(Path::new(""));
    let options = CompileOptions {
        read_table: &|table| read_table(folder, table),
        ..CompileOptions::default()
    };
    let compilation = compile(&sources, file, &options);
    let findings = human::render(&compilation.diagnostics, &sources, Style::Plain);
    ensure!(!compilation.has_errors(), "{findings}");
    Ok(compilation
        .rendered
        .context("a flow without errors is rendered")?
        .text)
}

/// A module for each flow.
fn modules(flows: &[(String, PathBuf)]) -> Result<String> {
    let mut text = String::new();
    for (name, file) in flows {
        writeln!(
            text,
            "/// `{name}.flow`\npub mod {name} {{ include!({:?}); }}",
            file.display().to_string()
        )?;
    }
    Ok(text)
}

/// A function that starts a flow by its name.
fn start_function(flows: &[(String, PathBuf)]) -> Result<String> {
    let mut arms = String::new();
    for (name, _) in flows {
        writeln!(
            arms,
            "{name:?} => configured!({name}, settings).start().await,"
        )?;
    }
    Ok(format!(
        "/// Starts the flow `name`; `None` when there is none.
        async fn start(name: &str, settings: &[(String, String)]) -> Option<Result<Running, StartError>> {{
            macro_rules! configured {{
                ($name:ident, $settings:ident) => {{
                    $settings.iter().fold($name::Flow::builder(), |flow, (name, value)| flow.set(name, value))
                }};
            }}
            Some(match name {{ {arms} _ => return None }})
        }}"
    ))
}
