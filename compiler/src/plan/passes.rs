//! The passes, in the order in which they run. Each takes a plan and gives one that means the same and costs
//! less, and notes what it changed.

pub mod fold_constants;
pub mod hoist_predicates;
pub mod index_instances;
mod levels;
pub mod merge_filters;
pub mod narrow_arms;
pub mod project_fields;
pub mod prune_dead;
pub mod push_filters;
pub mod share_walks;
pub mod split_conjunctions;
pub mod switch_arms;

use super::{Plan, PlanLog};

/// A pass: its name in logs, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name of its file.
    pub name: &'static str,
    /// What it does.
    pub run: fn(Plan, &mut PlanLog) -> Plan,
}

/// The passes that give a plan the form that the emitter takes. They change no decision, so a plan that only they
/// have seen decides as the text says it.
pub const REQUIRED: &[Pass] = &[
    pass(share_walks::NAME, share_walks::run),
    pass(project_fields::NAME, project_fields::run),
];

/// All passes. One walk an edge comes first, because filters can only be shared inside it. Folding decides conditions,
/// and splitting lays single tests bare, so that merging sees which are shared. It runs again behind `push_filters`, which
/// puts filters behind others. Narrowing reasons about the guards that are left then, and pruning removes what all of
/// them decided against. Instances are indexed while guards are whole. Hoisting takes what is left apart by level. Switches hide guards from those passes, and reads are known when nothing changes any more.
pub const PASSES: &[Pass] = &[
    pass(share_walks::NAME, share_walks::run),
    pass(fold_constants::NAME, fold_constants::run),
    pass(split_conjunctions::NAME, split_conjunctions::run),
    pass(merge_filters::NAME, merge_filters::run),
    pass(push_filters::NAME, push_filters::run),
    pass(merge_filters::NAME, merge_filters::run),
    pass(narrow_arms::NAME, narrow_arms::run),
    pass(prune_dead::NAME, prune_dead::run),
    pass(index_instances::NAME, index_instances::run),
    pass(hoist_predicates::NAME, hoist_predicates::run),
    pass(switch_arms::NAME, switch_arms::run),
    pass(project_fields::NAME, project_fields::run),
];

const fn pass(name: &'static str, run: fn(Plan, &mut PlanLog) -> Plan) -> Pass {
    Pass { name, run }
}

/// Runs every pass; debug builds check the plan after each.
#[must_use]
pub fn optimise(plan: Plan, log: &mut PlanLog) -> Plan {
    run_all(PASSES, plan, log)
}

/// Runs what the emitter needs and nothing else: every condition stays as it is written.
#[must_use]
pub fn arrange(plan: Plan) -> Plan {
    run_all(REQUIRED, plan, &mut PlanLog::new())
}

fn run_all(passes: &[Pass], plan: Plan, log: &mut PlanLog) -> Plan {
    passes.iter().fold(plan, |plan, pass| {
        let plan = (pass.run)(plan, log);
        #[cfg(any(test, debug_assertions))]
        super::verify::assert_valid(&plan, pass.name);
        plan
    })
}

#[cfg(test)]
pub(super) mod testing {
    //! A pass by itself: the plan of a flow before and after it, and what it noted.

    use watershed_lang::source::{SourceFile, SourceMap};

    use super::*;
    use crate::driver::{CompileOptions, compile};
    use crate::plan::dump::dump;
    use crate::plan::verify::faults;

    /// Plan before, plan after and log as one text. `chain` is what follows the declarations below; the plan before
    /// has one walk an edge.
    pub(in crate::plan) fn before_and_after(
        chain: &str,
        passes: &[fn(Plan, &mut PlanLog) -> Plan],
    ) -> String {
        compare(shared(chain), passes)
    }

    /// The plan of a flow with one walk an edge.
    pub(in crate::plan) fn shared(chain: &str) -> Plan {
        share_walks::run(naive(chain), &mut PlanLog::new())
    }

    /// The plan of a flow as lowering makes it.
    pub(in crate::plan) fn naive(chain: &str) -> Plan {
        let text = format!(
            "source ingest = otlp;\nsink a = file {{ path: \"a\" }};\nsink b = file {{ path: \"b\" }};\n\
             sink c = file {{ path: \"c\" }};\n{chain}"
        );
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("test.flow", text));
        let compilation = compile(&sources, file, &CompileOptions::default());
        let findings = compilation.diagnostics;
        compilation
            .naive_plan
            .unwrap_or_else(|| panic!("the flow has errors: {findings:#?}"))
    }

    /// The plan, what passes make of it and what they noted, as one text.
    pub(in crate::plan) fn compare(
        before: Plan,
        passes: &[fn(Plan, &mut PlanLog) -> Plan],
    ) -> String {
        let mut log = PlanLog::new();
        let after = passes
            .iter()
            .fold(before.clone(), |plan, pass| pass(plan, &mut log));
        assert_eq!(faults(&after), Vec::<String>::new());
        format!(
            "before\n{}\n\nafter\n{}\n\nlog\n{}",
            walks(&before),
            walks(&after),
            log.to_text()
        )
    }

    /// The plan without its nodes, apart from the names of the sinks that are left.
    fn walks(plan: &Plan) -> String {
        let sinks: Vec<_> = plan
            .sinks
            .values()
            .map(|sink| sink.node.name.as_str())
            .collect();
        let text = dump(plan);
        let walks = text.find("\nwalk").map_or("", |at| &text[at..]);
        format!("sinks {}{}", sinks.join(" "), walks.trim_end())
    }

    #[test]
    fn a_pass_that_has_run_changes_nothing_more() {
        let once: Vec<_> = PASSES.iter().map(|pass| pass.run).collect();
        let twice = [once.clone(), once.clone()].concat();
        for flow in [
            "ingest.logs -> route { p && 1 == 1 => a, 1 == 2 => b, else => [c, filter(!p) -> batch(timeout: 1s) -> a] };",
            "ingest.logs -> filter(p) -> batch(timeout: 1s) -> filter(log.flags == 1u) -> [\n\
             filter(log.severity_number >= 9) -> a, filter(p) -> filter(log.severity_number >= 9) -> b];\n\
             ingest.logs -> filter(p) -> split { log.severity_number >= 17 && p => a, log.severity_number < 17 => b };",
            "ingest.traces -> split { span.kind in [1, 2, 3] => a, span.kind == 4 => b, span.kind in [5, 6] => [a, c] };\n\
             ingest.traces -> split { span.kind > 2 => a, span.kind > 3 => b };\n\
             ingest.logs -> split { p => split { p => a, !p => b } };",
        ] {
            let flow = format!(
                "predicate p = resource.attributes[\"x\"] == 1 && resource.attributes[\"y\"] != \"y\";\n{flow}"
            );
            let after = |passes: &[fn(Plan, &mut PlanLog) -> Plan]| {
                let text = before_and_after(&flow, passes);
                let (_, after) = text.split_once("\nafter\n").unwrap();
                after.split_once("\nlog\n").unwrap().0.to_owned()
            };
            assert_eq!(after(&once), after(&twice));
        }
    }
}
