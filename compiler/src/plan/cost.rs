//! What a test costs beside others of its level: an order, not a measure.
//!
//! In: a condition. Out: a number that is greater where more of a text is looked at. Reading a field costs nothing here,
//! because a walk reads what all its tests need in one pass.

use super::{Condition, ConditionKind, Plan, TextTest, Value, ValueKind};

/// How many named predicates are looked into for one condition: they may name each other so often that what they stand
/// for doubles with each.
const MAX_OPENED: u32 = 64;

/// The cost of a part of an expression that has no form of its own.
const EXPRESSION: u32 = 15;

/// The cost of a condition, with that of the predicates that it names.
#[must_use]
pub fn cost(plan: &Plan, condition: &Condition) -> u32 {
    let mut costs = Costs {
        plan,
        may_open: MAX_OPENED,
    };
    costs.condition(condition)
}

struct Costs<'p> {
    plan: &'p Plan,
    may_open: u32,
}

impl Costs<'_> {
    fn condition(&mut self, condition: &Condition) -> u32 {
        let own = match &condition.kind {
            // It was computed before the loop.
            ConditionKind::Once(_) => return 0,
            ConditionKind::Constant(_)
            | ConditionKind::Not(_)
            | ConditionKind::All(_)
            | ConditionKind::Any(_)
            | ConditionKind::If { .. } => 0,
            ConditionKind::HasAttribute(_)
            | ConditionKind::HasField(_)
            | ConditionKind::Boolean(_)
            | ConditionKind::Compare { .. } => 1,
            ConditionKind::OneOf { .. } | ConditionKind::Sampled { .. } => 2,
            ConditionKind::HasKey { .. } | ConditionKind::ContainedIn { .. } => 4,
            ConditionKind::TextTest { test, .. } => match test {
                TextTest::StartsWith | TextTest::EndsWith => 2,
                TextTest::Contains => 6,
            },
            ConditionKind::Matches { .. } => 20,
            ConditionKind::Expression(_) => EXPRESSION,
            ConditionKind::Predicate(id) => {
                let predicate = self.plan.predicates.get(id);
                match predicate.filter(|_| self.may_open > 0) {
                    Some(predicate) => {
                        self.may_open -= 1;
                        self.condition(&predicate.condition)
                    }
                    None => EXPRESSION,
                }
            }
        };
        let operands = condition.operands().into_iter();
        let below = operands.fold(0, |sum: u32, one| sum.saturating_add(self.condition(one)));
        let values = condition.values().into_iter();
        let values = values.fold(0, |sum: u32, one| sum.saturating_add(self.value(one)));
        own.saturating_add(below).saturating_add(values)
    }

    fn value(&mut self, value: &Value) -> u32 {
        let own = match &value.kind {
            ValueKind::Literal(_)
            | ValueKind::Config(_)
            | ValueKind::Parameter(_)
            | ValueKind::Field(_)
            | ValueKind::Attribute { .. }
            | ValueKind::Dynamic(_)
            | ValueKind::Failed
            | ValueKind::Condition(_)
            | ValueKind::If { .. } => 0,
            ValueKind::Or { .. }
            | ValueKind::OrTyped { .. }
            | ValueKind::Add(..)
            | ValueKind::Size(_)
            | ValueKind::Within { .. } => 1,
            ValueKind::Index { .. } => 2,
            ValueKind::Concatenate(_) => 8,
            ValueKind::Expression(_) => EXPRESSION,
        };
        let operands = value.operands().into_iter();
        let below = operands.fold(0, |sum: u32, one| sum.saturating_add(self.value(one)));
        let conditions = value.conditions().into_iter();
        let tests = conditions.fold(0, |sum: u32, one| sum.saturating_add(self.condition(one)));
        own.saturating_add(below).saturating_add(tests)
    }
}
