//! `flowc check`: finds mistakes and writes nothing.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use watershed_compiler::driver::Dump;
use watershed_lang::diagnostic::Diagnostic;
use watershed_lang::source::SourceMap;

use crate::report::{self, Format};
use crate::{Outcome, flow, say, shows_colours};

/// Finds mistakes in flows.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
    flowc check telemetry.flow
    flowc check flows/ --deny warnings
    flowc check flows/ --format sarif > findings.sarif
    flowc check telemetry.flow --emit plan")]
pub(crate) struct Check {
    /// Files, and folders that are searched for `*.flow`.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How findings are shown.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Findings that make the command fail besides errors.
    #[arg(long, value_enum)]
    deny: Option<Deny>,
    /// Shows what a phase made of each flow, and findings on the standard error: ast, hir, types, plan=0, plan or rust.
    #[arg(long, value_name = "PHASE")]
    emit: Option<Dump>,
}

/// Findings that can be denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Warnings too.
    Warnings,
}

impl Check {
    /// Checks every flow and shows all findings together.
    pub(crate) fn run(self) -> Result<Outcome> {
        let mut sources = SourceMap::new();
        let mut findings = Vec::new();
        for path in flow::find(&self.paths)? {
            let compilation = flow::compile_into(&mut sources, &path)?;
            if let Some(dump) = self.emit.and_then(|phase| compilation.dump(phase)) {
                report::print(&dump)?;
            }
            findings.extend(compilation.diagnostics);
        }
        self.show(&findings, &sources)?;
        let fails = |found: &Diagnostic| found.is_error() || self.deny == Some(Deny::Warnings);
        Ok(if findings.iter().any(fails) {
            Outcome::Findings
        } else {
            Outcome::Clean
        })
    }

    /// Shows the findings where they are the result, else beside it.
    fn show(&self, findings: &[Diagnostic], sources: &SourceMap) -> Result<()> {
        if self.emit.is_some() {
            report::tell(findings, sources, self.format);
        } else {
            let text = report::render(findings, sources, self.format, shows_colours());
            report::print(&text)?;
        }
        let summary = report::summary(findings).filter(|_| self.format == Format::Human);
        if let Some(summary) = summary {
            say(&format!("\n{summary}"));
        }
        Ok(())
    }
}
