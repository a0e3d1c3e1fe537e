//! Gives every batch and quota a name of its own: metrics and logs tell them apart by it.
//!
//! In: a plan in which each use of a named stage has the name of the stage, and other stages have none. Out: the second
//! use of a name has a number behind it. A stage without a name is called by its number among its kind; where the flow
//! itself uses such a name, `batch_2`, they get names that it does not use.

use std::collections::{BTreeMap, BTreeSet};

use crate::hir::{Program, StepId, TemplateId};
use crate::plan::{BatchId, Plan, Target, Tree};

/// Names the batches and quotas of a plan.
pub(super) fn give(plan: &mut Plan, program: &Program) {
    let mut names = Names::of(program);
    let batches: Vec<BatchId> = plan.batches.keys().copied().collect();
    for (position, id) in batches.into_iter().enumerate() {
        let template = plan.template_of_target(Target::Batch(id));
        if let Some(batch) = plan.batches.get_mut(&id) {
            let name = names.next(template, batch.name.take(), "batch", position);
            batch.name = name;
        }
    }
    let limits = plan.limits().map(|limit| (limit.id, limit.name.clone()));
    let limits: Vec<_> = limits.collect();
    let mut given: BTreeMap<StepId, Option<String>> = BTreeMap::new();
    for (position, (id, name)) in limits.into_iter().enumerate() {
        given.insert(id, names.next(None, name, "limit", position));
    }
    plan.for_each_walk(|walk| rename(&mut walk.tree, &given));
}

fn rename(tree: &mut Tree, given: &BTreeMap<StepId, Option<String>>) {
    if let Tree::Limit { limit, .. } = tree
        && let Some(name) = given.get(&limit.id)
    {
        limit.name.clone_from(name);
    }
    for child in tree.children_mut() {
        rename(child, given);
    }
}

/// The names that are taken.
struct Names {
    /// What the flow declares.
    declared: BTreeSet<String>,
    /// What has been given, in a template or outside.
    given: BTreeSet<(Option<TemplateId>, String)>,
}

impl Names {
    fn of(program: &Program) -> Self {
        let sources = program.sources.iter().map(|(_, one)| &one.name.value);
        let sinks = program.sinks.iter().map(|(_, one)| &one.name.value);
        let stages = program.stages.iter().map(|(_, one)| &one.name.value);
        Self {
            declared: sources.chain(sinks).chain(stages).cloned().collect(),
            given: BTreeSet::new(),
        }
    }

    /// The name of one use of a stage; `None` where its number is its name.
    fn next(
        &mut self,
        template: Option<TemplateId>,
        name: Option<String>,
        kind: &str,
        position: usize,
    ) -> Option<String> {
        let begins = format!("{kind}_");
        let wanted = match name {
            // Its own name, once.
            Some(name) if self.given.insert((template, name.clone())) => return Some(name),
            Some(name) => name,
            None if !self.declared.iter().any(|name| name.starts_with(&begins)) => return None,
            None => format!("{kind}_{}", position + 1),
        };
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let mut candidates = [wanted.clone()].into_iter().chain(numbered);
        candidates.find(|name| {
            !self.declared.contains(name) && self.given.insert((template, name.clone()))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::passes::testing::naive;

    fn names(chains: &str) -> Vec<String> {
        let plan = naive(chains);
        let batches = plan.batches.keys().map(|id| plan.batch_name(*id));
        let limits = plan.limits().enumerate();
        let limits = limits.map(|(position, limit)| limit.name_at(position));
        batches.chain(limits).collect()
    }

    #[test]
    fn uses_of_one_stage_and_stages_without_a_name_are_told_apart() {
        let found = names(
            "stage hot = batch(timeout: 1s);\nstage few = limit(10, per: 1s);\n\
             ingest.logs -> few -> [hot -> a, hot -> b, batch() -> c];\n\
             ingest.traces -> few -> limit(5, per: 1s) -> hot -> a;",
        );
        let mut sorted = found.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), found.len(), "{found:?}");
        assert!(found.contains(&"hot".to_owned()) && found.contains(&"hot_2".to_owned()));
        assert!(found.contains(&"few".to_owned()) && found.contains(&"few_2".to_owned()));
    }

    #[test]
    fn a_stage_without_a_name_takes_none_that_the_flow_uses() {
        let found = names(
            "stage limit_1 = limit(10, per: 1s);\nstage batch_2 = batch(timeout: 1s);\n\
             ingest.logs -> limit(5, per: 1s) -> limit_1 -> [batch_2 -> a, batch() -> b];",
        );
        let mut sorted = found.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 4, "{found:?}");
    }
}
