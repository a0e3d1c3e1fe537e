//! `flowc emit`: shows what a phase of the compiler made of a flow. For people who work on the compiler.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use watershed_compiler::driver::Dump;

use super::build::show_findings;
use crate::{Outcome, flow, report};

/// Shows what a phase of the compiler made of a flow.
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct Emit {
    /// ast, hir, types, plan=0, plan or rust.
    phase: Dump,
    /// The flow.
    file: PathBuf,
}

impl Emit {
    /// Prints the dump; findings go to the standard error.
    pub(crate) fn run(self) -> Result<Outcome> {
        let flow = flow::compile_file(&self.file)?;
        if let Some(dump) = flow.compilation.dump(self.phase) {
            report::print(&dump)?;
        }
        Ok(show_findings(&flow))
    }
}
