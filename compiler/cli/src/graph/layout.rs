//! Places: where each box, arrow and frame of a graph stands, in pixels.
//!
//! In: a graph. Out: a [`Picture`]. The `dagre` crate arranges; here texts get their sizes, and of the two directions the
//! one is taken that fits a page better.

mod block;
mod detour;

use dagre::graph::GraphOptions;
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, Point, RankDir};

pub(super) use block::{Block, LINE, Style, TITLE};

use detour::Way;

use super::model::{Graph, GroupId, Kind, NodeId};

/// Around everything.
pub(super) const MARGIN: f64 = 24.0;
/// What a page shows without shrinking.
const PAGE: (f64, f64) = (1000.0, 1400.0);

/// A graph with places.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) width: f64,
    pub(super) height: f64,
    /// A box a node of the graph, in its order.
    pub(super) nodes: Vec<Placed>,
    /// A path an arrow of the graph, in its order.
    pub(super) edges: Vec<Path>,
    /// A frame a group of the graph, in its order.
    pub(super) frames: Vec<Area>,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Text in its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) area: Area,
    pub(super) block: Block,
}

/// The way of an arrow.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// Where it bends, both ends included.
    pub(super) points: Vec<(f64, f64)>,
    pub(super) label: Option<Placed>,
}

type Arranged = dagre::graph::Graph<NodeLabel, EdgeLabel>;

/// Arranges a graph.
pub(super) fn arrange(graph: &Graph) -> Picture {
    let across = picture(graph, RankDir::LR);
    let down = picture(graph, RankDir::TB);
    if shrinking(&across) < shrinking(&down) {
        across
    } else {
        down
    }
}

/// How many times a picture is larger than a page.
fn shrinking(picture: &Picture) -> f64 {
    (picture.width / PAGE.0).max(picture.height / PAGE.1)
}

fn picture(graph: &Graph, direction: RankDir) -> Picture {
    let nodes: Vec<Block> = graph.nodes.iter().map(Block::of_node).collect();
    let edges: Vec<Option<Block>> = graph
        .edges
        .iter()
        .map(|edge| {
            let from = graph.nodes.get(edge.from.0);
            Block::of_edge(edge, from.map_or(Kind::Stage, |node| node.kind))
        })
        .collect();
    let mut arranged = unarranged(graph, &nodes, &edges);
    dagre::layout(&mut arranged, Some(options(direction)));
    let mut picture = collect(graph, &arranged, nodes, edges);
    picture.lead_around(
        graph,
        if direction == RankDir::LR {
            Way::Across
        } else {
            Way::Down
        },
    );
    picture
}

fn options(direction: RankDir) -> LayoutOptions {
    LayoutOptions {
        rankdir: direction,
        nodesep: 20.0,
        edgesep: 16.0,
        ranksep: 40.0,
        // Of two arrangements that are as good the one that is nearer to the text.
        tie_keep_first: true,
        ..LayoutOptions::default()
    }
}

/// The graph as the arranging crate wants it: sizes, and no places yet.
fn unarranged(graph: &Graph, nodes: &[Block], edges: &[Option<Block>]) -> Arranged {
    let mut arranged = Arranged::with_options(GraphOptions {
        directed: true,
        multigraph: true,
        compound: !graph.groups.is_empty(),
    });
    for position in 0..graph.groups.len() {
        arranged.set_node(frame_name(GroupId(position)), Some(NodeLabel::default()));
    }
    for ((id, node), block) in graph.nodes().zip(nodes) {
        let label = NodeLabel {
            width: block.width,
            height: block.height,
            ..NodeLabel::default()
        };
        arranged.set_node(node_name(id), Some(label));
        if let Some(group) = node.group {
            arranged.set_parent(&node_name(id), Some(&frame_name(group)));
        }
    }
    for (position, (edge, block)) in graph.edges.iter().zip(edges).enumerate() {
        let label = EdgeLabel {
            width: block.as_ref().map_or(0.0, |block| block.width),
            height: block.as_ref().map_or(0.0, |block| block.height),
            labelpos: LabelPos::Center,
            ..EdgeLabel::default()
        };
        let (from, to) = (node_name(edge.from), node_name(edge.to));
        arranged.set_edge(&from, &to, Some(label), Some(&position.to_string()));
    }
    arranged
}

/// Reads the places out, moved so that everything has positive coordinates.
fn collect(
    graph: &Graph,
    arranged: &Arranged,
    nodes: Vec<Block>,
    edges: Vec<Option<Block>>,
) -> Picture {
    let mut picture = Picture {
        width: 0.0,
        height: 0.0,
        nodes: Vec::new(),
        edges: Vec::new(),
        frames: Vec::new(),
    };
    for ((id, _), block) in graph.nodes().zip(nodes) {
        let label = arranged.node(&node_name(id));
        let (x, y) = label.map_or((0.0, 0.0), center);
        let area = Area::around(x, y, block.width, block.height);
        picture.nodes.push(Placed { area, block });
    }
    for (position, (edge, block)) in graph.edges.iter().zip(edges).enumerate() {
        let (from, to) = (node_name(edge.from), node_name(edge.to));
        let label = arranged.edge(&from, &to, Some(&position.to_string()));
        let points = label.map_or(&[][..], |label| &label.points);
        let at = label.and_then(|label| Some((label.x?, label.y?)));
        picture.edges.push(Path {
            points: points.iter().map(|Point { x, y }| (*x, *y)).collect(),
            label: block.zip(at).map(|(block, (x, y))| Placed {
                area: Area::around(x, y, block.width, block.height),
                block,
            }),
        });
    }
    for position in 0..graph.groups.len() {
        let label = arranged.node(&frame_name(GroupId(position)));
        let (x, y) = label.map_or((0.0, 0.0), center);
        let (width, height) = label.map_or((0.0, 0.0), |label| (label.width, label.height));
        picture.frames.push(Area::around(x, y, width, height));
    }
    picture.settle();
    picture
}

fn center(label: &NodeLabel) -> (f64, f64) {
    (label.x.unwrap_or(0.0), label.y.unwrap_or(0.0))
}

fn node_name(NodeId(position): NodeId) -> String {
    format!("n{position}")
}

fn frame_name(GroupId(position): GroupId) -> String {
    format!("g{position}")
}

impl Area {
    fn around(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self {
            left: x - width / 2.0,
            top: y - height / 2.0,
            width,
            height,
        }
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

impl Picture {
    /// Leads arrows around the boxes and labels that they would run behind.
    fn lead_around(&mut self, graph: &Graph, way: Way) {
        let nodes: Vec<Area> = self.nodes.iter().map(|placed| placed.area).collect();
        let labels: Vec<Option<Area>> = self
            .edges
            .iter()
            .map(|path| path.label.as_ref().map(|label| label.area))
            .collect();
        for (position, (edge, path)) in graph.edges.iter().zip(&mut self.edges).enumerate() {
            let (Some(from), Some(to)) = (nodes.get(edge.from.0), nodes.get(edge.to.0)) else {
                continue;
            };
            let boxes = graph.nodes().zip(&nodes);
            let boxes = boxes.filter(|((id, _), _)| *id != edge.from && *id != edge.to);
            let mut others: Vec<Area> = boxes.map(|(_, area)| *area).collect();
            let of_others = labels
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != position);
            others.extend(of_others.filter_map(|(_, area)| *area));
            path.points = detour::around(&path.points, from, to, &others, way);
        }
    }

    /// Moves everything to the margin and finds the size.
    fn settle(&mut self) {
        let (mut left, mut top) = (f64::INFINITY, f64::INFINITY);
        let (mut right, mut bottom) = (0.0_f64, 0.0_f64);
        let labels = self.edges.iter().filter_map(|path| path.label.as_ref());
        let texts = self.nodes.iter().chain(labels).map(|placed| placed.area);
        let bends = self.edges.iter().flat_map(|path| &path.points);
        let bends = bends.map(|(x, y)| Area::around(*x, *y, 0.0, 0.0));
        for area in texts.chain(self.frames.iter().copied()).chain(bends) {
            left = left.min(area.left);
            top = top.min(area.top);
            right = right.max(area.right());
            bottom = bottom.max(area.bottom());
        }
        if left > right {
            (left, top) = (0.0, 0.0);
        }
        self.shift(MARGIN - left, MARGIN - top);
        self.width = right - left + 2.0 * MARGIN;
        self.height = bottom - top + 2.0 * MARGIN;
    }

    fn shift(&mut self, x: f64, y: f64) {
        let labels = self.edges.iter_mut().filter_map(|path| path.label.as_mut());
        let texts = self.nodes.iter_mut().chain(labels);
        for area in texts.map(|placed| &mut placed.area).chain(&mut self.frames) {
            area.left += x;
            area.top += y;
        }
        for point in self.edges.iter_mut().flat_map(|path| &mut path.points) {
            point.0 += x;
            point.1 += y;
        }
    }
}
