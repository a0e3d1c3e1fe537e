//! Equality, order and look-ups of constants.

use std::cmp::Ordering;

use super::Constant;

/// Whether two constants are equal as CEL says: numbers by value whatever their kind, other kinds never.
pub(super) fn equal(left: &Constant, right: &Constant) -> bool {
    match (left, right) {
        (Constant::List(left), Constant::List(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| equal(left, right))
        }
        (Constant::Map(left), Constant::Map(right)) => {
            let same = |(key, value): &(Constant, Constant)| {
                find(right, key).is_some_and(|other| equal(value, other))
            };
            left.len() == right.len() && left.iter().all(same)
        }
        _ => match numbers(left, right) {
            Some(order) => order == Some(Ordering::Equal),
            None => left == right,
        },
    }
}

/// The order of two constants that have one; `Some(None)` when one is not a number.
pub(super) fn compare(left: &Constant, right: &Constant) -> Option<Option<Ordering>> {
    Some(match (left, right) {
        (Constant::Bool(left), Constant::Bool(right)) => Some(left.cmp(right)),
        (Constant::String(left), Constant::String(right)) => Some(left.cmp(right)),
        (Constant::Bytes(left), Constant::Bytes(right)) => Some(left.cmp(right)),
        (Constant::Duration(left), Constant::Duration(right)) => Some(left.cmp(right)),
        (Constant::Timestamp(left), Constant::Timestamp(right)) => Some(left.cmp(right)),
        _ => return numbers(left, right),
    })
}

/// The value under a key; keys are compared as numbers are.
pub(super) fn find<'a>(
    entries: &'a [(Constant, Constant)],
    key: &Constant,
) -> Option<&'a Constant> {
    entries
        .iter()
        .find(|(candidate, _)| equal(candidate, key))
        .map(|(_, value)| value)
}

/// Whether no two of the keys are equal.
pub(in crate::cel) fn are_distinct(keys: &[&Constant]) -> bool {
    keys.iter().enumerate().all(|(position, key)| {
        keys.iter()
            .take(position)
            .all(|earlier| !equal(earlier, key))
    })
}

/// The order of two numbers; `None` when they are not both numbers. Whole numbers meet doubles as doubles, as the
/// reference implementations have it.
fn numbers(left: &Constant, right: &Constant) -> Option<Option<Ordering>> {
    Some(match (left, right) {
        (Constant::Double(left), Constant::Double(right)) => left.partial_cmp(right),
        (Constant::Double(left), right) => left.partial_cmp(&as_double(right)?),
        (left, Constant::Double(right)) => as_double(left)?.partial_cmp(right),
        (left, right) => Some(as_integer(left)?.cmp(&as_integer(right)?)),
    })
}

/// A whole number of either kind.
pub(super) fn as_integer(constant: &Constant) -> Option<i128> {
    match constant {
        Constant::Int(value) => Some(i128::from(*value)),
        Constant::Uint(value) => Some(i128::from(*value)),
        _ => None,
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the comparison is defined on the nearest double"
)]
fn as_double(constant: &Constant) -> Option<f64> {
    match constant {
        Constant::Int(value) => Some(*value as f64),
        Constant::Uint(value) => Some(*value as f64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_by_value() {
        assert!(equal(&Constant::Int(1), &Constant::Uint(1)));
        assert!(equal(&Constant::Int(1), &Constant::Double(1.0)));
        assert!(!equal(
            &Constant::Double(f64::NAN),
            &Constant::Double(f64::NAN)
        ));
        assert!(!equal(&Constant::Int(1), &Constant::String("1".to_owned())));
    }

    #[test]
    fn maps_are_equal_in_any_order() {
        let entry = |key: i64| (Constant::Int(key), Constant::Null);
        let (left, right) = (
            Constant::Map(vec![entry(1), entry(2)]),
            Constant::Map(vec![entry(2), entry(1)]),
        );
        assert!(equal(&left, &right));
    }

    #[test]
    fn what_is_no_number_has_no_order() {
        assert_eq!(
            compare(&Constant::Double(f64::NAN), &Constant::Int(1)),
            Some(None)
        );
        assert_eq!(compare(&Constant::Null, &Constant::Int(1)), None);
    }
}
