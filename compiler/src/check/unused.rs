//! Declarations that nothing uses. Names that begin with `_` are meant to be unused.

use indexmap::IndexSet;
use watershed_lang::span::Name;

use super::Checker;
use super::lint_warning::LintWarning;
use super::names::Binding;
use super::types::TypeTable;
use crate::cel::free_names::free_names;
use crate::cel::typed::NodeKind;
use crate::hir::{
    ConfigId, ConnectionId, ConstId, ExprId, ParameterId, PredicateId, Program, SettingValue,
    SourceId, StageId, Step, StepKind, TableSource, TemplateId,
};

/// What is used somewhere.
#[derive(Default)]
struct Used {
    configs: IndexSet<ConfigId>,
    consts: IndexSet<ConstId>,
    predicates: IndexSet<PredicateId>,
    parameters: IndexSet<ParameterId>,
    templates: IndexSet<TemplateId>,
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
        let templates = program
            .templates
            .iter()
            .filter(|(id, _)| !used.templates.contains(id));
        // What an unused template would read says nothing.
        let parameters = program.parameters.iter().filter(|(id, item)| {
            used.templates.contains(&item.template)
                && !used.parameters.contains(id)
                && !is_mere_key(program, *id)
        });
        let unused = (configs.map(|(_, item)| ("config", &item.name)))
            .chain(consts.map(|(_, item)| ("const", &item.name)))
            .chain(predicates.map(|(_, item)| ("predicate", &item.name)))
            .chain(connections.map(|(_, item)| ("connection", &item.name)))
            .chain(sources.map(|(_, item)| ("source", &item.name)))
            .chain(stages.map(|(_, item)| ("stage", &item.name)))
            .chain(templates.map(|(_, item)| ("template", &item.name)))
            .chain(parameters.map(|(_, item)| ("parameter", &item.name)));
        for (noun, name) in unused.filter(|(_, name)| is_meant(name)) {
            self.report(LintWarning::Unused {
                noun,
                name: name.clone(),
            });
        }
    }
}

/// Whether a parameter may serve as the key of instances alone: others say what differs.
fn is_mere_key(program: &Program, id: ParameterId) -> bool {
    let template = program.templates.at(program.parameters.at(id).template);
    template.parameters.first() == Some(&id) && template.parameters.len() > 1
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
                Binding::Parameter(id) => drop(used.parameters.insert(id)),
                Binding::Root(_) | Binding::NotAValue => {}
            }
        }
        for one in &program.uses {
            used.templates.insert(one.template);
            // The arguments of rows are computed and not kept, so what they read is found by its name.
            let rows = one
                .rows
                .as_ref()
                .map(|(_, table)| &program.tables.at(*table).source);
            if let Some(TableSource::Const(id)) = rows {
                used.consts.insert(*id);
            }
            used.arguments(program, &one.arguments);
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

    fn arguments(&mut self, program: &Program, arguments: &[Option<ExprId>]) {
        let arguments = arguments.iter().flatten();
        let names = arguments.flat_map(|argument| free_names(program.exprs.at(*argument)));
        let names: IndexSet<String> = names.map(|name| name.value).collect();
        let consts = program.consts.iter();
        let named = consts.filter(|(_, item)| names.contains(&item.name.value));
        self.consts.extend(named.map(|(id, _)| id));
        let configs = program.configs.iter();
        let named = configs.filter(|(_, item)| names.contains(&item.name.value));
        self.configs.extend(named.map(|(id, _)| id));
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
