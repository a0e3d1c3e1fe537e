//! The checker: a type and a level for every expression, and everything that makes a program wrong.
//!
//! In: [`Program`]. Out: [`TypeTable`] and diagnostics. Expressions are checked by [`crate::cel`] in an environment of
//! the file's names; here stands what depends on the place of an expression. The checker never fails: an expression
//! with a mistake gets no tree, and a name that stands for one has the type of a reported mistake, so that each is
//! reported once. Definitions come first, in their order, then every place that uses an expression, then the graph,
//! and at last the lints.

mod change;
mod change_error;
mod dump;
mod graph;
mod graph_error;
mod lint;
mod lint_changes;
mod lint_given;
mod lint_missing;
mod lint_warning;
mod names;
mod option_error;
mod option_rows;
mod options;
mod positions;
mod signals;
mod subject;
mod template;
mod template_cell;
mod template_error;
mod type_error;
pub mod types;
mod unchangeable;
mod unused;

use watershed_lang::diagnostic::{Diagnostics, IntoDiagnostic};
use watershed_lang::span::Span;

use crate::hir::{
    Definition, ExprId, Program, SettingValue, StageKind, Step, StepKind, TemplateId,
};

pub use change::{Changeable, changeable};
pub use dump::dump;
pub use names::{Binding, Names};
pub use template::{Cell, Instance};
pub use types::TypeTable;

/// Checks a program. Findings are added to `diagnostics`.
///
/// ```
/// use watershed_compiler::{check, hir::Program};
/// use watershed_lang::diagnostic::Diagnostics;
///
/// let mut diagnostics = Diagnostics::new();
/// let types = check::check(&Program::default(), &mut diagnostics);
/// assert!(diagnostics.is_empty());
/// assert_eq!(types.step(watershed_compiler::hir::StepId(0)), Default::default());
/// ```
#[must_use]
pub fn check(program: &Program, diagnostics: &mut Diagnostics) -> TypeTable {
    let table = TypeTable::new(Names::of(program), program.step_count, program.sinks.len());
    let mut checker = Checker {
        program,
        table,
        diagnostics,
    };
    checker.definitions();
    checker.instances();
    checker.nodes();
    checker.chains();
    checker.signals();
    checker.graph();
    if !checker.diagnostics.has_errors() {
        checker.lints();
    }
    checker.table
}

/// The state of one check.
struct Checker<'a> {
    program: &'a Program,
    table: TypeTable,
    diagnostics: &'a mut Diagnostics,
}

impl Checker<'_> {
    /// Reports a finding.
    fn report(&mut self, error: impl IntoDiagnostic) {
        self.diagnostics.push(error);
    }

    /// Where an expression stands.
    fn span(&self, id: ExprId) -> Span {
        self.program.exprs.at(id).span
    }

    /// What is doubtful in a program without errors.
    fn lints(&mut self) {
        self.lint_predicates();
        self.lint_chains();
        self.lint_changes();
        self.lint_unused();
    }

    /// From now on expressions stand inside of this template, or outside of all.
    const fn enter(&mut self, template: Option<TemplateId>) {
        self.table.names.enter(template);
    }

    /// Constants and predicates, each after those it reads, those of templates behind all others; then defaults.
    fn definitions(&mut self) {
        let program = self.program;
        let template = |definition: &Definition| match definition {
            Definition::Const(_) => None,
            Definition::Predicate(id) => program.predicates.at(*id).template,
        };
        let (inner, outer): (Vec<&Definition>, Vec<_>) = program
            .order
            .iter()
            .partition(|definition| template(definition).is_some());
        outer
            .into_iter()
            .for_each(|definition| self.definition(*definition));
        self.table.names.open_templates(program);
        for definition in inner {
            self.enter(template(definition));
            self.definition(*definition);
        }
        self.enter(None);
        for (_, config) in program.configs.iter() {
            self.default(config);
        }
    }

    fn definition(&mut self, definition: Definition) {
        let program = self.program;
        match definition {
            Definition::Const(id) => {
                let item = program.consts.at(id);
                self.constant_position(item.value, || format!("the const `{}`", item.name.value));
                if let Some(tree) = self.table.trees.get(&item.value) {
                    let names = &mut self.table.names;
                    names.define_const(id, &item.name.value, tree);
                }
            }
            Definition::Predicate(id) => {
                let item = program.predicates.at(id);
                self.predicate_position(item.value);
                if let Some(tree) = self.table.trees.get(&item.value) {
                    let names = &mut self.table.names;
                    names.define_predicate(id, &item.name.value, tree);
                }
            }
        }
    }

    /// The options of connections, sources and sinks.
    fn nodes(&mut self) {
        let program = self.program;
        let connections = program.connections.iter().map(|(_, node)| node);
        let sources = program.sources.iter().map(|(_, node)| node);
        let sinks = program.sinks.iter().map(|(_, node)| node);
        for node in connections.chain(sources).chain(sinks) {
            self.enter(node.template);
            for setting in node.options.values() {
                self.setting(setting);
            }
        }
        self.enter(None);
    }

    /// The conditions and arguments of every stage.
    fn chains(&mut self) {
        let program = self.program;
        for (_, stage) in program.stages.iter() {
            self.enter(stage.template);
            self.stage(&stage.stage.kind);
        }
        for chain in &program.chains {
            self.enter(chain.template);
            self.steps(&chain.steps);
        }
        self.enter(None);
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match &step.kind {
                StepKind::Stage(stage) => self.stage(&stage.kind),
                StepKind::FanOut(branches) => {
                    branches.iter().for_each(|branch| self.steps(&branch.steps))
                }
                StepKind::Route(arms) | StepKind::Split(arms) => {
                    for arm in arms {
                        if let Some(condition) = arm.condition {
                            self.predicate_position(condition);
                        }
                        self.steps(&arm.branch.steps);
                    }
                }
                StepKind::Sink(_) | StepKind::Named(_) | StepKind::Error => {}
            }
        }
    }

    fn stage(&mut self, stage: &StageKind) {
        match stage {
            StageKind::Filter(condition) | StageKind::Drop(condition) => {
                self.predicate_position(condition.value)
            }
            StageKind::Set { path, value } => self.set_stage(*path, *value),
            StageKind::Remove { path } => self.remove_stage(*path),
            StageKind::Sample { ratio } => self.known_setting(ratio),
            StageKind::Limit { records, per } => {
                self.known_setting(records);
                self.known_setting(per);
            }
            StageKind::Validate { condition, reason } => {
                self.predicate_position(*condition);
                self.known_setting(reason);
            }
            StageKind::Batch(options) => options.values().for_each(|setting| {
                if matches!(setting.value, SettingValue::Expr(_)) {
                    self.setting(setting);
                }
            }),
            StageKind::Error => {}
        }
    }
}
