//! Fewer boxes for a person: of what has hundreds of arms the first are drawn, and how many more there are.
//!
//! In: a graph of any size. Out: the same, or a smaller one in which every box has a moderate number of arrows. Of what
//! is left out nothing remains that hangs in the air: boxes stay that lie on a way from a beginning to an end.

use std::collections::BTreeMap;

use super::model::{Edge, Graph, Kind, Node, NodeId};

/// More arrows than this on one side of a box are too many for a picture.
const MOST: usize = 40;
/// So many of them are drawn then.
const FEW: usize = 12;

/// Returns `graph` with the first arrows of every box.
pub(crate) fn summarised(mut graph: Graph) -> Graph {
    let count = graph.nodes.len();
    let mut kept: Vec<bool> = vec![true; graph.edges.len()];
    let mut more: Vec<(NodeId, bool, usize)> = Vec::new();
    for leaves in [true, false] {
        let mut arrows: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
        for (position, edge) in graph.edges.iter().enumerate() {
            if kept.get(position).copied().unwrap_or(false) {
                let side = if leaves { edge.from } else { edge.to };
                arrows.entry(side).or_default().push(position);
            }
        }
        for (node, arrows) in arrows.iter().filter(|(_, arrows)| arrows.len() > MOST) {
            for position in arrows.iter().skip(FEW) {
                if let Some(kept) = kept.get_mut(*position) {
                    *kept = false;
                }
            }
            more.push((*node, leaves, arrows.len() - FEW));
        }
    }
    let begins = ends(&graph, count, |edge| edge.to);
    let stops = ends(&graph, count, |edge| edge.from);
    let mut roots: Vec<NodeId> = begins;
    let hidden = roots.len().checked_sub(FEW).filter(|_| roots.len() > MOST);
    if hidden.is_some() {
        roots.truncate(FEW);
    }
    if more.is_empty() && hidden.is_none() {
        return graph;
    }
    let mut position = 0;
    graph.edges.retain(|_| {
        position += 1;
        kept.get(position - 1).copied().unwrap_or(false)
    });
    let there = |edge: &Edge| (edge.from, edge.to);
    let back = |edge: &Edge| (edge.to, edge.from);
    let from_roots = reached(&graph, count, roots, there);
    let to_ends = reached(&graph, count, stops, back);
    for (node, leaves, hidden) in more {
        graph.add_more(node, leaves, hidden);
    }
    if let Some(hidden) = hidden {
        graph.add(Node::new(Kind::Stage, title(hidden), String::new()));
    }
    graph.only(|NodeId(position)| {
        let on_a_way = from_roots.get(position).zip(to_ends.get(position));
        on_a_way.is_none_or(|(from, to)| *from && *to)
    })
}

fn title(hidden: usize) -> String {
    format!("… and {hidden} more")
}

/// The boxes that no arrow touches with this side.
fn ends(graph: &Graph, count: usize, side: fn(&Edge) -> NodeId) -> Vec<NodeId> {
    let mut touched = vec![false; count];
    for edge in &graph.edges {
        if let Some(touched) = touched.get_mut(side(edge).0) {
            *touched = true;
        }
    }
    let ends = touched.iter().enumerate().filter(|(_, touched)| !**touched);
    ends.map(|(position, _)| NodeId(position)).collect()
}

/// Which boxes can be come to from some.
fn reached(
    graph: &Graph,
    count: usize,
    mut open: Vec<NodeId>,
    ends: impl Fn(&Edge) -> (NodeId, NodeId),
) -> Vec<bool> {
    let mut next: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for edge in &graph.edges {
        let (from, to) = ends(edge);
        next.entry(from).or_default().push(to);
    }
    let mut reached = vec![false; count];
    while let Some(node) = open.pop() {
        if let Some(reached) = reached.get_mut(node.0).filter(|reached| !**reached) {
            *reached = true;
            open.extend(next.get(&node).into_iter().flatten());
        }
    }
    reached
}

impl Graph {
    /// A box that stands for arrows that are left out, and one arrow to it or from it.
    fn add_more(&mut self, node: NodeId, leaves: bool, hidden: usize) {
        let group = self.nodes.get(node.0).and_then(|node| node.group);
        let more = self.add(Node {
            group,
            ..Node::new(Kind::Stage, title(hidden), String::new())
        });
        let (from, to) = if leaves { (node, more) } else { (more, node) };
        self.edges.push(Edge {
            from,
            to,
            rows: Vec::new(),
            signals: String::new(),
            decisions: Vec::new(),
            removed: None,
        });
    }

    /// The boxes for which `stays` holds, with new numbers, and the arrows between them.
    fn only(self, stays: impl Fn(NodeId) -> bool) -> Self {
        let mut numbers: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        let mut nodes = Vec::new();
        for (position, node) in self.nodes.into_iter().enumerate() {
            if stays(NodeId(position)) {
                numbers.insert(NodeId(position), NodeId(nodes.len()));
                nodes.push(node);
            }
        }
        let edges = self.edges.into_iter().filter_map(|edge| {
            let (from, to) = (*numbers.get(&edge.from)?, *numbers.get(&edge.to)?);
            Some(Edge { from, to, ..edge })
        });
        Self {
            edges: edges.collect(),
            nodes,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph with boxes of these names and an arrow for each pair.
    fn graph(nodes: &[String], edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new("a.flow".to_owned(), "as written");
        for name in nodes {
            graph.add(Node::new(Kind::Stage, name, String::new()));
        }
        graph.edges = edges
            .iter()
            .map(|(from, to)| Edge {
                from: NodeId(*from),
                to: NodeId(*to),
                rows: Vec::new(),
                signals: String::new(),
                decisions: Vec::new(),
                removed: None,
            })
            .collect();
        graph
    }

    fn titles(graph: &Graph) -> Vec<&str> {
        graph.nodes.iter().map(|node| node.title.as_str()).collect()
    }

    #[test]
    fn a_moderate_graph_stays_as_it_is() {
        let names: Vec<_> = (0..=MOST).map(|number| number.to_string()).collect();
        let edges: Vec<_> = (1..=MOST).map(|to| (0, to)).collect();
        let whole = graph(&names, &edges);
        assert_eq!(summarised(whole.clone()), whole);
    }

    #[test]
    fn of_many_arms_the_first_are_drawn_with_what_is_behind_them() {
        // A choice with 500 arms, each with a stage and a sink of its own.
        let names: Vec<_> = (0..=1_000).map(|number| number.to_string()).collect();
        let arms = (1..=500).flat_map(|arm| [(0, arm), (arm, arm + 500)]);
        let small = summarised(graph(&names, &arms.collect::<Vec<_>>()));
        assert_eq!(small.nodes.len(), 1 + 2 * FEW + 1);
        assert_eq!(small.edges.len(), 2 * FEW + 1);
        assert_eq!(titles(&small).last(), Some(&"… and 488 more"));
        assert!(titles(&small).contains(&"501") && !titles(&small).contains(&"513"));
    }

    #[test]
    fn many_ways_into_one_box_and_many_beginnings_are_cut_too() {
        let names: Vec<_> = (0..=500).map(|number| number.to_string()).collect();
        let edges: Vec<_> = (1..=500).map(|from| (from, 0)).collect();
        let small = summarised(graph(&names, &edges));
        assert_eq!(small.edges.len(), FEW + 1);
        assert!(small.nodes.len() <= FEW + 3, "{:?}", titles(&small));
    }
}
