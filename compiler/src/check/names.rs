//! What the names in expressions stand for: items of the file and roots of the data.
//!
//! In: a program. Out: the [`Environment`] that expressions are checked in, and for each of its variables the
//! [`Binding`] that says what it is. Constants and predicates are declared with types and values as soon as they have
//! been checked; until then, and for items that are no values, a name has the type of a reported mistake, so that
//! nothing is said twice.

use crate::catalog::reserved;
use crate::catalog::signals::Root;
use crate::cel::environment::{Environment, Variable, VariableId};
use crate::cel::{Tree, Type, telemetry};
use crate::hir::{ConfigId, ConfigType, ConstId, PredicateId, Program};
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
    /// Something that no expression can read; it has been reported.
    NotAValue,
}

/// Every name that expressions of a program can read.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub(super) environment: Environment,
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
        let consts = program.consts.iter().map(|(_, item)| &item.name);
        let predicates = program.predicates.iter().map(|(_, item)| &item.name);
        let connections = program.connections.iter().map(|(_, node)| &node.name);
        let sources = program.sources.iter().map(|(_, node)| &node.name);
        let sinks = program.sinks.iter().map(|(_, node)| &node.name);
        let stages = program.stages.iter().map(|(_, stage)| &stage.name);
        let others = connections.chain(sources).chain(sinks).chain(stages);
        for name in consts.chain(predicates).chain(others) {
            names.declare(&name.value, Binding::NotAValue, Type::Error, Level::Const);
        }
        names
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
        if !self.environment.variables.contains_key(name) {
            let variable = Variable::new(self.bind(binding), ty, level);
            self.environment.variables.insert(name.to_owned(), variable);
        }
    }

    /// The variable of a declared name that has turned out to be a value.
    fn redeclare(&mut self, name: &str, binding: Binding, ty: Type) -> Option<&mut Variable> {
        let variable = self.environment.variables.get_mut(name)?;
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
