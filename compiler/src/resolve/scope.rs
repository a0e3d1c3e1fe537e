//! The one namespace of a file: what each name was declared as.

use indexmap::IndexMap;
use watershed_lang::ast::{File, Item, ItemKind};
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::span::{Name, Span};

use super::error::NameError;
use crate::catalog::reserved;
use crate::hir::{ConfigId, ConnectionId, ConstId, PredicateId, SinkId, SourceId, StageId};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    Config(ConfigId),
    Const(ConstId),
    Predicate(PredicateId),
    Connection(ConnectionId),
    Source(SourceId),
    Sink(SinkId),
    Stage(StageId),
}

impl Entity {
    /// The kind of thing, as messages call it.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Config(_) => "config",
            Self::Const(_) => "const",
            Self::Predicate(_) => "predicate",
            Self::Connection(_) => "connection",
            Self::Source(_) => "source",
            Self::Sink(_) => "sink",
            Self::Stage(_) => "stage",
        }
    }
}

/// A declared name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration {
    /// What it stands for.
    pub(super) entity: Entity,
    /// Where it was declared.
    pub(super) span: Span,
}

/// Every declared name, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Scope {
    names: IndexMap<String, Declaration>,
}

/// How many items of each kind have been seen: the next id of each.
#[derive(Default)]
struct Counts {
    configs: u32,
    consts: u32,
    predicates: u32,
    connections: u32,
    sources: u32,
    sinks: u32,
    stages: u32,
}

impl Scope {
    /// Declares the items of a file. Of two with one name the first keeps it.
    pub(super) fn declare(file: &File, diagnostics: &mut Diagnostics) -> Self {
        let mut scope = Self::default();
        let mut counts = Counts::default();
        for item in &file.items {
            if let Some((name, entity)) = counts.entity(item) {
                scope.insert(name, entity, diagnostics);
            }
        }
        scope
    }

    fn insert(&mut self, name: &Name, entity: Entity, diagnostics: &mut Diagnostics) {
        if reserved::RESERVED_NAMES.contains(&name.value.as_str()) {
            diagnostics.push(NameError::Reserved { name: name.clone() });
        }
        if matches!(entity, Entity::Config(_)) && name.value == reserved::TELEMETRY_CONFIG {
            diagnostics.push(NameError::ReservedConfig { name: name.clone() });
        }
        match self.names.get(&name.value) {
            Some(first) => diagnostics.push(NameError::Duplicate {
                name: name.clone(),
                first: first.span,
            }),
            None => {
                self.names.insert(
                    name.value.clone(),
                    Declaration {
                        entity,
                        span: name.span,
                    },
                );
            }
        }
    }

    /// What a name stands for.
    pub(super) fn get(&self, name: &str) -> Option<Declaration> {
        self.names.get(name).copied()
    }

    /// The names whose entities a use could have meant.
    pub(super) fn names_of(&self, wanted: impl Fn(Entity) -> bool) -> Vec<String> {
        let wanted = self
            .names
            .iter()
            .filter(|(_, declaration)| wanted(declaration.entity));
        wanted.map(|(name, _)| name.clone()).collect()
    }
}

impl Counts {
    /// The name that an item declares, with the id it will get.
    fn entity<'a>(&mut self, item: &'a Item) -> Option<(&'a Name, Entity)> {
        match &item.kind {
            ItemKind::Config(config) => Some((
                &config.name,
                Entity::Config(ConfigId(next(&mut self.configs))),
            )),
            ItemKind::Const(constant) => Some((
                &constant.name,
                Entity::Const(ConstId(next(&mut self.consts))),
            )),
            ItemKind::Predicate(predicate) => Some((
                &predicate.name,
                Entity::Predicate(PredicateId(next(&mut self.predicates))),
            )),
            ItemKind::Connection(node) => Some((
                &node.name,
                Entity::Connection(ConnectionId(next(&mut self.connections))),
            )),
            ItemKind::Source(node) => Some((
                &node.name,
                Entity::Source(SourceId(next(&mut self.sources))),
            )),
            ItemKind::Sink(node) => Some((&node.name, Entity::Sink(SinkId(next(&mut self.sinks))))),
            ItemKind::Stage(stage) => {
                Some((&stage.name, Entity::Stage(StageId(next(&mut self.stages)))))
            }
            ItemKind::Chain(_) | ItemKind::Unsupported(_) | ItemKind::Error => None,
        }
    }
}

fn next(count: &mut u32) -> u32 {
    let id = *count;
    *count += 1;
    id
}
