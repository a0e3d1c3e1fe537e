//! The plan: what runs, without a name that means anything and without a choice that is still open.
//!
//! In: the resolved and checked program ([`lower`]). Out: what the emitter prints. A plan has nodes (sources,
//! batches, sinks, connections) and *walks*: a walk takes one event of an edge and decides, in one pass over its
//! bytes, which of its records go to which target. Every chain between two queues is one walk, however many
//! branches it has; a batch owns the walk behind it.
//!
//! [`passes`] rewrite a plan into a cheaper one with the same meaning and note each change in the [`PlanLog`].

pub mod cost;
pub mod dump;
pub mod edit;
pub mod expr;
pub mod expression;
pub mod facts;
pub mod instances;
pub mod log;
pub mod lower;
pub mod passes;
pub mod reads;
pub mod tree;
#[cfg(any(test, debug_assertions))]
pub mod verify;

use std::collections::BTreeMap;

use indexmap::IndexMap;
use watershed_lang::span::Span;

pub use edit::{Edit, EditKind, Limit, Refusal};
pub use expr::{CompareOp, Condition, ConditionKind, Constant, TextTest, Value, ValueKind};
pub use expression::Expression;
pub use instances::{Fork, Template};
pub use log::{Change, Effect, PlanLog};
pub use reads::Reads;
pub use tree::{Arm, Case, Guard, Outcome, Test, Tree};

use crate::catalog::signals::Signals;
use crate::catalog::{ConnectorSpec, OptionSpec};
use crate::hir::{
    ConfigId, ConfigType, ConnectionId, Docs, PredicateId, SinkId, SourceId, StepId, TemplateId,
};
use crate::level::Level;

/// Everything that one `.flow` file runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Configuration values, in the order of the text.
    pub configs: IndexMap<ConfigId, Config>,
    /// Named predicates, each after those that it reads.
    pub predicates: IndexMap<PredicateId, Predicate>,
    /// Shared connections.
    pub connections: IndexMap<ConnectionId, Node>,
    /// Templates that have instances.
    pub templates: IndexMap<TemplateId, Template>,
    /// Where data comes in.
    pub sources: IndexMap<SourceId, Node>,
    /// Where data goes out.
    pub sinks: IndexMap<SinkId, Sink>,
    /// Batches; each comes after the batches that feed it.
    pub batches: IndexMap<BatchId, Batch>,
    /// What happens to the events of the sources' edges.
    pub walks: Vec<Walk>,
}

/// A batch: the step of a chain that it stands for. Two uses of one named stage are two batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BatchId(pub StepId);

/// A configuration value.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ConfigType,
    /// What it is when nothing else says it.
    pub default: Option<Value>,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// A predicate with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// Its condition.
    pub condition: Condition,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// A connection or a source, and what a sink has in common with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its connector.
    pub connector: &'static ConnectorSpec,
    /// The options that were set.
    pub options: Options,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// Options that were set, by name.
pub type Options = IndexMap<&'static str, Setting>;

/// One option that was set.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its row of the catalog.
    pub spec: &'static OptionSpec,
    /// What it was set to.
    pub value: SettingValue,
    /// Where the value stands.
    pub span: Span,
}

/// What an option was set to.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// A value that reads constants and configuration only.
    Value(Value),
    /// One of the words that the catalog lists.
    Word(&'static str),
    /// A connection.
    Connection(ConnectionId),
}

/// A sink.
#[derive(Clone, Debug, PartialEq)]
pub struct Sink {
    /// Name, connector and options, the subject left out.
    pub node: Node,
    /// The subject that its records go to, when its connector has subjects.
    pub subject: Option<Value>,
}

/// A batch and what happens behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The name of its stage, when it has one.
    pub name: Option<String>,
    /// Its limits.
    pub options: Options,
    /// What happens to the events that it makes.
    pub walk: Walk,
    /// The stage.
    pub span: Span,
}

/// One pass over an event: which of its records go where.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// The edges of sources that it starts from; empty behind a batch.
    pub edges: Vec<Edge>,
    /// The signals that arrive here.
    pub signals: Signals,
    /// What is decided.
    pub tree: Tree,
    /// What is read for that; [`passes::project_fields`] finds it.
    pub reads: Reads,
    /// The chain, or the part of one, that it was made from.
    pub span: Span,
}

/// An edge that leaves a source: everything that it says of some signals.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The source.
    pub source: SourceId,
    /// Its signals that take this walk.
    pub signals: Signals,
}

/// Where a leaf of a walk sends records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A sink.
    Sink(SinkId),
    /// A batch.
    Batch(BatchId),
}

impl Plan {
    /// Every walk: those of the edges, then those behind batches.
    pub fn all_walks(&self) -> impl Iterator<Item = &Walk> {
        self.walks
            .iter()
            .chain(self.batches.values().map(|batch| &batch.walk))
    }

    /// Applies `change` to every walk.
    pub fn for_each_walk(&mut self, mut change: impl FnMut(&mut Walk)) {
        self.walks.iter_mut().for_each(&mut change);
        self.batches
            .values_mut()
            .for_each(|batch| change(&mut batch.walk));
    }

    /// Every batch that is filled, each behind those that feed it.
    #[must_use]
    pub fn batches_by_way(&self) -> Vec<BatchId> {
        let mut found = Vec::new();
        for walk in self.walks.iter().rev() {
            self.batches_behind(&walk.tree, &mut found);
        }
        found.reverse();
        found
    }

    /// Adds the batches that a tree feeds, each behind those that it feeds itself.
    fn batches_behind(&self, tree: &Tree, found: &mut Vec<BatchId>) {
        // From the last to the first, so that the reverse has those first that stand first in the text.
        for target in tree.targets().into_iter().rev() {
            if let Target::Batch(id) = target
                && !found.contains(&id)
                && let Some(batch) = self.batches.get(&id)
            {
                self.batches_behind(&batch.walk.tree, found);
                found.push(id);
            }
        }
    }

    /// Every quota, each once, in the order of the text.
    pub fn limits(&self) -> impl Iterator<Item = &Limit> {
        let mut found: BTreeMap<StepId, &Limit> = BTreeMap::new();
        for walk in self.all_walks() {
            walk.tree
                .for_each_limit(&mut |limit| _ = found.entry(limit.id).or_insert(limit));
        }
        found.into_values()
    }

    /// The subject of a target, when it has one.
    #[must_use]
    pub fn subject(&self, target: Target) -> Option<&Value> {
        match target {
            Target::Sink(id) => self.sinks.get(&id).and_then(|sink| sink.subject.as_ref()),
            Target::Batch(_) => None,
        }
    }

    /// The level at which the subject of a target is known; a target without a subject needs nothing.
    #[must_use]
    pub fn subject_level(&self, target: Target) -> Level {
        self.subject(target)
            .map_or(Level::Const, |subject| subject.level)
    }
}
