//! Operators and functions on constants.

use std::cmp::Ordering;

use super::values::{as_integer, compare, equal, find};
use super::{Constant, conversions, texts, time};
use crate::cel::declarations::{self, Overload as O, Shape};
use crate::cel::failure::Failure;
use crate::cel::limits;

/// The value of a call; `None` when it is not known.
pub(super) fn call(overloads: &[O], args: &[Option<&Constant>]) -> Option<Constant> {
    if let [only] = overloads
        && only.is_total_form()
    {
        return total_form(*only, args);
    }
    let failed = args.iter().flatten().find_map(|arg| match arg {
        Constant::Failed(failure) => Some(*failure),
        _ => None,
    });
    if let Some(failure) = failed {
        return Some(Constant::Failed(failure));
    }
    if let Some(failure) = certain(overloads, args) {
        return Some(Constant::Failed(failure));
    }
    let args: Vec<&Constant> = args.iter().copied().collect::<Option<_>>()?;
    if let [container, index] = args.as_slice()
        && overloads.iter().all(|overload| {
            matches!(
                overload,
                O::IndexList | O::IndexMap | O::OptionalListIndex | O::OptionalMapIndex
            )
        })
    {
        return Some(indexed(container, index));
    }
    match overloads.iter().find(|overload| fits(**overload, &args)) {
        Some(overload) => apply(*overload, &args),
        // Numbers of different kinds have an order, although no overload with static types says so.
        None => match overloads.first().and_then(|overload| order_of(*overload)) {
            Some(holds) => ordered(&args, holds),
            // The numbers of a list may be of several kinds, although no overload with static types says so.
            None if overloads
                .iter()
                .any(|overload| overload.name().starts_with("math_@")) =>
            {
                None
            }
            // Some functions take elements of any type, such as `flatten`: the run tells.
            None if args
                .iter()
                .any(|arg| matches!(arg, Constant::List(_) | Constant::Map(_))) =>
            {
                None
            }
            None => Some(Constant::Failed(Failure::WrongType)),
        },
    }
}

/// Why a call fails whatever its other arguments are.
fn certain(overloads: &[O], args: &[Option<&Constant>]) -> Option<Failure> {
    let last = *args.last()?;
    let reason = |overload: &O| match (overload, last?) {
        (O::DivideInt | O::RemainderInt, Constant::Int(0))
        | (O::DivideUint | O::RemainderUint, Constant::Uint(0)) => Some(Failure::DivisionByZero),
        (
            O::BitShiftLeftInt | O::BitShiftLeftUint | O::BitShiftRightInt | O::BitShiftRightUint,
            Constant::Int(..0),
        ) => Some(Failure::InvalidArgument),
        (O::FlattenDepth, Constant::Int(depth)) if !(0..=limits::MAX_FLATTEN).contains(depth) => {
            Some(Failure::InvalidArgument)
        }
        (O::Range, Constant::Int(size)) if *size > limits::MAX_RANGE => {
            Some(Failure::InvalidArgument)
        }
        _ => None,
    };
    let reasons: Option<Vec<Failure>> = overloads.iter().map(reason).collect();
    reasons?.first().copied()
}

/// The value when it is of the type of the default, else the default.
fn total_form(overload: O, args: &[Option<&Constant>]) -> Option<Constant> {
    let [value, default] = args else { return None };
    let (value, default) = ((*value)?, (*default)?);
    let is_wanted = matches!(
        (overload, value),
        (O::OrString, Constant::String(_))
            | (O::OrInt, Constant::Int(_))
            | (O::OrUint, Constant::Uint(_))
            | (O::OrDouble, Constant::Double(_))
            | (O::OrBool, Constant::Bool(_))
    );
    Some(if is_wanted {
        value.clone()
    } else {
        default.clone()
    })
}

/// Whether the constants are of the types that the overload takes.
fn fits(overload: O, args: &[&Constant]) -> bool {
    declarations::signature(overload).is_some_and(|signature| {
        signature.parameters.len() == args.len()
            && signature
                .parameters
                .iter()
                .zip(args)
                .all(|(shape, arg)| has_shape(arg, *shape))
    })
}

fn has_shape(constant: &Constant, shape: Shape) -> bool {
    match (shape, constant) {
        (Shape::A | Shape::B | Shape::Dyn, _) => true,
        (Shape::List(shape), Constant::List(elements)) => {
            elements.iter().all(|element| has_shape(element, *shape))
        }
        (Shape::Map(_, _), Constant::Map(_)) => true,
        (shape, constant) => matches!(
            (shape, constant),
            (Shape::Null, Constant::Null)
                | (Shape::Bool, Constant::Bool(_))
                | (Shape::Int, Constant::Int(_))
                | (Shape::Uint, Constant::Uint(_))
                | (Shape::Double, Constant::Double(_))
                | (Shape::String, Constant::String(_))
                | (Shape::Bytes, Constant::Bytes(_))
                | (Shape::Duration, Constant::Duration(_))
                | (Shape::Timestamp, Constant::Timestamp(_))
        ),
    }
}

fn apply(overload: O, args: &[&Constant]) -> Option<Constant> {
    if let Some(holds) = order_of(overload) {
        return ordered(args, holds);
    }
    if let Some(known) = texts::call(overload, args) {
        return Some(known);
    }
    match args {
        [arg] => unary(overload, arg),
        [left, right] => {
            arithmetic(overload, left, right).or_else(|| binary(overload, left, right))
        }
        _ => None,
    }
}

fn unary(overload: O, arg: &Constant) -> Option<Constant> {
    Some(match (overload, arg) {
        (O::Not, Constant::Bool(value)) => Constant::Bool(!value),
        (O::NegateInt, Constant::Int(value)) => int(value.checked_neg()),
        (O::NegateDouble, Constant::Double(value)) => Constant::Double(-value),
        (O::ToDyn, value) => value.clone(),
        (O::SizeString | O::StringSize, Constant::String(text)) => size(text.chars().count()),
        (O::SizeBytes | O::BytesSize, Constant::Bytes(bytes)) => size(bytes.len()),
        (O::SizeList | O::ListSize, Constant::List(elements)) => size(elements.len()),
        (O::SizeMap | O::MapSize, Constant::Map(entries)) => size(entries.len()),
        _ => return conversions::convert(overload, arg),
    })
}

fn arithmetic(overload: O, left: &Constant, right: &Constant) -> Option<Constant> {
    use Constant::{Double, Duration, Int, Timestamp, Uint};
    Some(match (overload, left, right) {
        (O::AddInt, Int(left), Int(right)) => int(left.checked_add(*right)),
        (O::SubtractInt, Int(left), Int(right)) => int(left.checked_sub(*right)),
        (O::MultiplyInt, Int(left), Int(right)) => int(left.checked_mul(*right)),
        (O::DivideInt | O::RemainderInt, Int(_), Int(0)) => {
            Constant::Failed(Failure::DivisionByZero)
        }
        (O::DivideInt, Int(left), Int(right)) => int(left.checked_div(*right)),
        (O::RemainderInt, Int(left), Int(right)) => int(left.checked_rem(*right)),
        (O::AddUint, Uint(left), Uint(right)) => uint(left.checked_add(*right)),
        (O::SubtractUint, Uint(left), Uint(right)) => uint(left.checked_sub(*right)),
        (O::MultiplyUint, Uint(left), Uint(right)) => uint(left.checked_mul(*right)),
        (O::DivideUint | O::RemainderUint, Uint(_), Uint(0)) => {
            Constant::Failed(Failure::DivisionByZero)
        }
        (O::DivideUint, Uint(left), Uint(right)) => uint(left.checked_div(*right)),
        (O::RemainderUint, Uint(left), Uint(right)) => uint(left.checked_rem(*right)),
        (O::AddDouble, Double(left), Double(right)) => Double(left + right),
        (O::SubtractDouble, Double(left), Double(right)) => Double(left - right),
        (O::MultiplyDouble, Double(left), Double(right)) => Double(left * right),
        (O::DivideDouble, Double(left), Double(right)) => Double(left / right),
        (O::AddDurationDuration, Duration(left), Duration(right)) => {
            duration(left.checked_add(*right))
        }
        (O::SubtractDurationDuration, Duration(left), Duration(right)) => {
            duration(left.checked_sub(*right))
        }
        (O::AddTimestampDuration, Timestamp(moment), Duration(length))
        | (O::AddDurationTimestamp, Duration(length), Timestamp(moment)) => {
            time::timestamp(moment + i128::from(*length))
        }
        (O::SubtractTimestampDuration, Timestamp(moment), Duration(length)) => {
            time::timestamp(moment - i128::from(*length))
        }
        (O::SubtractTimestampTimestamp, Timestamp(left), Timestamp(right)) => {
            duration(i64::try_from(left - right).ok())
        }
        _ => return None,
    })
}

fn binary(overload: O, left: &Constant, right: &Constant) -> Option<Constant> {
    use Constant::{Bool, Bytes, List, Map, String};
    Some(match (overload, left, right) {
        (O::Equals, left, right) => Bool(equal(left, right)),
        (O::NotEquals, left, right) => Bool(!equal(left, right)),
        (O::AddString, String(left), String(right)) => String(format!("{left}{right}")),
        (O::AddBytes, Bytes(left), Bytes(right)) => Bytes([left.as_slice(), right].concat()),
        (O::AddList, List(left), List(right)) => List([left.as_slice(), right].concat()),
        (O::InList, element, List(elements)) => {
            Bool(elements.iter().any(|candidate| equal(candidate, element)))
        }
        (O::InMap, key, Map(entries)) => Bool(find(entries, key).is_some()),
        (O::Contains, String(text), String(part)) => Bool(text.contains(part)),
        (O::StartsWith, String(text), String(part)) => Bool(text.starts_with(part)),
        (O::EndsWith, String(text), String(part)) => Bool(text.ends_with(part)),
        _ => return None,
    })
}

/// `container[index]`: a position may be of any kind of number without a fraction, a key is found by value.
fn indexed(container: &Constant, index: &Constant) -> Constant {
    match (container, index) {
        (Constant::List(elements), index) => match position(index) {
            Some(position) => {
                let found = usize::try_from(position)
                    .ok()
                    .and_then(|position| elements.get(position));
                found
                    .cloned()
                    .unwrap_or(Constant::Failed(Failure::OutOfRange))
            }
            None => Constant::Failed(Failure::WrongType),
        },
        (Constant::Map(entries), key) => find(entries, key)
            .cloned()
            .unwrap_or(Constant::Failed(Failure::MissingKey)),
        _ => Constant::Failed(Failure::WrongType),
    }
}

fn position(index: &Constant) -> Option<i128> {
    match index {
        Constant::Double(value) if value.fract() == 0.0 && value.abs() < 9.0e15 =>
        {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it has no fraction and fits"
            )]
            Some(*value as i128)
        }
        _ => as_integer(index),
    }
}

/// Which orders make the relation of an overload true; `None` when it is no relation.
fn order_of(overload: O) -> Option<fn(Ordering) -> bool> {
    match overload.name().rsplit_once('_')?.0 {
        "less" => Some(Ordering::is_lt),
        "less_equals" => Some(Ordering::is_le),
        "greater" => Some(Ordering::is_gt),
        "greater_equals" => Some(Ordering::is_ge),
        _ => None,
    }
}

/// A relation between constants. What is not a number stands in no order, so every relation with it is false.
fn ordered(args: &[&Constant], holds: fn(Ordering) -> bool) -> Option<Constant> {
    let [left, right] = args else { return None };
    Some(match compare(left, right) {
        Some(order) => Constant::Bool(order.is_some_and(holds)),
        None => Constant::Failed(Failure::WrongType),
    })
}

fn int(value: Option<i64>) -> Constant {
    value.map_or(Constant::Failed(Failure::Overflow), Constant::Int)
}

fn uint(value: Option<u64>) -> Constant {
    value.map_or(Constant::Failed(Failure::Overflow), Constant::Uint)
}

fn duration(nanoseconds: Option<i64>) -> Constant {
    nanoseconds.map_or(Constant::Failed(Failure::Overflow), Constant::Duration)
}

fn size(count: usize) -> Constant {
    int(i64::try_from(count).ok())
}
