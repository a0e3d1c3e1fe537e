//! Declarations that nothing uses. Names that begin with `_` are meant to be unused.

use indexmap::IndexSet;
use watershed_lang::span::Name;

use super::Checker;
use super::lint_warning::LintWarning;
use super::names::Binding;
use super::types::TypeTable;
use crate::cel::typed::NodeKind;
use crate::hir::{
    ConfigId, ConnectionId, ConstId, PredicateId, Program, SettingValue, SourceId, StageId, Step,
    StepKind,
};

/// What is used somewhere.
#[derive(Default)]
struct Used {
    configs: IndexSet<ConfigId>,
    consts: IndexSet<ConstId>,
    predicates: IndexSet<PredicateId>,
    connections: IndexSet<ConnectionId>,
    sources: IndexSet<SourceId>,
    stages: IndexSet<StageId>,
}

impl Checker<'_> {
    /// Warns of each item that nothing uses. Sinks have a lint of their own.
    pub(super) fn lint_unused(&mut self) {
        let program = self.program;
        let used = Used::of(program, &self.table);
        let configs = program
            .configs
            .iter()
            .filter(|(id, _)| !used.configs.contains(id));
        let consts = program
            .consts
            .iter()
            .filter(|(id, _)| !used.consts.contains(id));
        let predicates = program
            .predicates
            .iter()
            .filter(|(id, _)| !used.predicates.contains(id));
        let connections = program
            .connections
            .iter()
            .filter(|(id, _)| !used.connections.contains(id));
        let sources = program
            .sources
            .iter()
            .filter(|(id, _)| !used.sources.contains(id));
        let stages = program
            .stages
            .iter()
            .filter(|(id, _)| !used.stages.contains(id));
        let unused = (configs.map(|(_, item)| ("config", &item.name)))
            .chain(consts.map(|(_, item)| ("const", &item.name)))
            .chain(predicates.map(|(_, item)| ("predicate", &item.name)))
            .chain(connections.map(|(_, item)| ("connection", &item.name)))
            .chain(sources.map(|(_, item)| ("source", &item.name)))
            .chain(stages.map(|(_, item)| ("stage", &item.name)));
        for (noun, name) in unused.filter(|(_, name)| is_meant(name)) {
            self.report(LintWarning::Unused {
                noun,
                name: name.clone(),
            });
        }
    }
}

fn is_meant(name: &Name) -> bool {
    !name.value.starts_with('_')
}

impl Used {
    fn of(program: &Program, table: &TypeTable) -> Self {
        let mut used = Self::default();
        let trees = table.trees.values();
        for (_, node) in trees.flat_map(|tree| tree.nodes()) {
            let NodeKind::Variable(variable) = node.kind else {
                continue;
            };
            match table.binding(variable) {
                Binding::Config(id) => drop(used.configs.insert(id)),
                Binding::Const(id) => drop(used.consts.insert(id)),
                Binding::Predicate(id) => drop(used.predicates.insert(id)),
                Binding::Root(_) | Binding::NotAValue => {}
            }
        }
        for (_, sink) in program.sinks.iter() {
            for setting in sink.options.values() {
                if let SettingValue::Connection(id) = setting.value {
                    used.connections.insert(id);
                }
            }
        }
        for chain in &program.chains {
            used.sources
                .extend(chain.heads.iter().filter_map(|head| head.source));
            used.steps(&chain.steps);
        }
        used
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match &step.kind {
                StepKind::Named(stage) => {
                    self.stages.insert(*stage);
                }
                StepKind::FanOut(branches) => {
                    branches.iter().for_each(|branch| self.steps(&branch.steps))
                }
                StepKind::Route(arms) | StepKind::Split(arms) => {
                    arms.iter().for_each(|arm| self.steps(&arm.branch.steps));
                }
                StepKind::Sink(_) | StepKind::Stage(_) | StepKind::Error => {}
            }
        }
    }
}
