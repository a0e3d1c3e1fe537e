//! Evaluation of constant expressions, with checked arithmetic.
//!
//! The types have been checked, so every operation here either has a value or fails for one of the reasons of
//! [`Failure`]. `None` means that the value is not known, never that it failed.

use super::constant::Constant;
use super::types::Failure;
use crate::hir::{ArithmeticOp, CompareOp, Function};

/// The largest constant text, in bytes, and the longest constant list. Chains of constants could double it each time.
pub(super) const MAX_SIZE: usize = 64 * 1024;

/// What evaluation came to.
pub(super) type Value = Result<Constant, Failure>;

/// `left op right` on numbers, text, bytes, durations and lists.
pub(super) fn arithmetic(op: ArithmeticOp, left: &Constant, right: &Constant) -> Option<Value> {
    Some(match (left, right) {
        (Constant::Int(left), Constant::Int(right)) => int(op, *left, *right).map(Constant::Int),
        (Constant::Uint(left), Constant::Uint(right)) => {
            uint(op, *left, *right).map(Constant::Uint)
        }
        (Constant::Double(left), Constant::Double(right)) => {
            Ok(Constant::Double(double(op, *left, *right)?))
        }
        (Constant::Duration(left), Constant::Duration(right)) => {
            duration(op, *left, *right)?.map(Constant::Duration)
        }
        (Constant::String(left), Constant::String(right)) => {
            Ok(Constant::String(format!("{left}{right}")))
        }
        (Constant::Bytes(left), Constant::Bytes(right)) => {
            Ok(Constant::Bytes(left.iter().chain(right).copied().collect()))
        }
        (Constant::List(left), Constant::List(right)) => {
            Ok(Constant::List(left.iter().chain(right).cloned().collect()))
        }
        _ => return None,
    })
}

/// Whether a constant stays under [`MAX_SIZE`].
pub(super) fn fits(constant: &Constant) -> bool {
    match constant {
        Constant::String(text) => text.len() <= MAX_SIZE,
        Constant::Bytes(bytes) => bytes.len() <= MAX_SIZE,
        Constant::List(elements) => elements.len() <= MAX_SIZE,
        _ => true,
    }
}

fn int(op: ArithmeticOp, left: i64, right: i64) -> Result<i64, Failure> {
    match op {
        ArithmeticOp::Divide | ArithmeticOp::Remainder if right == 0 => {
            Err(Failure::DivisionByZero)
        }
        ArithmeticOp::Add => left.checked_add(right).ok_or(Failure::Overflow),
        ArithmeticOp::Subtract => left.checked_sub(right).ok_or(Failure::Overflow),
        ArithmeticOp::Multiply => left.checked_mul(right).ok_or(Failure::Overflow),
        ArithmeticOp::Divide => left.checked_div(right).ok_or(Failure::Overflow),
        ArithmeticOp::Remainder => left.checked_rem(right).ok_or(Failure::Overflow),
    }
}

fn uint(op: ArithmeticOp, left: u64, right: u64) -> Result<u64, Failure> {
    match op {
        ArithmeticOp::Divide | ArithmeticOp::Remainder if right == 0 => {
            Err(Failure::DivisionByZero)
        }
        ArithmeticOp::Add => left.checked_add(right).ok_or(Failure::Overflow),
        ArithmeticOp::Subtract => left.checked_sub(right).ok_or(Failure::Overflow),
        ArithmeticOp::Multiply => left.checked_mul(right).ok_or(Failure::Overflow),
        ArithmeticOp::Divide => left.checked_div(right).ok_or(Failure::Overflow),
        ArithmeticOp::Remainder => left.checked_rem(right).ok_or(Failure::Overflow),
    }
}

/// Doubles have no `%`, and dividing by zero is infinite, not a failure.
fn double(op: ArithmeticOp, left: f64, right: f64) -> Option<f64> {
    match op {
        ArithmeticOp::Add => Some(left + right),
        ArithmeticOp::Subtract => Some(left - right),
        ArithmeticOp::Multiply => Some(left * right),
        ArithmeticOp::Divide => Some(left / right),
        ArithmeticOp::Remainder => None,
    }
}

fn duration(op: ArithmeticOp, left: i64, right: i64) -> Option<Result<i64, Failure>> {
    match op {
        ArithmeticOp::Add => Some(left.checked_add(right).ok_or(Failure::Overflow)),
        ArithmeticOp::Subtract => Some(left.checked_sub(right).ok_or(Failure::Overflow)),
        ArithmeticOp::Multiply | ArithmeticOp::Divide | ArithmeticOp::Remainder => None,
    }
}

/// `-operand`
pub(super) fn negate(operand: &Constant) -> Option<Value> {
    Some(match operand {
        Constant::Int(value) => value
            .checked_neg()
            .map(Constant::Int)
            .ok_or(Failure::Overflow),
        Constant::Double(value) => Ok(Constant::Double(-value)),
        _ => return None,
    })
}

/// `left op right` between values of one type. NaN is unequal to everything and in no order.
pub(super) fn compare(op: CompareOp, left: &Constant, right: &Constant) -> Option<bool> {
    if !op.is_ordering() {
        let equal = equal(left, right)?;
        return Some(if op == CompareOp::Equal {
            equal
        } else {
            !equal
        });
    }
    let order = match (left, right) {
        (Constant::Bool(left), Constant::Bool(right)) => left.partial_cmp(right),
        (Constant::Int(left), Constant::Int(right)) => left.partial_cmp(right),
        (Constant::Uint(left), Constant::Uint(right)) => left.partial_cmp(right),
        (Constant::Double(left), Constant::Double(right)) => left.partial_cmp(right),
        (Constant::String(left), Constant::String(right)) => left.partial_cmp(right),
        (Constant::Bytes(left), Constant::Bytes(right)) => left.partial_cmp(right),
        (Constant::Duration(left), Constant::Duration(right)) => left.partial_cmp(right),
        _ => return None,
    };
    Some(match op {
        CompareOp::Less => order.is_some_and(|order| order.is_lt()),
        CompareOp::LessEqual => order.is_some_and(|order| order.is_le()),
        CompareOp::Greater => order.is_some_and(|order| order.is_gt()),
        CompareOp::GreaterEqual => order.is_some_and(|order| order.is_ge()),
        CompareOp::Equal | CompareOp::NotEqual => return None,
    })
}

/// Equality between scalars of one type. Mixed numbers (only in lists of mixed types) are left unknown.
pub(super) fn equal(left: &Constant, right: &Constant) -> Option<bool> {
    let number = |value: &Constant| {
        matches!(
            value,
            Constant::Int(_) | Constant::Uint(_) | Constant::Double(_)
        )
    };
    match (left, right) {
        (Constant::List(_), _) | (_, Constant::List(_)) => None,
        (Constant::Failed(_), _) | (_, Constant::Failed(_)) => None,
        (Constant::Double(left), Constant::Double(right)) => Some(left == right),
        (left, right) if number(left) && number(right) && left.ty() != right.ty() => None,
        (left, right) => Some(left == right),
    }
}

/// `element in list`: unknown as soon as one comparison is.
pub(super) fn contained(element: &Constant, list: &[Constant]) -> Option<bool> {
    let mut found = false;
    for candidate in list {
        found |= equal(element, candidate)?;
    }
    Some(found)
}

/// A function without a pattern on constants.
pub(super) fn call(function: Function, args: &[&Constant]) -> Option<Constant> {
    match (function, args) {
        (Function::StartsWith, [Constant::String(text), Constant::String(part)]) => {
            Some(Constant::Bool(text.starts_with(part.as_str())))
        }
        (Function::EndsWith, [Constant::String(text), Constant::String(part)]) => {
            Some(Constant::Bool(text.ends_with(part.as_str())))
        }
        (Function::Contains, [Constant::String(text), Constant::String(part)]) => {
            Some(Constant::Bool(text.contains(part.as_str())))
        }
        (Function::Size, [Constant::String(text)]) => length(text.chars().count()),
        (Function::Size, [Constant::Bytes(bytes)]) => length(bytes.len()),
        (Function::Size, [Constant::List(elements)]) => length(elements.len()),
        _ => None,
    }
}

fn length(length: usize) -> Option<Constant> {
    i64::try_from(length).ok().map(Constant::Int)
}

/// `list[position]`
pub(super) fn element(list: &[Constant], position: &Constant) -> Option<Value> {
    let position = match position {
        Constant::Int(position) => usize::try_from(*position).ok(),
        _ => return None,
    };
    Some(
        position
            .and_then(|position| list.get(position))
            .cloned()
            .ok_or(Failure::OutOfRange),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_checked() {
        use ArithmeticOp::{Add, Divide, Multiply, Remainder, Subtract};
        for (op, left, right, expected) in [
            (Add, i64::MAX, 1, Err(Failure::Overflow)),
            (Subtract, i64::MIN, 1, Err(Failure::Overflow)),
            (Multiply, i64::MAX, 2, Err(Failure::Overflow)),
            (Divide, i64::MIN, -1, Err(Failure::Overflow)),
            (Remainder, i64::MIN, -1, Err(Failure::Overflow)),
            (Divide, 5, 0, Err(Failure::DivisionByZero)),
            (Remainder, 5, 0, Err(Failure::DivisionByZero)),
            (Divide, -7, 2, Ok(-3)),
            (Remainder, -7, 2, Ok(-1)),
        ] {
            assert_eq!(
                int(op, left, right),
                expected,
                "{left} {} {right}",
                op.symbol()
            );
        }
        assert_eq!(uint(Subtract, 0, 1), Err(Failure::Overflow));
    }

    #[test]
    fn nothing_is_in_order_with_nan() {
        let nan = Constant::Double(f64::NAN);
        for op in [
            CompareOp::Less,
            CompareOp::LessEqual,
            CompareOp::Greater,
            CompareOp::GreaterEqual,
        ] {
            assert_eq!(compare(op, &nan, &Constant::Double(1.0)), Some(false));
        }
        assert_eq!(compare(CompareOp::Equal, &nan, &nan), Some(false));
        assert_eq!(compare(CompareOp::NotEqual, &nan, &nan), Some(true));
        assert_eq!(
            compare(
                CompareOp::Equal,
                &Constant::Double(-0.0),
                &Constant::Double(0.0)
            ),
            Some(true)
        );
    }

    #[test]
    fn size_counts_code_points() {
        for (text, expected) in [("é", 1), ("e\u{301}", 2), ("😀", 1)] {
            let text = Constant::String(text.to_owned());
            assert_eq!(
                call(Function::Size, &[&text]),
                Some(Constant::Int(expected))
            );
        }
        let bytes = Constant::Bytes("é".as_bytes().to_vec());
        assert_eq!(call(Function::Size, &[&bytes]), Some(Constant::Int(2)));
    }
}
