//! `flowc graph`: a picture of a flow.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use super::build::show_findings;
use crate::graph::{self, Format};
use crate::{Outcome, flow, report};

/// Draws a flow.
#[derive(Debug, Args)]
#[command(after_help = "\
Sources, stages and sinks are boxes; the parts of a condition are coloured by how often they are evaluated. What the
optimiser removed is drawn with dashes and the reason. Tooltips hold doc comments, whole conditions and positions.

Examples:
    flowc graph flows/split.flow --out split.svg
    flowc graph flows/split.flow --stage plan --out plan.svg
    flowc graph flows/split.flow --format mermaid      for a Markdown page
    flowc graph flows/split.flow --format dot | dot -Tpng -o split.png")]
pub(crate) struct Graph {
    /// The flow.
    file: PathBuf,
    /// The form of the picture.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// What is drawn.
    #[arg(long, value_enum, default_value_t)]
    stage: Stage,
    /// Draw every arm, also of a `route` with hundreds; `json` always has all.
    #[arg(long)]
    all: bool,
    /// The file that is written instead of the standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The flow as it is written, with what was removed.
    #[default]
    Program,
    /// What runs: each walk as a frame with its decisions inside.
    Plan,
}

impl Graph {
    /// Writes the picture; a flow with errors has none.
    pub(crate) fn run(self) -> Result<Outcome> {
        let flow = flow::compile_file(&self.file)?;
        let outcome = show_findings(&flow);
        let (compilation, sources) = (&flow.compilation, &flow.sources);
        let drawn = match self.stage {
            Stage::Program => graph::from_program(compilation, sources),
            Stage::Plan => graph::from_plan(compilation, sources),
        };
        let Some(drawn) = drawn else {
            return Ok(outcome);
        };
        // Data for programs are complete.
        let drawn = match self.all || self.format == Format::Json {
            true => drawn,
            false => graph::summarised(drawn),
        };
        let text = graph::write(&drawn, self.format)?;
        match self.out {
            Some(out) => fs::write(&out, text)
                .with_context(|| format!("{} cannot be written", out.display()))?,
            None => report::print(&text)?,
        }
        Ok(outcome)
    }
}
