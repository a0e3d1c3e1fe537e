//! Where the oracle is known to answer otherwise than CEL does.

use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value::Value};
use watershed_differential::Predicate;

use crate::Answer;
use crate::oracle::Case;

/// A known wrong answer of the oracle. A mask says nothing about the two compiled ways, which have to agree.
pub(crate) struct Mask {
    /// What the oracle does and what is right.
    pub(crate) reason: &'static str,
    /// Whether the oracle may answer this in this case for this reason.
    covers: fn(&Predicate, &Case, Answer) -> bool,
}

/// Every mask.
pub(crate) const MASKS: &[Mask] = &[
    Mask {
        reason: "an order with NaN is an error to the oracle, and false in CEL",
        covers: |predicate, case, _| {
            predicate.orders_doubles
                && (predicate.computes_doubles || has_double(case, |number| !number.is_finite()))
        },
    },
    Mask {
        reason: "the oracle writes out every digit of a double, CEL takes the shorter of two notations",
        covers: |predicate, case, _| {
            let is_long = |number: f64| {
                !number.is_finite() || number != 0.0 && !(1e-4..1e15).contains(&number.abs())
            };
            predicate.writes_doubles && (predicate.computes_doubles || has_double(case, is_long))
        },
    },
];

impl Mask {
    /// The mask that covers what the oracle answered.
    pub(crate) fn of(predicate: &Predicate, case: &Case, oracle: Answer) -> Option<&'static Self> {
        MASKS
            .iter()
            .find(|mask| (mask.covers)(predicate, case, oracle))
    }
}

/// Whether a double like this is anywhere in what can be read.
fn has_double(case: &Case, is_wanted: fn(f64) -> bool) -> bool {
    let attributes = [
        &case.resource.attributes,
        &case.scope.attributes,
        &case.log.attributes,
    ];
    let in_attributes = attributes
        .into_iter()
        .any(|attributes| in_entries(attributes, is_wanted));
    in_attributes
        || case
            .log
            .body
            .as_ref()
            .is_some_and(|body| in_value(body, is_wanted))
}

fn in_entries(entries: &[KeyValue], is_wanted: fn(f64) -> bool) -> bool {
    let values = entries.iter().filter_map(|entry| entry.value.as_ref());
    values.into_iter().any(|value| in_value(value, is_wanted))
}

fn in_value(value: &AnyValue, is_wanted: fn(f64) -> bool) -> bool {
    match &value.value {
        Some(Value::DoubleValue(number)) => is_wanted(*number),
        Some(Value::ArrayValue(list)) => list.values.iter().any(|value| in_value(value, is_wanted)),
        Some(Value::KvlistValue(map)) => in_entries(&map.values, is_wanted),
        _ => false,
    }
}
