//! What is left of a flow after the passes: each walk is a frame with its decision tree inside.
//!
//! In: the optimised plan. Out: a [`Graph`]. A kind of tree that is new gets one arm in [`Drawing::tree`].

use std::collections::BTreeMap;

use watershed_compiler::catalog::OptionType;
use watershed_compiler::driver::{Compilation, file_name};
use watershed_compiler::hir::Docs;
use watershed_compiler::level::Level;
use watershed_compiler::plan::dump::literal_text;
use watershed_compiler::plan::instances::{Fork, Key};
use watershed_compiler::plan::{
    self, Arm, Condition, Guard, Options, Outcome, Plan, Target, Test, Tree, Walk,
};
use watershed_lang::source::SourceMap;
use watershed_lang::span::Span;

use super::model::{Edge, Graph, Group, GroupId, Kind, Node, NodeId, Row};
use crate::reads::Reads;

/// Draws the plan of a flow; `None` when it has errors.
pub(crate) fn from_plan(compilation: &Compilation, sources: &SourceMap) -> Option<Graph> {
    let (plan, naive) = (compilation.plan.as_ref()?, compilation.naive_plan.as_ref()?);
    let first = sources
        .iter()
        .next()
        .map(|(_, file)| file_name(file.path()));
    let mut drawing = Drawing {
        plan,
        sources,
        graph: Graph::new(first.unwrap_or_default().to_owned(), "optimised plan"),
        targets: BTreeMap::new(),
        written: Written::of(naive),
    };
    drawing.targets();
    drawing.walks();
    Some(drawing.graph)
}

struct Drawing<'a> {
    plan: &'a Plan,
    sources: &'a SourceMap,
    graph: Graph,
    targets: BTreeMap<Target, NodeId>,
    written: Written,
}

/// The conditions of the flow before the passes, by place.
struct Written(BTreeMap<(u32, u32), Vec<Condition>>);

impl Written {
    fn of(naive: &Plan) -> Self {
        let mut conditions = Self(BTreeMap::new());
        for walk in naive.all_walks() {
            walk.tree
                .for_each_condition(&mut |condition| conditions.add(condition));
        }
        for predicate in naive.predicates.values() {
            let condition = &predicate.condition;
            condition.for_each_condition(&mut |condition| conditions.add(condition));
        }
        conditions
    }

    fn add(&mut self, condition: &Condition) {
        let place = (condition.span.start, condition.span.end);
        let there = self.0.entry(place).or_default();
        if !there.contains(condition) {
            there.push(condition.clone());
        }
    }

    fn contains(&self, condition: &Condition) -> bool {
        let place = (condition.span.start, condition.span.end);
        self.0
            .get(&place)
            .is_some_and(|there| there.contains(condition))
    }
}

/// An arrow that has begun and does not end yet.
struct Tail {
    from: NodeId,
    rows: Vec<Row>,
    signals: String,
}

impl Drawing<'_> {
    fn targets(&mut self) {
        for (id, batch) in &self.plan.batches {
            let target = Target::Batch(*id);
            let mut node = Node::new(
                Kind::Batch,
                self.plan.target_name(target),
                self.place(batch.span),
            );
            node.detail = Some("batch".to_owned());
            node.rows = self.options(&batch.options);
            let added = self.graph.add(node);
            self.targets.insert(target, added);
        }
        for (id, sink) in &self.plan.sinks {
            let mut node = self.node(Kind::Sink, &sink.node);
            node.rows.extend(sink.subject.as_ref().map(|subject| {
                Row::at(
                    subject.level,
                    format!("subject: {}", self.text(subject.span)),
                )
            }));
            let added = self.graph.add(node);
            self.targets.insert(Target::Sink(*id), added);
        }
    }

    fn walks(&mut self) {
        let mut sources = BTreeMap::new();
        for (id, source) in &self.plan.sources {
            let added = self.graph.add(self.node(Kind::Source, source));
            sources.insert(*id, added);
        }
        for walk in &self.plan.walks {
            let edges = walk.edges.iter();
            let tails = edges.filter_map(|edge| {
                Some(Tail {
                    from: *sources.get(&edge.source)?,
                    rows: Vec::new(),
                    signals: edge.signals.to_string(),
                })
            });
            self.walk(walk, tails.collect());
        }
        for (id, batch) in &self.plan.batches {
            let from = self.targets.get(&Target::Batch(*id)).copied();
            let tails = from.map(|from| Tail {
                from,
                rows: Vec::new(),
                signals: batch.walk.signals.to_string(),
            });
            self.walk(&batch.walk, tails.into_iter().collect());
        }
    }

    /// One walk: a frame and what is decided in it.
    fn walk(&mut self, walk: &Walk, tails: Vec<Tail>) {
        let reads = Reads::of_walk(walk);
        let place = self.place(walk.span);
        let group = self.graph.add_group(Group {
            title: format!("one walk over {}", walk.signals),
            place: place.clone(),
        });
        let detail = match reads.depth() {
            Level::Record => "reads records",
            _ => "reads no record",
        };
        let rows = reads
            .of
            .iter()
            .map(|(root, of)| Row::at(root.level(), format!("{}: {}", root.name(), of.names())));
        let node = Node {
            detail: Some(detail.to_owned()),
            rows: rows.collect(),
            ..Node::new(Kind::Walk, "walk", place)
        };
        let tails = self.behind(node, group, tails);
        self.tree(&walk.tree, group, walk, tails);
    }

    /// What happens to records that come along some arrows.
    fn tree(&mut self, tree: &Tree, group: GroupId, walk: &Walk, tails: Vec<Tail>) {
        let place = self.place(walk.span);
        match tree {
            Tree::Nothing => {
                self.behind(Node::new(Kind::Dropped, "dropped", place), group, tails);
            }
            Tree::Keep(target) => {
                if let Some(to) = self.targets.get(target).copied() {
                    self.connect(tails, to);
                }
            }
            Tree::Filter { guard, then } => {
                let mut node = Node::new(Kind::Guard, "when", self.place(guard.span));
                node.rows = self.rows(guard);
                let tails = self.behind(node, group, tails);
                self.tree(then, group, walk, tails);
            }
            Tree::Refuse(refusal) => {
                let mut node = Node::new(Kind::Dropped, "refused", self.place(refusal.span));
                node.rows = vec![Row::plain(refusal.reason.clone())];
                self.behind(node, group, tails);
            }
            Tree::Edit { edit, then } => {
                let mut node = Node::new(Kind::Stage, "change", self.place(edit.span));
                node.rows = vec![Row::plain(self.text(edit.span))];
                let tails = self.behind(node, group, tails);
                self.tree(then, group, walk, tails);
            }
            Tree::Limit { limit, then } => {
                let mut node = Node::new(Kind::Guard, "limit", self.place(limit.span));
                node.rows = vec![Row::plain(self.text(limit.span))];
                let tails = self.behind(node, group, tails);
                self.tree(then, group, walk, tails);
            }
            Tree::Fork(fork) => {
                let node = self.fork(fork);
                let tails = self.behind(node, group, tails);
                self.tree(&fork.body, group, walk, tails);
            }
            Tree::FanOut(branches) => {
                let all = self.add(Node::new(Kind::All, "all", place), group, tails);
                for branch in branches {
                    self.tree(branch, group, walk, vec![Tail::of(all)]);
                }
            }
            Tree::Route { arms, otherwise } => {
                let node = Node::new(Kind::Choice, "first of", place);
                let choice = self.add(node, group, tails);
                self.arms(arms, group, walk, choice);
                let rows = vec![Row::plain("else")];
                self.way(otherwise, group, walk, choice, rows);
            }
            Tree::Split(arms) => {
                let node = Node::new(Kind::Choice, "each of", place);
                let choice = self.add(node, group, tails);
                self.arms(arms, group, walk, choice);
            }
            Tree::Switch {
                on,
                cases,
                otherwise,
            } => {
                let mut node = Node::new(Kind::Choice, "look up", self.place(on.span));
                node.rows = vec![Row::at(on.level, self.text(on.span))];
                let choice = self.add(node, group, tails);
                for case in cases {
                    let keys: Vec<_> = case.keys.iter().map(literal_text).collect();
                    let rows = vec![Row::plain(keys.join(", "))];
                    self.way(&case.then, group, walk, choice, rows);
                }
                let rows = vec![Row::plain("else")];
                self.way(otherwise, group, walk, choice, rows);
            }
        }
    }

    /// The point where a record goes to instances of a template, which are drawn once for all.
    fn fork(&self, fork: &Fork) -> Node {
        let template = self.plan.templates.get(&fork.template);
        let name = template.map_or("?", |template| template.name.as_str());
        let count = template.map_or(0, |template| template.rows.len());
        let place = self.place(fork.span);
        let title = format!("for each of {count} instances of {name}");
        let mut node = Node::new(Kind::Choice, title, place);
        node.detail = Some("template".to_owned());
        let parameter = |key: &Key| {
            let (_, parameter) = self.plan.parameter(key.parameter)?;
            Some(parameter.name.clone())
        };
        node.rows = match &fork.key {
            Some(key) => vec![
                Row::plain(format!(
                    "one look-up by {}",
                    parameter(key).unwrap_or_default()
                )),
                Row::at(key.value.level, self.text(key.value.span)),
            ],
            None => vec![Row::plain("one by one")],
        };
        node
    }

    fn arms(&mut self, arms: &[Arm], group: GroupId, walk: &Walk, choice: NodeId) {
        for arm in arms {
            let rows = self.rows(&arm.guard);
            self.way(&arm.then, group, walk, choice, rows);
        }
    }

    /// What happens behind a choice on the way that `rows` name.
    fn way(&mut self, tree: &Tree, group: GroupId, walk: &Walk, choice: NodeId, rows: Vec<Row>) {
        let tail = Tail {
            rows,
            ..Tail::of(choice)
        };
        self.tree(tree, group, walk, vec![tail]);
    }

    /// The tests of a guard, the first that is made first.
    fn rows(&self, guard: &Guard) -> Vec<Row> {
        if guard.tests.is_empty() {
            return vec![Row::plain("always")];
        }
        guard.tests.iter().map(|test| self.row(test)).collect()
    }

    fn row(&self, test: &Test) -> Row {
        let text = self.condition(&test.condition);
        let text = match test.outcome {
            Outcome::True => text,
            Outcome::NotTrue => format!("not true: {text}"),
            Outcome::False => format!("false: {text}"),
            Outcome::NotFalse => format!("not false: {text}"),
        };
        Row::at(test.condition.level, text)
    }

    /// A condition as it was written when it still is what was written, else as the plan has it.
    fn condition(&self, condition: &Condition) -> String {
        if self.written.contains(condition) {
            self.text(condition.span)
        } else {
            self.plan.condition_text(condition)
        }
    }

    /// Adds a box behind some arrows; what is left is the arrow that leaves it.
    fn behind(&mut self, node: Node, group: GroupId, tails: Vec<Tail>) -> Vec<Tail> {
        vec![Tail::of(self.add(node, group, tails))]
    }

    fn add(&mut self, node: Node, group: GroupId, tails: Vec<Tail>) -> NodeId {
        let added = self.graph.add(Node {
            group: Some(group),
            ..node
        });
        self.connect(tails, added);
        added
    }

    fn connect(&mut self, tails: Vec<Tail>, to: NodeId) {
        self.graph.edges.extend(tails.into_iter().map(|tail| Edge {
            from: tail.from,
            to,
            rows: tail.rows,
            signals: tail.signals,
            decisions: Vec::new(),
            removed: None,
        }));
    }

    fn node(&self, kind: Kind, item: &plan::Node) -> Node {
        Node {
            detail: Some(item.connector.name.to_owned()),
            rows: self.options(&item.options),
            docs: Docs::clone(&item.docs),
            ..Node::new(kind, item.name.as_str(), self.place(item.span))
        }
    }

    fn options(&self, options: &Options) -> Vec<Row> {
        let options = options.iter();
        let shown = options.filter(|(_, setting)| setting.spec.ty != OptionType::Subject);
        shown
            .map(|(name, setting)| Row::plain(format!("{name}: {}", self.text(setting.span))))
            .collect()
    }

    fn place(&self, span: Span) -> String {
        self.sources.describe(span)
    }

    fn text(&self, span: Span) -> String {
        crate::parts::on_one_line(self.sources, span)
    }
}

impl Tail {
    const fn of(from: NodeId) -> Self {
        Self {
            from,
            rows: Vec::new(),
            signals: String::new(),
        }
    }
}
