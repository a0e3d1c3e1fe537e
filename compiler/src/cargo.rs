//! The build-script helper: compiles `.flow` files where Cargo builds the user's crate.
//!
//! ```no_run
//! // In `main` of build.rs:
//! watershed_compiler::cargo::compile_flow("flows/split.flow");
//! ```
//!
//! and then in the crate:
//!
//! ```ignore
//! pub mod split {
//!     watershed::include_flow!("flows/split.flow");
//! }
//! ```
//!
//! It never panics and the build script never fails. What is wrong with a flow reaches rustc as a compile error in
//! the included file, beside a skeleton with the flow's types, so that the rest of the crate is still checked; what
//! is wrong with the environment (no such file, a folder that cannot be written) is a `cargo::error`. Warnings are
//! one line each. Cargo runs the script again exactly when a flow or a table that it reads changes.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use watershed_lang::diagnostic::render::{human, short};
use watershed_lang::source::{SourceFile, SourceMap};

use crate::driver::{Compilation, CompileOptions, RUNTIME_PATH, compile};
use crate::emit::{Emitted, Item};
use crate::render;

/// Compiles one flow. `path` is relative to the package, as in `watershed::include_flow!`.
pub fn compile_flow(path: impl AsRef<Path>) {
    FlowBuild::new().compile(path);
}

/// [`compile_flow`] with settings.
///
/// ```no_run
/// watershed_compiler::cargo::FlowBuild::new().runtime_path("::my_crate::watershed").compile("flows/split.flow");
/// ```
#[derive(Clone, Debug)]
pub struct FlowBuild {
    runtime_path: String,
}

impl Default for FlowBuild {
    fn default() -> Self {
        Self::new()
    }
}

impl FlowBuild {
    /// Settings that need no change in most packages.
    #[must_use]
    pub fn new() -> Self {
        Self {
            runtime_path: RUNTIME_PATH.to_owned(),
        }
    }

    /// Sets the path under which the package finds the runtime crate; `::watershed` unless it is renamed.
    #[must_use]
    pub fn runtime_path(mut self, path: impl Into<String>) -> Self {
        self.runtime_path = path.into();
        self
    }

    /// Compiles one flow. `path` is relative to the package.
    pub fn compile(&self, path: impl AsRef<Path>) {
        let environment = Environment {
            package: std::env::var_os("CARGO_MANIFEST_DIR")
                .map(PathBuf::from)
                .unwrap_or_default(),
            out: std::env::var_os("OUT_DIR").map(PathBuf::from),
        };
        let mut directives = io::stdout().lock();
        // A closed standard output means that Cargo is gone: there is nobody left to tell.
        let _ = self.compile_in(path.as_ref(), &environment, &mut directives);
    }

    fn compile_in(
        &self,
        path: &Path,
        environment: &Environment,
        directives: &mut impl Write,
    ) -> io::Result<()> {
        writeln!(directives, "cargo::rerun-if-changed={}", path.display())?;
        let warnings = match self.write_outputs(path, environment, directives) {
            Ok(warnings) => warnings,
            Err(error) => {
                return writeln!(directives, "cargo::error={}", one_line(&error.to_string()));
            }
        };
        for warning in warnings {
            writeln!(directives, "cargo::warning={}", one_line(&warning))?;
        }
        Ok(())
    }

    /// Writes what a flow becomes and returns the warnings, one line each.
    fn write_outputs(
        &self,
        path: &Path,
        environment: &Environment,
        directives: &mut impl Write,
    ) -> Result<Vec<String>, BuildError> {
        let out = environment.out.as_ref().ok_or(BuildError::NoOutDir)?;
        let mirrored =
            mirrored(path).ok_or_else(|| BuildError::OutsidePackage { path: path.into() })?;
        let text = fs::read_to_string(environment.package.join(path)).map_err(|error| {
            BuildError::Read {
                path: path.into(),
                error,
            }
        })?;
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new(path.display().to_string(), text));
        let folder = path.parent().unwrap_or(Path::new(""));
        let options = CompileOptions {
            runtime_path: &self.runtime_path,
            spans: None,
            read_table: &|table| read_table(&environment.package.join(folder), table),
        };
        let compilation = compile(&sources, file, &options);
        for table in &compilation.tables {
            let table = folder.join(&table.path);
            writeln!(directives, "cargo::rerun-if-changed={}", table.display())
                .map_err(BuildError::Directive)?;
        }
        for (name, contents) in self.files(&compilation, &sources, &mirrored) {
            let target = out.join(name);
            write_if_changed(&target, &contents).map_err(|error| BuildError::Write {
                path: target,
                error,
            })?;
        }
        let warnings = compilation
            .diagnostics
            .iter()
            .filter(|found| !found.is_error());
        Ok(warnings
            .map(|warning| short::line(warning, &sources))
            .collect())
    }

    /// The files that a flow becomes, by their paths in the output folder.
    fn files(
        &self,
        compilation: &Compilation,
        sources: &SourceMap,
        mirrored: &str,
    ) -> Vec<(String, String)> {
        let generated = format!("{mirrored}.rs");
        if let Some(rendered) = compilation
            .rendered
            .as_ref()
            .filter(|_| !compilation.has_errors())
        {
            let map = serde_json::to_string_pretty(&rendered.map).unwrap_or_default();
            return vec![
                (generated, rendered.text.clone()),
                (format!("{mirrored}.rs.map.json"), map),
            ];
        }
        let errors: Vec<_> = compilation
            .diagnostics
            .iter()
            .filter(|found| found.is_error())
            .cloned()
            .collect();
        let report = human::render(&errors, sources, human::Style::Plain);
        let diag = format!("{mirrored}.diag");
        vec![
            (generated, self.stand_in(compilation, sources, &diag)),
            (diag, report),
        ]
    }

    /// The generated file of a flow with errors.
    fn stand_in(&self, compilation: &Compilation, sources: &SourceMap, diag: &str) -> String {
        let report = format!("/{diag}");
        let error: TokenStream =
            quote!(compile_error!(include_str!(concat!(env!("OUT_DIR"), #report))););
        let mut items = vec![Item {
            tokens: error,
            span: None,
        }];
        items.extend(crate::emit::skeleton(&compilation.ast, &self.runtime_path).items);
        let flow = diag.trim_end_matches(".diag");
        let rendered = render::render(
            &Emitted {
                items,
                unsupported: Vec::new(),
            },
            sources,
            &compilation.tables,
            flow,
        );
        // Tokens of our own always render; should they not, the report itself still reaches rustc.
        rendered.map_or_else(
            |error| format!("compile_error!({:?});\n", error.to_string()),
            |rendered| rendered.text,
        )
    }
}

/// Where a build script runs.
struct Environment {
    /// The package's folder.
    package: PathBuf,
    /// Where generated files go.
    out: Option<PathBuf>,
}

/// What can be wrong with the environment of a build script.
#[derive(Debug)]
enum BuildError {
    /// `OUT_DIR` is not set.
    NoOutDir,
    /// A path that is absolute or leaves the package.
    OutsidePackage { path: PathBuf },
    /// A flow that cannot be read.
    Read { path: PathBuf, error: io::Error },
    /// Cargo does not listen any more.
    Directive(io::Error),
    /// An output that cannot be written.
    Write { path: PathBuf, error: io::Error },
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoOutDir => {
                formatter.write_str("OUT_DIR is not set: flows are compiled in a build script")
            }
            Self::OutsidePackage { path } => {
                write!(
                    formatter,
                    "the flow {} does not lie in the package: give a relative path without `..`",
                    path.display()
                )
            }
            Self::Read { path, error } => write!(
                formatter,
                "the flow {} cannot be read: {error}",
                path.display()
            ),
            Self::Directive(error) => write!(formatter, "Cargo cannot be told: {error}"),
            Self::Write { path, error } => {
                write!(formatter, "{} cannot be written: {error}", path.display())
            }
        }
    }
}

/// The path with `/` between its parts, so that two flows of one name in two folders have two outputs.
fn mirrored(path: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::ParentDir => return None,
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// The text of a file that a flow in `folder` names, or why it cannot be read: what every front door that reads files
/// gives the compiler.
///
/// # Errors
///
/// The file is not there, cannot be read or is not UTF-8; the error is its words.
pub fn read_table(folder: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(folder.join(path)).map_err(|error| error.to_string())
}

/// Writes a file unless it holds these bytes already: a file that is not touched does not rebuild anything.
pub fn write_if_changed(path: &Path, contents: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|current| current == contents.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, contents)
}

/// Directives of Cargo end at the line.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package with one flow, and what the helper does with it.
    struct Package(tempfile::TempDir);

    impl Package {
        fn with(flow: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir_all(folder.path().join("flows")).unwrap();
            fs::write(folder.path().join("flows/a.flow"), flow).unwrap();
            Self(folder)
        }

        fn compile(&self, path: &str) -> String {
            let environment = Environment {
                package: self.0.path().into(),
                out: Some(self.0.path().join("out")),
            };
            let mut directives = Vec::new();
            FlowBuild::new()
                .compile_in(Path::new(path), &environment, &mut directives)
                .unwrap();
            String::from_utf8(directives).unwrap()
        }

        fn out(&self, path: &str) -> PathBuf {
            self.0.path().join("out").join(path)
        }
    }

    const GOOD: &str = "source ingest = otlp; sink out = stdout; ingest.logs -> out;";

    #[test]
    fn a_good_flow_is_written_once() {
        let package = Package::with(GOOD);
        assert_eq!(
            package.compile("flows/a.flow"),
            "cargo::rerun-if-changed=flows/a.flow\n"
        );
        let generated = package.out("flows/a.flow.rs");
        let text = fs::read_to_string(&generated).unwrap();
        assert!(text.contains("pub struct Flow"), "{text}");
        let written = fs::metadata(&generated).unwrap().modified().unwrap();
        package.compile("flows/a.flow");
        assert_eq!(
            fs::metadata(&generated).unwrap().modified().unwrap(),
            written
        );
    }

    #[test]
    fn tables_are_read_beside_the_flow_and_tracked() {
        let flow = "source ingest = otlp;\n\
             template link(tenant: string) { sink out = file { path: tenant }; ingest.logs -> out; }\n\
             for t in csv(\"tenants.csv\") { link(t.name); }";
        let package = Package::with(flow);
        let tracked =
            "cargo::rerun-if-changed=flows/a.flow\ncargo::rerun-if-changed=flows/tenants.csv\n";
        assert_eq!(package.compile("flows/a.flow"), tracked);
        let report = fs::read_to_string(package.out("flows/a.flow.diag")).unwrap();
        assert!(report.contains("F0411"), "{report}");
        let generated = |rows: &str| {
            fs::write(package.0.path().join("flows/tenants.csv"), rows).unwrap();
            assert_eq!(package.compile("flows/a.flow"), tracked);
            fs::read_to_string(package.out("flows/a.flow.rs")).unwrap()
        };
        let (one, two) = (generated("name\nacme\n"), generated("name\nacme\nglobex\n"));
        assert!(
            one.contains("\"acme\"") && !one.contains("\"globex\""),
            "{one}"
        );
        assert!(two.contains("\"globex\""), "{two}");
        let hash = |text: &str| text.lines().nth(1).map(str::to_owned);
        assert_ne!(hash(&one), hash(&two));
    }

    #[test]
    fn errors_of_the_flow_reach_rustc_beside_a_skeleton() {
        let package = Package::with(
            "config url: string = \"x\"; source ingest = otlp; ingest.logs -> nowhere;",
        );
        assert_eq!(
            package.compile("flows/a.flow"),
            "cargo::rerun-if-changed=flows/a.flow\n"
        );
        let text = fs::read_to_string(package.out("flows/a.flow.rs")).unwrap();
        assert!(text.contains("compile_error!"), "{text}");
        assert!(
            text.contains("pub fn url(self, _value: impl Into<String>) -> Self"),
            "{text}"
        );
        let report = fs::read_to_string(package.out("flows/a.flow.diag")).unwrap();
        assert!(
            report.contains("F0201") && report.contains("flows/a.flow:1:"),
            "{report}"
        );
    }

    #[test]
    fn warnings_are_one_line_each() {
        let package = Package::with(
            "source ingest = otlp; sink out = stdout; sink idle = stdout; ingest.logs -> out;",
        );
        let directives = package.compile("flows/a.flow");
        let warning = directives.lines().nth(1).unwrap();
        assert!(
            warning.starts_with("cargo::warning=flows/a.flow:1:"),
            "{directives}"
        );
        assert_eq!(directives.lines().count(), 2, "{directives}");
    }

    #[test]
    fn trouble_with_the_environment_is_an_error_of_cargo() {
        let package = Package::with(GOOD);
        let missing = package.compile("flows/b.flow");
        assert!(
            missing.contains("cargo::error=the flow flows/b.flow cannot be read"),
            "{missing}"
        );
        let outside = package.compile("../a.flow");
        assert!(
            outside.contains("cargo::error=the flow ../a.flow does not lie in the package"),
            "{outside}"
        );
    }
}
