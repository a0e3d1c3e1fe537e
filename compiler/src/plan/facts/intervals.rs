//! Sets of values of an ordered type, as the places where such a set begins and ends.
//!
//! In: points and ranges. Out: what they have in common, together and besides, and whether that is anything. Between two
//! places that differ a value is taken to exist, so a set may be smaller than it looks and never greater: whoever asks
//! whether nothing is left errs on the safe side.

use std::iter;

/// Up to how many cuts of one set another is changed in place.
const FEW: usize = 8;

/// A place in an order: directly below or directly above a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cut<T> {
    /// The value.
    value: T,
    /// Whether the place is above it.
    above: bool,
}

impl<T> Cut<T> {
    /// The place below a value.
    pub(super) const fn below(value: T) -> Self {
        Self {
            value,
            above: false,
        }
    }

    /// The place above a value.
    pub(super) const fn above(value: T) -> Self {
        Self { value, above: true }
    }
}

/// A set of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Intervals<T> {
    /// Whether the lowest values are in the set.
    from_start: bool,
    /// Where the set ends and begins in turn, in ascending order.
    cuts: Vec<Cut<T>>,
}

impl<T: Ord + Clone> Intervals<T> {
    /// No value.
    pub(super) const fn none() -> Self {
        Self {
            from_start: false,
            cuts: Vec::new(),
        }
    }

    /// Every value.
    pub(super) const fn all() -> Self {
        Self {
            from_start: true,
            cuts: Vec::new(),
        }
    }

    /// The values above a place.
    pub(super) fn from(low: Cut<T>) -> Self {
        Self {
            from_start: false,
            cuts: vec![low],
        }
    }

    /// The values below a place.
    pub(super) fn up_to(high: Cut<T>) -> Self {
        Self {
            from_start: true,
            cuts: vec![high],
        }
    }

    /// The values between two places, the lower one first.
    pub(super) fn between(low: Cut<T>, high: Cut<T>) -> Self {
        Self {
            from_start: false,
            cuts: vec![low, high],
        }
    }

    /// All other values.
    pub(super) fn complement(mut self) -> Self {
        self.from_start = !self.from_start;
        self
    }

    /// Whether no value is in the set.
    pub(super) fn is_empty(&self) -> bool {
        !self.from_start && self.cuts.is_empty()
    }

    /// What is in both sets.
    pub(super) fn intersect(&self, other: &Self) -> Self {
        self.view().intersect(other.view())
    }

    /// Leaves out what is not in `other`, in place: of a large set only the cuts move that lie behind what goes.
    pub(super) fn narrow(&mut self, other: &Self) {
        if other.cuts.len() > FEW {
            *self = self.intersect(other);
            return;
        }
        for (low, high) in other.view().flipped().ranges() {
            self.leave_out(low, high);
        }
    }

    /// Leaves out a range.
    fn leave_out(&mut self, low: Option<&Cut<T>>, high: Option<&Cut<T>>) {
        let first = low.map_or(0, |low| self.cuts.partition_point(|cut| cut < low));
        let end = high.map_or(self.cuts.len(), |high| {
            self.cuts.partition_point(|cut| cut <= high)
        });
        let ends = low.filter(|_| self.from_start ^ is_odd(first));
        let begins = high.filter(|_| self.from_start ^ is_odd(end));
        let cuts = [ends, begins].into_iter().flatten().cloned();
        self.cuts.splice(first..end, cuts);
        self.from_start &= low.is_some();
    }

    /// What is in either set.
    pub(super) fn union(&self, other: &Self) -> Self {
        self.view()
            .flipped()
            .intersect(other.view().flipped())
            .complement()
    }

    /// Whether no value is in both sets.
    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        self.view().shares_nothing_with(other.view())
    }

    /// Whether every value of the set is in `other`.
    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.view().shares_nothing_with(other.view().flipped())
    }

    fn view(&self) -> View<'_, T> {
        View {
            from_start: self.from_start,
            cuts: &self.cuts,
        }
    }
}

/// A set or its complement, without a copy.
struct View<'s, T> {
    from_start: bool,
    cuts: &'s [Cut<T>],
}

impl<'s, T: Ord + Clone> View<'s, T> {
    fn flipped(self) -> Self {
        Self {
            from_start: !self.from_start,
            ..self
        }
    }

    /// The ranges of the set, as the places where they begin and end; `None` is where the order does.
    fn ranges(
        &self,
    ) -> impl Iterator<Item = (Option<&'s Cut<T>>, Option<&'s Cut<T>>)> + use<'s, T> {
        let start = self.from_start.then_some(None);
        let mut ends = start.into_iter().chain(self.cuts.iter().map(Some));
        iter::from_fn(move || {
            let low = ends.next()?;
            Some((low, ends.next().flatten()))
        })
    }

    /// What a range has of the set: whether the set is there where the range begins, and the cuts inside the range.
    fn part(&self, low: Option<&Cut<T>>, high: Option<&Cut<T>>) -> (bool, &'s [Cut<T>]) {
        let first = low.map_or(0, |low| self.cuts.partition_point(|cut| cut <= low));
        let end = high.map_or(self.cuts.len(), |high| {
            self.cuts.partition_point(|cut| cut < high)
        });
        let inside = self.cuts.get(first..end).unwrap_or_default();
        (self.from_start ^ is_odd(first), inside)
    }

    /// The set with more cuts and the one with fewer: the ranges of the one are looked up in the other.
    fn by_size(self, other: Self) -> (Self, Self) {
        if self.cuts.len() < other.cuts.len() {
            (other, self)
        } else {
            (self, other)
        }
    }

    fn intersect(self, other: Self) -> Intervals<T> {
        let (large, small) = self.by_size(other);
        let mut both = Intervals::none();
        for (low, high) in small.ranges() {
            let (starts, inside) = large.part(low, high);
            match low {
                Some(low) if starts => both.cuts.push(low.clone()),
                Some(_) => {}
                None => both.from_start = starts,
            }
            both.cuts.extend_from_slice(inside);
            if let Some(high) = high.filter(|_| starts ^ is_odd(inside.len())) {
                both.cuts.push(high.clone());
            }
        }
        both
    }

    fn shares_nothing_with(self, other: Self) -> bool {
        let (large, small) = self.by_size(other);
        small.ranges().all(|(low, high)| {
            let (starts, inside) = large.part(low, high);
            !starts && inside.is_empty()
        })
    }
}

const fn is_odd(count: usize) -> bool {
    count % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set that three cuts at small numbers can make, with what is in it.
    fn sets() -> Vec<Intervals<i32>> {
        let cuts: Vec<Cut<i32>> = (0..3)
            .flat_map(|value| [Cut::below(value), Cut::above(value)])
            .collect();
        (0..1 << 7)
            .map(|bits: usize| Intervals {
                from_start: bits & 1 == 1,
                cuts: cuts
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| bits >> (at + 1) & 1 == 1)
                    .map(|(_, cut)| cut.clone())
                    .collect(),
            })
            .collect()
    }

    /// Whether a number is in a set; numbers are doubled, so that one lies between each two.
    fn holds(set: &Intervals<i32>, doubled: i32) -> bool {
        let before = set.cuts.iter().filter(|cut| {
            let place = cut.value * 2;
            place < doubled || place == doubled && !cut.above
        });
        set.from_start ^ is_odd(before.count())
    }

    #[test]
    fn sets_are_combined_as_their_values_are() {
        let sets = sets();
        for one in &sets {
            assert_eq!(one.is_empty(), (-1..7).all(|value| !holds(one, value)));
            for other in &sets {
                let (both, either) = (one.intersect(other), one.union(other));
                for value in -1..7 {
                    let (left, right) = (holds(one, value), holds(other, value));
                    assert_eq!(
                        holds(&both, value),
                        left && right,
                        "{one:?} {other:?} {value}"
                    );
                    assert_eq!(
                        holds(&either, value),
                        left || right,
                        "{one:?} {other:?} {value}"
                    );
                }
                let mut narrowed = one.clone();
                narrowed.narrow(other);
                assert_eq!(narrowed, both);
                let no_value = (-1..7).all(|value| !holds(one, value) || !holds(other, value));
                assert_eq!(one.is_disjoint(other), no_value, "{one:?} {other:?}");
                assert_eq!(
                    one.is_subset(other),
                    one.is_disjoint(&other.clone().complement())
                );
            }
        }
    }
}
