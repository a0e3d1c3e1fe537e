//! Arms that are too many to be told of one by one.
//!
//! In: a program. Out: for each `route` or `split` with many arms, what stands behind the first of them.

use watershed_compiler::hir::{Arm, Program, Step, StepKind};
use watershed_lang::span::Span;

/// More arms than this are told of by their number.
const MOST: usize = 40;
/// So many are shown then.
const FEW: usize = 12;

/// Arms that are not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hidden {
    /// From the first of them to the end of the last.
    pub(super) span: Span,
    /// How many they are.
    pub(super) count: usize,
}

/// The arms of a program that are not shown.
pub(super) fn of_program(program: &Program, hidden: &mut Vec<Hidden>) {
    for chain in &program.chains {
        of_steps(&chain.steps, hidden);
    }
}

fn of_steps(steps: &[Step], hidden: &mut Vec<Hidden>) {
    for step in steps {
        match &step.kind {
            StepKind::FanOut(branches) => branches
                .iter()
                .for_each(|branch| of_steps(&branch.steps, hidden)),
            StepKind::Route(arms) | StepKind::Split(arms) => of_arms(arms, hidden),
            StepKind::Sink(_) | StepKind::Named(_) | StepKind::Stage(_) | StepKind::Error => {}
        }
    }
}

fn of_arms(arms: &[Arm], hidden: &mut Vec<Hidden>) {
    let shown = if arms.len() > MOST { FEW } else { arms.len() };
    let (shown, rest) = arms.split_at(shown);
    for arm in shown {
        of_steps(&arm.branch.steps, hidden);
    }
    if let (Some(first), Some(last)) = (rest.first(), rest.last()) {
        hidden.push(Hidden {
            span: first.head.to(last.branch.span),
            count: rest.len(),
        });
    }
}
