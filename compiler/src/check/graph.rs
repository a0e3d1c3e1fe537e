//! The form of chains: where they end, what may follow what, whether a route takes every record.

use super::Checker;
use super::constant::Constant;
use super::graph_error::GraphError;
use super::types::Type;
use crate::hir::{Arm, Branch, CompareOp, ExprId, ExprKind, StageKind, Step, StepKind, print};

impl Checker<'_> {
    /// Checks the form of every chain.
    pub(super) fn graph(&mut self) {
        let program = self.program;
        for chain in &program.chains {
            self.steps_form(&chain.steps);
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
        let broken = conditions
            .iter()
            .any(|condition| self.is_broken(*condition));
        let always =
            |condition: &ExprId| self.table.constant(*condition) == Some(&Constant::Bool(true));
        let total: Vec<_> = conditions
            .iter()
            .copied()
            .filter(|condition| self.table.fails(*condition).is_total())
            .collect();
        let texts: Vec<_> = total
            .iter()
            .map(|condition| print::expr(self.program, *condition))
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

    /// Whether a mistake in the condition has been reported.
    fn is_broken(&self, id: ExprId) -> bool {
        *self.table.ty(id) == Type::Error
            || self
                .program
                .exprs
                .at(id)
                .kind
                .children()
                .into_iter()
                .any(|child| self.is_broken(child))
    }

    /// The text of the condition that is true exactly when this one is not.
    fn opposite(&self, id: ExprId) -> Option<String> {
        match &self.program.exprs.at(id).kind {
            ExprKind::Not(operand) => Some(print::expr(self.program, *operand)),
            ExprKind::Compare {
                op, left, right, ..
            } => {
                // With NaN neither `<` nor `>=` is true.
                let has_nan = [left, right]
                    .iter()
                    .any(|side| *self.table.ty(**side) == Type::Double);
                if has_nan && op.is_ordering() {
                    return None;
                }
                let op = opposite_op(*op);
                let (left, right) = (
                    print::expr(self.program, *left),
                    print::expr(self.program, *right),
                );
                Some(format!("{left} {} {right}", op.symbol()))
            }
            _ => None,
        }
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

const fn opposite_op(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Equal => CompareOp::NotEqual,
        CompareOp::NotEqual => CompareOp::Equal,
        CompareOp::Less => CompareOp::GreaterEqual,
        CompareOp::GreaterEqual => CompareOp::Less,
        CompareOp::Greater => CompareOp::LessEqual,
        CompareOp::LessEqual => CompareOp::Greater,
    }
}
