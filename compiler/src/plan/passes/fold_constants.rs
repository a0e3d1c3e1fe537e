//! Carries what is known at build time as far as it goes. The checker has computed every expression that reads
//! nothing; this pass takes those values through `&&`, `||`, `!`, `?:`, predicates and concatenations by the rules
//! of CEL: an error in one operand of `&&` or `||` is kept unless another operand absorbs it, and a condition that
//! always fails stays a constant *error*, which is neither true nor false.
//!
//! before:  when ("a" == "b" || log.severity_number >= 17)
//! after:   when log.severity_number >= 17

use indexmap::{IndexMap, IndexSet};

use crate::hir::{Literal, PredicateId};
use crate::level::Level;
use crate::plan::{
    Condition, ConditionKind, Constant, EditKind, Plan, PlanLog, Predicate, Value, ValueKind,
};

mod comparison;

/// The pass in logs.
pub const NAME: &str = "fold_constants";

/// Returns `plan` with every condition and value folded.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let mut folder = Folder::default();
    for (id, predicate) in &mut plan.predicates {
        folder.condition(&mut predicate.condition);
        folder.levels.insert(*id, predicate.condition.level);
        if let ConditionKind::Constant(constant) = predicate.condition.kind {
            folder.decided.insert(*id, constant);
        }
    }
    note_decided(&plan, log);
    plan.for_each_walk(|walk| {
        walk.tree.for_each_guard(&mut |guard| {
            for test in &mut guard.tests {
                folder.condition(&mut test.condition);
            }
        });
        walk.tree.for_each_edit(&mut |edit| {
            // A subject is left as it is: what was set in the data never becomes text of the flow in it.
            if let EditKind::Set { value, .. } = &mut edit.kind {
                folder.value(value);
            }
        });
    });
    for sink in plan.sinks.values_mut() {
        if let Some(subject) = &mut sink.subject {
            folder.value(subject);
        }
    }
    plan
}

/// Notes the predicates that are decided. One that stands behind changes has a copy for what they make of it, and what is
/// true of a copy need not be true of the predicate.
fn note_decided(plan: &Plan, log: &mut PlanLog) {
    let mut noted = IndexSet::new();
    for predicate in plan.predicates.values() {
        let ConditionKind::Constant(constant) = predicate.condition.kind else {
            continue;
        };
        let same = |other: &Predicate| other.condition.kind == predicate.condition.kind;
        let mut copies = plan.predicates.values();
        let everywhere = copies.all(|other| other.span != predicate.span || same(other));
        if noted.insert((predicate.span, constant.name())) {
            let place = if everywhere {
                ""
            } else {
                " behind a change of what it reads"
            };
            let (name, constant) = (&predicate.name, constant.name());
            let text = format!("predicate `{name}` is always {constant}{place}");
            log.note(NAME, predicate.span, text);
        }
    }
}

/// Folds a condition in which constants have been put. Named predicates stay.
pub(super) fn fold(condition: &mut Condition) {
    Folder::default().condition(condition);
}

/// The one condition that decides another: the last operand that is left, or the last arm.
fn take_only(condition: &mut Condition) -> Option<Condition> {
    match &mut condition.kind {
        ConditionKind::All(operands) | ConditionKind::Any(operands) if operands.len() == 1 => {
            operands.pop()
        }
        ConditionKind::If { arms, otherwise } if arms.is_empty() => {
            Some(otherwise.as_ref().clone())
        }
        _ => None,
    }
}

/// Folds, given the predicates that have been folded already.
#[derive(Default)]
struct Folder {
    /// Those that are decided.
    decided: IndexMap<PredicateId, Constant>,
    /// What they read after folding: it may be less than before.
    levels: IndexMap<PredicateId, Level>,
}

impl Folder {
    fn condition(&self, condition: &mut Condition) {
        let folded = match &mut condition.kind {
            ConditionKind::Not(operand) => {
                self.condition(operand);
                operand
                    .constant()
                    .map(|constant| ConditionKind::Constant(constant.negated()))
            }
            ConditionKind::Once(part) => {
                self.condition(part);
                part.constant().map(ConditionKind::Constant)
            }
            ConditionKind::All(operands) => {
                Some(self.junction(operands, Constant::True, ConditionKind::All))
            }
            ConditionKind::Any(operands) => {
                Some(self.junction(operands, Constant::False, ConditionKind::Any))
            }
            ConditionKind::If { arms, otherwise } => {
                self.conditional(arms, otherwise);
                None
            }
            ConditionKind::Predicate(id) => {
                self.decided.get(id).copied().map(ConditionKind::Constant)
            }
            _ => {
                condition
                    .values_mut()
                    .into_iter()
                    .for_each(|value| self.value(value));
                comparison::decide(&condition.kind).map(ConditionKind::Constant)
            }
        };
        if let Some(kind) = folded {
            condition.kind = kind;
        }
        if let Some(only) = take_only(condition) {
            // With its own place in the text; it is folded already.
            *condition = only;
            return;
        }
        condition.refresh_level();
        if let ConditionKind::Predicate(id) = &condition.kind
            && let Some(level) = self.levels.get(id)
        {
            condition.level = *level;
        }
    }

    /// `&&` and `||`: `neutral` operands vanish, one that is its opposite decides, an error stays.
    fn junction(
        &self,
        operands: &mut Vec<Condition>,
        neutral: Constant,
        make: fn(Vec<Condition>) -> ConditionKind,
    ) -> ConditionKind {
        operands
            .iter_mut()
            .for_each(|operand| self.condition(operand));
        if operands
            .iter()
            .any(|operand| operand.constant() == Some(neutral.negated()))
        {
            return ConditionKind::Constant(neutral.negated());
        }
        operands.retain(|operand| operand.constant() != Some(neutral));
        if !operands.is_empty()
            && operands
                .iter()
                .all(|operand| operand.constant() == Some(Constant::Error))
        {
            return ConditionKind::Constant(Constant::Error);
        }
        let operands = std::mem::take(operands);
        match operands.len() {
            0 => ConditionKind::Constant(neutral),
            _ => make(operands),
        }
    }

    fn conditional(&self, arms: &mut Vec<(Condition, Condition)>, otherwise: &mut Box<Condition>) {
        self.condition(otherwise);
        let mut kept = Vec::new();
        for (mut when, mut then) in std::mem::take(arms) {
            self.condition(&mut when);
            self.condition(&mut then);
            match when.constant() {
                Some(Constant::False) => {}
                Some(Constant::True) => {
                    **otherwise = then;
                    break;
                }
                Some(Constant::Error) => {
                    otherwise.kind = ConditionKind::Constant(Constant::Error);
                    break;
                }
                None => kept.push((when, then)),
            }
        }
        *arms = kept;
    }

    fn value(&self, value: &mut Value) {
        let folded = match &mut value.kind {
            ValueKind::Concatenate(parts) => {
                parts.iter_mut().for_each(|part| self.value(part));
                join_literals(parts);
                match parts.as_slice() {
                    [] => Some(ValueKind::Literal(Literal::String(String::new()))),
                    [
                        Value {
                            kind: ValueKind::Literal(literal),
                            ..
                        },
                    ] => Some(ValueKind::Literal(literal.clone())),
                    _ => None,
                }
            }
            ValueKind::If { arms, otherwise } => {
                self.value(otherwise);
                self.value_arms(arms, otherwise)
            }
            ValueKind::Condition(condition) => {
                self.condition(condition);
                match condition.constant() {
                    Some(Constant::True) => Some(ValueKind::Literal(Literal::Bool(true))),
                    Some(Constant::False) => Some(ValueKind::Literal(Literal::Bool(false))),
                    _ => None,
                }
            }
            ValueKind::OrTyped { value, default } => {
                self.value(value);
                self.value(default);
                comparison::or_typed(value, default)
            }
            ValueKind::Within { value, least, most } => {
                self.value(value);
                comparison::within(value, *least, *most)
            }
            _ => {
                value
                    .operands_mut()
                    .into_iter()
                    .for_each(|operand| self.value(operand));
                None
            }
        };
        if let Some(kind) = folded {
            value.kind = kind;
        }
        value.refresh_level();
    }

    fn value_arms(
        &self,
        arms: &mut Vec<(Condition, Value)>,
        otherwise: &mut Box<Value>,
    ) -> Option<ValueKind> {
        let mut kept = Vec::new();
        for (mut when, mut then) in std::mem::take(arms) {
            self.condition(&mut when);
            self.value(&mut then);
            match when.constant() {
                Some(Constant::False) => {}
                Some(Constant::True) => {
                    **otherwise = then;
                    break;
                }
                // An error stays where it is: a value has no constant for it.
                _ => kept.push((when, then)),
            }
        }
        *arms = kept;
        arms.is_empty().then(|| otherwise.kind.clone())
    }
}

/// Joins texts that stand side by side and drops empty ones.
fn join_literals(parts: &mut Vec<Value>) {
    let mut joined: Vec<Value> = Vec::with_capacity(parts.len());
    for part in parts.drain(..) {
        let text = match part.literal() {
            Some(Literal::String(text)) => text.clone(),
            _ => {
                joined.push(part);
                continue;
            }
        };
        match joined.last_mut() {
            Some(Value {
                kind: ValueKind::Literal(Literal::String(before)),
                span,
                ..
            }) => {
                before.push_str(&text);
                *span = span.to(part.span);
            }
            _ if text.is_empty() => {}
            _ => joined.push(part),
        }
    }
    *parts = joined;
}

impl Constant {
    /// What `!` makes of it: an error stays an error.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Error => Self::Error,
        }
    }

    /// The word for it in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Error => "an error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::testing::before_and_after;

    #[test]
    fn constants_go_through_operators_and_errors_stay() {
        let text = before_and_after(
            "const on = true;\npredicate never = !on;\n\
             ingest.logs -> split {\n\
             on && log.body == \"x\" => a,\n\
             never || log.body == \"y\" => a,\n\
             never && log.body == \"z\" => b,\n\
             (on ? log.body == \"v\" : log.body == \"w\") => b,\n\
             (log.body == \"u\" || !never) => c,\n\
             };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn what_remains_is_only_as_deep_as_it_reads() {
        let text = before_and_after(
            "const on = true;\npredicate prod = resource.attributes[\"env\"] == \"prod\";\n\
             predicate mixed = prod || (!on && log.flags == 1u);\n\
             ingest.logs -> split {\n\
             (!on && log.flags == 1u) || prod => a,\n\
             mixed => b,\n\
             log.body == \"x\" => c,\n\
             };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }
    #[test]
    fn a_predicate_that_is_decided_behind_a_change_alone_is_not_called_decided() {
        let text = before_and_after(
            "predicate loud = log.severity_number >= 17;\npredicate quiet = log.severity_number < 1;\n\
             ingest.logs -> [\n\
             filter(loud) -> a,\n\
             set(log.severity_number, 9) -> route { loud || quiet => b, else => c },\n\
             ];",
            &[run],
        );
        insta::assert_snapshot!(text);
    }
}
