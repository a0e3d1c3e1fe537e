//! Signals: what each edge carries, and whether it has what is read on it.
//!
//! In: chains and checked expressions. Out: the signals of each step and sink in the table, and an error for each
//! place that reads `log` where something else than logs arrives. Nothing between a source and a sink changes the
//! signals, so they are those of the chain's heads.

use indexmap::{IndexMap, IndexSet};
use watershed_lang::span::Span;

use super::Checker;
use super::graph_error::{GraphError, SignalError};
use super::names::Binding;
use crate::catalog::signals::{Root, Signals};
use crate::cel::telemetry;
use crate::cel::typed::NodeKind;
use crate::hir::{
    Definition, Edge, ExprId, PredicateId, SettingValue, SinkId, StageKind, Step, StepKind,
};

/// A root that an expression reads: where, and where inside of a predicate when it does so through one.
#[derive(Clone, Copy, Debug)]
struct RootUse {
    root: Root,
    at: Span,
    inside: Option<Span>,
}

/// What arrives at a place, and from where.
#[derive(Clone, Copy)]
struct Arrival<'a> {
    signals: Signals,
    heads: &'a [Edge],
}

/// The roots that each predicate reads.
type PredicateRoots = IndexMap<PredicateId, Vec<RootUse>>;

impl Checker<'_> {
    /// Fills in the signals of steps and sinks, and checks every condition and option against them.
    pub(super) fn signals(&mut self) {
        let program = self.program;
        let mut predicates = PredicateRoots::new();
        for definition in &program.order {
            if let Definition::Predicate(id) = definition {
                let uses = self.roots(&predicates, program.predicates.at(*id).value);
                predicates.insert(*id, uses);
            }
        }
        for chain in &program.chains {
            let signals = chain
                .heads
                .iter()
                .fold(Signals::NONE, |all, head| all.union(head.signals));
            self.arrive(
                &predicates,
                &chain.steps,
                Arrival {
                    signals,
                    heads: &chain.heads,
                },
            );
        }
    }

    fn arrive(&mut self, predicates: &PredicateRoots, steps: &[Step], arrival: Arrival<'_>) {
        for step in steps {
            *self.table.steps.at_mut(step.id) = arrival.signals;
            match &step.kind {
                StepKind::Sink(sink) => self.arrive_at_sink(predicates, *sink, step, arrival),
                StepKind::Named(stage) => {
                    let stage = &self.program.stages.at(*stage).stage;
                    self.arrive_at_stage(predicates, &stage.kind, step, arrival);
                }
                StepKind::Stage(stage) => {
                    self.arrive_at_stage(predicates, &stage.kind, step, arrival);
                }
                StepKind::FanOut(branches) => {
                    branches
                        .iter()
                        .for_each(|branch| self.arrive(predicates, &branch.steps, arrival));
                }
                StepKind::Route(arms) | StepKind::Split(arms) => {
                    for arm in arms {
                        if let Some(condition) = arm.condition {
                            self.readable(predicates, condition, arrival);
                        }
                        self.arrive(predicates, &arm.branch.steps, arrival);
                    }
                }
                StepKind::Error => {}
            }
        }
    }

    fn arrive_at_stage(
        &mut self,
        predicates: &PredicateRoots,
        stage: &StageKind,
        step: &Step,
        arrival: Arrival<'_>,
    ) {
        match stage {
            StageKind::Filter(condition) | StageKind::Drop(condition) => {
                self.readable(predicates, condition.value, arrival);
            }
            StageKind::Validate { condition, .. } => {
                self.readable(predicates, *condition, arrival);
            }
            StageKind::Set { path, value } => {
                self.readable(predicates, *path, arrival);
                self.readable(predicates, *value, arrival);
            }
            StageKind::Remove { path } => self.readable(predicates, *path, arrival),
            StageKind::Sample { .. } if arrival.signals.iter().count() > 1 => {
                let head = arrival.heads.first().map(|head| head.span);
                let span = step.span;
                self.report(GraphError::SampleOfSeveral { span, head });
            }
            StageKind::Sample { .. }
            | StageKind::Limit { .. }
            | StageKind::Batch(_)
            | StageKind::Error => {}
        }
    }

    /// A sink reads the data in its options, so these must suit everything that arrives.
    fn arrive_at_sink(
        &mut self,
        predicates: &PredicateRoots,
        sink: SinkId,
        step: &Step,
        arrival: Arrival<'_>,
    ) {
        *self.table.sinks.at_mut(sink) = self.table.sinks.at(sink).union(arrival.signals);
        for setting in self.program.sinks.at(sink).options.values() {
            let SettingValue::Expr(value) = setting.value else {
                continue;
            };
            for found in self.roots(predicates, value) {
                if let Some(edge) = unsuited(found.root, arrival) {
                    let (at, inside) = (found.at, Some(step.span));
                    let edge = self.edge_fact(edge);
                    self.report(SignalError {
                        root: found.root,
                        at,
                        inside,
                        edge,
                        at_sink: true,
                    });
                }
            }
        }
    }

    /// Reports each root that a condition reads and some of the arriving signals do not have.
    fn readable(&mut self, predicates: &PredicateRoots, condition: ExprId, arrival: Arrival<'_>) {
        for found in self.roots(predicates, condition) {
            if let Some(edge) = unsuited(found.root, arrival) {
                let (at, inside) = (found.at, found.inside);
                let edge = self.edge_fact(edge);
                self.report(SignalError {
                    root: found.root,
                    at,
                    inside,
                    edge,
                    at_sink: false,
                });
            }
        }
    }

    fn edge_fact(&self, edge: &Edge) -> super::graph_error::EdgeFact {
        let source = edge.source.map_or(String::new(), |source| {
            self.program.sources.at(source).name.value.clone()
        });
        super::graph_error::EdgeFact {
            source,
            signals: edge.signals,
            named: edge.signal.is_some(),
            span: edge.span,
        }
    }

    /// The roots that an expression reads, each once, in the order of the text.
    fn roots(&self, predicates: &PredicateRoots, id: ExprId) -> Vec<RootUse> {
        let mut found = Vec::new();
        let nodes = self
            .table
            .tree(id)
            .into_iter()
            .flat_map(|tree| tree.nodes());
        for (_, node) in nodes {
            let at = node.span;
            let root = match &node.kind {
                NodeKind::Field { field, .. } | NodeKind::HasField { field, .. } => {
                    telemetry::field(*field).map(|field| field.root)
                }
                NodeKind::Variable(variable) => match self.table.binding(*variable) {
                    Binding::Root(Root::Payload) => Some(Root::Payload),
                    Binding::Predicate(predicate) => {
                        let inner = predicates.get(&predicate).into_iter().flatten();
                        found.extend(inner.map(|inner| RootUse {
                            root: inner.root,
                            at,
                            inside: Some(inner.inside.unwrap_or(inner.at)),
                        }));
                        None
                    }
                    _ => None,
                },
                _ => None,
            };
            found.extend(root.map(|root| RootUse {
                root,
                at,
                inside: None,
            }));
        }
        found.sort_by_key(|found| found.at.start);
        let mut seen = IndexSet::new();
        found.retain(|found| seen.insert(found.root));
        found
    }
}

/// The first head that carries something without this root.
fn unsuited<'a>(root: Root, arrival: Arrival<'a>) -> Option<&'a Edge> {
    if root.signals().covers(arrival.signals) {
        return None;
    }
    arrival
        .heads
        .iter()
        .find(|head| !root.signals().covers(head.signals))
}
