//! Blocks of text: what is written in a box or on an arrow, line by line, and how large that is.
//!
//! In: a node or an edge of the graph. Out: a [`Block`]. Widths are estimated: conditions are set in a font of one width,
//! other texts by what their characters take on average.

use watershed_compiler::level::Level;

use crate::graph::model::{Edge, Kind, Node, Row};
use crate::graph::text::wrap;

/// The height of a title.
pub(in crate::graph) const TITLE: f64 = 20.0;
/// The height of every other line.
pub(in crate::graph) const LINE: f64 = 16.0;
/// Left and right of the text.
const SIDE: f64 = 12.0;
/// Above and below it.
const PADDING: f64 = 7.0;

/// How many characters a line of a condition has.
const WIDTH: usize = 38;
/// How many lines one row may take.
const LINES: usize = 3;
/// How many rows are shown.
const ROWS: usize = 7;

/// The text of a box or of a label.
#[derive(Clone, Debug, Default)]
pub(in crate::graph) struct Block {
    pub(in crate::graph) title: Option<(String, Option<String>)>,
    pub(in crate::graph) lines: Vec<Line>,
    pub(in crate::graph) width: f64,
    pub(in crate::graph) height: f64,
}

/// A line below the title.
#[derive(Clone, Debug)]
pub(in crate::graph) struct Line {
    pub(in crate::graph) text: String,
    pub(in crate::graph) style: Style,
}

/// How a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::graph) enum Style {
    /// A part of an expression, coloured by its level.
    Code(Level),
    /// An option.
    Plain,
    /// What a pass says of it.
    Decision,
    /// Why it never runs.
    Reason,
}

impl Block {
    /// The text of a box.
    pub(in crate::graph) fn of_node(node: &Node) -> Self {
        if node.kind == Kind::All {
            return Self {
                width: 12.0,
                height: 12.0,
                ..Self::default()
            };
        }
        let mut block = Self {
            title: Some((node.title.clone(), node.detail.clone())),
            lines: rows(&node.rows),
            ..Self::default()
        };
        for decision in &node.decisions {
            let said = decision
                .split_once(": ")
                .map_or(decision.as_str(), |(_, said)| said);
            block.add(said, Style::Decision);
        }
        if let Some(reason) = &node.removed {
            block.add(&format!("removed: {reason}"), Style::Reason);
        }
        block.measure();
        block
    }

    /// The text on an arrow, when there is any: its condition, else what flows out of a source.
    pub(in crate::graph) fn of_edge(edge: &Edge, from: Kind) -> Option<Self> {
        let mut block = Self {
            lines: rows(&edge.rows),
            ..Self::default()
        };
        if edge.rows.is_empty() && from == Kind::Source {
            block.add(&edge.signals, Style::Plain);
        }
        // An arrow that is gone because of a box says so there.
        if let Some(reason) = edge.removed.as_ref().filter(|_| !edge.rows.is_empty()) {
            block.add(&format!("removed: {reason}"), Style::Reason);
        }
        block.measure();
        (!block.lines.is_empty()).then_some(block)
    }

    fn add(&mut self, text: &str, style: Style) {
        if !text.is_empty() {
            let lines = wrap(text, WIDTH, LINES).into_iter();
            self.lines.extend(lines.map(|text| Line { text, style }));
        }
    }

    fn measure(&mut self) {
        let lines = self.lines.iter().map(|line| {
            let characters = line.text.chars().count() as f64;
            match line.style {
                Style::Code(_) => characters * 6.7,
                Style::Plain => characters * 6.4,
                Style::Decision | Style::Reason => characters * 5.9,
            }
        });
        let title = self.title.as_ref().map_or(0.0, |(title, detail)| {
            let detail = detail
                .as_ref()
                .map_or(0, |detail| detail.chars().count() + 2);
            title.chars().count() as f64 * 8.0 + detail as f64 * 6.6
        });
        self.width = lines.fold(title, f64::max) + 2.0 * SIDE;
        let title = if self.title.is_some() { TITLE } else { 0.0 };
        let padding = if self.title.is_some() { PADDING } else { 3.0 };
        self.height = title + self.lines.len() as f64 * LINE + 2.0 * padding;
    }

    /// The distance of the first line from the top.
    pub(in crate::graph) const fn padding(&self) -> f64 {
        if self.title.is_some() { PADDING } else { 3.0 }
    }
}

/// Rows as lines: the first of them, and how many more there are.
fn rows(rows: &[Row]) -> Vec<Line> {
    let mut lines = Vec::new();
    for row in rows.iter().take(ROWS) {
        let style = row.level.map_or(Style::Plain, Style::Code);
        let wrapped = wrap(&row.text, WIDTH, LINES).into_iter();
        lines.extend(wrapped.map(|text| Line { text, style }));
    }
    if rows.len() > ROWS {
        let text = format!("… {} more", rows.len() - ROWS);
        let style = Style::Plain;
        lines.push(Line { text, style });
    }
    lines
}
