//! Lists whose positions are ids of a type of their own, for programs and typed trees.
//!
//! An id is a `u32` that only the arena it belongs to hands out, so looking one up in its arena always succeeds.
//! Phases after the resolver keep ids and never names.

use std::fmt;
use std::marker::PhantomData;

/// An index that belongs to one kind of thing.
pub trait Id: Copy {
    /// The id of the thing at this position.
    fn from_position(position: u32) -> Self;
    /// The position of the thing.
    fn position(self) -> u32;
}

/// Declares types of ids, each with the text that its number follows in dumps.
macro_rules! ids {
    ($($(#[$docs:meta])* $name:ident = $letter:literal;)*) => {
        $(
            $(#[$docs])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(pub u32);

            impl Id for $name {
                fn from_position(position: u32) -> Self {
                    Self(position)
                }

                fn position(self) -> u32 {
                    self.0
                }
            }

            impl ::std::fmt::Debug for $name {
                fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    write!(formatter, concat!($letter, "{}"), self.0)
                }
            }
        )*
    };
}

pub(crate) use ids;

/// A list whose positions are ids of one kind.
#[derive(Clone, PartialEq)]
pub struct Arena<I, T> {
    items: Vec<T>,
    ids: PhantomData<I>,
}

impl<I: Id, T> Arena<I, T> {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            items: Vec::new(),
            ids: PhantomData,
        }
    }

    /// Adds a thing and gives it the next id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_position(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
        self.items.push(item);
        id
    }

    /// The thing with this id, if the arena holds it.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.position() as usize)
    }

    /// The thing with this id.
    #[must_use]
    #[expect(
        clippy::indexing_slicing,
        reason = "ids come from the arena itself, which never shrinks"
    )]
    pub fn at(&self, id: I) -> &T {
        &self.items[id.position() as usize]
    }

    /// The thing with this id, to change.
    #[expect(
        clippy::indexing_slicing,
        reason = "ids come from the arena itself, which never shrinks"
    )]
    pub fn at_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.position() as usize]
    }

    /// How many things there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Things with their ids, in the order in which they were added.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(position, item)| {
            (
                I::from_position(u32::try_from(position).unwrap_or(u32::MAX)),
                item,
            )
        })
    }

    /// The ids alone, in the same order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..u32::try_from(self.items.len()).unwrap_or(u32::MAX)).map(I::from_position)
    }
}

impl<I: Id, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Arena<I, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(&self.items).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::ExprId;

    #[test]
    fn ids_count_up_and_find_their_thing() {
        let mut arena: Arena<ExprId, &str> = Arena::new();
        let first = arena.push("a");
        let second = arena.push("b");
        assert_eq!((*arena.at(first), *arena.at(second)), ("a", "b"));
        assert_eq!(arena.ids().collect::<Vec<_>>(), [first, second]);
        assert_eq!(arena.get(ExprId(2)), None);
        assert_eq!(format!("{second:?}"), "e1");
    }
}
