//! Chains, their steps and the arguments of stages.

use pest::iterators::{Pair, Pairs};

use super::Builder;
use crate::ast::{Arg, Arm, Branch, Chain, Edge, Expr, StageCall, Step, StepKind};
use crate::parse::diagnose::Context;
use crate::parse::grammar::Rule;
use crate::span::{Span, Spanned};

impl Builder<'_> {
    pub(super) fn chain(&mut self, parts: Pairs<'_, Rule>) -> Chain {
        let mut chain = Chain {
            heads: Vec::new(),
            bracketed: false,
            steps: Vec::new(),
        };
        for part in parts {
            match part.as_rule() {
                Rule::edge => chain.heads.push(self.edge(part)),
                Rule::heads => {
                    chain.bracketed = true;
                    chain
                        .heads
                        .extend(part.into_inner().map(|edge| self.edge(edge)));
                }
                _ => chain.steps.push(self.step(part)),
            }
        }
        chain
    }

    fn edge(&self, pair: Pair<'_, Rule>) -> Edge {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let source = self.next_name(&mut parts);
        Edge {
            source,
            signal: parts.next().map(|signal| self.name(&signal)),
            span,
        }
    }

    fn step(&mut self, pair: Pair<'_, Rule>) -> Step {
        let span = self.span(&pair);
        if pair.as_rule() == Rule::bad_step {
            self.report(&pair, Context::Step);
            return Step {
                kind: StepKind::Error,
                span,
            };
        }
        let Some(part) = pair.into_inner().next() else {
            return Step {
                kind: StepKind::Error,
                span,
            };
        };
        let kind = match part.as_rule() {
            Rule::route => StepKind::Route(self.arms(part)),
            Rule::split => StepKind::Split(self.arms(part)),
            Rule::fan_out => StepKind::FanOut(
                part.into_inner()
                    .map(|branch| self.branch(branch))
                    .collect(),
            ),
            Rule::stage_call => StepKind::Call(self.stage_call(part)),
            _ => StepKind::Name(self.name(&part)),
        };
        Step { kind, span }
    }

    fn branch(&mut self, pair: Pair<'_, Rule>) -> Branch {
        let span = self.span(&pair);
        if pair.as_rule() == Rule::bad_branch {
            self.report(&pair, Context::Branch);
            return Self::error_branch(span);
        }
        Branch {
            steps: pair.into_inner().map(|step| self.step(step)).collect(),
            span,
        }
    }

    fn error_branch(span: Span) -> Branch {
        Branch {
            steps: vec![Step {
                kind: StepKind::Error,
                span,
            }],
            span,
        }
    }

    /// The arms behind the keyword.
    fn arms(&mut self, pair: Pair<'_, Rule>) -> Vec<Arm> {
        pair.into_inner().skip(1).map(|arm| self.arm(arm)).collect()
    }

    fn arm(&mut self, pair: Pair<'_, Rule>) -> Arm {
        let span = self.span(&pair);
        if pair.as_rule() == Rule::bad_arm {
            self.report(&pair, Context::Arm);
            let condition = Some(Self::error_expression(span));
            return Arm {
                condition,
                head: span,
                branch: Self::error_branch(span),
            };
        }
        let mut arm = Arm {
            condition: None,
            head: span,
            branch: Self::error_branch(span),
        };
        for part in pair.into_inner() {
            let part_span = self.span(&part);
            match part.as_rule() {
                Rule::else_head => arm.head = part_span,
                Rule::expression => {
                    arm.head = part_span;
                    arm.condition = Some(self.expression(part));
                }
                _ => arm.branch = self.branch(part),
            }
        }
        arm
    }

    pub(super) fn stage_call(&mut self, pair: Pair<'_, Rule>) -> StageCall {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let kind = self.next_name(&mut parts);
        StageCall {
            kind,
            args: parts.map(|argument| self.argument(argument)).collect(),
            span,
        }
    }

    fn argument(&mut self, pair: Pair<'_, Rule>) -> Arg {
        if pair.as_rule() == Rule::bad_argument {
            let span = self.report(&pair, Context::Argument);
            return Arg {
                name: None,
                value: Self::error_expression(span),
            };
        }
        let mut name = None;
        let mut value: Option<Expr> = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::argument_name => {
                    name = part
                        .into_inner()
                        .next()
                        .map(|word| Spanned::new(word.as_str().to_owned(), self.span(&word)));
                }
                _ => value = Some(self.expression(part)),
            }
        }
        Arg {
            name,
            value: value.unwrap_or_else(|| Self::error_expression(Span::default())),
        }
    }
}
