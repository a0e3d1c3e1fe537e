//! Notes what each walk reads of each level: the fields and attributes that some test, look-up or subject below asks for.
//! A generated walk reads these in one pass over a message and stops at the last of them.
//!
//! before:  when log.severity_number >= 17 -> a
//! after:   reads log.severity_number, when log.severity_number >= 17 -> a
//!
//! It comes last, because every other pass may make something unneeded. The emitter takes what stands here, so this pass
//! always runs.

use crate::plan::reads::Reads;
use crate::plan::{Plan, PlanLog};

/// The pass in logs.
pub const NAME: &str = "project_fields";

/// How many fields and attributes of one level the log names.
const MOST: usize = 12;

/// Returns `plan` with the reads of every walk.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let reads: Vec<Reads> = plan
        .all_walks()
        .map(|walk| Reads::of_tree(&plan, &walk.tree))
        .collect();
    let mut reads = reads.into_iter();
    plan.for_each_walk(|walk| {
        walk.reads = reads.next().unwrap_or_default();
        log.note(NAME, walk.span, sentence(&walk.reads));
    });
    plan
}

/// What is read, level by level.
fn sentence(reads: &Reads) -> String {
    let of_roots = reads.by_level().map(|(root, keys)| {
        let mut names: Vec<_> = keys.iter().take(MOST).map(ToString::to_string).collect();
        if keys.len() > MOST {
            names.push(format!("… and {} more", keys.len() - MOST));
        }
        format!("{} once {}", names.join(", "), root.noun())
    });
    let of_roots: Vec<_> = of_roots.collect();
    if of_roots.is_empty() {
        "reads nothing of the data".to_owned()
    } else {
        format!("reads {}", of_roots.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::testing::before_and_after;

    #[test]
    fn a_walk_reads_what_its_tests_and_subjects_need() {
        let text = before_and_after(
            "connection bus = nats { url: \"nats://127.0.0.1:4222\" };\n\
             sink to = nats { via: bus, stream: \"S\", subject: \"x.\" + log.event_name };\n\
             predicate prod = resource.attributes[\"env\"] == \"prod\";\n\
             ingest.logs -> filter(prod && scope.name != \"x\") -> batch(timeout: 1s)\n\
             -> route { log.severity_number >= 17 => a, log.severity_number >= 9 && prod => to, else => b };\n\
             ingest.traces -> c;",
            &[run],
        );
        insta::assert_snapshot!(text);
    }
}
