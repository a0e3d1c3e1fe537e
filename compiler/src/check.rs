//! The checker: a type and a level for every expression, and everything that makes a program wrong.
//!
//! In: [`Program`]. Out: [`TypeTable`] and diagnostics. It never fails; what is wrong gets the type error, so that
//! one mistake is reported once. Definitions come first, in their order, then every place that uses an expression,
//! then the graph, and at last the lints.

mod access;
pub mod constant;
mod dump;
mod evaluate;
mod functions;
mod graph;
mod graph_error;
mod infer;
mod lint;
mod lint_missing;
mod lint_warning;
mod operators;
mod option_error;
mod options;
mod positions;
pub(crate) mod regex;
mod signals;
mod subject;
mod type_error;
pub mod types;
mod unused;
pub mod words;

use watershed_lang::diagnostic::{Diagnostics, IntoDiagnostic};

use crate::hir::{Definition, ExprId, Program, SettingValue, StageKind, Step, StepKind};

pub use crate::resolve::NotSupportedYet;
pub use constant::Constant;
pub use dump::dump;
pub use types::{Fails, Failure, Level, Type, TypeTable, Typed};

/// Checks a program. Findings are added to `diagnostics`.
///
/// ```
/// use watershed_compiler::{check, hir::Program};
/// use watershed_lang::diagnostic::Diagnostics;
///
/// let mut diagnostics = Diagnostics::new();
/// let types = check::check(&Program::default(), &mut diagnostics);
/// assert!(types.is_empty() && diagnostics.is_empty());
/// ```
#[must_use]
pub fn check(program: &Program, diagnostics: &mut Diagnostics) -> TypeTable {
    let table = TypeTable::with_size(program.exprs.len(), program.step_count, program.sinks.len());
    let mut checker = Checker {
        program,
        table,
        diagnostics,
        open_sums: Vec::new(),
    };
    checker.definitions();
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
    /// Operands of `+` that can be of any type, in the tree that is being checked.
    open_sums: Vec<ExprId>,
}

impl Checker<'_> {
    /// Reports a finding.
    fn report(&mut self, error: impl IntoDiagnostic) {
        self.diagnostics.push(error);
    }

    /// What is doubtful in a program without errors.
    fn lints(&mut self) {
        self.lint_predicates();
        self.lint_chains();
        self.lint_unused();
    }

    /// Constants and predicates, each after those it reads; then defaults.
    fn definitions(&mut self) {
        let program = self.program;
        for definition in &program.order {
            match definition {
                Definition::Const(id) => {
                    let item = program.consts.at(*id);
                    self.constant_position(item.value, || {
                        format!("the const `{}`", item.name.value)
                    });
                }
                Definition::Predicate(id) => {
                    self.predicate_position(program.predicates.at(*id).value)
                }
            }
        }
        for (_, config) in program.configs.iter() {
            self.default(config);
        }
    }

    /// The options of connections, sources and sinks.
    fn nodes(&mut self) {
        let program = self.program;
        let connections = program.connections.iter().map(|(_, node)| node);
        let sources = program.sources.iter().map(|(_, node)| node);
        let sinks = program.sinks.iter().map(|(_, node)| node);
        for node in connections.chain(sources).chain(sinks) {
            for setting in node.options.values() {
                self.setting(setting);
            }
        }
    }

    /// The conditions and arguments of every stage.
    fn chains(&mut self) {
        let program = self.program;
        for (_, stage) in program.stages.iter() {
            self.stage(&stage.stage.kind);
        }
        for chain in &program.chains {
            self.steps(&chain.steps);
        }
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
            StageKind::Batch(options) => options.values().for_each(|setting| {
                if matches!(setting.value, SettingValue::Expr(_)) {
                    self.setting(setting);
                }
            }),
            StageKind::Error => {}
        }
    }
}
