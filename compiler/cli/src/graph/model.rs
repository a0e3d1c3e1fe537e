//! The graph that is drawn: boxes with rows of text, arrows with labels, and groups of boxes.
//!
//! In: nothing (the two builders make it). Out: what the writers print. A row knows its level, and what the passes took
//! away stays in the graph with the reason.

use serde::{Serialize, Serializer};
use watershed_compiler::level::Level;

/// A picture before anything has a place in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Graph {
    /// The flow's file, without its folder.
    pub(crate) flow: String,
    /// What is drawn, in a few words.
    pub(crate) stage: &'static str,
    /// The boxes. Their positions are their ids.
    pub(crate) nodes: Vec<Node>,
    /// The arrows.
    pub(crate) edges: Vec<Edge>,
    /// Frames around boxes. Their positions are their ids.
    pub(crate) groups: Vec<Group>,
}

/// The position of a node in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(crate) struct NodeId(pub(crate) usize);

/// The position of a group in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(crate) struct GroupId(pub(crate) usize);

/// A box.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Node {
    /// What it stands for, which decides its look.
    pub(crate) kind: Kind,
    /// Its name, or the word of its stage.
    pub(crate) title: String,
    /// The connector of a source or sink, the stage of a named stage.
    pub(crate) detail: Option<String>,
    /// What is written below the title.
    pub(crate) rows: Vec<Row>,
    /// The lines of its doc comment.
    pub(crate) docs: Vec<String>,
    /// `file:line:column`
    pub(crate) place: String,
    /// What the passes say of it.
    pub(crate) decisions: Vec<String>,
    /// Why it never runs, when it does not.
    pub(crate) removed: Option<String>,
    /// The frame that it stands in.
    pub(crate) group: Option<GroupId>,
}

/// What a box stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Where data comes in.
    Source,
    /// Where data goes out.
    Sink,
    /// What collects records over time.
    Batch,
    /// Where a walk begins, with what it reads.
    Walk,
    /// What lets some records pass.
    Guard,
    /// What sends records different ways.
    Choice,
    /// A point where everything goes every way.
    All,
    /// Any other stage.
    Stage,
    /// The end of what is dropped.
    Dropped,
}

/// A line of a box or of a label: a part of a condition, an option, a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Row {
    /// The text, on one line however long.
    pub(crate) text: String,
    /// How often it is evaluated; `None` for what is no expression.
    #[serde(serialize_with = "level_name", skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<Level>,
    /// What a name in it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) meaning: Option<String>,
}

/// An arrow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Edge {
    /// Where it begins.
    pub(crate) from: NodeId,
    /// Where it ends.
    pub(crate) to: NodeId,
    /// The condition of the arm, or `else`; nothing for an arrow that everything takes.
    pub(crate) rows: Vec<Row>,
    /// What flows here: `logs and traces`.
    pub(crate) signals: String,
    /// What the passes say of it.
    pub(crate) decisions: Vec<String>,
    /// Why nothing ever takes it, when nothing does.
    pub(crate) removed: Option<String>,
}

/// A frame around boxes: one walk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Group {
    /// What is within.
    pub(crate) title: String,
    /// `file:line:column`
    pub(crate) place: String,
}

impl Graph {
    /// A graph without anything in it.
    pub(crate) const fn new(flow: String, stage: &'static str) -> Self {
        Self {
            flow,
            stage,
            nodes: Vec::new(),
            edges: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Adds a box.
    pub(crate) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    /// Adds a frame.
    pub(crate) fn add_group(&mut self, group: Group) -> GroupId {
        self.groups.push(group);
        GroupId(self.groups.len() - 1)
    }

    /// Boxes with their ids.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(position, node)| (NodeId(position), node))
    }
}

impl Node {
    /// A box with nothing but a title.
    pub(crate) fn new(kind: Kind, title: impl Into<String>, place: String) -> Self {
        Self {
            kind,
            title: title.into(),
            detail: None,
            rows: Vec::new(),
            docs: Vec::new(),
            place,
            decisions: Vec::new(),
            removed: None,
            group: None,
        }
    }

    /// Everything that is known of it, a line each: what stands there when the pointer rests on it.
    pub(crate) fn tooltip(&self) -> String {
        let title = match &self.detail {
            Some(detail) => format!("{} ({detail})", self.title),
            None => self.title.clone(),
        };
        let mut lines = vec![title];
        lines.extend(self.docs.iter().cloned());
        lines.extend(self.rows.iter().flat_map(Row::tooltip));
        lines.extend(self.decisions.iter().cloned());
        lines.extend(
            self.removed
                .iter()
                .map(|reason| format!("removed: {reason}")),
        );
        lines.push(self.place.clone());
        lines.join("\n")
    }
}

impl Row {
    /// A row that is no expression.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            level: None,
            meaning: None,
        }
    }

    /// A row that is evaluated as often as its level says.
    pub(crate) fn at(level: Level, text: impl Into<String>) -> Self {
        Self {
            level: Some(level),
            ..Self::plain(text)
        }
    }

    fn tooltip(&self) -> Vec<String> {
        let often = self.level.map(|level| format!("  [{}]", how_often(level)));
        let text = format!("{}{}", self.text, often.unwrap_or_default());
        let meaning = self.meaning.iter().map(|meaning| format!("  = {meaning}"));
        [text].into_iter().chain(meaning).collect()
    }
}

impl Edge {
    /// Everything that is known of it, a line each.
    pub(crate) fn tooltip(&self) -> String {
        let mut lines: Vec<String> = self.rows.iter().flat_map(Row::tooltip).collect();
        if !self.signals.is_empty() {
            lines.push(self.signals.clone());
        }
        lines.extend(self.decisions.iter().cloned());
        lines.extend(
            self.removed
                .iter()
                .map(|reason| format!("removed: {reason}")),
        );
        lines.join("\n")
    }
}

/// How often something of a level is evaluated.
pub(crate) const fn how_often(level: Level) -> &'static str {
    match level {
        Level::Const => "at build time",
        Level::Config => "with the configuration",
        Level::Instance => "once an instance",
        Level::Payload => "once a request",
        Level::Resource => "once a resource",
        Level::Scope => "once a scope",
        Level::Metric => "once a metric",
        Level::Record => "once a record",
    }
}

fn level_name<S: Serializer>(level: &Option<Level>, serializer: S) -> Result<S::Ok, S::Error> {
    match level {
        Some(level) => serializer.serialize_str(level.name()),
        None => serializer.serialize_none(),
    }
}
