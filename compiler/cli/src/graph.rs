//! Pictures of flows: a small graph made from what the compiler knows, and one writer for each form.
//!
//! In: a compiled flow. Out: text in SVG, Mermaid, DOT or JSON. `from_program` draws the flow as it is written and marks
//! what the passes removed; `from_plan` draws what is left of it, each walk as a box. The writers know neither.

mod dot;
mod from_plan;
mod from_program;
mod json;
mod layout;
mod mermaid;
mod model;
mod removed;
mod summary;
mod svg;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use from_plan::from_plan;
pub(crate) use from_program::from_program;
pub(crate) use model::{Graph, Row, how_often};
pub(crate) use summary::summarised;
pub(crate) use text::wrap;

use clap::ValueEnum;

/// The forms of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A picture that any browser shows.
    #[default]
    Svg,
    /// Text that GitHub and others draw inside of Markdown.
    Mermaid,
    /// Text for Graphviz.
    Dot,
    /// The graph as data, for programs.
    Json,
}

/// Writes a graph in one of the forms.
pub(crate) fn write(graph: &Graph, format: Format) -> serde_json::Result<String> {
    match format {
        Format::Svg => Ok(svg::write(graph)),
        Format::Mermaid => Ok(mermaid::write(graph)),
        Format::Dot => Ok(dot::write(graph)),
        Format::Json => json::write(graph),
    }
}
