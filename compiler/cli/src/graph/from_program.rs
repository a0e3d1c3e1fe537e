//! The flow as it is written, with what the passes found out about it.
//!
//! In: a compiled flow without errors. Out: a [`Graph`] with one box a source, sink and stage, and an arrow an arm.

use std::collections::{BTreeMap, BTreeSet};

use watershed_compiler::catalog::OptionType;
use watershed_compiler::catalog::signals::Signals;
use watershed_compiler::check::TypeTable;
use watershed_compiler::driver::{Compilation, file_name};
use watershed_compiler::hir::{
    self, Branch, Chain, Program, SinkId, SourceId, Stage, StageKind, Step, StepKind, TemplateId,
};
use watershed_compiler::plan::{BatchId, Effect, Plan, PlanLog};
use watershed_lang::source::SourceMap;
use watershed_lang::span::Span;

use super::model::{Edge, Graph, Group, GroupId, Kind, Node, NodeId, Row};
use super::removed;
use crate::parts::{Joint, Parts};

/// Draws a flow; `None` when it has errors.
pub(crate) fn from_program(compilation: &Compilation, sources: &SourceMap) -> Option<Graph> {
    let program = compilation.program.as_ref()?;
    let first = sources
        .iter()
        .next()
        .map(|(_, file)| file_name(file.path()));
    let mut drawing = Drawing {
        program,
        types: compilation.types.as_ref()?,
        plan: compilation.plan.as_ref()?,
        log: &compilation.log,
        changes: by_place(&compilation.log),
        parts: Parts::of(compilation, sources)?,
        graph: Graph::new(first.unwrap_or_default().to_owned(), "as written"),
        sources: BTreeMap::new(),
        sinks: BTreeMap::new(),
        frames: BTreeMap::new(),
        template: None,
    };
    drawing.frames();
    drawing.nodes();
    for chain in &program.chains {
        drawing.template = chain.template;
        drawing.chain(chain);
    }
    let mut graph = drawing.graph;
    removed::spread(&mut graph);
    Some(graph)
}

fn by_place(log: &PlanLog) -> BTreeMap<Span, Vec<usize>> {
    let mut changes: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
    for (position, change) in log.changes().iter().enumerate() {
        changes.entry(change.span).or_default().push(position);
    }
    changes
}

struct Drawing<'a> {
    program: &'a Program,
    types: &'a TypeTable,
    plan: &'a Plan,
    log: &'a PlanLog,
    /// The changes at each place of the text, by their positions in the log.
    changes: BTreeMap<Span, Vec<usize>>,
    parts: Parts<'a>,
    graph: Graph,
    sources: BTreeMap<SourceId, NodeId>,
    sinks: BTreeMap<SinkId, NodeId>,
    /// The frame of each template.
    frames: BTreeMap<TemplateId, GroupId>,
    /// The template of the chain that is drawn.
    template: Option<TemplateId>,
}

/// An arrow that has begun and does not end yet.
#[derive(Clone)]
struct Tail {
    from: NodeId,
    rows: Vec<Row>,
    signals: Option<Signals>,
    decisions: Vec<String>,
    removed: Option<String>,
}

impl Tail {
    const fn of(from: NodeId) -> Self {
        Self {
            from,
            rows: Vec::new(),
            signals: None,
            decisions: Vec::new(),
            removed: None,
        }
    }
}

impl Drawing<'_> {
    /// A frame for each template: what stands in it is there once for each instance.
    fn frames(&mut self) {
        for (id, template) in self.program.templates.iter() {
            let made = self.plan.templates.get(&id);
            let count = made.map_or(0, |template| template.rows.len());
            let title = format!("template {}: {count} instances", template.name.value);
            let place = self.parts.place(template.span);
            let frame = self.graph.add_group(Group { title, place });
            self.frames.insert(id, frame);
        }
    }

    fn frame(&self, template: Option<TemplateId>) -> Option<GroupId> {
        self.frames.get(&template?).copied()
    }

    fn nodes(&mut self) {
        for (id, source) in self.program.sources.iter() {
            let mut node = self.item(Kind::Source, source);
            if !self.plan.sources.contains_key(&id) {
                node.removed
                    .get_or_insert_with(|| "no chain begins here".to_owned());
            }
            let added = self.graph.add(node);
            self.sources.insert(id, added);
        }
        for (id, sink) in self.program.sinks.iter() {
            let mut node = self.item(Kind::Sink, sink);
            if !self.plan.sinks.contains_key(&id) {
                node.removed = Some("nothing reaches it".to_owned());
            }
            let added = self.graph.add(node);
            self.sinks.insert(id, added);
        }
    }

    /// The box of a source or sink.
    fn item(&self, kind: Kind, item: &hir::Node) -> Node {
        let name = match item.template {
            Some(id) => {
                let template = &self.program.templates.at(id).name.value;
                format!("{template}.{}", item.name.value)
            }
            None => item.name.value.clone(),
        };
        let mut node = Node::new(kind, name, self.parts.place(item.span));
        node.group = self.frame(item.template);
        node.detail = item.connector.map(|connector| connector.name.to_owned());
        node.rows = self.options(&item.options);
        node.docs.clone_from(&item.docs);
        self.decide(&mut node, &[item.span]);
        node
    }

    fn options(&self, options: &hir::Options) -> Vec<Row> {
        let option = |(name, setting): (&&str, &hir::Setting)| {
            let text = format!("{name}: {}", self.parts.text(setting.span));
            match setting.value {
                hir::SettingValue::Expr(id) if setting.spec.ty == OptionType::Subject => {
                    Row::at(self.types.level(id), text)
                }
                _ => Row::plain(text),
            }
        };
        options.iter().map(option).collect()
    }

    fn chain(&mut self, chain: &Chain) {
        let tails = chain.heads.iter().filter_map(|head| {
            let from = *self.sources.get(&head.source?)?;
            let signals = Some(head.signals);
            Some(Tail {
                signals,
                ..Tail::of(from)
            })
        });
        let (tails, before) = (tails.collect(), self.graph.nodes.len());
        self.steps(&chain.steps, tails);
        // What is said of a chain stands at its first stage.
        if let Some(first) = self.graph.nodes.get_mut(before) {
            first.docs.splice(0..0, chain.docs.iter().cloned());
        }
    }

    /// Draws steps one behind the other; what is left are the arrows that leave the last.
    fn steps(&mut self, steps: &[Step], tails: Vec<Tail>) -> Vec<Tail> {
        steps
            .iter()
            .fold(tails, |tails, step| self.step(step, tails))
    }

    fn step(&mut self, step: &Step, tails: Vec<Tail>) -> Vec<Tail> {
        let place = self.parts.place(step.span);
        match &step.kind {
            StepKind::Sink(id) => {
                if let Some(sink) = self.sinks.get(id).copied() {
                    self.connect(tails, step, sink);
                }
                Vec::new()
            }
            StepKind::Named(id) => {
                let named = self.program.stages.at(*id);
                let mut node = self.stage(step, &named.stage);
                let name = named.name.value.clone();
                node.detail = Some(std::mem::replace(&mut node.title, name));
                node.docs.clone_from(&named.docs);
                self.behind(node, step, tails)
            }
            StepKind::Stage(stage) => {
                let node = self.stage(step, stage);
                self.behind(node, step, tails)
            }
            StepKind::FanOut(branches) => {
                let all = self.behind(Node::new(Kind::All, "all", place), step, tails);
                let branches = branches.iter();
                branches
                    .flat_map(|branch| self.branch(branch, all.clone()))
                    .collect()
            }
            StepKind::Route(arms) => {
                let route = self.behind(Node::new(Kind::Choice, "route", place), step, tails);
                self.arms(arms, &route)
            }
            StepKind::Split(arms) => {
                let split = self.behind(Node::new(Kind::Choice, "split", place), step, tails);
                self.arms(arms, &split)
            }
            StepKind::Error => Vec::new(),
        }
    }

    /// Adds a box behind some arrows; what is left is the arrow that leaves it.
    fn behind(&mut self, node: Node, step: &Step, tails: Vec<Tail>) -> Vec<Tail> {
        let group = self.frame(self.template);
        let id = self.graph.add(Node { group, ..node });
        self.connect(tails, step, id);
        vec![Tail::of(id)]
    }

    fn branch(&mut self, branch: &Branch, tails: Vec<Tail>) -> Vec<Tail> {
        self.steps(&branch.steps, tails)
    }

    fn arms(&mut self, arms: &[hir::Arm], choice: &[Tail]) -> Vec<Tail> {
        for arm in arms {
            let mut tails = choice.to_vec();
            for tail in &mut tails {
                tail.rows = match arm.condition {
                    Some(id) => self.parts.rows(id, Joint::And),
                    None => vec![Row::plain("else")],
                };
                (tail.decisions, tail.removed) = self.decisions(&[arm.head]);
            }
            self.branch(&arm.branch, tails);
        }
        Vec::new()
    }

    /// The box of a stage.
    fn stage(&self, step: &Step, stage: &Stage) -> Node {
        let place = self.parts.place(step.span);
        let mut node = match &stage.kind {
            StageKind::Filter(condition) => Node {
                rows: self.parts.rows(condition.value, Joint::And),
                ..Node::new(Kind::Guard, "filter", place)
            },
            StageKind::Drop(condition) => Node {
                rows: self.parts.rows(condition.value, Joint::Or),
                ..Node::new(Kind::Guard, "drop", place)
            },
            StageKind::Batch(options) => Node {
                rows: self.options(options),
                ..Node::new(Kind::Batch, "batch", place)
            },
            StageKind::Set { path, value } => {
                let mut rows = self.parts.rows(*path, Joint::And);
                rows.extend(self.parts.rows(*value, Joint::And));
                Node {
                    rows,
                    ..Node::new(Kind::Stage, "set", place)
                }
            }
            StageKind::Remove { path } => Node {
                rows: self.parts.rows(*path, Joint::And),
                ..Node::new(Kind::Stage, "remove", place)
            },
            StageKind::Sample { ratio } => Node {
                rows: vec![Row::plain(self.parts.text(ratio.span))],
                ..Node::new(Kind::Guard, "sample", place)
            },
            StageKind::Limit { records, per } => {
                let (records, per) = (self.parts.text(records.span), self.parts.text(per.span));
                Node {
                    rows: vec![Row::plain(format!("{records} per {per}"))],
                    ..Node::new(Kind::Guard, "limit", place)
                }
            }
            StageKind::Validate { condition, reason } => {
                let mut rows = self.parts.rows(*condition, Joint::And);
                rows.push(Row::plain(format!(
                    "else: {}",
                    self.parts.text(reason.span)
                )));
                Node {
                    rows,
                    ..Node::new(Kind::Guard, "validate", place)
                }
            }
            StageKind::Error => Node::new(Kind::Stage, self.parts.text(stage.span), place),
        };
        self.decide(&mut node, &[step.span, stage.span]);
        if matches!(stage.kind, StageKind::Batch(_))
            && !self.plan.batches.contains_key(&BatchId(step.id))
        {
            node.removed
                .get_or_insert_with(|| "nothing reaches it".to_owned());
        }
        node
    }

    fn connect(&mut self, tails: Vec<Tail>, step: &Step, to: NodeId) {
        let arrives = self.types.step(step.id);
        for tail in tails {
            self.graph.edges.push(Edge {
                from: tail.from,
                to,
                rows: tail.rows,
                signals: tail.signals.unwrap_or(arrives).to_string(),
                decisions: tail.decisions,
                removed: tail.removed,
            });
        }
    }

    fn decide(&self, node: &mut Node, spans: &[Span]) {
        (node.decisions, node.removed) = self.decisions(spans);
    }

    /// What the passes say of a place and of what stands in it, and why it never runs, when it does not.
    fn decisions(&self, spans: &[Span]) -> (Vec<String>, Option<String>) {
        let (mut decisions, mut removed) = (Vec::new(), None);
        let mut inside: BTreeSet<usize> = BTreeSet::new();
        for span in spans {
            let (first, last) = (
                Span {
                    end: span.start,
                    ..*span
                },
                Span {
                    start: span.end,
                    ..*span
                },
            );
            inside.extend(
                self.changes
                    .range(first..=last)
                    .flat_map(|(_, changes)| changes),
            );
        }
        for change in inside
            .into_iter()
            .filter_map(|at| self.log.changes().get(at))
        {
            let exactly = spans.contains(&change.span);
            let within = spans
                .iter()
                .any(|span| span.file == change.span.file && span.to(change.span) == *span);
            if exactly && change.effect == Effect::Removed {
                removed = Some(change.reason.clone());
            } else if exactly || (within && change.effect == Effect::Rewritten) {
                let decision = format!("{}: {}", change.pass, change.reason);
                if !decisions.contains(&decision) {
                    decisions.push(decision);
                }
            }
        }
        (decisions, removed)
    }
}
