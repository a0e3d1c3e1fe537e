//! The form of chains: where they end, what may follow what, whether a route takes every record.

use std::collections::BTreeSet;

use watershed_lang::ast::{BinaryOp, ExprKind};

use super::Checker;
use super::graph_error::GraphError;
use crate::cel::Type;
use crate::cel::fold::Constant;
use crate::cel::print::{print, print_side};
use crate::hir::{Arm, Branch, Chain, ExprId, StageKind, Step, StepKind};
use crate::plan::CompareOp;
use watershed_lang::span::Span;

impl Checker<'_> {
    /// Checks the form of every chain.
    pub(super) fn graph(&mut self) {
        let program = self.program;
        for chain in &program.chains {
            self.steps_form(&chain.steps);
            self.gates_form(chain);
        }
    }

    fn steps_form(&mut self, steps: &[Step]) {
        for (position, step) in steps.iter().enumerate() {
            self.step_form(step);
            if let (true, Some(next)) = (ends(step), steps.get(position + 1)) {
                let (end, end_noun, step) = (step.span, noun(step), next.span);
                return self.report(GraphError::AfterEnd {
                    end,
                    end_noun,
                    step,
                });
            }
        }
        if let Some(last) = steps.last()
            && !ends(last)
            && !matches!(last.kind, StepKind::Error)
        {
            self.report(GraphError::WithoutSink { last: last.span });
        }
        self.batches_form(steps);
    }

    fn step_form(&mut self, step: &Step) {
        match &step.kind {
            StepKind::FanOut(branches) if branches.is_empty() => {
                self.report(GraphError::Empty { span: step.span })
            }
            StepKind::FanOut(branches) => self.branches_form(branches),
            StepKind::Route(arms) | StepKind::Split(arms) if arms.is_empty() => {
                self.report(GraphError::Empty { span: step.span });
            }
            StepKind::Route(arms) => self.route_form(step, arms),
            StepKind::Split(arms) => self.split_form(arms),
            StepKind::Sink(_) | StepKind::Named(_) | StepKind::Stage(_) | StepKind::Error => {}
        }
    }

    fn branches_form(&mut self, branches: &[Branch]) {
        branches
            .iter()
            .for_each(|branch| self.steps_form(&branch.steps));
    }

    fn split_form(&mut self, arms: &[Arm]) {
        for arm in arms {
            if arm.condition.is_none() {
                self.report(GraphError::ElseInSplit { span: arm.head });
            }
            self.steps_form(&arm.branch.steps);
        }
    }

    fn route_form(&mut self, step: &Step, arms: &[Arm]) {
        arms.iter()
            .for_each(|arm| self.steps_form(&arm.branch.steps));
        let position = arms.iter().position(|arm| arm.condition.is_none());
        match position.and_then(|position| arms.get(position..)) {
            Some([otherwise, next, ..]) => {
                self.report(GraphError::ElseNotLast {
                    span: otherwise.head,
                    next: next.head,
                });
            }
            Some(_) => {}
            None if self.is_exhaustive(arms) => {}
            None => {
                let last = arms.last().map(|arm| arm.branch.span);
                self.report(GraphError::RouteWithoutElse {
                    span: step.span,
                    last: last.unwrap_or(step.span),
                });
            }
        }
    }

    /// Whether every record takes some arm: one is always true, or two are each other's opposite and cannot fail.
    fn is_exhaustive(&self, arms: &[Arm]) -> bool {
        let conditions: Vec<_> = arms.iter().filter_map(|arm| arm.condition).collect();
        // What a condition with a mistake was meant to say is not known.
        let broken = conditions.iter().any(|id| self.table.tree(*id).is_none());
        let always =
            |condition: &ExprId| self.table.constant(*condition) == Some(&Constant::Bool(true));
        let total: Vec<_> = conditions
            .iter()
            .copied()
            .filter(|condition| self.table.fails(*condition).is_total())
            .collect();
        let texts: BTreeSet<_> = total
            .iter()
            .map(|condition| print(self.program.exprs.at(*condition)))
            .collect();
        let opposed = total
            .iter()
            .filter_map(|condition| self.opposite(*condition));
        broken
            || conditions.iter().any(always)
            || opposed
                .into_iter()
                .any(|opposite| texts.contains(&opposite))
    }

    /// The text of the condition that is true exactly when this one is not.
    fn opposite(&self, id: ExprId) -> Option<String> {
        match &self.program.exprs.at(id).kind {
            ExprKind::Not { times: 1, operand } => Some(print(operand)),
            ExprKind::Binary {
                op, left, right, ..
            } => {
                let opposite = opposite_op(*op)?;
                // With NaN neither `<` nor `>=` is true.
                if opposite.is_ordering() && self.compares_doubles(id) {
                    return None;
                }
                let (left, right) = (print_side(left), print_side(right));
                Some(format!("{left} {} {right}", opposite.symbol()))
            }
            _ => None,
        }
    }

    /// Whether an operand of the comparison can be NaN.
    fn compares_doubles(&self, comparison: ExprId) -> bool {
        self.table.tree(comparison).is_none_or(|tree| {
            let operands = tree.root_node().kind.children();
            let mut types = operands.iter().map(|operand| &tree.node(*operand).ty);
            types.any(|ty| *ty == Type::Double || ty.is_open())
        })
    }

    /// A batch directly behind a batch would collect what has just been collected.
    fn batches_form(&mut self, steps: &[Step]) {
        let mut earlier = None;
        for step in steps {
            match self.stage_of(step) {
                Some(StageKind::Batch(_)) => {
                    if let Some(earlier) = earlier {
                        self.report(GraphError::BatchAfterBatch {
                            span: step.span,
                            earlier,
                        });
                    }
                    earlier = Some(step.span);
                }
                Some(_) => {}
                None => earlier = None,
            }
        }
    }

    /// `validate` and `limit` answer the sender, so nothing of an event may be on its way when they decide.
    fn gates_form(&mut self, chain: &Chain) {
        if let Some(template) = chain.template {
            self.gates_in(&chain.steps, self.program.templates.at(template).name.span);
            return;
        }
        // Most chains have no gate, and to look for another chain takes a look at all of them.
        if self.has_gate(&chain.steps) {
            let mut before = self.other_chain(chain);
            self.gates_of(&chain.steps, &mut before);
        }
    }

    fn has_gate(&self, steps: &[Step]) -> bool {
        steps.iter().any(|step| {
            self.gate(step).is_some()
                || match &step.kind {
                    StepKind::FanOut(branches) => {
                        let mut branches = branches.iter();
                        branches.any(|branch| self.has_gate(&branch.steps))
                    }
                    StepKind::Route(arms) | StepKind::Split(arms) => {
                        arms.iter().any(|arm| self.has_gate(&arm.branch.steps))
                    }
                    StepKind::Sink(_)
                    | StepKind::Named(_)
                    | StepKind::Stage(_)
                    | StepKind::Error => false,
                }
        })
    }

    /// The instances of a template share the events that come to them, so none of them answers for one.
    fn gates_in(&mut self, steps: &[Step], template: Span) {
        for step in steps {
            if let Some(stage) = self.gate(step) {
                self.report(GraphError::GateInTemplate {
                    stage,
                    span: step.span,
                    template,
                });
            }
            match &step.kind {
                StepKind::FanOut(branches) => branches
                    .iter()
                    .for_each(|branch| self.gates_in(&branch.steps, template)),
                StepKind::Route(arms) | StepKind::Split(arms) => arms
                    .iter()
                    .for_each(|arm| self.gates_in(&arm.branch.steps, template)),
                StepKind::Sink(_) | StepKind::Named(_) | StepKind::Stage(_) | StepKind::Error => {}
            }
        }
    }

    /// The word of a step that answers the sender.
    fn gate(&self, step: &Step) -> Option<&'static str> {
        match self.stage_of(step) {
            Some(StageKind::Validate { .. }) => Some("validate"),
            Some(StageKind::Limit { .. }) => Some("limit"),
            _ => None,
        }
    }

    fn gates_of(&mut self, steps: &[Step], before: &mut Option<(Span, &'static str)>) {
        for step in steps {
            if matches!(self.stage_of(step), Some(StageKind::Batch(_))) {
                before.get_or_insert((step.span, "a batch"));
            }
            if let Some((stage, (before, noun))) = self.gate(step).zip(*before) {
                self.report(GraphError::AnswersTooLate {
                    stage,
                    span: step.span,
                    before,
                    noun,
                });
            }
            match &step.kind {
                StepKind::FanOut(branches) => {
                    let mut inside = before.or(Some((step.span, noun(step))));
                    for branch in branches {
                        self.gates_of(&branch.steps, &mut inside.clone());
                    }
                    *before = inside.take();
                }
                StepKind::Route(arms) | StepKind::Split(arms) => {
                    let inside = before.or(Some((step.span, noun(step))));
                    for arm in arms {
                        self.gates_of(&arm.branch.steps, &mut inside.clone());
                    }
                }
                StepKind::Sink(_) | StepKind::Named(_) | StepKind::Stage(_) | StepKind::Error => {}
            }
        }
    }

    /// Another chain that takes a signal of a source that this one takes: the source fans out to both.
    fn other_chain(&self, chain: &Chain) -> Option<(Span, &'static str)> {
        let others = self.program.chains.iter();
        let mut heads = others
            .filter(|other| !std::ptr::eq(*other, chain))
            .flat_map(|other| &other.heads);
        let shared = heads.find(|head| {
            chain.heads.iter().any(|own| {
                let common = own
                    .signals
                    .iter()
                    .any(|signal| head.signals.contains(signal));
                own.source.is_some() && own.source == head.source && common
            })
        });
        shared.map(|head| (head.span, "a source with several chains"))
    }

    /// The stage of a step, by name or written in place.
    pub(super) fn stage_of<'step>(&'step self, step: &'step Step) -> Option<&'step StageKind> {
        match &step.kind {
            StepKind::Stage(stage) => Some(&stage.kind),
            StepKind::Named(stage) => Some(&self.program.stages.at(*stage).stage.kind),
            _ => None,
        }
    }
}

/// Whether nothing can follow the step.
const fn ends(step: &Step) -> bool {
    matches!(
        step.kind,
        StepKind::Sink(_) | StepKind::FanOut(_) | StepKind::Route(_) | StepKind::Split(_)
    )
}

const fn noun(step: &Step) -> &'static str {
    match step.kind {
        StepKind::Sink(_) => "a sink",
        StepKind::FanOut(_) => "a fan-out",
        StepKind::Route(_) => "a `route`",
        StepKind::Split(_) => "a `split`",
        StepKind::Named(_) | StepKind::Stage(_) | StepKind::Error => "a stage",
    }
}

/// The operator that is true exactly when this one is false; `None` for one that compares nothing.
const fn opposite_op(op: BinaryOp) -> Option<CompareOp> {
    Some(match op {
        BinaryOp::Equal => CompareOp::NotEqual,
        BinaryOp::NotEqual => CompareOp::Equal,
        BinaryOp::Less => CompareOp::GreaterEqual,
        BinaryOp::GreaterEqual => CompareOp::Less,
        BinaryOp::Greater => CompareOp::LessEqual,
        BinaryOp::LessEqual => CompareOp::Greater,
        _ => return None,
    })
}
