//! Comparisons and defaults of values that a `set` has made known.
//!
//! In: a condition or a value whose operands are folded. Out: what it comes to, where that is known. The checker has
//! computed whatever the text of the flow says; here only what stands in the place of a read is left to decide, so
//! nothing is done for what no `set` can bring about.

use crate::hir::Literal;
use crate::plan::{CompareOp, ConditionKind, Constant, Value, ValueKind};

/// What a comparison comes to.
pub(super) fn decide(condition: &ConditionKind) -> Option<Constant> {
    match condition {
        ConditionKind::Compare { op, left, right } => {
            if is_missing(left) || is_missing(right) {
                return Some(Constant::Error);
            }
            compare(*op, known(left)?, known(right)?).map(constant)
        }
        ConditionKind::OneOf { element, list } => {
            if is_missing(element) {
                return Some(Constant::Error);
            }
            let element = known(element)?;
            let mut found = false;
            for one in list {
                found |= compare(CompareOp::Equal, element, known(one)?)?;
            }
            Some(constant(found))
        }
        _ => None,
    }
}

/// What `value.orString(default)` comes to: the type of what was set is known.
pub(super) fn or_typed(value: &Value, default: &Value) -> Option<ValueKind> {
    match &value.kind {
        ValueKind::Failed => Some(default.kind.clone()),
        ValueKind::Dynamic(inner) if inner.ty == default.ty => Some(inner.kind.clone()),
        ValueKind::Dynamic(_) => Some(default.kind.clone()),
        _ => None,
    }
}

/// What a number is that is held within bounds: a condition that became known may have made a literal of it.
pub(super) fn within(value: &Value, least: i64, most: i64) -> Option<ValueKind> {
    let literal = match value.literal()? {
        Literal::Int(number) => Literal::Int((*number).clamp(least, most)),
        // The bounds of an unsigned field are not negative.
        Literal::Uint(number) => {
            Literal::Uint((*number).clamp(least.cast_unsigned(), most.cast_unsigned()))
        }
        _ => return None,
    };
    Some(ValueKind::Literal(literal))
}

const fn constant(is_true: bool) -> Constant {
    if is_true {
        Constant::True
    } else {
        Constant::False
    }
}

/// Whether an attribute is read that was removed.
const fn is_missing(value: &Value) -> bool {
    matches!(value.kind, ValueKind::Failed)
}

fn known(value: &Value) -> Option<&Literal> {
    match &value.kind {
        ValueKind::Dynamic(inner) => inner.literal(),
        _ => value.literal(),
    }
}

/// Numbers of one type, texts and booleans; other pairs are left to the run.
fn compare(op: CompareOp, left: &Literal, right: &Literal) -> Option<bool> {
    let order = match (left, right) {
        (Literal::Int(left), Literal::Int(right)) => left.cmp(right),
        (Literal::Uint(left), Literal::Uint(right)) => left.cmp(right),
        (Literal::String(left), Literal::String(right)) => left.cmp(right),
        (Literal::Bool(left), Literal::Bool(right)) => left.cmp(right),
        _ => return None,
    };
    Some(match op {
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Less => order.is_lt(),
        CompareOp::LessEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterEqual => order.is_ge(),
    })
}

#[cfg(test)]
mod tests {
    use crate::plan::passes::testing::before_and_after;
    use crate::plan::passes::{fold_constants, prune_dead};

    #[test]
    fn what_was_set_is_known_behind_it() {
        let text = before_and_after(
            "predicate loud = log.severity_number >= 17 && log.attributes[\"k\"] == \"v\";\n\
             ingest.logs -> set(log.severity_number, 17) -> set(log.attributes[\"k\"], \"v\") -> remove(log.attributes[\"r\"])\n\
             -> route {\n\
               log.attributes[\"r\"] == \"x\" || log.attributes[\"k\"] in [\"a\", \"b\"] => a,\n\
               loud && !has(log.attributes.r) && log.attributes[?\"k\"].orString(\"\") == \"v\" => b,\n\
               else => c\n\
             };",
            &[fold_constants::run, prune_dead::run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn what_depends_on_the_data_is_left_to_the_run() {
        let text = before_and_after(
            "ingest.logs -> set(log.attributes[\"k\"], log.event_name) -> set(log.body, 2.0)\n\
             -> filter(log.attributes[\"k\"] == \"v\" && log.body == 2 && has(log.body))\n\
             -> set(log.attributes[\"l\"], log.attributes[?\"k\"].orString(\"none\") + \"!\") -> remove(log.event_name)\n\
             -> filter(log.attributes[\"l\"] == \"v!\" && log.event_name == \"\") -> a;",
            &[fold_constants::run, prune_dead::run],
        );
        insta::assert_snapshot!(text);
    }
}
