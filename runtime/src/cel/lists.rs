//! The functions of lists beyond the core language.

use std::cmp::Ordering;

use super::{Error, List, Optional, Value, compare};

/// How many elements `lists.range` builds at most.
pub const MAX_RANGE: i64 = 1_000_000;

/// How many levels `flatten` takes away at most.
pub const MAX_FLATTEN: i64 = 128;

/// CEL `lists.range(size)`: the integers from 0 below `size`.
///
/// ```
/// use watershed::cel::{Value, lists};
///
/// let list = lists::range(3).unwrap();
/// assert_eq!(lists::last(&list).value(), Ok(Value::from(2_i64)));
/// ```
pub fn range(size: i64) -> Result<List<'static>, Error> {
    if size > MAX_RANGE {
        return Err(Error::TooLarge);
    }
    Ok((0..size).map(Value::Int).collect())
}

/// CEL `list.first()`: without a value when the list is empty.
pub fn first<'a>(list: &List<'a>) -> Optional<'a> {
    list.get(0).into()
}

/// CEL `list.last()`: without a value when the list is empty.
pub fn last<'a>(list: &List<'a>) -> Optional<'a> {
    list.get(list.size() - 1).into()
}

/// CEL `list.slice(start, end)`, the element at `end` excluded.
pub fn slice<'a>(list: &List<'a>, start: i64, end: i64) -> Result<List<'a>, Error> {
    let size = list.size();
    for index in [start, end] {
        if !(0..=size).contains(&index) {
            return Err(Error::IndexOutOfRange { index });
        }
    }
    let invalid = Error::InvalidRange { start, end };
    let count = usize::try_from(end - start).map_err(|_| invalid)?;
    let skipped = usize::try_from(start).map_err(|_| invalid)?;
    Ok(list.iter().skip(skipped).take(count).collect())
}

/// CEL `list.flatten(depth)`: lists inside of the list give their elements, so many levels down. `flatten()` goes
/// one level.
pub fn flatten<'a>(list: &List<'a>, depth: i64) -> Result<List<'a>, Error> {
    if depth < 0 {
        return Err(Error::InvalidArgument);
    }
    if depth > MAX_FLATTEN {
        return Err(Error::TooLarge);
    }
    let mut flat = list.clone();
    for _ in 0..depth {
        if !flat.iter().any(|element| matches!(element, Value::List(_))) {
            break;
        }
        let mut elements = Vec::new();
        for element in flat.iter() {
            match element {
                Value::List(inner) => elements.extend(inner.iter()),
                other => elements.push(other),
            }
        }
        flat = elements.into();
    }
    Ok(flat)
}

/// CEL `list.reverse()`
pub fn reverse<'a>(list: &List<'a>) -> List<'a> {
    let mut elements: Vec<_> = list.iter().collect();
    elements.reverse();
    elements.into()
}

/// CEL `list.distinct()`: every value once, where it first stood.
pub fn distinct<'a>(list: &List<'a>) -> List<'a> {
    let mut kept: Vec<Value<'a>> = Vec::new();
    for element in list.iter() {
        if !kept.contains(&element) {
            kept.push(element);
        }
    }
    kept.into()
}

/// CEL `list.sort()`: all elements must have one type, and one with an order.
pub fn sort<'a>(list: &List<'a>) -> Result<List<'a>, Error> {
    let elements = list.iter().map(|element| (element.clone(), element));
    sort_keyed(elements.collect())
}

/// CEL `list.sortBy(x, key)`: by what `key` gives for every element; equal keys keep their order.
pub fn sort_by<'a>(
    list: &List<'a>,
    mut key: impl FnMut(Value<'a>) -> Result<Value<'a>, Error>,
) -> Result<List<'a>, Error> {
    let keyed = list
        .iter()
        .map(|element| Ok((key(element.clone())?, element)));
    sort_keyed(keyed.collect::<Result<_, Error>>()?)
}

fn sort_keyed<'a>(mut keyed: Vec<(Value<'a>, Value<'a>)>) -> Result<List<'a>, Error> {
    if let Some((first, _)) = keyed.first() {
        compare::order(first, first)?;
        let kind = first.type_of();
        if keyed.iter().any(|(key, _)| key.type_of() != kind) {
            return Err(Error::NoSuchOverload);
        }
    }
    keyed.sort_by(|(left, _), (right, _)| in_order(left, right));
    Ok(keyed.into_iter().map(|(_, element)| element).collect())
}

/// A total order of values of one type: NaN comes last.
fn in_order(left: &Value<'_>, right: &Value<'_>) -> Ordering {
    match (left, right) {
        (Value::Double(left), Value::Double(right)) => left
            .partial_cmp(right)
            .unwrap_or_else(|| left.is_nan().cmp(&right.is_nan())),
        _ => compare::order(left, right)
            .ok()
            .flatten()
            .unwrap_or(Ordering::Equal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> List<'static> {
        values.iter().copied().map(Value::Int).collect()
    }

    fn same(left: List<'_>, right: List<'_>) {
        assert_eq!(Value::List(left), Value::List(right));
    }

    #[test]
    fn lists_are_cut_and_turned() {
        let list = ints(&[1, 2, 3, 4]);
        same(slice(&list, 1, 3).unwrap(), ints(&[2, 3]));
        same(slice(&list, 4, 4).unwrap(), ints(&[]));
        assert_eq!(
            slice(&list, 3, 1).unwrap_err(),
            Error::InvalidRange { start: 3, end: 1 }
        );
        assert_eq!(
            slice(&list, -1, 1).unwrap_err(),
            Error::IndexOutOfRange { index: -1 }
        );
        assert_eq!(
            slice(&list, 0, 5).unwrap_err(),
            Error::IndexOutOfRange { index: 5 }
        );
        same(reverse(&list), ints(&[4, 3, 2, 1]));
        assert_eq!(first(&list).value(), Ok(Value::from(1_i64)));
        assert!(!first(&ints(&[])).has_value() && !last(&ints(&[])).has_value());
    }

    #[test]
    fn levels_are_flattened() {
        let inner = Value::List(ints(&[2, 3]));
        let list = List::from(vec![1_i64.into(), List::from(vec![inner]).into()]);
        same(flatten(&list, 2).unwrap(), ints(&[1, 2, 3]));
        assert_eq!(flatten(&list, 1).unwrap().size(), 2);
        same(flatten(&list, 0).unwrap(), list.clone());
        assert_eq!(flatten(&list, -1).unwrap_err(), Error::InvalidArgument);
        assert_eq!(flatten(&list, i64::MAX).unwrap_err(), Error::TooLarge);
    }

    #[test]
    fn values_are_sorted_by_order_of_one_type() {
        same(sort(&ints(&[3, 1, 2])).unwrap(), ints(&[1, 2, 3]));
        same(sort(&ints(&[])).unwrap(), ints(&[]));
        let mixed = List::from(vec![1_i64.into(), 1.0.into()]);
        assert_eq!(sort(&mixed).unwrap_err(), Error::NoSuchOverload);
        let lists = List::from(vec![ints(&[]).into()]);
        assert_eq!(sort(&lists).unwrap_err(), Error::NoSuchOverload);
        let descending = sort_by(&ints(&[1, 3, 2]), |x| Ok(Value::from(-x.as_int()?)));
        same(descending.unwrap(), ints(&[3, 2, 1]));
        let doubles = List::from(vec![
            f64::NAN.into(),
            2.0.into(),
            f64::NAN.into(),
            1.0.into(),
        ]);
        assert_eq!(
            first(&sort(&doubles).unwrap()).value(),
            Ok(Value::from(1.0))
        );
    }

    #[test]
    fn values_are_kept_once() {
        let list = List::from(vec![1_i64.into(), "a".into(), 1.0.into(), "a".into()]);
        assert_eq!(distinct(&list).size(), 2);
        assert_eq!(range(-1).unwrap().size(), 0);
        assert_eq!(range(i64::MAX).unwrap_err(), Error::TooLarge);
    }
}
