//! One test where something is known: its condition without the parts that are decided.
//!
//! A boundary asks only whether a condition is true, or only whether it is false, and so does each part of it. What can
//! never be true counts as false where "true" is asked for, even if it may be an error. In `a && b` the second part is
//! asked of records for which the first is true; in `a || b` of those for which it is not.

use crate::plan::facts::{Facts, Outcomes};
use crate::plan::passes::fold_constants::fold;
use crate::plan::{Condition, ConditionKind, Constant, Outcome, Test};

/// What is asked of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// Whether it is true.
    True,
    /// Whether it is false.
    False,
    /// Which of the three it is.
    Which,
}

/// Puts constants for what is decided, and tells whether anything was.
pub(super) fn simplify(facts: &mut Facts<'_>, test: &mut Test) -> bool {
    let ask = match test.outcome {
        Outcome::True | Outcome::NotTrue => Ask::True,
        Outcome::False | Outcome::NotFalse => Ask::False,
    };
    let changed = narrow(facts, &mut test.condition, ask);
    if changed {
        fold(&mut test.condition);
    }
    changed
}

impl Ask {
    /// What is asked of `c` when this is asked of `!c`.
    const fn flipped(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Which => Self::Which,
        }
    }

    /// The constant that gives the same answer as every one of these outcomes.
    const fn answer(self, outcomes: Outcomes) -> Option<Constant> {
        match (self, outcomes.only()) {
            (_, Some(constant)) => Some(constant),
            (Self::True, _) if !outcomes.is_true => Some(Constant::False),
            (Self::False, _) if !outcomes.is_false => Some(Constant::True),
            _ => None,
        }
    }
}

fn narrow(facts: &mut Facts<'_>, condition: &mut Condition, ask: Ask) -> bool {
    if condition.constant().is_some() {
        return false;
    }
    if let Some(constant) = ask.answer(facts.outcomes(condition)) {
        condition.kind = ConditionKind::Constant(constant);
        return true;
    }
    match &mut condition.kind {
        ConditionKind::Not(operand) => narrow(facts, operand, ask.flipped()),
        ConditionKind::All(operands) => {
            let passes = match ask {
                Ask::True => Outcomes::TRUE,
                Ask::False => Outcomes::NOT_FALSE,
                Ask::Which => Outcomes::ANY,
            };
            narrow_in_turn(facts, operands, ask, passes)
        }
        ConditionKind::Any(operands) => {
            let passes = match ask {
                Ask::True => Outcomes::NOT_TRUE,
                Ask::False => Outcomes::FALSE,
                Ask::Which => Outcomes::ANY,
            };
            narrow_in_turn(facts, operands, ask, passes)
        }
        ConditionKind::If { arms, otherwise } => facts.scope(|facts| {
            let mut changed = false;
            for (when, then) in arms {
                changed |= narrow(facts, when, Ask::Which);
                changed |= facts.scope(|facts| {
                    facts.assume(when, Outcomes::TRUE);
                    narrow(facts, then, ask)
                });
                facts.assume(when, Outcomes::FALSE);
            }
            changed | narrow(facts, otherwise, ask)
        }),
        _ => false,
    }
}

/// Operands of which a later one counts only where the earlier ones have the outcomes `passes`.
fn narrow_in_turn(
    facts: &mut Facts<'_>,
    operands: &mut [Condition],
    ask: Ask,
    passes: Outcomes,
) -> bool {
    facts.scope(|facts| {
        let mut changed = false;
        for operand in operands {
            changed |= narrow(facts, operand, ask);
            if passes != Outcomes::ANY {
                facts.assume(operand, passes);
            }
        }
        changed
    })
}
