//! What a walk reads, in words: level by level, and how much of a record at most.
//!
//! In: a plan and one of its walks. Out: lines for `flowc explain`.

use watershed_compiler::catalog::signals::Root;
use watershed_compiler::level::Level;
use watershed_compiler::plan::{Plan, Walk};

use crate::reads::Reads;

/// `walk over logs from ingest`, or from a batch.
pub(super) fn title(plan: &Plan, walk: &Walk) -> String {
    let sources = walk
        .edges
        .iter()
        .filter_map(|edge| plan.sources.get(&edge.source));
    let mut names: Vec<_> = sources.map(|source| source.name.clone()).collect();
    let behind = plan.batches.iter().find(|(_, batch)| batch.walk == *walk);
    names.extend(behind.map(|(id, _)| plan.batch_name(*id)));
    format!("walk over {} from {}", walk.signals, names.join(", "))
}

/// What the walk reads and how many bytes of a record that is at most.
pub(super) fn lines(walk: &Walk) -> Vec<String> {
    let reads = Reads::of_walk(walk);
    let read = reads.of.iter().filter(|(root, _)| **root != Root::Payload);
    let mut lines: Vec<String> = read
        .map(|(root, of)| format!("reads of {}: {}", root.noun(), of.names()))
        .collect();
    if lines.is_empty() {
        lines.push("reads nothing: every request is taken or dropped whole".to_owned());
    }
    let records = reads
        .of
        .iter()
        .filter(|(root, _)| root.level() == Level::Record);
    let bounds: Vec<_> = records
        .map(|(root, of)| format!("of {} at most {} are read", root.noun(), of.bound()))
        .collect();
    if bounds.is_empty() {
        lines.push(
            "no record is read: those of a kept resource are counted by their headers".to_owned(),
        );
    } else {
        lines.extend(bounds);
    }
    lines
}
