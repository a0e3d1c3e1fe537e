//! Equality and order of dynamic values, as CEL defines them.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{AnyValue, List, Map, Truth};

impl<'a> AnyValue<'a> {
    /// CEL `==`: an error when a side is missing, false when the kinds differ and are not both numbers.
    pub fn equals<'b>(self, other: impl Into<AnyValue<'b>>) -> Truth {
        match (self, other.into()) {
            (AnyValue::Missing, _) | (_, AnyValue::Missing) => Truth::Error,
            (left, right) => Truth::from(equal(left, right)),
        }
    }

    /// CEL `!=`: the negation of [`equals`](Self::equals); an error stays one.
    pub fn differs<'b>(self, other: impl Into<AnyValue<'b>>) -> Truth {
        !self.equals(other)
    }

    /// CEL `<`.
    pub fn less<'b>(self, other: impl Into<AnyValue<'b>>) -> Truth {
        self.ordered(other.into(), Ordering::is_lt)
    }

    /// CEL `<=`.
    pub fn at_most<'b>(self, other: impl Into<AnyValue<'b>>) -> Truth {
        self.ordered(other.into(), Ordering::is_le)
    }

    /// CEL `>`.
    pub fn greater<'b>(self, other: impl Into<AnyValue<'b>>) -> Truth {
        self.ordered(other.into(), Ordering::is_gt)
    }

    /// CEL `>=`.
    pub fn at_least<'b>(self, other: impl Into<AnyValue<'b>>) -> Truth {
        self.ordered(other.into(), Ordering::is_ge)
    }

    /// Whether the order of the two values satisfies `holds`. Kinds that do not compare are an error;
    /// a comparison with NaN is false.
    #[inline]
    fn ordered(self, other: AnyValue<'_>, holds: fn(Ordering) -> bool) -> Truth {
        // Integers are compared in place; whatever else has an order costs a call with both values in memory.
        if let (AnyValue::Int(left), AnyValue::Int(right)) = (self, other) {
            return Truth::from(holds(left.cmp(&right)));
        }
        match order(self, other) {
            Some(ordering) => Truth::from(ordering.is_some_and(holds)),
            None => Truth::Error,
        }
    }
}

/// The order of two values: `None` when their kinds do not compare, `Some(None)` with a NaN.
fn order(left: AnyValue<'_>, right: AnyValue<'_>) -> Option<Option<Ordering>> {
    match (left, right) {
        (AnyValue::Text(left), AnyValue::Text(right)) => Some(Some(left.cmp(&right))),
        (AnyValue::Bytes(left), AnyValue::Bytes(right)) => Some(Some(left.cmp(right))),
        (AnyValue::Bool(left), AnyValue::Bool(right)) => Some(Some(left.cmp(&right))),
        _ => order_numbers(left, right),
    }
}

/// The order of two numbers of any kinds: integers by sign first, an integer and a double as doubles.
fn order_numbers(left: AnyValue<'_>, right: AnyValue<'_>) -> Option<Option<Ordering>> {
    use AnyValue::{Double, Int, Uint};
    let ordering = match (left, right) {
        (Int(left), Int(right)) => Some(left.cmp(&right)),
        (Uint(left), Uint(right)) => Some(left.cmp(&right)),
        (Int(left), Uint(right)) => Some(order_signed(left, right)),
        (Uint(left), Int(right)) => Some(order_signed(right, left).reverse()),
        (Double(left), Double(right)) => left.partial_cmp(&right),
        (Int(left), Double(right)) => (left as f64).partial_cmp(&right),
        (Double(left), Int(right)) => left.partial_cmp(&(right as f64)),
        (Uint(left), Double(right)) => (left as f64).partial_cmp(&right),
        (Double(left), Uint(right)) => left.partial_cmp(&(right as f64)),
        _ => return None,
    };
    Some(ordering)
}

/// The order of a signed and an unsigned integer: a negative one is less than every unsigned one.
fn order_signed(left: i64, right: u64) -> Ordering {
    u64::try_from(left).map_or(Ordering::Less, |left| left.cmp(&right))
}

/// Deep equality of two values that are there.
fn equal(left: AnyValue<'_>, right: AnyValue<'_>) -> bool {
    match (left, right) {
        (AnyValue::Null, AnyValue::Null) => true,
        (AnyValue::Text(left), AnyValue::Text(right)) => left == right,
        (AnyValue::Bytes(left), AnyValue::Bytes(right)) => left == right,
        (AnyValue::Bool(left), AnyValue::Bool(right)) => left == right,
        (AnyValue::List(left), AnyValue::List(right)) => lists_equal(left, right),
        (AnyValue::Map(left), AnyValue::Map(right)) => maps_equal(left, right),
        _ => order_numbers(left, right) == Some(Some(Ordering::Equal)),
    }
}

/// Same length, and equal values at every place. Depth is bounded by the validation (100).
fn lists_equal(left: List<'_>, right: List<'_>) -> bool {
    let mut left = left.values();
    let mut right = right.values();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(left), Some(right)) if equal(left, right) => {}
            _ => return false,
        }
    }
}

/// Same keys, and equal values under every key.
fn maps_equal(left: Map<'_>, right: Map<'_>) -> bool {
    let values: HashMap<_, _> = left
        .entries()
        .map(|entry| (entry.key(), entry.value()))
        .collect();
    let mut common = 0;
    for entry in right.entries() {
        match values.get(entry.key()) {
            Some(value) if equal(*value, entry.value()) => common += 1,
            _ => return false,
        }
    }
    common == values.len()
}
