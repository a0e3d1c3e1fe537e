//! Instances of templates: the rows that one piece of generated code runs for, and what each of them selects.
//!
//! Input: the rows of a template and, of an event, the values that find them. Output: a selection for each instance
//! that the event reaches, and their deliveries. An event costs what it reaches, however many instances there are:
//! nothing is made, looked at or sent for the others.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

#[cfg(feature = "flows")]
use crate::delivery::{Delivery, Target};
use crate::error::StartError;
use crate::select::{Parts, Selection, SubjectSelection};
use crate::value::AnyValue;

/// The parameters of every instance of a template, in the order of the flow.
///
/// ```
/// use watershed::{AnyValue, Instances};
///
/// let links = Instances::new(vec!["acme".to_owned(), "globex".to_owned(), "acme".to_owned()]);
/// let by_name = links.by_text(|name| name);
/// let found: Vec<_> = by_name.find("acme").map(|(instance, _)| instance).collect();
/// assert_eq!(found, [0, 2]);
/// assert!(by_name.find(AnyValue::Missing).is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Instances<T> {
    rows: Arc<[T]>,
}

impl<T> Instances<T> {
    /// Instances with these parameters, whose keys are known to differ.
    pub fn new(rows: Vec<T>) -> Self {
        Self { rows: rows.into() }
    }

    /// Instances with these parameters, some of whose keys were not known when the flow was built. `key` is what tells
    /// an instance from the others in metrics and logs.
    ///
    /// ```
    /// use watershed::Instances;
    ///
    /// let tenants = |second: &str| vec!["acme".to_owned(), second.to_owned()];
    /// assert!(Instances::distinct("link", tenants("globex"), |name| name.clone()).is_ok());
    /// let error = Instances::distinct("link", tenants("acme"), |name| name.clone()).unwrap_err();
    /// assert_eq!(error.code(), "R0107");
    /// ```
    ///
    /// # Errors
    ///
    /// [`StartError::SameKey`] for the first two instances that have one key.
    pub fn distinct(
        template: &str,
        rows: Vec<T>,
        key: impl Fn(&T) -> String,
    ) -> Result<Self, StartError> {
        let mut seen: HashMap<String, usize> = HashMap::with_capacity(rows.len());
        for (number, row) in (1..).zip(&rows) {
            match seen.entry(key(row)) {
                Entry::Vacant(free) => _ = free.insert(number),
                Entry::Occupied(taken) => {
                    return Err(StartError::SameKey {
                        template: template.to_owned(),
                        key: taken.key().clone(),
                        first: *taken.get(),
                        second: number,
                    });
                }
            }
        }
        Ok(Self::new(rows))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The parameters of each instance.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.rows.iter()
    }

    /// The number of each instance and its parameters.
    pub fn all(&self) -> impl Iterator<Item = (usize, &T)> {
        self.rows.iter().enumerate()
    }

    /// The same instances, to be found by a text.
    pub fn by_text(&self, key: impl Fn(&T) -> &str) -> InstancesByText<T> {
        let mut numbers: HashMap<Box<[u8]>, Vec<u32>> = HashMap::new();
        for (number, row) in (0..).zip(self.rows.iter()) {
            let key = key(row).as_bytes();
            numbers.entry(key.into()).or_default().push(number);
        }
        InstancesByText {
            rows: Arc::clone(&self.rows),
            numbers: Arc::new(numbers),
        }
    }

    /// The same instances, to be found by a whole number.
    pub fn by_int(&self, key: impl Fn(&T) -> i64) -> InstancesByInt<T> {
        let mut numbers: HashMap<i64, Vec<u32>> = HashMap::new();
        for (number, row) in (0..).zip(self.rows.iter()) {
            numbers.entry(key(row)).or_default().push(number);
        }
        InstancesByInt {
            rows: Arc::clone(&self.rows),
            numbers: Arc::new(numbers),
        }
    }
}

/// The instances of a template by the value of a parameter that is a text. Several may have one value.
#[derive(Clone, Debug)]
pub struct InstancesByText<T> {
    rows: Arc<[T]>,
    numbers: Arc<HashMap<Box<[u8]>, Vec<u32>>>,
}

impl<T> InstancesByText<T> {
    /// The instances whose parameter equals `key`: one look-up, however many instances there are. What is no text
    /// equals none.
    #[inline]
    pub fn find<'k>(&self, key: impl Into<AnyValue<'k>>) -> Found<'_, T> {
        let numbers = match key.into() {
            AnyValue::Text(text) => self.numbers.get(text.as_bytes()),
            _ => None,
        };
        Found::new(&self.rows, numbers)
    }
}

/// The instances of a template by the value of a parameter that is a whole number. Several may have one value.
#[derive(Clone, Debug)]
pub struct InstancesByInt<T> {
    rows: Arc<[T]>,
    numbers: Arc<HashMap<i64, Vec<u32>>>,
}

impl<T> InstancesByInt<T> {
    /// As [`InstancesByText::find`]. Numbers of other types are compared by their value, as `==` of CEL does.
    #[inline]
    pub fn find<'k>(&self, key: impl Into<AnyValue<'k>>) -> Found<'_, T> {
        let number = key.into().whole_number();
        Found::new(
            &self.rows,
            number.and_then(|number| self.numbers.get(&number)),
        )
    }
}

/// The instances that a look-up found, in their order.
#[derive(Debug)]
pub struct Found<'r, T> {
    rows: &'r [T],
    numbers: &'r [u32],
}

impl<T> Clone for Found<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Found<'_, T> {}

impl<'r, T> Found<'r, T> {
    fn new(rows: &'r [T], numbers: Option<&'r Vec<u32>>) -> Self {
        Self {
            rows,
            numbers: numbers.map_or(&[], Vec::as_slice),
        }
    }

    /// True when there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}

impl<'r, T> Iterator for Found<'r, T> {
    type Item = (usize, &'r T);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (first, rest) = self.numbers.split_first()?;
        self.numbers = rest;
        let number = *first as usize;
        Some((number, self.rows.get(number)?))
    }
}

/// What a node of an instance is called in metrics and logs: `link["acme"].out`.
///
/// ```
/// assert_eq!(watershed::instance_node("link", "acme", "out"), r#"link["acme"].out"#);
/// ```
pub fn instance_node(template: &str, key: &str, node: &str) -> String {
    format!("{template}[{key:?}].{node}")
}

/// The selections of one leaf of a walk, one for each instance that something was kept for.
#[derive(Clone, Debug, Default)]
pub struct Instanced<S> {
    selections: BTreeMap<usize, S>,
}

impl<S: Default> Instanced<S> {
    /// No selection yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The selection of an instance.
    #[inline]
    pub fn at(&mut self, instance: usize) -> &mut S {
        self.selections.entry(instance).or_default()
    }

    /// How many instances have a selection.
    pub fn len(&self) -> usize {
        self.selections.len()
    }

    /// True when no instance has one.
    pub fn is_empty(&self) -> bool {
        self.selections.is_empty()
    }

    fn finish_with(self, finish: impl Fn(S) -> Parts) -> InstanceParts {
        let selections = self.selections.into_iter();
        let parts = selections
            .map(|(instance, selection)| (instance, finish(selection)))
            .filter(|(_, parts)| !parts.parts.is_empty() || !parts.rejected.is_empty());
        InstanceParts {
            parts: parts.collect(),
        }
    }
}

impl Instanced<Selection<'_>> {
    /// Copies what was kept, with exact lengths.
    pub fn finish(self) -> InstanceParts {
        self.finish_with(Selection::finish)
    }
}

impl Instanced<SubjectSelection<'_>> {
    /// Copies what was kept, with exact lengths.
    pub fn finish(self) -> InstanceParts {
        self.finish_with(SubjectSelection::finish)
    }
}

/// What each instance that an event reaches gets of it.
#[derive(Clone, Debug, Default)]
pub struct InstanceParts {
    parts: Vec<(usize, Parts)>,
}

impl InstanceParts {
    /// The instances with their parts, in the order of the instances.
    pub fn into_parts(self) -> Vec<(usize, Parts)> {
        self.parts
    }

    /// Pairs the target of each instance with its parts.
    #[cfg(feature = "flows")]
    pub fn each<T: Target>(self, targets: &[T]) -> Vec<Delivery<'_, T>> {
        let parts = self.parts.into_iter();
        let parts = parts.filter_map(|(instance, parts)| Some((targets.get(instance)?, parts)));
        parts.map(|(target, parts)| target.receive(parts)).collect()
    }

    /// Pairs the parts of every instance with one target, each for itself: a record that came to it through two
    /// instances is delivered twice.
    #[cfg(feature = "flows")]
    pub fn all<T: Target>(self, target: &T) -> Vec<Delivery<'_, T>> {
        let parts = self.parts.into_iter();
        parts.map(|(_, parts)| target.receive(parts)).collect()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::payload::{Payload, Piece, Signal};

    #[test]
    fn two_instances_with_one_key_are_named_in_the_order_of_the_flow() {
        let keys = |keys: [i64; 4]| Instances::distinct("link", keys.to_vec(), i64::to_string);
        assert_eq!(keys([1, 2, 3, 4]).unwrap().len(), 4);
        let error = keys([7, 5, 5, 7]).unwrap_err();
        let StartError::SameKey {
            template,
            key,
            first,
            second,
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!((template.as_str(), key.as_str()), ("link", "5"));
        assert_eq!((*first, *second), (2, 3));
        assert_eq!(
            error.to_string(),
            r#"instances 2 and 3 of template `link`, in the order of the flow, are both called `link["5"]`: their first arguments must differ"#
        );
    }

    #[test]
    fn numbers_are_found_by_their_value() {
        let by_port = Instances::new(vec![1_i64, 5, 5]).by_int(|port| *port);
        let find = |key: AnyValue<'_>| -> Vec<usize> {
            by_port.find(key).map(|(instance, _)| instance).collect()
        };
        assert_eq!(find(AnyValue::Int(5)), [1, 2]);
        assert_eq!(find(AnyValue::Uint(1)), [0]);
        assert_eq!(find(AnyValue::Double(5.0)), [1, 2]);
        for other in [
            AnyValue::Double(5.5),
            AnyValue::Double(f64::NAN),
            AnyValue::Double(1e300),
            AnyValue::Uint(u64::MAX),
            AnyValue::from("5"),
            AnyValue::Missing,
        ] {
            assert_eq!(find(other), Vec::<usize>::new(), "{other:?}");
        }
    }

    /// What an event with two resources costs that comes to instances 3 and 7 of so many.
    fn allocations(instances: usize) -> u64 {
        // Two resource groups, each with one scope group with one empty log record.
        let request = [0x0a, 4, 0x12, 2, 0x12, 0, 0x0a, 4, 0x12, 2, 0x12, 0];
        let piece = Piece::validate(Signal::Logs, Bytes::copy_from_slice(&request)).unwrap();
        let payload = Payload::from(piece);
        let names = (0..instances).map(|number| format!("tenant-{number}"));
        let by_name = Instances::new(names.collect()).by_text(|name| name);
        let select = || {
            let mut out: Instanced<Selection<'_>> = Instanced::new();
            for request in payload.requests() {
                for (group, key) in request.resources().zip(["tenant-3", "tenant-7"]) {
                    for (instance, _) in by_name.find(key) {
                        out.at(instance).keep_all(&group);
                    }
                }
            }
            out.finish().into_parts()
        };
        let reached: Vec<_> = select().iter().map(|(instance, _)| *instance).collect();
        assert_eq!(reached, [3, 7]);
        let counted = allocation_counter::measure(|| drop(select()));
        counted.count_total
    }

    #[test]
    fn an_event_does_not_pay_for_instances_that_it_does_not_reach() {
        let few = allocations(10);
        assert!(few > 0);
        assert_eq!(few, allocations(10_000));
    }

    #[test]
    fn only_what_is_asked_for_is_made() {
        let mut selections: Instanced<Vec<u8>> = Instanced::new();
        for (instance, value) in [(7, 1), (7, 2), (900, 3), (7, 4)] {
            selections.at(instance).push(value);
        }
        assert_eq!(selections.len(), 2);
        assert_eq!(selections.at(7), &[1, 2, 4]);
        assert_eq!(selections.at(900), &[3]);
    }
}
