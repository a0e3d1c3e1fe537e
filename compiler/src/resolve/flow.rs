//! Chains: edges, steps and stages.

use watershed_lang::ast::{self, StepKind as AstStep};
use watershed_lang::span::{Name, Span};

use super::Resolver;
use super::error::NameError;
use super::flow_error::FlowError;
use super::scope::{Declaration, Entity};
use crate::catalog::reserved::LATER_STAGES;
use crate::catalog::signals::{Signal, Signals};
use crate::catalog::stage::{StageForm, find};
use crate::hir::{
    Arm, Branch, Chain, Condition, Docs, Edge, OnError, Options, SettingValue, Stage, StageKind,
    Step, StepId, StepKind,
};

/// What can stand as a step, as messages call it.
const STEP: &str = "sink or stage";

impl Resolver<'_> {
    pub(super) fn chain(&mut self, chain: &ast::Chain, docs: Docs, span: Span) -> Chain {
        let heads = chain.heads.iter().map(|edge| self.edge(edge)).collect();
        let steps = self.steps(&chain.steps);
        Chain {
            heads,
            steps,
            template: self.scope.inside(),
            docs,
            span,
        }
    }

    fn edge(&mut self, edge: &ast::Edge) -> Edge {
        let source = match self.scope.get(&edge.source.value) {
            Some(Declaration {
                entity: Entity::Source(id),
                ..
            }) => Some(id),
            Some(Declaration { entity, span }) => {
                self.wrong_kind(&edge.source, entity, span, "source", None);
                None
            }
            None => {
                let candidates = self
                    .scope
                    .names_of(|entity| matches!(entity, Entity::Source(_)));
                self.report(NameError::Unknown {
                    name: edge.source.clone(),
                    wanted: "source",
                    candidates,
                });
                None
            }
        };
        let (signal, signals) = match &edge.signal {
            None => (None, Signals::ALL),
            Some(name) => match Signal::from_name(&name.value) {
                Some(signal) => (Some(signal), Signals::only(signal)),
                None => {
                    self.report(FlowError::UnknownSignal { name: name.clone() });
                    // With no signal known, nothing that reads one is blamed a second time.
                    (None, Signals::NONE)
                }
            },
        };
        Edge {
            source,
            signal,
            signals,
            span: edge.span,
        }
    }

    fn steps(&mut self, steps: &[ast::Step]) -> Vec<Step> {
        steps.iter().map(|step| self.step(step)).collect()
    }

    fn step(&mut self, step: &ast::Step) -> Step {
        let id = StepId(self.program.step_count);
        self.program.step_count += 1;
        let kind = match &step.kind {
            AstStep::Name(name) => self.named_step(name),
            AstStep::Call(call) => match self.stage(call) {
                Stage {
                    kind: StageKind::Error,
                    ..
                } => StepKind::Error,
                stage => StepKind::Stage(stage),
            },
            AstStep::FanOut(branches) => {
                StepKind::FanOut(branches.iter().map(|branch| self.branch(branch)).collect())
            }
            AstStep::Route(arms) => StepKind::Route(self.arms(arms)),
            AstStep::Split(arms) => StepKind::Split(self.arms(arms)),
            AstStep::Error => StepKind::Error,
        };
        Step {
            id,
            kind,
            span: step.span,
        }
    }

    fn branch(&mut self, branch: &ast::Branch) -> Branch {
        Branch {
            steps: self.steps(&branch.steps),
            span: branch.span,
        }
    }

    fn arms(&mut self, arms: &[ast::Arm]) -> Vec<Arm> {
        arms.iter()
            .map(|arm| Arm {
                condition: arm.condition.as_ref().map(|condition| self.expr(condition)),
                head: arm.head,
                branch: self.branch(&arm.branch),
            })
            .collect()
    }

    fn named_step(&mut self, name: &Name) -> StepKind {
        match self.scope.get(&name.value) {
            Some(Declaration {
                entity: Entity::Sink(id),
                ..
            }) => StepKind::Sink(id),
            Some(Declaration {
                entity: Entity::Stage(id),
                ..
            }) => StepKind::Named(id),
            Some(Declaration { entity, span }) => {
                let instead = matches!(entity, Entity::Predicate(_))
                    .then(|| format!("filter({})", name.value));
                self.wrong_kind(name, entity, span, STEP, instead);
                StepKind::Error
            }
            None => {
                self.unknown_step(name);
                StepKind::Error
            }
        }
    }

    fn unknown_step(&mut self, name: &Name) {
        match find(&name.value) {
            Some(stage) => self.report(FlowError::StageWithoutArguments {
                stage,
                span: name.span,
            }),
            None if LATER_STAGES.contains(&name.value.as_str()) => {
                self.report(FlowError::StageNotYet { name: name.clone() });
            }
            None => {
                let is_step = |entity| matches!(entity, Entity::Sink(_) | Entity::Stage(_));
                let candidates = self.scope.names_of(is_step);
                self.report(NameError::Unknown {
                    name: name.clone(),
                    wanted: STEP,
                    candidates,
                });
            }
        }
    }

    fn wrong_kind(
        &mut self,
        name: &Name,
        entity: Entity,
        declared: Span,
        wanted: &'static str,
        instead: Option<String>,
    ) {
        let found = entity.noun();
        self.report(NameError::WrongKind {
            name: name.clone(),
            found,
            wanted,
            declared,
            instead,
        });
    }

    /// A stage with its arguments.
    pub(super) fn stage(&mut self, call: &ast::StageCall) -> Stage {
        let span = call.span;
        let Some(spec) = find(&call.kind.value) else {
            self.unknown_stage(&call.kind);
            return Stage {
                kind: StageKind::Error,
                span,
            };
        };
        if spec.form == StageForm::Arms {
            self.report(FlowError::ArmsNeeded { stage: spec, span });
            return Stage {
                kind: StageKind::Error,
                span,
            };
        }
        let arguments = self.arguments(spec, call);
        let kind = match spec.name {
            "filter" => condition(&arguments).map_or(StageKind::Error, StageKind::Filter),
            "drop" => condition(&arguments).map_or(StageKind::Error, StageKind::Drop),
            "batch" => StageKind::Batch(arguments),
            _ => other_stage(spec.name, &arguments).unwrap_or(StageKind::Error),
        };
        Stage { kind, span }
    }

    fn unknown_stage(&mut self, name: &Name) {
        if LATER_STAGES.contains(&name.value.as_str()) {
            return self.report(FlowError::StageNotYet { name: name.clone() });
        }
        let declared = self
            .scope
            .get(&name.value)
            .map(|declaration| (declaration.entity.noun(), declaration.span));
        self.report(FlowError::UnknownStage {
            name: name.clone(),
            declared,
        });
    }
}

/// A stage whose arguments must all be there; `None` when one is not, which has been reported.
fn other_stage(name: &str, arguments: &Options) -> Option<StageKind> {
    let setting = |name| arguments.get(name).cloned();
    let expr = |name| match arguments.get(name)?.value {
        SettingValue::Expr(id) => Some(id),
        _ => None,
    };
    Some(match name {
        "set" => StageKind::Set {
            path: expr("path")?,
            value: expr("value")?,
        },
        "remove" => StageKind::Remove {
            path: expr("path")?,
        },
        "sample" => StageKind::Sample {
            ratio: setting("ratio")?,
        },
        "limit" => StageKind::Limit {
            records: setting("records")?,
            per: setting("per")?,
        },
        "validate" => StageKind::Validate {
            condition: expr("condition")?,
            reason: setting("reason")?,
        },
        _ => return None,
    })
}

/// The condition of a filter or drop, with its policy.
fn condition(arguments: &Options) -> Option<Condition> {
    let SettingValue::Expr(value) = arguments.get("condition")?.value else {
        return None;
    };
    let on_error = match arguments.get("on_error").map(|setting| setting.value) {
        Some(SettingValue::Word(word)) => OnError::from_name(word),
        _ => None,
    };
    Some(Condition { value, on_error })
}
