//! The graph as DOT, for Graphviz.
//!
//! In: a graph. Out: a `digraph`. Levels stand in words behind each part; the whole of a text is its tooltip.

use std::fmt::Write as _;

use super::model::{Edge, Graph, GroupId, Kind, Node, NodeId, Row};
use super::text::wrap;

/// The graph as a `digraph`.
pub(super) fn write(graph: &Graph) -> String {
    let mut text = format!(
        "digraph {} {{\n  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\"];\n  \
         edge [fontname=\"Helvetica\"];\n",
        quoted(&graph.flow)
    );
    for (id, node) in graph.nodes().filter(|(_, node)| node.group.is_none()) {
        line(&mut text, "  ", id, node);
    }
    for (position, group) in graph.groups.iter().enumerate() {
        let title = quoted(&group.title);
        let _ = writeln!(text, "  subgraph cluster_{position} {{\n    label={title};");
        let inside = Some(GroupId(position));
        for (id, node) in graph.nodes().filter(|(_, node)| node.group == inside) {
            line(&mut text, "    ", id, node);
        }
        text.push_str("  }\n");
    }
    for edge in &graph.edges {
        arrow(&mut text, edge);
    }
    text.push_str("}\n");
    text
}

fn line(text: &mut String, indent: &str, NodeId(id): NodeId, node: &Node) {
    let mut lines = vec![match &node.detail {
        Some(detail) => format!("{} ({detail})", node.title),
        None => node.title.clone(),
    }];
    lines.extend(node.rows.iter().flat_map(row));
    lines.extend(
        node.removed
            .iter()
            .map(|reason| format!("removed: {reason}")),
    );
    let label = if node.kind == Kind::All {
        String::new()
    } else {
        lines.join("\n")
    };
    let look = match node.kind {
        Kind::Source => ", shape=ellipse, fillcolor=\"#ddf4ff\"",
        Kind::Sink => ", fillcolor=\"#fbefff\"",
        Kind::Batch => ", fillcolor=\"#fff8c5\"",
        Kind::Choice => ", shape=hexagon",
        Kind::All => ", shape=point",
        Kind::Walk | Kind::Guard | Kind::Stage | Kind::Dropped => "",
    };
    let gone = match node.removed {
        Some(_) => ", style=\"rounded,dashed\", fontcolor=gray50, color=gray50",
        None => "",
    };
    let (label, tooltip) = (quoted(&label), quoted(&node.tooltip()));
    let _ = writeln!(
        text,
        "{indent}n{id} [label={label}, tooltip={tooltip}{look}{gone}];"
    );
}

fn arrow(text: &mut String, edge: &Edge) {
    let mut label: Vec<_> = edge.rows.iter().flat_map(row).collect();
    if label.is_empty() {
        label.push(edge.signals.clone());
    }
    let gone = if edge.removed.is_some() {
        ", style=dashed, fontcolor=gray50, color=gray50"
    } else {
        ""
    };
    let (from, to) = (edge.from.0, edge.to.0);
    let (label, tooltip) = (quoted(&label.join("\n")), quoted(&edge.tooltip()));
    let _ = writeln!(
        text,
        "  n{from} -> n{to} [label={label}, tooltip={tooltip}{gone}];"
    );
}

/// A row on as many lines as it needs, its level behind it.
fn row(row: &Row) -> Vec<String> {
    let mut lines = wrap(&row.text, 42, 3);
    if let (Some(level), Some(last)) = (row.level, lines.last_mut()) {
        let _ = write!(last, " [{}]", level.name());
    }
    lines
}

/// A string of DOT. A backslash would begin one of its escapes.
fn quoted(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}
