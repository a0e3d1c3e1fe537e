//! `flowc run`: compiles a flow to a program of its own and becomes that program.
//!
//! The program is a small Cargo package in the user's cache, one for each generated text, with one target folder
//! for all of them: the runtime is compiled once, and a flow that has not changed starts at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use watershed_compiler::cargo::write_if_changed;
use watershed_compiler::plan::Plan;
use watershed_compiler::render::{VERSION, fingerprint};

use super::build::show_findings;
use crate::{Outcome, flow, say};

/// Compiles a flow and runs it.
#[derive(Debug, Args)]
#[command(after_help = "\
Needs a Rust toolchain. The first run compiles the runtime; later runs start at once.

Examples:
    flowc run telemetry.flow
    flowc run telemetry.flow --set nats_url=nats://10.0.0.5:4222
    WATERSHED_NATS_URL=nats://10.0.0.5:4222 flowc run telemetry.flow --release")]
pub(crate) struct Run {
    /// The flow.
    file: PathBuf,
    /// Sets a `config` of the flow; wins over the environment.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Compiles for speed: slower to compile, faster to run.
    #[arg(long)]
    release: bool,
    /// Compiles and does not start.
    #[arg(long)]
    build_only: bool,
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let setting = text.split_once('=').filter(|(name, _)| !name.is_empty());
    setting
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| "write it as name=value".to_owned())
}

impl Run {
    /// Compiles the flow, then the program, then runs it in place of this process.
    pub(crate) fn run(self) -> Result<Outcome> {
        let flow = flow::compile_file(&self.file)?;
        if show_findings(&flow) == Outcome::Findings {
            return Ok(Outcome::Findings);
        }
        let (Some(rendered), Some(plan)) = (&flow.compilation.rendered, &flow.compilation.plan)
        else {
            bail!("the flow was not compiled");
        };
        self.check_settings(plan)?;
        let project = Project::create(&rendered.text)?;
        say(&format!(
            "compiling {} in {}",
            self.file.display(),
            project.folder.display()
        ));
        let program = project.build(self.release)?;
        if self.build_only {
            say(&format!("built {}", program.display()));
            return Ok(Outcome::Clean);
        }
        say(&format!("running {}", self.file.display()));
        let mut command = Command::new(program);
        command.args(
            self.settings
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        replace_process(command)
    }

    /// A name that the flow does not declare is found before anything is compiled.
    fn check_settings(&self, plan: &Plan) -> Result<()> {
        let names: Vec<_> = plan
            .configs
            .values()
            .map(|config| config.name.as_str())
            .collect();
        for (name, _) in &self.settings {
            if !names.contains(&name.as_str()) {
                let known = if names.is_empty() {
                    "none".to_owned()
                } else {
                    names.join(", ")
                };
                bail!("the flow declares no config `{name}`; it declares {known}");
            }
        }
        Ok(())
    }
}

/// The package of a flow in the cache.
struct Project {
    folder: PathBuf,
    target: PathBuf,
    package: String,
}

impl Project {
    fn create(generated: &str) -> Result<Self> {
        let cache = cache_folder()?;
        let dependency = runtime_dependency();
        let manifest = |package: &str| {
            MANIFEST
                .replace("{package}", package)
                .replace("{runtime}", &dependency.entry)
        };
        let package = format!(
            "flow-{:016x}",
            fingerprint([generated, &dependency.entry, PROGRAM])
        );
        let folder = cache.join("projects").join(&package);
        let files = [
            ("Cargo.toml", manifest(&package)),
            ("src/main.rs", PROGRAM.to_owned()),
            ("src/flow.rs", generated.to_owned()),
        ];
        for (name, text) in files {
            let path = folder.join(name);
            write_if_changed(&path, &text)
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        // The versions that the runtime was tested with, as long as the package has none of its own.
        if let Some(lock) = dependency
            .lock
            .filter(|_| !folder.join("Cargo.lock").exists())
        {
            fs::copy(&lock, folder.join("Cargo.lock"))
                .with_context(|| format!("{} cannot be copied", lock.display()))?;
        }
        Ok(Self {
            folder,
            target: cache.join("target"),
            package,
        })
    }

    fn build(&self, release: bool) -> Result<PathBuf> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .arg("build")
            .arg("--manifest-path")
            .arg(self.folder.join("Cargo.toml"));
        command.arg("--target-dir").arg(&self.target);
        if release {
            command.arg("--release");
        }
        let status = command
            .status()
            .context("cargo cannot be started: install a Rust toolchain from rustup.rs")?;
        if !status.success() {
            bail!(
                "the generated program does not compile; it is in {}",
                self.folder.display()
            );
        }
        let profile = if release { "release" } else { "debug" };
        Ok(self.target.join(profile).join(format!(
            "{}{}",
            self.package,
            std::env::consts::EXE_SUFFIX
        )))
    }
}

const MANIFEST: &str = r#"# Generated by flowc; do not edit.
[package]
name = "{package}"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

[dependencies]
watershed = { {runtime}, default-features = false, features = ["file", "nats", "otlp"] }
tokio = { version = "1", features = ["rt-multi-thread"] }

[profile.dev]
debug = "line-tables-only"
"#;

const PROGRAM: &str = r#"//! Generated by flowc; do not edit. Runs the flow; each argument `name=value` sets a configuration value.

mod flow;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = std::env::args().skip(1);
    let flow = settings.fold(flow::Flow::builder(), |flow, setting| match setting.split_once('=') {
        Some((name, value)) => flow.set(name, value),
        None => flow,
    });
    let result = tokio::runtime::Runtime::new()?.block_on(flow.run());
    if let Err(error) = result {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
    Ok(())
}
"#;

/// How the generated package names the runtime.
struct Dependency {
    /// `path = "…"` or `version = "…"`.
    entry: String,
    /// The lock file beside it.
    lock: Option<PathBuf>,
}

/// The runtime in the checkout that this `flowc` was built from, unless `WATERSHED_RUNTIME` names another folder;
/// without either, the published one of the same version.
fn runtime_dependency() -> Dependency {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let folder = std::env::var_os("WATERSHED_RUNTIME").map_or(checkout, PathBuf::from);
    match folder.canonicalize() {
        Ok(folder) => {
            let lock = folder
                .parent()
                .map(|root| root.join("Cargo.lock"))
                .filter(|lock| lock.is_file());
            Dependency {
                entry: format!("path = {:?}", folder.display().to_string()),
                lock,
            }
        }
        Err(_) => Dependency {
            entry: format!("version = \"{VERSION}\""),
            lock: None,
        },
    }
}

/// `WATERSHED_CACHE`, else the user's cache folder.
fn cache_folder() -> Result<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    folder("WATERSHED_CACHE")
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("watershed")))
        .or_else(|| folder("LOCALAPPDATA").map(|cache| cache.join("watershed")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache/watershed")))
        .context("no folder for the cache: set WATERSHED_CACHE")
}

/// Becomes the program, so that signals and the exit code are its own.
#[cfg(unix)]
fn replace_process(mut command: Command) -> Result<Outcome> {
    use std::os::unix::process::CommandExt;
    Err(command.exec()).context("the program cannot be started")
}

/// Runs the program and ends as it ends.
#[cfg(not(unix))]
fn replace_process(mut command: Command) -> Result<Outcome> {
    let status = command.status().context("the program cannot be started")?;
    std::process::exit(status.code().unwrap_or(1))
}
