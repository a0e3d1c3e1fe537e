//! The namespace of a file: what each name was declared as. A template has names of its own inside, which hide none of
//! those outside.

use indexmap::IndexMap;
use watershed_lang::ast::{File, Item, ItemKind, TemplateItem};
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::span::{Name, Span};

use super::error::NameError;
use crate::catalog::reserved;
use crate::hir::{
    ConfigId, ConnectionId, ConstId, ParameterId, PredicateId, SinkId, SourceId, StageId,
    TemplateId,
};

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
    Template(TemplateId),
    Parameter(ParameterId),
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
            Self::Template(_) => "template",
            Self::Parameter(_) => "parameter",
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
    /// The names that each template declares inside.
    templates: Vec<IndexMap<String, Declaration>>,
    /// The template that is looked into.
    inside: Option<TemplateId>,
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
    templates: u32,
    parameters: u32,
}

impl Scope {
    /// Declares the items of a file. Of two with one name the first keeps it.
    pub(super) fn declare(file: &File, diagnostics: &mut Diagnostics) -> Self {
        let mut scope = Self::default();
        let mut counts = Counts::default();
        let mut templates = Vec::new();
        for item in &file.items {
            if let Some((name, entity)) = counts.entity(item) {
                scope.insert(name, entity, diagnostics);
            }
            // What is inside is counted in its place, and declared behind what it must not hide.
            if let ItemKind::Template(template) = &item.kind {
                templates.push(counts.inside(template));
            }
        }
        for (position, names) in templates.into_iter().enumerate() {
            scope.templates.push(IndexMap::new());
            scope.enter(TemplateId(u32::try_from(position).unwrap_or(u32::MAX)));
            for (name, entity) in names {
                scope.insert(name, entity, diagnostics);
            }
            scope.leave();
        }
        scope
    }

    /// From now on names inside of a template are found too.
    pub(super) const fn enter(&mut self, template: TemplateId) {
        self.inside = Some(template);
    }

    /// From now on only names outside of templates are found.
    pub(super) const fn leave(&mut self) {
        self.inside = None;
    }

    /// The template that is looked into.
    pub(super) const fn inside(&self) -> Option<TemplateId> {
        self.inside
    }

    fn inner(&self, template: Option<TemplateId>) -> Option<&IndexMap<String, Declaration>> {
        self.templates.get(template?.0 as usize)
    }

    fn insert(&mut self, name: &Name, entity: Entity, diagnostics: &mut Diagnostics) {
        if reserved::RESERVED_NAMES.contains(&name.value.as_str()) {
            diagnostics.push(NameError::Reserved { name: name.clone() });
        }
        if matches!(entity, Entity::Config(_)) && name.value == reserved::TELEMETRY_CONFIG {
            diagnostics.push(NameError::ReservedConfig { name: name.clone() });
        }
        match self.get(&name.value) {
            Some(first) => diagnostics.push(NameError::Duplicate {
                name: name.clone(),
                first: first.span,
            }),
            None => {
                let inside = self.inside.map(|id| id.0 as usize);
                let inner = inside.and_then(|position| self.templates.get_mut(position));
                inner.unwrap_or(&mut self.names).insert(
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
        self.get_in(self.inside, name)
    }

    /// What a name stands for inside of a template, or outside of all.
    pub(super) fn get_in(&self, template: Option<TemplateId>, name: &str) -> Option<Declaration> {
        let inner = self.inner(template).and_then(|names| names.get(name));
        inner.or_else(|| self.names.get(name)).copied()
    }

    /// The parameters of a template, in their order.
    pub(super) fn parameters_of(&self, template: TemplateId) -> Vec<String> {
        let names = self.inner(Some(template)).into_iter().flatten();
        let parameters =
            names.filter(|(_, declaration)| matches!(declaration.entity, Entity::Parameter(_)));
        parameters.map(|(name, _)| name.clone()).collect()
    }

    /// The names whose entities a use could have meant.
    pub(super) fn names_of(&self, wanted: impl Fn(Entity) -> bool) -> Vec<String> {
        let inner = self.inner(self.inside).into_iter().flatten();
        let wanted = inner
            .chain(&self.names)
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
            ItemKind::Template(template) => Some((
                &template.name,
                Entity::Template(TemplateId(next(&mut self.templates))),
            )),
            ItemKind::Chain(_)
            | ItemKind::For(_)
            | ItemKind::Use(_)
            | ItemKind::Unsupported(_)
            | ItemKind::Error => None,
        }
    }

    /// The names that a template declares inside: its parameters, then its items.
    fn inside<'a>(&mut self, template: &'a TemplateItem) -> Vec<(&'a Name, Entity)> {
        let mut names = Vec::new();
        for parameter in &template.parameters {
            let id = ParameterId(next(&mut self.parameters));
            names.push((&parameter.name, Entity::Parameter(id)));
        }
        let items = template.items.iter().filter(|item| belongs(&item.kind));
        names.extend(items.filter_map(|item| self.entity(item)));
        names
    }
}

/// Whether an item can stand in a template.
pub(super) const fn belongs(kind: &ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Connection(_)
            | ItemKind::Source(_)
            | ItemKind::Sink(_)
            | ItemKind::Stage(_)
            | ItemKind::Predicate(_)
            | ItemKind::Chain(_)
    )
}

fn next(count: &mut u32) -> u32 {
    let id = *count;
    *count += 1;
    id
}
