//! The passes, in the order in which they run. Each takes a plan and gives one that means the same and costs
//! less, and notes what it changed.

pub mod fold_constants;
pub mod index_instances;
pub mod prune_dead;
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

/// All passes. Folding decides conditions, splitting lays single decided tests bare, pruning removes what they
/// decide against.
pub const PASSES: &[Pass] = &[
    Pass {
        name: fold_constants::NAME,
        run: fold_constants::run,
    },
    Pass {
        name: split_conjunctions::NAME,
        run: split_conjunctions::run,
    },
    Pass {
        name: prune_dead::NAME,
        run: prune_dead::run,
    },
    Pass {
        name: switch_arms::NAME,
        run: switch_arms::run,
    },
    Pass {
        name: index_instances::NAME,
        run: index_instances::run,
    },
];

/// Runs every pass; debug builds check the plan after each.
#[must_use]
pub fn optimise(plan: Plan, log: &mut PlanLog) -> Plan {
    PASSES.iter().fold(plan, |plan, pass| {
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

    /// Source, plan before, plan after and log as one text. `chain` is what follows the declarations below.
    pub(in crate::plan) fn before_and_after(
        chain: &str,
        passes: &[fn(Plan, &mut PlanLog) -> Plan],
    ) -> String {
        let text = format!(
            "source ingest = otlp;\nsink a = file {{ path: \"a\" }};\nsink b = file {{ path: \"b\" }};\n\
             sink c = file {{ path: \"c\" }};\n{chain}"
        );
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("test.flow", text));
        let compilation = compile(&sources, file, &CompileOptions::default());
        let before = compilation.naive_plan.expect("the flow has no errors");
        let mut log = PlanLog::new();
        let after = passes
            .iter()
            .fold(before.clone(), |plan, pass| pass(plan, &mut log));
        assert_eq!(faults(&after), Vec::<String>::new());
        let text = format!(
            "before\n{}\n\nafter\n{}\n\nlog\n{}",
            walks(&before),
            walks(&after),
            log.to_text()
        );
        text
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
