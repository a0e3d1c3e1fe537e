//! What the names in expressions stand for: items of the file and roots of the data.
//!
//! In: a program. Out: the [`Environment`] that expressions are checked in, and for each of its variables the
//! [`Binding`] that says what it is. Constants and predicates are declared with types and values as soon as they have
//! been checked; until then, and for items that are no values, a name has the type of a reported mistake, so that
//! nothing is said twice.

use indexmap::IndexMap;
use watershed_lang::span::Name;

use crate::catalog::reserved;
use crate::catalog::signals::Root;
use crate::cel::environment::{Environment, Variable, VariableId};
use crate::cel::{Tree, Type, telemetry};
use crate::hir::{ConfigId, ConfigType, ConstId, ParameterId, PredicateId, Program, TemplateId};
use crate::level::Level;

/// What a variable of an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Data of a signal.
    Root(Root),
    /// A configuration value.
    Config(ConfigId),
    /// A constant.
    Const(ConstId),
    /// A predicate.
    Predicate(PredicateId),
    /// A parameter of a template.
    Parameter(ParameterId),
    /// Something that no expression can read; it has been reported.
    NotAValue,
}

/// Every name that expressions of a program can read.
#[derive(Clone, Debug, Default)]
pub struct Names {
    environment: Environment,
    /// What can be read inside of each template: all of the above, its parameters and its predicates.
    templates: IndexMap<TemplateId, Environment>,
    /// The template whose expressions are checked.
    inside: Option<TemplateId>,
    bindings: Vec<Binding>,
}

impl Names {
    /// The names of a program before its constants and predicates are checked.
    pub(super) fn of(program: &Program) -> Self {
        let mut names = Self::default();
        for root in Root::WITH_FIELDS.into_iter().chain([Root::Payload]) {
            let id = names.bind(Binding::Root(root));
            telemetry::declare(&mut names.environment, root, id);
        }
        for name in reserved::LATER_ROOTS {
            names.declare(name, Binding::NotAValue, Type::Error, Level::Const);
        }
        for (id, config) in program.configs.iter() {
            let ty = config_type(config.ty);
            names.declare(&config.name.value, Binding::Config(id), ty, Level::Config);
        }
        for (_, item) in program.consts.iter() {
            names.declare_item(&item.name);
        }
        for (_, item) in program.templates.iter() {
            names.declare_item(&item.name);
        }
        names.declare_items(program, None);
        names
    }

    /// Makes what is read inside of templates, once everything outside has its type and value.
    pub(super) fn open_templates(&mut self, program: &Program) {
        for (id, template) in program.templates.iter() {
            self.templates.insert(id, self.environment.clone());
            self.enter(Some(id));
            for parameter in &template.parameters {
                let item = program.parameters.at(*parameter);
                let binding = Binding::Parameter(*parameter);
                let ty = config_type(item.ty);
                self.declare(&item.name.value, binding, ty, Level::Instance);
            }
            self.declare_items(program, Some(id));
        }
        self.enter(None);
    }

    /// From now on expressions stand inside of this template, or outside of all.
    pub(super) const fn enter(&mut self, template: Option<TemplateId>) {
        self.inside = template;
    }

    /// The template that expressions stand inside of.
    pub(super) const fn inside(&self) -> Option<TemplateId> {
        self.inside
    }

    /// What can be read where expressions stand.
    pub(super) fn environment(&self) -> &Environment {
        let inside = self.inside.and_then(|id| self.templates.get(&id));
        inside.unwrap_or(&self.environment)
    }

    fn environment_mut(&mut self) -> &mut Environment {
        let inside = self.inside.and_then(|id| self.templates.get_mut(&id));
        inside.unwrap_or(&mut self.environment)
    }

    /// The items of a template, or of none, that are no values or not yet.
    fn declare_items(&mut self, program: &Program, template: Option<TemplateId>) {
        let predicates = program
            .predicates
            .iter()
            .map(|(_, one)| (&one.name, one.template));
        let stages = program
            .stages
            .iter()
            .map(|(_, one)| (&one.name, one.template));
        let connections = program.connections.iter().map(|(_, node)| node);
        let sources = program.sources.iter().map(|(_, node)| node);
        let sinks = program.sinks.iter().map(|(_, node)| node);
        let nodes = connections.chain(sources).chain(sinks);
        let nodes = nodes.map(|node| (&node.name, node.template));
        for (name, _) in predicates
            .chain(nodes)
            .chain(stages)
            .filter(|(_, owner)| *owner == template)
        {
            self.declare_item(name);
        }
    }

    fn declare_item(&mut self, name: &Name) {
        self.declare(&name.value, Binding::NotAValue, Type::Error, Level::Const);
    }

    /// Gives a constant its type and value.
    pub(super) fn define_const(&mut self, id: ConstId, name: &str, tree: &Tree) {
        let node = tree.root_node();
        if let Some(variable) = self.redeclare(name, Binding::Const(id), node.ty.clone()) {
            variable.constant.clone_from(&node.constant);
        }
    }

    /// Gives a predicate its level and value, and the reasons why it can fail.
    pub(super) fn define_predicate(&mut self, id: PredicateId, name: &str, tree: &Tree) {
        let node = tree.root_node();
        if let Some(variable) = self.redeclare(name, Binding::Predicate(id), Type::Bool) {
            variable.level = node.level;
            variable.constant.clone_from(&node.constant);
            variable.fails = node.fails;
        }
    }

    /// What a variable stands for.
    pub(super) fn binding(&self, variable: VariableId) -> Binding {
        let binding = self.bindings.get(variable.0 as usize);
        binding.copied().unwrap_or(Binding::NotAValue)
    }

    fn bind(&mut self, binding: Binding) -> VariableId {
        let id = VariableId(u32::try_from(self.bindings.len()).unwrap_or(u32::MAX));
        self.bindings.push(binding);
        id
    }

    /// Declares a name, unless an earlier item has it: that has been reported.
    fn declare(&mut self, name: &str, binding: Binding, ty: Type, level: Level) {
        if !self.environment().variables.contains_key(name) {
            let variable = Variable::new(self.bind(binding), ty, level);
            let environment = self.environment_mut();
            environment.variables.insert(name.to_owned(), variable);
        }
    }

    /// The variable of a declared name that has turned out to be a value.
    fn redeclare(&mut self, name: &str, binding: Binding, ty: Type) -> Option<&mut Variable> {
        let inside = self.inside.and_then(|id| self.templates.get_mut(&id));
        let environment = inside.unwrap_or(&mut self.environment);
        let variable = environment.variables.get_mut(name)?;
        let known = self.bindings.get_mut(variable.id.0 as usize)?;
        if *known != Binding::NotAValue {
            return None;
        }
        *known = binding;
        variable.ty = ty;
        Some(variable)
    }
}

/// The type of a `config` in expressions: sizes are numbers. What is secret has a type although nothing may read it.
pub(super) const fn config_type(ty: ConfigType) -> Type {
    match ty {
        ConfigType::String | ConfigType::Secret => Type::String,
        ConfigType::Int | ConfigType::Bytes => Type::Int,
        ConfigType::Double => Type::Double,
        ConfigType::Bool => Type::Bool,
        ConfigType::Duration => Type::Duration,
    }
}
