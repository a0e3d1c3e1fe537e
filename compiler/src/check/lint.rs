//! Lints: programs that mean something, but hardly what their author wanted.
//!
//! In: a program without errors. Out: warnings. The walk follows what a record can reach, so whatever stands behind
//! a filter that is never true, or behind an arm that is always true, is known to be dead.

use indexmap::{IndexMap, IndexSet};
use watershed_lang::span::Span;

use super::Checker;
use super::lint_given::Settled;
use super::lint_warning::LintWarning;
use crate::cel::fold::Constant;
use crate::cel::given::Outcome;
use crate::cel::print::print;
use crate::hir::{Arm, Branch, ExprId, SinkId, StageId, StageKind, Step, StepKind};

/// What is known of the records at a step.
#[derive(Clone)]
struct Flow {
    /// Whether any record can come here.
    live: bool,
    /// Whether a batch has collected them.
    batched: bool,
    /// What surely has a value.
    settled: Settled,
}

/// What the walk over all chains finds out about the items that they name.
#[derive(Default)]
struct Found {
    /// The sinks that records come to.
    reached: IndexSet<SinkId>,
    /// What is settled in front of every use of a named stage.
    stages: IndexMap<StageId, Settled>,
}

impl Checker<'_> {
    /// Warns of doubtful chains and of sinks that nothing reaches.
    pub(super) fn lint_chains(&mut self) {
        let program = self.program;
        let mut found = Found::default();
        for chain in &program.chains {
            let flow = Flow {
                live: true,
                batched: false,
                settled: Settled::default(),
            };
            self.lint_steps(&chain.steps, flow, &mut found);
        }
        // A stage with a name is warned of once, by what holds for all its uses.
        for (id, stage) in program.stages.iter() {
            let settled = found.stages.swap_remove(&id).unwrap_or_default();
            self.lint_stage(&stage.stage.kind, stage.stage.span, &settled);
        }
        let sinks = program.sinks.iter();
        for (id, sink) in sinks.filter(|(id, _)| !found.reached.contains(id)) {
            let name = sink.name.clone();
            let used = program
                .chains
                .iter()
                .any(|chain| mentions(&chain.steps, id));
            self.report(LintWarning::UnreachableSink { name, used });
        }
    }

    fn lint_steps(&mut self, steps: &[Step], mut flow: Flow, found: &mut Found) {
        for step in steps {
            match &step.kind {
                StepKind::Sink(sink) => self.lint_sink(*sink, step, &flow, found),
                StepKind::Stage(stage) => {
                    self.lint_stage(&stage.kind, stage.span, &flow.settled);
                    flow = self.behind(&stage.kind, flow);
                }
                StepKind::Named(stage) => {
                    let known = found.stages.swap_remove(stage);
                    let known = match known {
                        Some(known) => known.common(&flow.settled),
                        None => flow.settled.clone(),
                    };
                    found.stages.insert(*stage, known);
                    let stage = &self.program.stages.at(*stage).stage;
                    flow = self.behind(&stage.kind, flow);
                }
                StepKind::FanOut(branches) => {
                    self.lint_fan_out(branches);
                    for branch in branches {
                        self.lint_steps(&branch.steps, flow.clone(), found);
                    }
                }
                StepKind::Route(arms) => self.lint_route(arms, &flow, found),
                StepKind::Split(arms) => self.lint_split(arms, &flow, found),
                StepKind::Error => {}
            }
        }
    }

    /// A publish costs an acknowledgement, so one for each small event is slow.
    fn lint_sink(&mut self, sink: SinkId, step: &Step, flow: &Flow, found: &mut Found) {
        if flow.live {
            found.reached.insert(sink);
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
    fn behind(&self, stage: &StageKind, mut flow: Flow) -> Flow {
        self.settle(stage, &mut flow.settled);
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

    /// What is doubtful about a stage behind what is settled.
    fn lint_stage(&mut self, stage: &StageKind, span: Span, settled: &Settled) {
        let (condition, is_drop) = match stage {
            StageKind::Filter(condition) => (condition, false),
            StageKind::Drop(condition) => (condition, true),
            StageKind::Validate { condition, .. } => {
                return self.lint_validate(*condition, span, settled);
            }
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
        } else if is_drop && condition.on_error.is_none() {
            let fails = self.fails_behind(condition.value, settled);
            if !fails.is_total() {
                self.report(LintWarning::DropWithoutPolicy {
                    stage: span,
                    condition: at,
                    fails,
                });
            }
        }
        // With `on_error` it is said what happens to a record without the key.
        if condition.on_error.is_none() {
            self.lint_not_equal(condition.value, settled);
        }
    }

    /// A condition that is always the same refuses all or nothing.
    fn lint_validate(&mut self, condition: ExprId, stage: Span, settled: &Settled) {
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
        self.lint_not_equal(condition, settled);
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

    fn lint_route(&mut self, arms: &[Arm], flow: &Flow, found: &mut Found) {
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
                live &= self.lint_arm(condition, &flow.settled, &mut earlier);
                if self.is_always(condition, true) {
                    always = Some(arm.head);
                    if position + 1 == arms.len() {
                        self.report(LintWarning::ArmIsElse { span: arm.head });
                    }
                }
            }
            let inside = self.inside(arm, live, flow);
            self.lint_steps(&arm.branch.steps, inside, found);
        }
    }

    /// Whether a record can take an arm of a route. Says why it cannot.
    fn lint_arm(
        &mut self,
        condition: ExprId,
        settled: &Settled,
        earlier: &mut IndexMap<String, Span>,
    ) -> bool {
        self.lint_not_equal(condition, settled);
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

    fn lint_split(&mut self, arms: &[Arm], flow: &Flow, found: &mut Found) {
        for arm in arms {
            let mut live = flow.live;
            if let Some(condition) = arm.condition {
                self.lint_not_equal(condition, &flow.settled);
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
            let inside = self.inside(arm, live, flow);
            self.lint_steps(&arm.branch.steps, inside, found);
        }
    }

    /// What comes into an arm.
    fn inside(&self, arm: &Arm, live: bool, flow: &Flow) -> Flow {
        let mut settled = flow.settled.clone();
        if let Some(condition) = arm.condition {
            self.settle_outcome(condition, Outcome::True, &mut settled);
        }
        Flow {
            live,
            settled,
            ..*flow
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
