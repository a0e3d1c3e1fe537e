//! The baseline with mimalloc, which another program measures: a process has one global allocator.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use watershed_samples::Shape;

use crate::works::Work;

/// The program's name.
const PROGRAM: &str = "baseline-mimalloc";

/// The program that measures the baseline with mimalloc.
#[derive(Debug)]
pub struct MimallocBaseline {
    program: Option<PathBuf>,
}

impl MimallocBaseline {
    /// Finds the program beside this one. Under `cargo run`, which builds no other program than this, it is built first,
    /// so that it is never an old one.
    ///
    /// # Errors
    /// When Cargo runs this program and cannot build the other one.
    pub fn find() -> Result<Self> {
        if let Some(cargo) = env::var_os("CARGO") {
            let profile = if cfg!(debug_assertions) {
                "dev"
            } else {
                "release"
            };
            let status = Command::new(cargo)
                .args(["build", "--quiet", "--manifest-path"])
                .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
                .args(["--bin", PROGRAM, "--profile", profile])
                .status()?;
            ensure!(status.success(), "{PROGRAM} could not be built");
        }
        let this = env::current_exe()?;
        let program = this.with_file_name(format!("{PROGRAM}{}", env::consts::EXE_SUFFIX));
        Ok(Self {
            program: program.exists().then_some(program),
        })
    }

    /// What the baseline of `work` costs for a record of the payload `shape`, in nanoseconds; `None` without the
    /// program.
    ///
    /// # Errors
    /// When the program fails.
    pub fn ns_per_record(&self, work: Work, shape: Shape) -> Result<Option<f64>> {
        let Some(program) = &self.program else {
            return Ok(None);
        };
        let output = Command::new(program)
            .args([work.name, shape.name()])
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let figure = text.trim().parse();
        figure
            .map(Some)
            .with_context(|| format!("{PROGRAM}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
