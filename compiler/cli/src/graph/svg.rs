//! The graph as a picture, in SVG.
//!
//! In: a graph. Out: one `svg` element that stands by itself, on a light page of its own, so that it can be read on dark
//! sites too. What is cut is whole in the tooltip.

mod style;

use std::fmt::Write as _;

use watershed_compiler::level::Level;

use super::layout::{Area, Block, LINE, MARGIN, Path, Picture, Placed, Style, TITLE, arrange};
use super::model::{Graph, Kind, how_often};
use super::text::escape_xml;

/// The height of what stands above the graph.
const HEAD: f64 = 30.0;
/// The height of the legend below it.
const LEGEND: f64 = 40.0;

/// The graph as a picture.
pub(super) fn write(graph: &Graph) -> String {
    let picture = arrange(graph);
    let legend = legend(graph);
    let width = picture.width.max(legend_width(&legend)).ceil();
    let height = (picture.height + HEAD + if legend.is_empty() { 0.0 } else { LEGEND }).ceil();
    let mut svg = String::new();
    let title = escape_xml(&format!("{}, {}", graph.flow, graph.stage));
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{title}\">\n{}",
        style::DEFINITIONS
    );
    let (inner_width, inner_height) = (width - 1.0, height - 1.0);
    let _ = writeln!(
        svg,
        "<rect class=\"page\" x=\"0.5\" y=\"0.5\" width=\"{inner_width}\" height=\"{inner_height}\" rx=\"10\"/>"
    );
    let _ = writeln!(
        svg,
        "<text class=\"title\" x=\"{MARGIN}\" y=\"30\">{}<tspan class=\"muted\" dx=\"8\">{}</tspan></text>",
        escape_xml(&graph.flow),
        graph.stage
    );
    let _ = writeln!(
        svg,
        "<g transform=\"translate({} {HEAD})\">",
        number((width - picture.width) / 2.0)
    );
    body(&mut svg, graph, &picture);
    svg.push_str("</g>\n");
    write_legend(&mut svg, &legend, width, height - LEGEND / 2.0 - 4.0);
    svg.push_str("</svg>\n");
    svg
}

/// Frames below arrows below boxes.
fn body(svg: &mut String, graph: &Graph, picture: &Picture) {
    for (group, frame) in graph.groups.iter().zip(&picture.frames) {
        let tooltip = escape_xml(&format!("{}\n{}", group.title, group.place));
        let _ = writeln!(svg, "<g class=\"frame\"><title>{tooltip}</title>");
        rectangle(svg, frame, 10.0);
        svg.push_str("</g>\n");
    }
    for (edge, path) in graph.edges.iter().zip(&picture.edges) {
        let gone = if edge.removed.is_some() { " gone" } else { "" };
        let tooltip = escape_xml(&edge.tooltip());
        let _ = writeln!(
            svg,
            "<g class=\"edge{gone}\"><title>{tooltip}</title><path d=\"{}\"/></g>",
            curve(path)
        );
    }
    for (edge, path) in graph.edges.iter().zip(&picture.edges) {
        let Some(label) = &path.label else { continue };
        let gone = if edge.removed.is_some() { " gone" } else { "" };
        let tooltip = escape_xml(&edge.tooltip());
        let _ = writeln!(svg, "<g class=\"label{gone}\"><title>{tooltip}</title>");
        rectangle(svg, &label.area, 6.0);
        text(svg, &label.area, &label.block);
        svg.push_str("</g>\n");
    }
    for (node, placed) in graph.nodes.iter().zip(&picture.nodes) {
        let gone = if node.removed.is_some() { " gone" } else { "" };
        let tooltip = escape_xml(&node.tooltip());
        let class = style::class(node.kind);
        let _ = writeln!(svg, "<g class=\"{class}{gone}\"><title>{tooltip}</title>");
        shape(svg, node.kind, placed);
        text(svg, &placed.area, &placed.block);
        svg.push_str("</g>\n");
    }
}

/// The outline of a box.
fn shape(svg: &mut String, kind: Kind, placed: &Placed) {
    let area = &placed.area;
    match kind {
        Kind::All => {
            let (x, y) = (
                number(area.left + area.width / 2.0),
                number(area.top + area.height / 2.0),
            );
            let _ = writeln!(svg, "<circle class=\"box\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>");
        }
        Kind::Source | Kind::Choice | Kind::Dropped => {
            rectangle(svg, area, (area.height / 2.0).min(17.0))
        }
        Kind::Sink | Kind::Batch | Kind::Walk | Kind::Guard | Kind::Stage => {
            rectangle(svg, area, 6.0)
        }
    }
}

fn rectangle(svg: &mut String, area: &Area, radius: f64) {
    let _ = writeln!(
        svg,
        "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{radius}\"/>",
        number(area.left),
        number(area.top),
        number(area.width),
        number(area.height)
    );
}

/// The title and the lines of a block.
fn text(svg: &mut String, area: &Area, block: &Block) {
    let left = area.left + 12.0;
    let mut top = area.top + block.padding();
    if let Some((title, detail)) = &block.title {
        let detail = detail.as_ref().map(|detail| {
            format!(
                "<tspan class=\"muted\" dx=\"7\">{}</tspan>",
                escape_xml(detail)
            )
        });
        let (x, y) = (number(left), number(top + TITLE - 6.0));
        let _ = writeln!(
            svg,
            "<text class=\"name\" x=\"{x}\" y=\"{y}\">{}{}</text>",
            escape_xml(title),
            detail.unwrap_or_default()
        );
        top += TITLE;
    }
    for line in &block.lines {
        if let Style::Code(level) = line.style {
            let (x, y, width) = (
                number(area.left + 5.0),
                number(top),
                number(area.width - 10.0),
            );
            let (colour, tint) = (style::colour(level), style::tint(level));
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{LINE}\" fill=\"{tint}\"/>\
                 <rect x=\"{x}\" y=\"{y}\" width=\"3\" height=\"{LINE}\" fill=\"{colour}\"/>"
            );
        }
        let class = match line.style {
            Style::Code(_) => "code",
            Style::Plain => "plain",
            Style::Decision => "decision",
            Style::Reason => "reason",
        };
        let (x, y) = (number(left), number(top + 12.0));
        let _ = writeln!(
            svg,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escape_xml(&line.text)
        );
        top += LINE;
    }
}

/// A smooth line through the bends of an arrow: a cubic B-spline that begins and ends in the first and last of them.
fn curve(path: &Path) -> String {
    let points = &path.points;
    let mut drawn = String::new();
    let [first, .., last] = points.as_slice() else {
        return drawn;
    };
    let _ = write!(drawn, "M{}", pair(*first));
    let between = |(ax, ay): (f64, f64), (bx, by): (f64, f64), share: f64| {
        (ax + (bx - ax) * share, ay + (by - ay) * share)
    };
    if points.len() > 2 {
        let mut ends = points.clone();
        ends.push(*last);
        for window in ends.windows(3) {
            let [before, bend, after] = window else {
                continue;
            };
            // The three control points of one piece: on the way to the bend, and in the middle of both thirds around it.
            let (near, far) = (
                between(*before, *bend, 1.0 / 3.0),
                between(*before, *bend, 2.0 / 3.0),
            );
            let end = between(far, between(*bend, *after, 1.0 / 3.0), 0.5);
            if before == first {
                let start = between(*before, *bend, 1.0 / 6.0);
                let _ = write!(drawn, "L{}", pair(start));
            }
            let _ = write!(drawn, "C{} {} {}", pair(near), pair(far), pair(end));
        }
    }
    let _ = write!(drawn, "L{}", pair(*last));
    drawn
}

fn pair((x, y): (f64, f64)) -> String {
    format!("{},{}", number(x), number(y))
}

/// A coordinate with one digit behind the point.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// An entry of the legend.
enum Entry {
    Level(Level),
    Removed,
}

impl Entry {
    fn text(&self) -> String {
        match self {
            Self::Level(level) => format!("{}: {}", level.name(), how_often(*level)),
            Self::Removed => "removed by the optimiser".to_owned(),
        }
    }

    fn width(&self) -> f64 {
        self.text().chars().count() as f64 * 5.9 + 40.0
    }
}

/// What the picture shows that needs an explanation.
fn legend(graph: &Graph) -> Vec<Entry> {
    let nodes = graph.nodes.iter().map(|node| (&node.rows, &node.removed));
    let edges = graph.edges.iter().map(|edge| (&edge.rows, &edge.removed));
    let (mut levels, mut is_removed) = (Vec::new(), false);
    for (rows, removed) in nodes.chain(edges) {
        levels.extend(rows.iter().filter_map(|row| row.level));
        is_removed |= removed.is_some();
    }
    levels.sort_unstable();
    levels.dedup();
    let levels = levels.into_iter().map(Entry::Level);
    levels.chain(is_removed.then_some(Entry::Removed)).collect()
}

fn legend_width(entries: &[Entry]) -> f64 {
    entries.iter().map(Entry::width).sum::<f64>() + 2.0 * MARGIN
}

fn write_legend(svg: &mut String, entries: &[Entry], width: f64, y: f64) {
    let mut x = (width - legend_width(entries)) / 2.0 + MARGIN;
    for entry in entries {
        let (left, top) = (number(x), number(y - 10.0));
        let _ = match entry {
            Entry::Level(level) => writeln!(
                svg,
                "<rect x=\"{left}\" y=\"{top}\" width=\"14\" height=\"12\" rx=\"3\" fill=\"{}\"/>",
                style::colour(*level)
            ),
            Entry::Removed => writeln!(
                svg,
                "<g class=\"guard gone\"><rect class=\"box\" x=\"{left}\" y=\"{top}\" width=\"14\" height=\"12\" rx=\"3\"/></g>"
            ),
        };
        let _ = writeln!(
            svg,
            "<text class=\"legend\" x=\"{}\" y=\"{}\">{}</text>",
            number(x + 20.0),
            number(y),
            entry.text()
        );
        x += entry.width();
    }
}
