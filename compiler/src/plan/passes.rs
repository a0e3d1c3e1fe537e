//! The passes, in the order in which they run. Each takes a plan and gives one that means the same and costs
//! less, and notes what it changed.

pub mod fold_constants;
pub mod merge_filters;
pub mod narrow_arms;
pub mod prune_dead;
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
pub const REQUIRED: &[Pass] = &[Pass {
    name: share_walks::NAME,
    run: share_walks::run,
}];

/// All passes. Folding decides conditions, splitting lays single decided tests bare, pruning removes what they
/// decide against.
pub const PASSES: &[Pass] = &[
    Pass {
        name: share_walks::NAME,
        run: share_walks::run,
    },
    Pass {
        name: fold_constants::NAME,
        run: fold_constants::run,
    },
    Pass {
        name: split_conjunctions::NAME,
        run: split_conjunctions::run,
    },
    Pass {
        name: merge_filters::NAME,
        run: merge_filters::run,
    },
    Pass {
        name: narrow_arms::NAME,
        run: narrow_arms::run,
    },
    Pass {
        name: prune_dead::NAME,
        run: prune_dead::run,
    },
    Pass {
        name: switch_arms::NAME,
        run: switch_arms::run,
    },
];

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
        compare(arrange(naive(chain)), passes)
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
        let flow = "predicate p = resource.attributes[\"x\"] == 1 && log.body == \"y\";\n\
             ingest.logs -> route { p && 1 == 1 => a, 1 == 2 => b, else => [c, filter(!p) -> batch(timeout: 1s) -> a] };";
        let once: Vec<_> = PASSES.iter().map(|pass| pass.run).collect();
        let twice = [once.clone(), once.clone()].concat();
        let after = |passes: &[fn(Plan, &mut PlanLog) -> Plan]| {
            let text = before_and_after(flow, passes);
            let (_, after) = text.split_once("\nafter\n").unwrap();
            after.split_once("\nlog\n").unwrap().0.to_owned()
        };
        assert_eq!(after(&once), after(&twice));
    }
}
