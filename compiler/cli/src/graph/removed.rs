//! What never runs: marks the boxes and arrows of a program that the passes left out.
//!
//! In: a graph in which the removed places themselves are marked. Out: the same with everything marked that is reached
//! through them alone, or that leads nowhere else.

use super::model::{Graph, Kind, NodeId};

/// Behind something that is gone.
const NOTHING_ARRIVES: &str = "nothing reaches it";
/// Before what is gone.
const LEADS_NOWHERE: &str = "everything behind it is dropped";

/// Marks what is gone because of what is marked already, until nothing changes.
pub(super) fn spread(graph: &mut Graph) {
    while spread_once(graph) {}
}

fn spread_once(graph: &mut Graph) -> bool {
    let mut changed = false;
    let gone: Vec<bool> = graph
        .nodes
        .iter()
        .map(|node| node.removed.is_some())
        .collect();
    let is_gone = |id: NodeId| gone.get(id.0).copied().unwrap_or(false);
    for edge in &mut graph.edges {
        if edge.removed.is_none() && (is_gone(edge.from) || is_gone(edge.to)) {
            let reason = if is_gone(edge.from) {
                NOTHING_ARRIVES
            } else {
                LEADS_NOWHERE
            };
            edge.removed = Some(reason.to_owned());
            changed = true;
        }
    }
    for position in 0..graph.nodes.len() {
        let Some(reason) = consequence(graph, NodeId(position)) else {
            continue;
        };
        if let Some(node) = graph.nodes.get_mut(position) {
            node.removed = Some(reason.to_owned());
            changed = true;
        }
    }
    changed
}

/// Why a node that is not marked must be, if it must. A source still answers, whatever becomes of its data.
fn consequence(graph: &Graph, id: NodeId) -> Option<&'static str> {
    let node = graph.nodes.get(id.0)?;
    if node.removed.is_some() || node.kind == Kind::Source {
        return None;
    }
    let all_gone = |arrows: Vec<bool>| !arrows.is_empty() && arrows.into_iter().all(|gone| gone);
    let arrows = |side: fn(&super::model::Edge) -> NodeId| {
        let touching = graph.edges.iter().filter(|edge| side(edge) == id);
        touching.map(|edge| edge.removed.is_some()).collect()
    };
    if all_gone(arrows(|edge| edge.to)) {
        Some(NOTHING_ARRIVES)
    } else if all_gone(arrows(|edge| edge.from)) {
        Some(LEADS_NOWHERE)
    } else {
        None
    }
}
