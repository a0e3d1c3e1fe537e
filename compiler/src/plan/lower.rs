//! From the checked program to a naive plan: one that does what the text says, in the order of the text.
//!
//! In: [`Program`] and [`TypeTable`], both without errors. Out: a [`Plan`], and a diagnostic for `on_error: fail`, which
//! the checker accepts and this version cannot compile. Every chain is lowered once, so sources that share a
//! chain share its batches. A source with several chains has a walk for each; [`share_walks`](super::passes::share_walks) makes
//! one of them.

mod bounds;
mod edits;
mod expr;
mod names;
mod nesting;
mod part;
mod stages;
mod template;

use indexmap::IndexMap;
use watershed_lang::diagnostic::{Code, Diagnostic, Diagnostics};

use super::{
    Batch, BatchId, Config, Edge, Guard, Node, Options, Outcome, Plan, Predicate, Reads, Setting,
    SettingValue, Sink, Target, Tree, Walk,
};
use crate::catalog::OptionType;
use crate::catalog::signals::Signals;
use crate::check::types::TypeTable;
use crate::hir::{
    self, Definition, OnError, Program, Stage, StageKind, Step, StepKind, TemplateId,
};
use crate::plan::tree::Arm;

/// Lowers a program that has no errors.
pub fn lower(program: &Program, types: &TypeTable, diagnostics: &mut Diagnostics) -> Plan {
    let mut lowering = Lowering {
        program,
        types,
        diagnostics,
        plan: Plan::default(),
        template: None,
    };
    lowering.templates();
    lowering.definitions();
    lowering.nodes();
    lowering.walks();
    names::give(&mut lowering.plan, program);
    edits::apply(&mut lowering.plan, lowering.diagnostics);
    lowering.plan
}

/// A program on its way to a plan.
struct Lowering<'p> {
    program: &'p Program,
    types: &'p TypeTable,
    diagnostics: &'p mut Diagnostics,
    plan: Plan,
    /// The template whose chain is lowered.
    template: Option<TemplateId>,
}

impl Lowering<'_> {
    fn definitions(&mut self) {
        for (id, config) in self.program.configs.iter() {
            let lowered = Config {
                name: config.name.value.clone(),
                ty: config.ty,
                default: config.default.map(|default| self.value(default)),
                docs: config.docs.clone(),
                span: config.span,
            };
            self.plan.configs.insert(id, lowered);
        }
        for definition in &self.program.order {
            let Definition::Predicate(id) = definition else {
                continue;
            };
            let predicate = self.program.predicates.at(*id);
            if !self.is_made(predicate.template) {
                continue;
            }
            let lowered = Predicate {
                name: predicate.name.value.clone(),
                condition: self.condition(predicate.value),
                docs: predicate.docs.clone(),
                span: predicate.span,
            };
            self.plan.predicates.insert(*id, lowered);
        }
    }

    fn nodes(&mut self) {
        for (id, node) in self.program.connections.iter() {
            if let Some((lowered, _)) = self.node(node) {
                self.member(node.template, |members| members.connections.push(id));
                self.plan.connections.insert(id, lowered);
            }
        }
        for (id, node) in self.program.sources.iter() {
            if let Some((lowered, _)) = self.node(node) {
                self.member(node.template, |members| members.sources.push(id));
                self.plan.sources.insert(id, lowered);
            }
        }
        for (id, node) in self.program.sinks.iter() {
            if let Some((lowered, subject)) = self.node(node) {
                self.member(node.template, |members| members.sinks.push(id));
                let node = lowered;
                self.plan.sinks.insert(id, Sink { node, subject });
            }
        }
    }

    /// A node and, apart from its other options, its subject.
    fn node(&mut self, node: &hir::Node) -> Option<(Node, Option<super::Value>)> {
        let connector = node.connector.filter(|_| self.is_made(node.template))?;
        let mut options = self.options(&node.options);
        let subject_name = connector
            .options
            .iter()
            .find(|option| option.ty == OptionType::Subject);
        let subject = subject_name.and_then(|option| options.shift_remove(option.name));
        let subject = subject.and_then(|setting| match setting.value {
            SettingValue::Value(value) => Some(value),
            SettingValue::Word(_) | SettingValue::Connection(_) => None,
        });
        let lowered = Node {
            name: self.name_in(node.template, &node.name.value),
            connector,
            options,
            docs: node.docs.clone(),
            span: node.span,
        };
        Some((lowered, subject))
    }

    fn options(&mut self, options: &hir::Options) -> Options {
        let mut lowered = Options::new();
        for (name, setting) in options {
            let value = match setting.value {
                hir::SettingValue::Expr(id) => SettingValue::Value(self.value(id)),
                hir::SettingValue::Word(word) => SettingValue::Word(word),
                hir::SettingValue::Connection(id) => SettingValue::Connection(id),
                hir::SettingValue::Error => continue,
            };
            lowered.insert(
                name,
                Setting {
                    spec: setting.spec,
                    value,
                    span: setting.span,
                },
            );
        }
        lowered
    }

    /// Makes one walk for each chain and source of its heads. The chain is lowered once: walks of several sources
    /// share its batches.
    fn walks(&mut self) {
        for chain in &self.program.chains {
            let tree = self.chain(chain);
            let mut edges: IndexMap<hir::SourceId, Signals> = IndexMap::new();
            for head in &chain.heads {
                let Some(source) = head.source.filter(|id| self.plan.sources.contains_key(id))
                else {
                    continue;
                };
                let signals = edges.entry(source).or_insert(Signals::NONE);
                *signals = signals.union(head.signals);
            }
            let walks = edges.into_iter().map(|(source, signals)| Walk {
                edges: vec![Edge { source, signals }],
                signals,
                tree: self.forked(chain, source, &tree),
                reads: Reads::default(),
                span: chain.span,
            });
            let walks: Vec<Walk> = walks.filter(|walk| !walk.signals.is_empty()).collect();
            self.plan.walks.extend(walks);
        }
    }

    /// What happens to a record that comes to the first of `steps`; behind the last, `rest` does.
    fn steps(&mut self, steps: &[Step], rest: Option<&Tree>) -> Tree {
        let Some((step, after)) = steps.split_first() else {
            return rest.cloned().unwrap_or(Tree::Nothing);
        };
        match &step.kind {
            StepKind::Sink(id) => Tree::Keep(Target::Sink(*id)),
            StepKind::Named(id) => {
                let named = self.program.stages.at(*id);
                self.stage(step, &named.stage, Some(&named.name.value), after, rest)
            }
            StepKind::Stage(stage) => self.stage(step, stage, None, after, rest),
            StepKind::FanOut(branches) => {
                // What follows a fan-out is lowered once, so all its branches share the batches there.
                let joined = self.steps(after, rest);
                let rest = (!after.is_empty()).then_some(&joined).or(rest);
                Tree::FanOut(
                    branches
                        .iter()
                        .map(|branch| self.steps(&branch.steps, rest))
                        .collect(),
                )
            }
            StepKind::Route(arms) => {
                let otherwise = arms.iter().find(|arm| arm.condition.is_none());
                let otherwise =
                    otherwise.map_or(Tree::Nothing, |arm| self.steps(&arm.branch.steps, None));
                Tree::Route {
                    arms: self.arms(arms),
                    otherwise: Box::new(otherwise),
                }
            }
            StepKind::Split(arms) => Tree::Split(self.arms(arms)),
            StepKind::Error => Tree::Nothing,
        }
    }

    fn arms(&mut self, arms: &[hir::Arm]) -> Vec<Arm> {
        let mut lowered = Vec::new();
        for arm in arms {
            let Some(condition) = arm.condition else {
                continue;
            };
            let mut guard = Guard::one(self.condition(condition), Outcome::True);
            guard.span = arm.head;
            lowered.push(Arm {
                guard,
                then: self.steps(&arm.branch.steps, None),
            });
        }
        lowered
    }

    fn stage(
        &mut self,
        step: &Step,
        stage: &Stage,
        name: Option<&str>,
        after: &[Step],
        rest: Option<&Tree>,
    ) -> Tree {
        match &stage.kind {
            StageKind::Filter(condition) => self.filter(
                step,
                stage,
                *condition,
                [Outcome::True, Outcome::NotFalse],
                after,
                rest,
            ),
            StageKind::Drop(condition) => self.filter(
                step,
                stage,
                *condition,
                [Outcome::False, Outcome::NotTrue],
                after,
                rest,
            ),
            StageKind::Batch(options) => {
                let id = BatchId(step.id);
                let signals = self.types.step(step.id);
                let span = if name.is_some() {
                    step.span
                } else {
                    stage.span
                };
                let walk = Walk {
                    edges: Vec::new(),
                    signals,
                    tree: Tree::Nothing,
                    reads: Reads::default(),
                    span,
                };
                let batch = Batch {
                    name: name.map(str::to_owned),
                    options: self.options(options),
                    walk,
                    span,
                };
                // The entry comes before those of the batches behind it: batches stand in the order of the text.
                self.plan.batches.insert(id, batch);
                self.member(self.template, |members| members.batches.push(id));
                let tree = self.steps(after, rest);
                if let Some(batch) = self.plan.batches.get_mut(&id) {
                    batch.walk.span = after
                        .first()
                        .zip(after.last())
                        .map_or(span, |(first, last)| first.span.to(last.span));
                    batch.walk.tree = tree;
                }
                Tree::Keep(Target::Batch(id))
            }
            StageKind::Set { path, value } => {
                let value = self.value(*value);
                self.change(*path, Some(value), stage, after, rest)
            }
            StageKind::Remove { path } => self.change(*path, None, stage, after, rest),
            StageKind::Sample { ratio } => self.sample(step, ratio, after, rest),
            StageKind::Limit { records, per } => {
                let limit = self.limit(step, name, records, per);
                let then = Box::new(self.steps(after, rest));
                Tree::Limit { limit, then }
            }
            StageKind::Validate { condition, reason } => {
                self.validate(step, *condition, reason, after, rest)
            }
            StageKind::Error => Tree::Nothing,
        }
    }

    /// A filter or drop. `outcomes` is what passes when errors are dropped and when they are kept.
    fn filter(
        &mut self,
        step: &Step,
        stage: &Stage,
        condition: hir::Condition,
        outcomes: [Outcome; 2],
        after: &[Step],
        rest: Option<&Tree>,
    ) -> Tree {
        let [without_errors, with_errors] = outcomes;
        let outcome = match condition.on_error {
            Some(OnError::Keep) => with_errors,
            Some(OnError::Drop) => without_errors,
            // Failing is not true: a filter drops it and a drop keeps it.
            None if matches!(stage.kind, StageKind::Drop(_)) => with_errors,
            None => without_errors,
            Some(OnError::Fail) => {
                let message = "`on_error: fail` is not supported yet";
                self.diagnostics
                    .push(Diagnostic::new(Code::NotSupportedYet, message, stage.span));
                without_errors
            }
        };
        let mut guard = Guard::one(self.condition(condition.value), outcome);
        guard.span = step.span;
        Tree::Filter {
            guard,
            then: Box::new(self.steps(after, rest)),
        }
    }
}
