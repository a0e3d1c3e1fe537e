//! The graph as Mermaid, which GitHub draws inside of Markdown.
//!
//! In: a graph. Out: a `flowchart`. Levels stand in words behind each part, because a line has no colour of its own there.

use std::fmt::Write as _;

use super::model::{Edge, Graph, GroupId, Kind, Node, NodeId, Row};
use super::text::wrap;

/// The classes of boxes, in the colours of the picture.
const CLASSES: [&str; 5] = [
    "source fill:#ddf4ff,stroke:#0969da,color:#1f2328",
    "sink fill:#fbefff,stroke:#8250df,color:#1f2328",
    "batch fill:#fff8c5,stroke:#9a6700,color:#1f2328",
    "step fill:#ffffff,stroke:#818b98,color:#1f2328",
    "gone fill:#ffffff,stroke:#afb8c1,color:#818b98,stroke-dasharray:5 4",
];

/// The graph as a flowchart.
pub(super) fn write(graph: &Graph) -> String {
    let mut text = "flowchart TD\n".to_owned();
    for (id, node) in graph.nodes().filter(|(_, node)| node.group.is_none()) {
        line(&mut text, "  ", id, node);
    }
    for (position, group) in graph.groups.iter().enumerate() {
        let title = escape(&group.title);
        let _ = writeln!(text, "  subgraph g{position}[\"{title}\"]");
        let inside = Some(GroupId(position));
        for (id, node) in graph.nodes().filter(|(_, node)| node.group == inside) {
            line(&mut text, "    ", id, node);
        }
        text.push_str("  end\n");
    }
    for edge in &graph.edges {
        arrow(&mut text, edge);
    }
    for class in CLASSES {
        let _ = writeln!(text, "  classDef {class}");
    }
    text
}

fn line(text: &mut String, indent: &str, NodeId(id): NodeId, node: &Node) {
    let mut lines = vec![match &node.detail {
        Some(detail) => format!("<b>{}</b> {}", escape(&node.title), escape(detail)),
        None => format!("<b>{}</b>", escape(&node.title)),
    }];
    lines.extend(node.rows.iter().flat_map(row));
    lines.extend(
        node.removed
            .iter()
            .map(|reason| format!("<i>removed: {}</i>", escape(reason))),
    );
    let label = lines.join("<br/>");
    let shaped = match node.kind {
        Kind::Source => format!("([\"{label}\"])"),
        Kind::Sink => format!("[\"{label}\"]"),
        Kind::Choice => format!("{{{{\"{label}\"}}}}"),
        Kind::All => "((\" \"))".to_owned(),
        Kind::Batch | Kind::Walk | Kind::Guard | Kind::Stage | Kind::Dropped => {
            format!("(\"{label}\")")
        }
    };
    let class = match node.kind {
        _ if node.removed.is_some() => "gone",
        Kind::Source => "source",
        Kind::Sink => "sink",
        Kind::Batch => "batch",
        Kind::Walk | Kind::Guard | Kind::Choice | Kind::All | Kind::Stage | Kind::Dropped => "step",
    };
    let _ = writeln!(text, "{indent}n{id}{shaped}:::{class}");
}

fn arrow(text: &mut String, edge: &Edge) {
    let line = if edge.removed.is_some() {
        "-.->"
    } else {
        "-->"
    };
    let mut label: Vec<_> = edge.rows.iter().flat_map(row).collect();
    if label.is_empty() {
        label.push(escape(&edge.signals));
    }
    let label = label.join("<br/>");
    let label = if label.is_empty() {
        label
    } else {
        format!("|\"{label}\"|")
    };
    let _ = writeln!(text, "  n{} {line}{label} n{}", edge.from.0, edge.to.0);
}

/// A row on as many lines as it needs, its level behind it.
fn row(row: &Row) -> Vec<String> {
    let mut lines: Vec<_> = wrap(&row.text, 42, 3)
        .iter()
        .map(|line| escape(line))
        .collect();
    if let (Some(level), Some(last)) = (row.level, lines.last_mut()) {
        let _ = write!(last, " <i>[{}]</i>", level.name());
    }
    lines
}

/// Text that is neither markup nor syntax: every other character stands by its number.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        let plain = character.is_alphanumeric() || " .,:/_-+=?()[]'…·".contains(character);
        if plain {
            escaped.push(character);
        } else {
            let _ = write!(escaped, "#{};", u32::from(character));
        }
    }
    escaped
}
