//! The invariants of a plan, checked after every pass in debug builds: a pass that breaks one is found where it
//! broke it and not in the text of the generated code.

use std::collections::BTreeMap;

use super::instances::Key;
use super::{Condition, Plan, Reads, Target, Tree, Value};
use crate::catalog::signals::Signals;
use crate::hir::SourceId;
use crate::plan::ConditionKind;

/// Panics with every broken invariant; `pass` is the pass that ran last.
///
/// # Panics
///
/// When the plan is not valid, which is a mistake of the compiler and never of a flow.
pub fn assert_valid(plan: &Plan, pass: &str) {
    let faults = faults(plan);
    assert!(
        faults.is_empty(),
        "plan after `{pass}`: {}",
        faults.join("; ")
    );
}

/// Everything that is wrong with a plan; empty for a valid one.
#[must_use]
pub fn faults(plan: &Plan) -> Vec<String> {
    let mut faults = Vec::new();
    for walk in plan.all_walks() {
        if walk.signals.is_empty() {
            faults.push("a walk that no signal takes".to_owned());
        }
        if !walk.reads.is_empty() && walk.reads != Reads::of_tree(plan, &walk.tree) {
            faults.push("a walk that reads something else than its tree needs".to_owned());
        }
        tree_faults(plan, &walk.tree, &mut faults);
    }
    for walk in &plan.walks {
        if walk
            .edges
            .iter()
            .any(|edge| !plan.sources.contains_key(&edge.source))
        {
            faults.push("a walk from a source that is gone".to_owned());
        }
    }
    edge_faults(plan, &mut faults);
    for (position, predicate) in plan.predicates.values().enumerate() {
        condition_faults(plan, &predicate.condition, position, &mut faults);
    }
    for subject in plan.sinks.values().filter_map(|sink| sink.subject.as_ref()) {
        value_faults(subject, &mut faults);
    }
    faults
}

/// An event takes one walk: a second one of the same edge would never be run.
fn edge_faults(plan: &Plan, faults: &mut Vec<String>) {
    let mut taken: BTreeMap<SourceId, Signals> = BTreeMap::new();
    for edge in plan.walks.iter().flat_map(|walk| &walk.edges) {
        let before = taken.entry(edge.source).or_insert(Signals::NONE);
        if edge.signals.iter().any(|signal| before.contains(signal)) {
            faults.push(format!("two walks of {:?}", edge.source));
        }
        *before = before.union(edge.signals);
    }
}

fn tree_faults(plan: &Plan, tree: &Tree, faults: &mut Vec<String>) {
    if let Tree::Keep(target) = tree {
        let there = match target {
            Target::Sink(id) => plan.sinks.contains_key(id),
            Target::Batch(id) => plan.batches.contains_key(id),
        };
        if !there {
            faults.push(format!("{target:?} is gone and still kept for"));
        }
    }
    if let Tree::Fork(fork) = tree {
        let template = plan.templates.get(&fork.template);
        let knows = |key: &Key| {
            template.is_some_and(|template| template.parameters.contains_key(&key.parameter))
        };
        if template.is_none() || fork.key.as_ref().is_some_and(|key| !knows(key)) {
            faults.push(format!("a fork to {:?} that is gone", fork.template));
        }
    }
    if let Tree::Edit { edit, .. } = tree {
        if let Some(value) = edit.value() {
            value_faults(value, faults);
        }
        let level = edit.value().map(|value| value.level);
        if edit
            .path()
            .is_some_and(|path| level > Some(path.field().level()))
        {
            faults.push("a change to a value that is known later than what it changes".to_owned());
        }
    }
    for test in tree.guards().into_iter().flat_map(|guard| &guard.tests) {
        condition_faults(plan, &test.condition, plan.predicates.len(), faults);
    }
    if let Tree::Switch { on, cases, .. } = tree {
        value_faults(on, faults);
        let mut keys: Vec<_> = cases.iter().flat_map(|case| &case.keys).collect();
        let count = keys.len();
        keys.sort_by_key(|key| format!("{key:?}"));
        keys.dedup();
        if keys.len() < count {
            faults.push("a switch with one key in two cases".to_owned());
        }
    }
    tree.children()
        .into_iter()
        .for_each(|child| tree_faults(plan, child, faults));
}

/// `known` is how many predicates the condition may name: a predicate names earlier ones only.
fn condition_faults(plan: &Plan, condition: &Condition, known: usize, faults: &mut Vec<String>) {
    condition.for_each_condition(&mut |inner| {
        if let ConditionKind::Predicate(id) = inner.kind {
            match plan.predicates.get_full(&id) {
                Some((position, _, predicate))
                    if position < known && predicate.condition.level <= inner.level => {}
                Some(_) => faults.push(format!(
                    "{id:?} is named before it is defined, or below its level"
                )),
                None => faults.push(format!("{id:?} is gone and still named")),
            }
        }
        let below = inner.operands().into_iter().map(|operand| operand.level);
        let below = below.chain(inner.values().into_iter().map(|value| value.level));
        if below.max().is_some_and(|level| level > inner.level) {
            faults.push(format!(
                "a condition at level {} reads deeper",
                inner.level.name()
            ));
        }
    });
    condition.for_each_value(&mut |value| own_value_faults(value, faults));
}

fn value_faults(value: &Value, faults: &mut Vec<String>) {
    value.for_each(&mut |inner| own_value_faults(inner, faults));
}

fn own_value_faults(value: &Value, faults: &mut Vec<String>) {
    let below = value.operands().into_iter().map(|operand| operand.level);
    let below = below.chain(
        value
            .conditions()
            .into_iter()
            .map(|condition| condition.level),
    );
    if below.max().is_some_and(|level| level > value.level) {
        faults.push(format!(
            "a value at level {} reads deeper",
            value.level.name()
        ));
    }
}

#[cfg(test)]
mod tests {
    use watershed_lang::span::Span;

    use super::*;
    use crate::catalog::signals::Signal;
    use crate::hir::{PredicateId, SinkId};
    use crate::level::Level;
    use crate::plan::{Guard, Outcome, Walk};

    #[test]
    fn what_is_gone_and_still_named_is_found() {
        let named = Condition {
            kind: ConditionKind::Predicate(PredicateId(0)),
            level: Level::Record,
            span: Span::default(),
        };
        let all = Condition {
            kind: ConditionKind::All(vec![named]),
            level: Level::Resource,
            span: Span::default(),
        };
        let tree = Tree::Filter {
            guard: Guard::one(all, Outcome::True),
            then: Box::new(Tree::Keep(Target::Sink(SinkId(0)))),
        };
        let mut plan = Plan::default();
        assert_eq!(faults(&plan), Vec::<String>::new());
        plan.walks.push(Walk {
            edges: Vec::new(),
            signals: Signals::only(Signal::Logs),
            tree,
            reads: Reads::default(),
            span: Span::default(),
        });
        let faults = faults(&plan).join("; ");
        for expected in [
            "sink#0) is gone",
            "predicate#0 is gone",
            "level resource reads deeper",
        ] {
            assert!(faults.contains(expected), "{faults}");
        }
    }
}
