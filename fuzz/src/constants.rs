//! Constants: what the compiler computes is what the run would compute.
//!
//! In: a checked tree. Each call whose operands are known is made with the functions of the runtime, and compared.

use std::cmp::Ordering;

use watershed::cel::{Duration, Error, List, Map, Timestamp, Value, compare, dynamic, strings};
use watershed_compiler::cel::Tree;
use watershed_compiler::cel::declarations::Overload;
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::typed::{Callee, NodeKind};

/// Checks every call of `tree` that is known with all its operands.
///
/// # Panics
///
/// When the run would give something else.
pub(crate) fn check(tree: &Tree) {
    for (_, node) in tree.nodes() {
        let NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } = &node.kind
        else {
            continue;
        };
        let (Some(constant), Some(overload)) = (&node.constant, overloads.first()) else {
            continue;
        };
        let operands = args
            .iter()
            .map(|id| tree.node(*id).constant.as_ref().and_then(value));
        let Some(operands) = operands.collect::<Option<Vec<_>>>() else {
            continue;
        };
        if let Some(computed) = call(*overload, &operands) {
            let is_same = match (value(constant), &computed) {
                (None, Err(_)) => true,
                (Some(known), Ok(computed)) => is_same(&known, computed),
                _ => false,
            };
            assert!(
                is_same,
                "{overload:?} of {operands:?}: {constant:?} and {computed:?}"
            );
        }
    }
}

/// The value of a constant; `None` for a failure.
fn value(constant: &Constant) -> Option<Value<'static>> {
    Some(match constant {
        Constant::Null => Value::Null,
        Constant::Bool(value) => Value::from(*value),
        Constant::Int(value) => Value::from(*value),
        Constant::Uint(value) => Value::from(*value),
        Constant::Double(value) => Value::from(*value),
        Constant::String(value) => Value::from(value.clone()),
        Constant::Bytes(value) => Value::from(value.clone()),
        Constant::Duration(value) => Value::from(Duration::from_nanoseconds(*value)),
        Constant::Timestamp(value) => timestamp(*value)?,
        Constant::List(values) => {
            let values = values.iter().map(value).collect::<Option<Vec<_>>>()?;
            Value::from(List::from(values))
        }
        Constant::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, entry)| Some((value(key)?, value(entry)?)));
            let entries = entries.collect::<Option<Vec<_>>>()?;
            Value::from(Map::new(entries).expect("keys of a constant differ"))
        }
        Constant::Failed(_) => return None,
    })
}

fn timestamp(nanoseconds: i128) -> Option<Value<'static>> {
    let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).ok()?;
    let rest = i64::try_from(nanoseconds.rem_euclid(1_000_000_000)).ok()?;
    let time = Timestamp::from_unix_seconds(seconds).ok()?;
    Some(Value::from(
        time.plus(Duration::from_nanoseconds(rest)).ok()?,
    ))
}

/// The same value of the same type; for a double the same bits, or both not a number.
fn is_same(left: &Value<'_>, right: &Value<'_>) -> bool {
    match (left, right) {
        (Value::Double(left), Value::Double(right)) => {
            left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan()
        }
        (Value::List(left), Value::List(right)) => {
            left.size() == right.size()
                && left
                    .iter()
                    .zip(right.iter())
                    .all(|(left, right)| is_same(&left, &right))
        }
        // Values that are not equal to themselves may be in it.
        (Value::Map(left), Value::Map(right)) => left.size() == right.size(),
        _ => left.type_of() == right.type_of() && left == right,
    }
}

/// What the runtime makes of it; `None` for what is not compared here.
fn call(overload: Overload, operands: &[Value<'static>]) -> Option<Result<Value<'static>, Error>> {
    match operands {
        [operand] => unary(overload.name(), operand),
        [left, right] => binary(overload.name(), left, right),
        _ => None,
    }
}

fn unary(name: &str, operand: &Value<'static>) -> Option<Result<Value<'static>, Error>> {
    Some(match name {
        "to_dyn" => Ok(operand.clone()),
        "logical_not" => operand.as_bool().map(|value| Value::from(!value)),
        _ if name.starts_with("negate") => dynamic::negate(operand),
        _ if name.starts_with("size") || name.ends_with("_size") => {
            dynamic::size(operand).map(Value::from)
        }
        _ => match name.split_once("_to_")?.1 {
            "int64" => dynamic::convert_int(operand).map(Value::from),
            "uint64" => dynamic::convert_uint(operand).map(Value::from),
            "double" => dynamic::convert_double(operand).map(Value::from),
            "string" => dynamic::convert_string(operand).map(Value::from),
            "bytes" => dynamic::convert_bytes(operand).map(Value::from),
            "bool" => dynamic::convert_bool(operand).map(Value::from),
            "timestamp" => dynamic::convert_timestamp(operand).map(Value::from),
            "duration" => dynamic::convert_duration(operand).map(Value::from),
            _ => return None,
        },
    })
}

fn binary(
    name: &str,
    left: &Value<'static>,
    right: &Value<'static>,
) -> Option<Result<Value<'static>, Error>> {
    let ordered = |holds: fn(Ordering) -> bool| {
        compare::order(left, right).map(|order| Value::from(order.is_some_and(holds)))
    };
    let texts =
        |holds: fn(&str, &str) -> bool| Ok(Value::from(holds(left.as_str()?, right.as_str()?)));
    Some(match name {
        "equals" => Ok(Value::from(left == right)),
        "not_equals" => Ok(Value::from(left != right)),
        "in_list" | "in_map" => dynamic::is_in(left, right).map(Value::from),
        "index_list" | "index_map" => dynamic::index(left, right),
        "contains_string" => texts(strings::contains),
        "starts_with_string" => texts(|text, part| text.starts_with(part)),
        "ends_with_string" => texts(|text, part| text.ends_with(part)),
        _ if name.starts_with("add_") => dynamic::add(left, right),
        _ if name.starts_with("subtract_") => dynamic::subtract(left, right),
        _ if name.starts_with("multiply_") => dynamic::multiply(left, right),
        _ if name.starts_with("divide_") => dynamic::divide(left, right),
        _ if name.starts_with("modulo_") => dynamic::remainder(left, right),
        _ if name.starts_with("less_equals_") => ordered(Ordering::is_le),
        _ if name.starts_with("less_") => ordered(Ordering::is_lt),
        _ if name.starts_with("greater_equals_") => ordered(Ordering::is_ge),
        _ if name.starts_with("greater_") => ordered(Ordering::is_gt),
        _ => return None,
    })
}
