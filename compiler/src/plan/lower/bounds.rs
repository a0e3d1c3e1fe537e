//! Holds the new value of a field within what the field can hold.
//!
//! In: the path and the value of a `set`. Out: the value, as the bytes will say it. CEL has whole numbers of 64 bits and
//! some fields have 32; a constant that does not fit is an error of the checker, and any other number becomes the nearest
//! that fits. What stands behind the `set` reads this value, so it always sees what is written.

use crate::check::Changeable;
use crate::hir::Literal;
use crate::plan::{Value, ValueKind};

/// `value` as `path` can hold it.
pub(super) fn held(path: &Changeable, value: Value) -> Value {
    let Changeable::Field(field) = path else {
        return value;
    };
    match field.reader.bounds() {
        Some((least, most)) if !fits(&value, least, most) => Value {
            ty: value.ty.clone(),
            level: value.level,
            span: value.span,
            kind: ValueKind::Within {
                value: Box::new(value),
                least,
                most,
            },
        },
        _ => value,
    }
}

/// Whether every number that the value can be lies within the bounds.
fn fits(value: &Value, least: i64, most: i64) -> bool {
    let within = |low: i64, high: i64| least <= low && high <= most;
    match &value.kind {
        ValueKind::Literal(Literal::Int(number)) => within(*number, *number),
        ValueKind::Literal(Literal::Uint(number)) => {
            i64::try_from(*number).is_ok_and(|number| within(number, number))
        }
        ValueKind::Field(field) => {
            let bounds = field.reader.bounds();
            bounds.is_some_and(|(low, high)| within(low, high))
        }
        ValueKind::If { arms, otherwise } => {
            let values = arms.iter().map(|(_, then)| then);
            let mut values = values.chain([otherwise.as_ref()]);
            values.all(|value| fits(value, least, most))
        }
        ValueKind::Failed => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::passes::testing::before_and_after;
    use crate::plan::passes::{fold_constants, prune_dead};

    #[test]
    fn what_may_not_fit_is_held_and_tests_behind_see_it_so() {
        let text = before_and_after(
            "ingest.logs -> set(log.severity_number, log.attributes[?\"severity\"].orInt(0)) -> set(log.flags, log.time_unix_nano)\n\
             -> filter(log.severity_number == 2147483647 && log.flags == 4294967295u && has(log.flags)) -> a;",
            &[fold_constants::run, prune_dead::run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn what_fits_stands_as_it_is_written() {
        let text = before_and_after(
            "ingest.logs -> set(log.flags, log.dropped_attributes_count) -> set(log.time_unix_nano, 18446744073709551615u)\n\
             -> set(log.severity_number, log.flags == 1u ? 17 : log.severity_number) -> filter(log.severity_number > 9) -> a;",
            &[fold_constants::run, prune_dead::run],
        );
        insta::assert_snapshot!(text);
    }
}
