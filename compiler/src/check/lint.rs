//! Lints: programs that mean something, but hardly what their author wanted.
//!
//! In: a program without errors. Out: warnings. The walk follows what a record can reach, so whatever stands behind
//! a filter that is never true, or behind an arm that is always true, is known to be dead.

use indexmap::{IndexMap, IndexSet};
use watershed_lang::span::Span;

use super::Checker;
use super::lint_warning::LintWarning;
use crate::cel::fold::Constant;
use crate::cel::print::print;
use crate::hir::{Arm, Branch, ExprId, SinkId, StageKind, Step, StepKind};

/// What is known of the records at a step.
#[derive(Clone, Copy)]
struct Flow {
    /// Whether any record can come here.
    live: bool,
    /// Whether a batch has collected them.
    batched: bool,
}

impl Checker<'_> {
    /// Warns of doubtful chains and of sinks that nothing reaches.
    pub(super) fn lint_chains(&mut self) {
        let program = self.program;
        let mut reached = IndexSet::new();
        for (_, stage) in program.stages.iter() {
            self.lint_stage(&stage.stage.kind, stage.stage.span);
        }
        for chain in &program.chains {
            self.lint_steps(
                &chain.steps,
                Flow {
                    live: true,
                    batched: false,
                },
                &mut reached,
            );
        }
        for (id, sink) in program.sinks.iter().filter(|(id, _)| !reached.contains(id)) {
            let name = sink.name.clone();
            let used = program
                .chains
                .iter()
                .any(|chain| mentions(&chain.steps, id));
            self.report(LintWarning::UnreachableSink { name, used });
        }
    }

    fn lint_steps(&mut self, steps: &[Step], mut flow: Flow, reached: &mut IndexSet<SinkId>) {
        for step in steps {
            match &step.kind {
                StepKind::Sink(sink) => self.lint_sink(*sink, step, flow, reached),
                StepKind::Stage(stage) => {
                    self.lint_stage(&stage.kind, stage.span);
                    flow = self.behind(&stage.kind, flow);
                }
                StepKind::Named(stage) => {
                    let stage = &self.program.stages.at(*stage).stage;
                    flow = self.behind(&stage.kind, flow);
                }
                StepKind::FanOut(branches) => {
                    self.lint_fan_out(branches);
                    branches
                        .iter()
                        .for_each(|branch| self.lint_steps(&branch.steps, flow, reached));
                }
                StepKind::Route(arms) => self.lint_route(arms, flow, reached),
                StepKind::Split(arms) => self.lint_split(arms, flow, reached),
                StepKind::Error => {}
            }
        }
    }

    /// A publish costs an acknowledgement, so one for each small event is slow.
    fn lint_sink(&mut self, sink: SinkId, step: &Step, flow: Flow, reached: &mut IndexSet<SinkId>) {
        if flow.live {
            reached.insert(sink);
        }
        let node = self.program.sinks.at(sink);
        let publishes = node
            .connector
            .is_some_and(|connector| connector.name == "nats");
        if publishes && !flow.batched {
            let sink = node.name.value.clone();
            self.report(LintWarning::PublishWithoutBatch {
                sink,
                span: step.span,
            });
        }
    }

    /// What comes out of a stage.
    fn behind(&self, stage: &StageKind, flow: Flow) -> Flow {
        match stage {
            StageKind::Filter(condition) if self.is_always(condition.value, false) => Flow {
                live: false,
                ..flow
            },
            StageKind::Drop(condition) if self.is_always(condition.value, true) => Flow {
                live: false,
                ..flow
            },
            StageKind::Batch(_) => Flow {
                batched: true,
                ..flow
            },
            StageKind::Filter(_)
            | StageKind::Drop(_)
            | StageKind::Set { .. }
            | StageKind::Remove { .. }
            | StageKind::Sample { .. }
            | StageKind::Limit { .. }
            | StageKind::Validate { .. }
            | StageKind::Error => flow,
        }
    }

    fn lint_stage(&mut self, stage: &StageKind, span: Span) {
        let (condition, is_drop) = match stage {
            StageKind::Filter(condition) => (condition, false),
            StageKind::Drop(condition) => (condition, true),
            StageKind::Validate { condition, .. } => return self.lint_validate(*condition, span),
            StageKind::Set { .. }
            | StageKind::Remove { .. }
            | StageKind::Sample { .. }
            | StageKind::Limit { .. }
            | StageKind::Batch(_)
            | StageKind::Error => return,
        };
        let at = self.span(condition.value);
        if self.is_always(condition.value, is_drop) {
            self.report(LintWarning::DropsAll {
                stage: span,
                condition: at,
                value: is_drop,
            });
        } else if self.is_always(condition.value, !is_drop) {
            self.report(LintWarning::Always {
                span: at,
                value: !is_drop,
                effect: "the stage does nothing",
            });
        } else if is_drop
            && condition.on_error.is_none()
            && !self.table.fails(condition.value).is_total()
        {
            let fails = self.table.fails(condition.value);
            self.report(LintWarning::DropWithoutPolicy {
                stage: span,
                condition: at,
                fails,
            });
        }
        // With `on_error` it is said what happens to a record without the key.
        if condition.on_error.is_none() {
            self.lint_not_equal(condition.value);
        }
    }

    /// A condition that is always the same refuses all or nothing.
    fn lint_validate(&mut self, condition: ExprId, stage: Span) {
        let at = self.span(condition);
        if self.is_always(condition, false) {
            self.report(LintWarning::DropsAll {
                stage,
                condition: at,
                value: false,
            });
        } else if self.is_always(condition, true) {
            self.report(LintWarning::Always {
                span: at,
                value: true,
                effect: "the stage does nothing",
            });
        }
        self.lint_not_equal(condition);
    }

    /// Two branches that end at one sink give it everything twice.
    fn lint_fan_out(&mut self, branches: &[Branch]) {
        let mut seen: IndexMap<SinkId, Span> = IndexMap::new();
        for branch in branches {
            let [
                Step {
                    kind: StepKind::Sink(sink),
                    span,
                    ..
                },
            ] = branch.steps.as_slice()
            else {
                continue;
            };
            match seen.get(sink) {
                Some(first) => {
                    let name = self.program.sinks.at(*sink).name.value.clone();
                    self.report(LintWarning::SinkTwice {
                        sink: name,
                        span: *span,
                        first: *first,
                    });
                }
                None => {
                    seen.insert(*sink, *span);
                }
            }
        }
    }

    fn lint_route(&mut self, arms: &[Arm], flow: Flow, reached: &mut IndexSet<SinkId>) {
        let mut earlier: IndexMap<String, Span> = IndexMap::new();
        let mut always: Option<Span> = None;
        for (position, arm) in arms.iter().enumerate() {
            let mut live = flow.live;
            if let Some(first) = always {
                self.report(LintWarning::ShadowedArm {
                    span: arm.head,
                    first,
                    always: true,
                });
                live = false;
            } else if let Some(condition) = arm.condition {
                live &= self.lint_arm(condition, &mut earlier);
                if self.is_always(condition, true) {
                    always = Some(arm.head);
                    if position + 1 == arms.len() {
                        self.report(LintWarning::ArmIsElse { span: arm.head });
                    }
                }
            }
            self.lint_steps(&arm.branch.steps, Flow { live, ..flow }, reached);
        }
    }

    /// Whether a record can take an arm of a route. Says why it cannot.
    fn lint_arm(&mut self, condition: ExprId, earlier: &mut IndexMap<String, Span>) -> bool {
        self.lint_not_equal(condition);
        let span = self.span(condition);
        if self.is_always(condition, false) {
            self.report(LintWarning::Always {
                span,
                value: false,
                effect: "the arm is never taken",
            });
            return false;
        }
        let text = print(self.program.exprs.at(condition));
        if let Some(first) = earlier.get(&text) {
            self.report(LintWarning::ShadowedArm {
                span,
                first: *first,
                always: false,
            });
            return false;
        }
        earlier.insert(text, span);
        true
    }

    fn lint_split(&mut self, arms: &[Arm], flow: Flow, reached: &mut IndexSet<SinkId>) {
        for arm in arms {
            let mut live = flow.live;
            if let Some(condition) = arm.condition {
                self.lint_not_equal(condition);
                let span = self.span(condition);
                if self.is_always(condition, false) {
                    self.report(LintWarning::Always {
                        span,
                        value: false,
                        effect: "the arm is never taken",
                    });
                    live = false;
                } else if self.is_always(condition, true) {
                    self.report(LintWarning::Always {
                        span,
                        value: true,
                        effect: "the arm takes everything",
                    });
                }
            }
            self.lint_steps(&arm.branch.steps, Flow { live, ..flow }, reached);
        }
    }

    fn is_always(&self, condition: ExprId, value: bool) -> bool {
        self.table.constant(condition) == Some(&Constant::Bool(value))
    }
}

/// Whether some step delivers to the sink.
fn mentions(steps: &[Step], sink: SinkId) -> bool {
    steps.iter().any(|step| match &step.kind {
        StepKind::Sink(id) => *id == sink,
        StepKind::FanOut(branches) => branches.iter().any(|branch| mentions(&branch.steps, sink)),
        StepKind::Route(arms) | StepKind::Split(arms) => {
            arms.iter().any(|arm| mentions(&arm.branch.steps, sink))
        }
        StepKind::Named(_) | StepKind::Stage(_) | StepKind::Error => false,
    })
}
