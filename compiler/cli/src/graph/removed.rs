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
    let arrows = Arrows::of(graph);
    for (position, node) in graph.nodes.iter_mut().enumerate() {
        // A source still answers, whatever becomes of its data.
        if node.removed.is_some() || node.kind == Kind::Source {
            continue;
        }
        if let Some(reason) = arrows.consequence(position) {
            node.removed = Some(reason.to_owned());
            changed = true;
        }
    }
    changed
}

/// How many arrows come to each node and leave it, and how many of those are gone.
struct Arrows {
    into: Vec<(usize, usize)>,
    out_of: Vec<(usize, usize)>,
}

impl Arrows {
    fn of(graph: &Graph) -> Self {
        let none = vec![(0, 0); graph.nodes.len()];
        let mut arrows = Self {
            into: none.clone(),
            out_of: none,
        };
        for edge in &graph.edges {
            let gone = usize::from(edge.removed.is_some());
            for (counts, node) in [(&mut arrows.into, edge.to), (&mut arrows.out_of, edge.from)] {
                if let Some((all, all_gone)) = counts.get_mut(node.0) {
                    *all += 1;
                    *all_gone += gone;
                }
            }
        }
        arrows
    }

    /// Why a node that is not marked must be, if it must.
    fn consequence(&self, position: usize) -> Option<&'static str> {
        let all_gone = |counts: &[(usize, usize)]| {
            let counts = counts.get(position);
            counts.is_some_and(|(all, gone)| *all > 0 && all == gone)
        };
        if all_gone(&self.into) {
            Some(NOTHING_ARRIVES)
        } else if all_gone(&self.out_of) {
            Some(LEADS_NOWHERE)
        } else {
            None
        }
    }
}
