//! The passes, in the order in which they run. Each takes a plan and gives one that means the same and costs
//! less, and notes what it changed.

pub mod fold_constants;
pub mod prune_dead;
pub mod split_conjunctions;

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
