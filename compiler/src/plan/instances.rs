//! Templates in the plan: one description of all instances, and a row of values for each.
//!
//! Nothing is planned for one instance. Nodes, batches and walks of a template stand among the others; the template
//! says which are its own. Where data of a source outside comes to a template, the walk of that source has a
//! [`Fork`]: it goes to every instance, or to those whose key a value of the data has.

use indexmap::IndexMap;
use watershed_lang::span::Span;

use super::{BatchId, Plan, Target, Tree, Value, Walk};
use crate::hir::{
    ConfigType, ConnectionId, Docs, ParameterId, PredicateId, SinkId, SourceId, TemplateId,
};

/// A template with all its instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Its parameters; the first is the key of an instance in metrics.
    pub parameters: IndexMap<ParameterId, Parameter>,
    /// The values of the parameters in each instance: literals, or values at the level of configuration.
    pub rows: Vec<Vec<Value>>,
    /// Which nodes each instance has of its own.
    pub members: Members,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ConfigType,
}

/// What stands in a template. Passes may have removed some of it from the plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Members {
    /// Its connections.
    pub connections: Vec<ConnectionId>,
    /// Its sources.
    pub sources: Vec<SourceId>,
    /// Its sinks.
    pub sinks: Vec<SinkId>,
    /// The batches of its chains.
    pub batches: Vec<BatchId>,
    /// Its predicates.
    pub predicates: Vec<PredicateId>,
}

/// The place in a walk where a record goes to the instances of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    /// The template.
    pub template: TemplateId,
    /// The value that finds the instances; without one the record goes to all.
    pub key: Option<Key>,
    /// What happens in each instance, over its parameters.
    pub body: Box<Tree>,
    /// The chain in the template.
    pub span: Span,
}

/// `value == parameter`, as one look-up for all instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// What the data has.
    pub value: Value,
    /// What it must be equal to.
    pub parameter: ParameterId,
}

impl Template {
    /// The values of a parameter in every instance.
    pub fn cells(&self, parameter: ParameterId) -> impl Iterator<Item = &Value> {
        let position = self.parameters.get_index_of(&parameter);
        self.rows.iter().filter_map(move |row| row.get(position?))
    }

    /// How many of the rows differ in a parameter.
    #[must_use]
    pub fn distinct(&self, parameter: ParameterId) -> usize {
        let texts = self.cells(parameter).map(|cell| format!("{:?}", cell.kind));
        texts.collect::<indexmap::IndexSet<_>>().len()
    }
}

impl Tree {
    /// Whether a record can come to the instances of a template.
    #[must_use]
    pub fn forks_to(&self, template: TemplateId) -> bool {
        let here = matches!(self, Self::Fork(fork) if fork.template == template);
        here || self
            .children()
            .into_iter()
            .any(|child| child.forks_to(template))
    }

    /// Whether the instances are looked up by this parameter.
    #[must_use]
    pub fn looks_up(&self, parameter: ParameterId) -> bool {
        let here = match self {
            Self::Fork(Fork { key: Some(key), .. }) => key.parameter == parameter,
            _ => false,
        };
        here || self
            .children()
            .into_iter()
            .any(|child| child.looks_up(parameter))
    }
}

impl Plan {
    /// A parameter and whose it is.
    #[must_use]
    pub fn parameter(&self, id: ParameterId) -> Option<(TemplateId, &Parameter)> {
        self.templates
            .iter()
            .find_map(|(template, one)| Some((*template, one.parameters.get(&id)?)))
    }

    /// Whether anything of a template is still in the plan: a node, or a walk that comes to its instances.
    #[must_use]
    pub fn is_live(&self, id: TemplateId) -> bool {
        self.has_nodes(id) || self.all_walks().any(|walk| walk.tree.forks_to(id))
    }

    /// Whether instances of a template have nodes of their own.
    #[must_use]
    pub fn has_nodes(&self, id: TemplateId) -> bool {
        self.templates.get(&id).is_some_and(|template| {
            let members = &template.members;
            let mut connections = members.connections.iter();
            let mut sources = members.sources.iter();
            let mut sinks = members.sinks.iter();
            let mut batches = members.batches.iter();
            connections.any(|id| self.connections.contains_key(id))
                || sources.any(|id| self.sources.contains_key(id))
                || sinks.any(|id| self.sinks.contains_key(id))
                || batches.any(|id| self.batches.contains_key(id))
        })
    }

    /// The template that a target belongs to.
    #[must_use]
    pub fn template_of_target(&self, target: Target) -> Option<TemplateId> {
        self.template_with(|members| match target {
            Target::Sink(id) => members.sinks.contains(&id),
            Target::Batch(id) => members.batches.contains(&id),
        })
    }

    /// The template that a source belongs to.
    #[must_use]
    pub fn template_of_source(&self, id: SourceId) -> Option<TemplateId> {
        self.template_with(|members| members.sources.contains(&id))
    }

    /// The template that a connection belongs to.
    #[must_use]
    pub fn template_of_connection(&self, id: ConnectionId) -> Option<TemplateId> {
        self.template_with(|members| members.connections.contains(&id))
    }

    /// The template that a predicate belongs to.
    #[must_use]
    pub fn template_of_predicate(&self, id: PredicateId) -> Option<TemplateId> {
        self.template_with(|members| members.predicates.contains(&id))
    }

    /// The template whose instances each have this walk for themselves.
    #[must_use]
    pub fn template_of_walk(&self, walk: &Walk) -> Option<TemplateId> {
        match walk.edges.first() {
            Some(edge) => self.template_of_source(edge.source),
            None => {
                let behind =
                    |(_, batch): &(&BatchId, &super::Batch)| std::ptr::eq(&batch.walk, walk);
                let (id, _) = self.batches.iter().find(behind)?;
                self.template_of_target(Target::Batch(*id))
            }
        }
    }

    fn template_with(&self, has: impl Fn(&Members) -> bool) -> Option<TemplateId> {
        let found = self.templates.iter().find(|(_, one)| has(&one.members));
        found.map(|(id, _)| *id)
    }
}
