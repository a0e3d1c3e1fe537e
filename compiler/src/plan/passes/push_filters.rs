//! Moves a filter that stands directly behind a batch in front of it, into every walk that feeds the batch. So nothing is
//! collected, counted and held that is dropped afterwards.
//!
//! before:  -> batch(max_records: 1000) -> filter(prod) -> a
//! after:   -> filter(prod) -> batch(max_records: 1000) -> a
//!
//! The limits of the batch count what passes. A test moves when what it reads is the same on both sides: records, their
//! scopes and resources are, and so is the signal. Batches are looked at from the last to the first, so a filter moves in
//! front of every batch that it stands directly behind on its way.

use indexmap::IndexMap;

use crate::catalog::signals::Root;
use crate::plan::{BatchId, Guard, Plan, PlanLog, Reads, Target, Test, Tree};

/// The pass in logs.
pub const NAME: &str = "push_filters";

/// In front of a batch that is fed from more places than this, a filter would stand too often.
const MAX_PLACES: usize = 16;

/// Returns `plan` with filters in front of batches.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let mut ways = IndexMap::new();
    for walk in plan.all_walks() {
        find_ways(&walk.tree, false, &mut ways);
    }
    for id in plan.batches_by_way().into_iter().rev() {
        // A filter that has moved makes no way and changes nothing, so what was found stays right.
        if !ways.get(&id).is_some_and(Ways::takes_filter) {
            continue;
        }
        let Some(guard) = take_filter(&mut plan, id) else {
            continue;
        };
        plan.for_each_walk(|walk| put_in_front(&mut walk.tree, id, &guard));
        let name = plan.batch_name(id);
        let reason = format!("moved in front of `{name}`, which collects only what passes");
        log.note(NAME, guard.span, reason);
    }
    plan
}

/// How records come to a batch.
#[derive(Clone, Copy, Debug, Default)]
struct Ways {
    /// From how many places.
    places: usize,
    /// Whether something is changed on one of the ways: in front of it a test would read what was there before.
    changed: bool,
}

impl Ways {
    const fn takes_filter(&self) -> bool {
        self.places <= MAX_PLACES && !self.changed
    }
}

/// Adds the ways through a tree to every batch that it feeds.
fn find_ways(tree: &Tree, changed: bool, ways: &mut IndexMap<BatchId, Ways>) {
    if let Tree::Keep(Target::Batch(id)) = tree {
        let found = ways.entry(*id).or_default();
        found.places += 1;
        found.changed |= changed;
    }
    let changed = changed || matches!(tree, Tree::Edit { .. });
    for child in tree.children() {
        find_ways(child, changed, ways);
    }
}

/// Takes the tests that may move out of the filter directly behind a batch.
fn take_filter(plan: &mut Plan, id: BatchId) -> Option<Guard> {
    let Tree::Filter { guard, .. } = &plan.batches.get(&id)?.walk.tree else {
        return None;
    };
    let (moved, kept): (Vec<Test>, Vec<Test>) = guard
        .tests
        .iter()
        .cloned()
        .partition(|test| moves(plan, test));
    if moved.is_empty() {
        return None;
    }
    let span = guard.span;
    let tree = &mut plan.batches.get_mut(&id)?.walk.tree;
    if let Tree::Filter { guard, then } = tree {
        if kept.is_empty() {
            *tree = std::mem::replace(then, Tree::Nothing);
        } else {
            guard.tests = kept;
        }
    }
    Some(Guard { tests: moved, span })
}

/// Whether a test comes to the same in front of a batch. What is decided already is removed where it stands.
fn moves(plan: &Plan, test: &Test) -> bool {
    let reads = Reads::of_condition(plan, &test.condition);
    test.decided().is_none() && !reads.reads(Root::Payload)
}

/// Puts a guard in front of every place that feeds a batch.
fn put_in_front(tree: &mut Tree, id: BatchId, guard: &Guard) {
    if *tree == Tree::Keep(Target::Batch(id)) {
        let then = Box::new(std::mem::replace(tree, Tree::Nothing));
        let guard = guard.clone();
        *tree = Tree::Filter { guard, then };
        return;
    }
    for child in tree.children_mut() {
        put_in_front(child, id, guard);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::merge_filters;
    use crate::plan::passes::testing::before_and_after;

    #[test]
    fn a_filter_moves_in_front_of_every_way_to_its_batch() {
        let text = before_and_after(
            "source other = otlp { http: \"127.0.0.1:0\" };\n\
             predicate prod = resource.attributes[\"env\"] == \"prod\";\n\
             [ingest.logs, other.logs] -> filter(log.flags == 1u) -> batch(timeout: 1s)\n\
             -> filter(prod) -> drop(signal == \"traces\") -> a;\n\
             ingest.logs -> b;",
            &[merge_filters::run, run, merge_filters::run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_filter_moves_in_front_of_several_batches() {
        let text = before_and_after(
            "predicate prod = resource.attributes[\"env\"] == \"prod\";\n\
             ingest.logs -> batch(timeout: 1s) -> [batch(timeout: 2s) -> filter(prod) -> a,\n\
             batch(timeout: 3s) -> [filter(prod) -> b, filter(prod) -> filter(log.flags == 1u) -> c]];",
            &[merge_filters::run, run, merge_filters::run, run],
        );
        insta::assert_snapshot!(text);
    }
}
