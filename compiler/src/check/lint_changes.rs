//! Reads that come too early: a condition that decides by an attribute which the same chain sets behind it.
//!
//! In: checked chains. Out: a warning for each such read. Who sends an attribute chooses its value, and a flow that
//! sets it does so because the sender is not trusted to; a condition in front of the `set` trusts it. Where the new
//! value is made of the old one, the old one counts.

use indexmap::IndexSet;
use watershed_lang::span::Span;

use super::Checker;
use super::change::{Changeable, attribute_at, changeable};
use super::lint_warning::LintWarning;
use super::names::Binding;
use crate::cel::typed::NodeKind;
use crate::hir::{ExprId, PredicateId, StageKind, Step, StepKind};

/// Attributes that conditions have read, and the conditions.
type Reads = Vec<(Changeable, Span)>;

impl Checker<'_> {
    /// Warns of every condition that reads an attribute before it is set.
    pub(super) fn lint_changes(&mut self) {
        let program = self.program;
        let mut warned = IndexSet::new();
        for chain in &program.chains {
            self.changes_of(&chain.steps, &Reads::new(), &mut warned);
        }
    }

    fn changes_of(&mut self, steps: &[Step], before: &Reads, warned: &mut IndexSet<(Span, Span)>) {
        let mut reads = before.clone();
        for step in steps {
            if let Some(stage) = self.stage_of(step) {
                let stage = stage.clone();
                self.changes_of_stage(&stage, &mut reads, warned);
            }
            match &step.kind {
                StepKind::FanOut(branches) => {
                    for branch in branches {
                        self.changes_of(&branch.steps, &reads, warned);
                    }
                }
                StepKind::Route(arms) | StepKind::Split(arms) => {
                    for arm in arms {
                        let mut taken = reads.clone();
                        if let Some(condition) = arm.condition {
                            self.add_reads(condition, &mut taken);
                        }
                        self.changes_of(&arm.branch.steps, &taken, warned);
                    }
                }
                StepKind::Sink(_) | StepKind::Named(_) | StepKind::Stage(_) | StepKind::Error => {}
            }
        }
    }

    fn changes_of_stage(
        &mut self,
        stage: &StageKind,
        reads: &mut Reads,
        warned: &mut IndexSet<(Span, Span)>,
    ) {
        match stage {
            StageKind::Filter(condition) | StageKind::Drop(condition) => {
                self.add_reads(condition.value, reads);
            }
            StageKind::Validate { condition, .. } => self.add_reads(*condition, reads),
            StageKind::Set { path, value } => {
                let Some(set) = self.table.tree(*path).and_then(|tree| changeable(tree)) else {
                    return;
                };
                let mut own = Reads::new();
                self.add_reads(*value, &mut own);
                if own.iter().any(|(read, _)| *read == set) {
                    return;
                }
                let set_at = self.span(*path);
                for (_, read) in reads.iter().filter(|(read, _)| *read == set) {
                    if warned.insert((*read, set_at)) {
                        let (attribute, read) = (set.to_string(), *read);
                        self.report(LintWarning::ReadBeforeSet {
                            attribute,
                            read,
                            set: set_at,
                        });
                    }
                }
            }
            StageKind::Remove { .. }
            | StageKind::Sample { .. }
            | StageKind::Limit { .. }
            | StageKind::Batch(_)
            | StageKind::Error => {}
        }
    }

    /// The attributes that an expression reads, also through predicates; each stands where the expression stands.
    fn add_reads(&self, id: ExprId, reads: &mut Reads) {
        let at = self.span(id);
        let mut open = vec![id];
        let mut seen: IndexSet<PredicateId> = IndexSet::new();
        while let Some(tree) = open.pop().and_then(|id| self.table.tree(id)) {
            for (node, content) in tree.nodes() {
                reads.extend(attribute_at(tree, node).map(|read| (read, at)));
                if let NodeKind::Variable(variable) = content.kind
                    && let Binding::Predicate(predicate) = self.table.binding(variable)
                    && seen.insert(predicate)
                {
                    open.push(self.program.predicates.at(predicate).value);
                }
            }
        }
    }
}
