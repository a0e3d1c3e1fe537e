//! What a chain has settled in front of a place: attributes and fields that surely have a value there.
//!
//! In: the stages of a chain, one after the other. Out: [`Settled`], and with it why a condition can still fail. A
//! `set` in front of a look-up gives it a value of a known type, and what passed a condition had the keys that the
//! condition needs. A warning about a missing key is no use there.

use indexmap::{IndexMap, IndexSet};
use watershed_lang::span::Span;

use super::Checker;
use super::change::{Changeable, attribute_at, changeable, changeable_at};
use super::names::Binding;
use crate::cel::given::{self, Given, Outcome};
use crate::cel::typed::{NodeId, NodeKind};
use crate::cel::{Fails, Tree, Type};
use crate::hir::{Condition, Definition, ExprId, OnError, PredicateId, StageKind};

/// What surely has a value, each with its type where that is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled {
    values: Vec<(Changeable, Option<Type>)>,
}

impl Settled {
    /// What both know: what is settled for records that come on either way.
    pub(super) fn common(self, other: &Self) -> Self {
        let values = self.values.into_iter().filter_map(|(path, ty)| {
            let same = other.find(&path)?;
            Some((path, ty.filter(|ty| same.as_ref() == Some(ty))))
        });
        Self {
            values: values.collect(),
        }
    }

    fn find(&self, path: &Changeable) -> Option<&Option<Type>> {
        let mut values = self.values.iter();
        values.find(|(known, _)| known == path).map(|(_, ty)| ty)
    }

    fn forget(&mut self, path: &Changeable) {
        self.values.retain(|(known, _)| known != path);
    }

    fn set(&mut self, path: Changeable, ty: Type) {
        self.forget(&path);
        self.values.push((path, Some(ty)));
    }

    fn add(&mut self, path: Changeable) {
        if self.find(&path).is_none() {
            self.values.push((path, None));
        }
    }

    /// What is known of a node that reads something settled.
    fn given(&self, tree: &Tree, id: NodeId) -> Option<Given> {
        let is_optional = matches!(tree.node(id).ty, Type::Optional(_));
        let path = changeable_at(tree, id).filter(|_| !is_optional)?;
        let ty = self.find(&path)?.clone();
        Some(Given { ty })
    }
}

impl Checker<'_> {
    /// What is settled behind a stage.
    pub(super) fn settle(&self, stage: &StageKind, settled: &mut Settled) {
        match stage {
            StageKind::Filter(Condition { value, on_error }) => {
                if *on_error != Some(OnError::Keep) {
                    self.settle_outcome(*value, Outcome::True, settled);
                }
            }
            StageKind::Drop(Condition { value, on_error }) => {
                if matches!(on_error, Some(OnError::Drop | OnError::Fail)) {
                    self.settle_outcome(*value, Outcome::False, settled);
                }
            }
            StageKind::Validate { condition, .. } => {
                self.settle_outcome(*condition, Outcome::True, settled);
            }
            StageKind::Set { path, value } => {
                if let Some(path) = self.table.tree(*path).and_then(|tree| changeable(tree)) {
                    settled.set(path, self.table.ty(*value).clone());
                }
            }
            StageKind::Remove { path } => {
                if let Some(path) = self.table.tree(*path).and_then(|tree| changeable(tree)) {
                    settled.forget(&path);
                }
            }
            StageKind::Sample { .. }
            | StageKind::Limit { .. }
            | StageKind::Batch(_)
            | StageKind::Error => {}
        }
    }

    /// What is settled where a condition came out like this, also by the predicates that it names.
    pub(super) fn settle_outcome(
        &self,
        condition: ExprId,
        outcome: Outcome,
        settled: &mut Settled,
    ) {
        let mut seen: IndexSet<PredicateId> = IndexSet::new();
        let mut open = vec![(condition, outcome)];
        while let Some((id, outcome)) = open.pop() {
            let Some(tree) = self.table.tree(id) else {
                continue;
            };
            for (id, outcome) in given::settled(tree, outcome) {
                if let Some(predicate) = self.predicate_at(tree, id) {
                    if seen.insert(predicate) {
                        open.push((self.program.predicates.at(predicate).value, outcome));
                    }
                } else if finds(tree, id, outcome)
                    && let Some(path) = attribute_at(tree, id)
                {
                    settled.add(path);
                }
            }
        }
    }

    fn predicate_at(&self, tree: &Tree, id: NodeId) -> Option<PredicateId> {
        match tree.node(id).kind {
            NodeKind::Variable(variable) => match self.table.binding(variable) {
                Binding::Predicate(predicate) => Some(predicate),
                _ => None,
            },
            _ => None,
        }
    }

    /// Why a condition can fail behind what is settled.
    pub(super) fn fails_behind(&self, condition: ExprId, settled: &Settled) -> Fails {
        let fails = self.table.fails(condition);
        if fails.is_total() || settled.values.is_empty() {
            return fails;
        }
        let mut of_predicates: IndexMap<PredicateId, Fails> = IndexMap::new();
        for predicate in self.predicates_below(condition) {
            let value = self.program.predicates.at(predicate).value;
            let fails = self.fails_with(value, settled, &of_predicates);
            of_predicates.insert(predicate, fails);
        }
        self.fails_with(condition, settled, &of_predicates)
    }

    fn fails_with(
        &self,
        id: ExprId,
        settled: &Settled,
        of_predicates: &IndexMap<PredicateId, Fails>,
    ) -> Fails {
        let Some(tree) = self.table.tree(id) else {
            return Fails::NEVER;
        };
        given::fails(
            tree,
            |node| settled.given(tree, node),
            |variable| match self.table.binding(variable) {
                Binding::Predicate(predicate) => of_predicates.get(&predicate).copied(),
                _ => None,
            },
        )
    }

    /// The predicates that a condition names, also through others, each behind those that it names itself.
    fn predicates_below(&self, condition: ExprId) -> Vec<PredicateId> {
        let mut seen: IndexSet<PredicateId> = IndexSet::new();
        let mut open = vec![condition];
        while let Some(tree) = open.pop().and_then(|id| self.table.tree(id)) {
            for (id, _) in tree.nodes() {
                if let Some(predicate) = self.predicate_at(tree, id)
                    && seen.insert(predicate)
                {
                    open.push(self.program.predicates.at(predicate).value);
                }
            }
        }
        if seen.is_empty() {
            return Vec::new();
        }
        let order = self.program.order.iter();
        let order = order.filter_map(|definition| match definition {
            Definition::Predicate(id) if seen.contains(id) => Some(*id),
            Definition::Predicate(_) | Definition::Const(_) => None,
        });
        order.collect()
    }

    /// Where a condition looks for something that is settled.
    pub(super) fn settled_lookups(&self, tree: &Tree, settled: &Settled) -> IndexSet<Span> {
        if settled.values.is_empty() {
            return IndexSet::new();
        }
        let nodes = tree.nodes();
        nodes
            .filter(|(id, _)| settled.given(tree, *id).is_some())
            .map(|(_, node)| node.span)
            .collect()
    }
}

/// Whether a look-up that came out like this has found something: an optional may be empty, a test false.
fn finds(tree: &Tree, id: NodeId, outcome: Outcome) -> bool {
    match &tree.node(id).ty {
        Type::Optional(_) => false,
        Type::Bool => outcome == Outcome::True,
        _ => true,
    }
}
