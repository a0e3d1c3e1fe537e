//! `flowc build`: writes the Rust that a flow becomes, to be committed or included.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use watershed_compiler::cargo::write_if_changed;
use watershed_compiler::render::Rendered;

use crate::flow::{self, Flow};
use crate::report::{self, Format};
use crate::{Outcome, say};

/// Writes the Rust that a flow becomes.
#[derive(Debug, Args)]
#[command(after_help = "\
The output is `DIR/NAME.rs`, a module with a `Flow` to build and start, and `DIR/NAME.rs.map.json`, which says
which of its lines come from which part of the flow. Same flow, same bytes.

Examples:
    flowc build flows/split.flow --out src/flows
    flowc build flows/split.flow --out src/flows --check    in CI: is what is committed current?")]
pub(crate) struct Build {
    /// The flow.
    file: PathBuf,
    /// The folder that is written to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Writes nothing and tells whether the output is current.
    #[arg(long)]
    check: bool,
}

impl Build {
    /// Writes the output, or compares it.
    pub(crate) fn run(self) -> Result<Outcome> {
        let flow = flow::compile_file(&self.file)?;
        let outcome = show_findings(&flow);
        let Some(rendered) = flow
            .compilation
            .rendered
            .as_ref()
            .filter(|_| outcome == Outcome::Clean)
        else {
            return Ok(Outcome::Findings);
        };
        let name = self
            .file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .replace(['-', '.', ' '], "_");
        if self.check {
            return Ok(self.compare(&name, rendered));
        }
        for (path, text) in self.outputs(&name, rendered)? {
            write_if_changed(&path, &text)
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(Outcome::Clean)
    }

    fn outputs(&self, name: &str, rendered: &Rendered) -> Result<[(PathBuf, String); 2]> {
        let map = serde_json::to_string_pretty(&rendered.map)? + "\n";
        Ok([
            (self.out.join(format!("{name}.rs")), rendered.text.clone()),
            (self.out.join(format!("{name}.rs.map.json")), map),
        ])
    }

    fn compare(&self, name: &str, rendered: &Rendered) -> Outcome {
        let path = self.out.join(format!("{name}.rs"));
        match stale(&path, &rendered.text) {
            None => Outcome::Clean,
            Some(reason) => {
                say(&format!(
                    "{} is not current: {reason}\nhelp: run `flowc build {} --out {}`",
                    path.display(),
                    self.file.display(),
                    self.out.display()
                ));
                Outcome::Findings
            }
        }
    }
}

/// Why a file does not hold what it should; `None` when it does.
fn stale(path: &Path, expected: &str) -> Option<String> {
    let Ok(current) = fs::read_to_string(path) else {
        return Some("it cannot be read".to_owned());
    };
    if current == expected {
        return None;
    }
    let differs = current
        .lines()
        .zip(expected.lines())
        .position(|(current, expected)| current != expected);
    let line = differs.unwrap_or_else(|| current.lines().count().min(expected.lines().count())) + 1;
    Some(format!("line {line} differs"))
}

/// Shows the findings of a flow on the standard error, for commands whose result is something else.
pub(crate) fn show_findings(flow: &Flow) -> Outcome {
    report::tell(&flow.compilation.diagnostics, &flow.sources, Format::Human);
    if flow.compilation.has_errors() {
        Outcome::Findings
    } else {
        Outcome::Clean
    }
}
