//! A crate around generated code, checked and built by Cargo in a folder of its own.
//!
//! Dependencies are built before anything is timed. What is read is the CPU time of Cargo and rustc, as the kernel counts
//! it for programs that have ended.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// The workspace of this package.
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The folder with the crate.
#[derive(Debug)]
pub struct Package {
    folder: tempfile::TempDir,
    target: PathBuf,
}

/// What rustc takes for a crate, dependencies left out.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// `cargo check`.
    pub check: Duration,
    /// `cargo build`, without optimisation.
    pub build: Duration,
}

impl Package {
    /// Makes the crate and builds its dependencies, which takes a while the first time.
    ///
    /// # Errors
    /// When a folder cannot be written or Cargo fails.
    pub fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let runtime = fs::canonicalize(Path::new(WORKSPACE).join("runtime"))?;
        let manifest = format!(
            "[package]\nname = \"budget\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nwatershed = {{ path = {runtime:?}, default-features = false, features = [\"file\", \"otlp\"] }}\n\n\
             [workspace]\n",
        );
        fs::create_dir(folder.path().join("src"))?;
        fs::write(folder.path().join("Cargo.toml"), manifest)?;
        let lock = Path::new(WORKSPACE).join("Cargo.lock");
        fs::copy(lock, folder.path().join("Cargo.lock"))?;
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| Path::new(WORKSPACE).join("target"), PathBuf::from);
        let package = Self {
            folder,
            target: target.join("budgets"),
        };
        package.costs("")?;
        Ok(package)
    }

    /// Checks and builds the crate with `code` in it.
    ///
    /// # Errors
    /// When Cargo fails.
    pub fn costs(&self, code: &str) -> Result<Costs> {
        let library = self.folder.path().join("src/lib.rs");
        fs::write(library, format!("#![allow(missing_docs)]\n{code}"))?;
        Ok(Costs {
            check: self.cargo("check")?,
            build: self.cargo("build")?,
        })
    }

    /// Runs a command of Cargo on the crate; its CPU time.
    fn cargo(&self, command: &str) -> Result<Duration> {
        let before = children_time()?;
        let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args([command, "--quiet"])
            .current_dir(self.folder.path())
            .env("CARGO_TARGET_DIR", &self.target)
            .output()?;
        ensure!(
            output.status.success(),
            "cargo {command}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(children_time()?.saturating_sub(before))
    }
}

/// CPU time of all programs that this one has started and waited for.
fn children_time() -> Result<Duration> {
    let status = fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in brackets and may hold spaces; the times are the 14th and 15th field behind it.
    let (_, fields) = status.rsplit_once(')').context("no name")?;
    let mut fields = fields.split_whitespace().skip(13);
    let mut ticks = || {
        fields
            .next()
            .context("too short")?
            .parse::<u64>()
            .context("no number")
    };
    // The kernel counts hundredths of a second here on every architecture.
    Ok(Duration::from_millis(10 * (ticks()? + ticks()?)))
}
