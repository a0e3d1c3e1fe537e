//! The table that the checker fills in.
//!
//! In: nothing. Out: what the planner asks about each expression, each step and each sink.

use std::sync::Arc;

use indexmap::IndexMap;

use super::names::{Binding, Names};
use super::template::Instance;
use crate::arena::Arena;
use crate::catalog::signals::Signals;
use crate::cel::environment::VariableId;
use crate::cel::fold::Constant;
use crate::cel::{Fails, Tree, Type};
use crate::hir::{ExprId, SinkId, StepId, TemplateId};
use crate::level::Level;

/// The result of the checker.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    pub(super) names: Names,
    pub(super) trees: IndexMap<ExprId, Arc<Tree>>,
    pub(super) steps: Arena<StepId, Signals>,
    pub(super) sinks: Arena<SinkId, Signals>,
    pub(super) instances: IndexMap<TemplateId, Vec<Instance>>,
}

impl TypeTable {
    /// The typed tree of an expression; `None` when something about it has been reported.
    #[must_use]
    pub fn tree(&self, id: ExprId) -> Option<&Arc<Tree>> {
        self.trees.get(&id)
    }

    /// The type of an expression.
    #[must_use]
    pub fn ty(&self, id: ExprId) -> &Type {
        self.tree(id)
            .map_or(&Type::Error, |tree| &tree.root_node().ty)
    }

    /// The level of an expression.
    #[must_use]
    pub fn level(&self, id: ExprId) -> Level {
        self.tree(id)
            .map_or(Level::Const, |tree| tree.root_node().level)
    }

    /// Why an expression can fail.
    #[must_use]
    pub fn fails(&self, id: ExprId) -> Fails {
        self.tree(id)
            .map_or(Fails::NEVER, |tree| tree.root_node().fails)
    }

    /// The value of an expression, when it is known at build time.
    #[must_use]
    pub fn constant(&self, id: ExprId) -> Option<&Constant> {
        self.tree(id)?.root_node().constant.as_ref()
    }

    /// What a variable of a tree stands for.
    #[must_use]
    pub fn binding(&self, variable: VariableId) -> Binding {
        self.names.binding(variable)
    }

    /// What arrives at a step: the signals of the edge before it.
    #[must_use]
    pub fn step(&self, id: StepId) -> Signals {
        self.steps.get(id).copied().unwrap_or_default()
    }

    /// What arrives at a sink, over all chains.
    #[must_use]
    pub fn sink(&self, id: SinkId) -> Signals {
        self.sinks.get(id).copied().unwrap_or_default()
    }

    /// The instances of a template, in the order of its uses and their rows.
    #[must_use]
    pub fn instances(&self, template: TemplateId) -> &[Instance] {
        self.instances.get(&template).map_or(&[], Vec::as_slice)
    }

    /// Makes room for a program with so many steps and sinks, in which expressions can name these things.
    pub(super) fn new(names: Names, steps: u32, sinks: usize) -> Self {
        let mut table = Self {
            names,
            ..Self::default()
        };
        (0..steps).for_each(|_| {
            table.steps.push(Signals::NONE);
        });
        (0..sinks).for_each(|_| {
            table.sinks.push(Signals::NONE);
        });
        table
    }
}
