//! What the expressions of a plan read: the fields and attributes of each root, and whether they need the
//! configuration or the request itself.
//!
//! In: conditions, values and whole trees. Out: [`Reads`]. Those of a walk are part of the plan: a generated walk reads
//! them and nothing else.

use std::collections::BTreeSet;
use std::fmt;

use indexmap::{IndexMap, IndexSet};

use super::{Condition, ConditionKind, EditKind, Guard, Plan, Tree, Value, ValueKind};
use crate::catalog::signals::{self, FieldSpec, Reader, Root};
use crate::hir::{PredicateId, TemplateId};

/// Something that is read from a root.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A field of the message.
    Field(&'static FieldSpec),
    /// The value of an attribute.
    Attribute {
        /// The attribute map.
        map: &'static FieldSpec,
        /// Its key.
        key: String,
    },
}

/// The key as it is written.
impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => write!(formatter, "{field}"),
            Self::Attribute { map, key } => write!(formatter, "{map}[{key:?}]"),
        }
    }
}

/// Everything that some expressions read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reads {
    /// What is read from each root, in the order in which it is first read.
    pub keys: IndexMap<Root, IndexSet<Key>>,
    /// Whether a configuration value is read.
    pub config: bool,
    /// The template whose parameters are read.
    pub template: Option<TemplateId>,
    /// Whether the signal of the request is read.
    pub request: bool,
    /// Named predicates that have been looked into: each once, however often it is named.
    predicates: BTreeSet<PredicateId>,
}

impl Reads {
    /// What a condition reads, named predicates included.
    #[must_use]
    pub fn of_condition(plan: &Plan, condition: &Condition) -> Self {
        let mut reads = Self::default();
        reads.condition(plan, condition);
        reads
    }

    /// What a value reads.
    #[must_use]
    pub fn of_value(plan: &Plan, value: &Value) -> Self {
        let mut reads = Self::default();
        reads.value(plan, value);
        reads
    }

    /// What the guards of a tree and the subjects of its targets read.
    #[must_use]
    pub fn of_tree(plan: &Plan, tree: &Tree) -> Self {
        let mut reads = Self::default();
        reads.tree(plan, tree);
        reads
    }

    /// What is read of each root, the shallowest first.
    pub fn by_level(&self) -> impl Iterator<Item = (Root, &IndexSet<Key>)> {
        let roots = Root::WITH_FIELDS.into_iter();
        roots.filter_map(|root| Some((root, self.keys.get(&root)?)))
    }

    /// Whether nothing is read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && !self.config && !self.request
    }

    /// Whether anything is read from a root.
    #[must_use]
    pub fn reads(&self, root: Root) -> bool {
        self.keys.contains_key(&root)
    }

    fn tree(&mut self, plan: &Plan, tree: &Tree) {
        if let Tree::Edit { edit, then } = tree {
            if let Some(value) = edit.value() {
                self.value(plan, value);
            }
            // The sink behind it has this subject and not its own.
            if matches!(edit.kind, EditKind::Subject(_)) && matches!(**then, Tree::Keep(_)) {
                return;
            }
        }
        if let Tree::Keep(target) = tree
            && let Some(subject) = plan.subject(*target)
        {
            self.value(plan, subject);
        }
        if let Some(value) = tree.looks_at() {
            self.value(plan, value);
        }
        tree.guards()
            .into_iter()
            .for_each(|guard| self.guard(plan, guard));
        tree.children()
            .into_iter()
            .for_each(|child| self.tree(plan, child));
    }

    /// Adds what a guard reads.
    pub fn guard(&mut self, plan: &Plan, guard: &Guard) {
        guard
            .tests
            .iter()
            .for_each(|test| self.condition(plan, &test.condition));
    }

    fn condition(&mut self, plan: &Plan, condition: &Condition) {
        condition.for_each_value(&mut |value| self.own(plan, value));
        condition.for_each_condition(&mut |inner| {
            if let ConditionKind::Predicate(id) = inner.kind
                && self.predicates.insert(id)
                && let Some(predicate) = plan.predicates.get(&id)
            {
                self.condition(plan, &predicate.condition);
            }
        });
    }

    fn value(&mut self, plan: &Plan, value: &Value) {
        value.for_each(&mut |inner| self.own(plan, inner));
        value.for_each_condition(&mut |condition| self.condition(plan, condition));
    }

    /// What a value reads by itself.
    fn own(&mut self, plan: &Plan, value: &Value) {
        match &value.kind {
            ValueKind::Parameter(id) => {
                self.template = plan.parameter(*id).map(|(template, _)| template);
            }
            ValueKind::Config(_) => self.config = true,
            ValueKind::Field(field) => match field.reader {
                Reader::SignalName => self.request = true,
                Reader::SpanDuration => {
                    for name in ["start_time_unix_nano", "end_time_unix_nano"] {
                        if let Some(field) = signals::field(Root::Span, name) {
                            self.key(Root::Span, Key::Field(field));
                        }
                    }
                }
                _ => self.key(field.root, Key::Field(field)),
            },
            ValueKind::Attribute { map, key } => self.key(
                map.root,
                Key::Attribute {
                    map,
                    key: key.clone(),
                },
            ),
            _ => {}
        }
    }

    fn key(&mut self, root: Root, key: Key) {
        self.keys.entry(root).or_default().insert(key);
    }
}
