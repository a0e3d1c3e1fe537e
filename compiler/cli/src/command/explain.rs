//! `flowc explain`: what a code means, or what the compiler decided about a flow.

mod decisions;
mod hidden;
mod pages;
mod walks;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::build::show_findings;
use crate::{Outcome, flow, report};

/// Explains a code, or what the compiler decided about a flow.
#[derive(Debug, Args)]
#[command(after_help = "\
For a flow it says of each condition how often it is tested, and of each of its parts how deep it reads: what is tested
once a resource reads no record, and a resource that fails is skipped whole. It says what was removed at build time, and
why, and what each walk reads of a resource, a scope and a record at most.

Examples:
    flowc explain F0304                the page of a finding, with an example and its mended form
    flowc explain flows/split.flow     every decision about the flow
    flowc explain flows/split.flow:12  those about one line")]
pub(crate) struct Explain {
    /// A code such as F0304, a flow, or a flow and a line.
    #[arg(value_name = "CODE|FILE[:LINE]")]
    what: String,
}

impl Explain {
    /// Prints the page or the decisions.
    pub(crate) fn run(self) -> Result<Outcome> {
        if let Some(page) = pages::page(&self.what) {
            report::print(page)?;
            return Ok(Outcome::Clean);
        }
        let (path, line) = place(&self.what);
        if !path.exists() && is_code(&self.what) {
            let codes: Vec<_> = pages::codes().collect();
            bail!(
                "there is no code {}; there are {}",
                self.what,
                codes.join(", ")
            );
        }
        let flow = flow::compile_file(&path)?;
        let outcome = show_findings(&flow);
        if flow.compilation.plan.is_none() {
            return Ok(outcome);
        }
        let text = decisions::decisions(&flow.compilation, &flow.sources, line);
        match line {
            Some(line) if text.is_empty() => {
                bail!("nothing is decided on line {line} of {}", path.display());
            }
            _ => report::print(&text)?,
        }
        Ok(outcome)
    }
}

/// Whether a text looks like the code of a finding.
fn is_code(text: &str) -> bool {
    text.strip_prefix(['F', 'W', 'f', 'w'])
        .is_some_and(|digits| {
            !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit())
        })
}

/// `split.flow:12` as a file and a line. A file whose name ends in digits behind a colon is meant as it is.
fn place(text: &str) -> (PathBuf, Option<u32>) {
    match text.rsplit_once(':') {
        Some((path, line)) if !Path::new(text).exists() => match line.parse() {
            Ok(line) => (path.into(), Some(line)),
            Err(_) => (text.into(), None),
        },
        _ => (text.into(), None),
    }
}
