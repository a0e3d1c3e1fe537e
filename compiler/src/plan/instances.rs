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
    /// How many of the rows differ in a parameter; a value that is not known yet counts as one.
    #[must_use]
    pub fn distinct(&self, parameter: ParameterId) -> usize {
        let Some(position) = self.parameters.get_index_of(&parameter) else {
            return 0;
        };
        let cells = self.rows.iter().filter_map(|row| row.get(position));
        let texts = cells.map(|cell| format!("{:?}", cell.kind));
        texts.collect::<indexmap::IndexSet<_>>().len()
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
