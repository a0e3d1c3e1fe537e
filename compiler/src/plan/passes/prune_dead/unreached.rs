//! Nodes that nothing needs any more.
//!
//! In: a plan whose trees have lost their dead branches. Out: the plan without the batches, sinks, sources, connections
//! and predicates that no tree and no other node names.

use std::collections::BTreeSet;

use watershed_lang::diagnostic::Code;

use super::NAME;
use crate::hir::{ConnectionId, PredicateId, SinkId, SourceId, TemplateId};
use crate::plan::{BatchId, ConditionKind, Node, Plan, PlanLog, SettingValue, Target};

/// Removes nodes that no walk and no other node needs.
pub(super) fn remove_unreached(plan: &mut Plan, log: &mut PlanLog) {
    let (sinks, batches) = reached(plan);
    plan.batches.retain(|id, batch| {
        let keep = batches.contains(id);
        if !keep {
            log.removed(NAME, batch.span, "nothing reaches this batch");
        }
        keep
    });
    plan.sinks.retain(|id, sink| {
        let keep = sinks.contains(id);
        if !keep {
            let reason = format!("nothing reaches sink `{}`: it is left out", sink.node.name);
            log.warn(NAME, Code::UnreachableSink, sink.node.span, reason);
        }
        keep
    });
    let sources: BTreeSet<SourceId> = plan
        .walks
        .iter()
        .flat_map(|walk| &walk.edges)
        .map(|edge| edge.source)
        .collect();
    plan.sources.retain(|id, source| {
        let keep = sources.contains(id);
        if !keep {
            log.removed(
                NAME,
                source.span,
                format!("no chain begins at source `{}`", source.name),
            );
        }
        keep
    });
    let connections = used_connections(plan);
    plan.connections.retain(|id, connection| {
        let keep = connections.contains(id);
        if !keep {
            log.removed(
                NAME,
                connection.span,
                format!("nothing uses connection `{}`", connection.name),
            );
        }
        keep
    });
    let templates = plan.templates.keys().copied();
    let live: BTreeSet<TemplateId> = templates.filter(|id| plan.is_live(*id)).collect();
    plan.templates.retain(|id, template| {
        let keep = live.contains(id);
        if !keep {
            let reason = format!("nothing comes to template `{}`", template.name);
            log.note(NAME, template.span, reason);
        }
        keep
    });
    let predicates = used_predicates(plan);
    plan.predicates.retain(|id, _| predicates.contains(id));
}

/// The sinks and batches that a record of some source can come to.
fn reached(plan: &Plan) -> (BTreeSet<SinkId>, BTreeSet<BatchId>) {
    let mut sinks = BTreeSet::new();
    let mut batches = BTreeSet::new();
    let mut open: Vec<Target> = plan
        .walks
        .iter()
        .flat_map(|walk| walk.tree.targets())
        .collect();
    while let Some(target) = open.pop() {
        match target {
            Target::Sink(id) => _ = sinks.insert(id),
            Target::Batch(id) => {
                if batches.insert(id) {
                    open.extend(
                        plan.batches
                            .get(&id)
                            .into_iter()
                            .flat_map(|batch| batch.walk.tree.targets()),
                    );
                }
            }
        }
    }
    (sinks, batches)
}

fn used_connections(plan: &Plan) -> BTreeSet<ConnectionId> {
    let nodes = plan
        .sources
        .values()
        .chain(plan.sinks.values().map(|sink| &sink.node));
    nodes
        .flat_map(|node: &Node| node.options.values())
        .filter_map(|setting| match setting.value {
            SettingValue::Connection(id) => Some(id),
            SettingValue::Value(_) | SettingValue::Word(_) => None,
        })
        .collect()
}

/// The predicates that a guard or a subject names, and those that they name.
fn used_predicates(plan: &Plan) -> BTreeSet<PredicateId> {
    let mut used = BTreeSet::new();
    let mut visit = |condition: &crate::plan::Condition| {
        if let ConditionKind::Predicate(id) = condition.kind {
            used.insert(id);
        }
    };
    for walk in plan.all_walks() {
        walk.tree.for_each_condition(&mut visit);
    }
    for subject in plan.sinks.values().filter_map(|sink| sink.subject.as_ref()) {
        subject.for_each_condition(&mut visit);
    }
    // A predicate names earlier ones only, so one pass from the last to the first finds them all.
    for (id, predicate) in plan.predicates.iter().rev() {
        if used.contains(id) {
            predicate.condition.for_each_condition(&mut |condition| {
                if let ConditionKind::Predicate(id) = condition.kind {
                    used.insert(id);
                }
            });
        }
    }
    used
}
