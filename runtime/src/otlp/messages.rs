//! Lists of messages inside a record, such as the events of a span, read where they lie.
//!
//! In: the fields of a record. Out: views of the messages, one after the other. Nothing is decoded or allocated, apart from
//! the few views that the macro `filter` keeps.

use std::marker::PhantomData;

use super::wire::Fields;
use crate::cel::{Error, Value};

/// A view that can be made of the fields of its message.
pub trait View<'a>: Copy {
    /// The view of the message that `fields` stands at the start of.
    fn of(fields: Fields<'a>) -> Self;
}

/// The messages in one repeated field of a message, in the order in which they were sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Messages<'a, T> {
    fields: Fields<'a>,
    number: u32,
    views: PhantomData<T>,
}

impl<'a, T: View<'a>> Messages<'a, T> {
    /// The messages in field `number` of the message that `fields` stands at the start of.
    #[inline]
    pub fn new(fields: Fields<'a>, number: u32) -> Self {
        Self {
            fields,
            number,
            views: PhantomData,
        }
    }

    /// The messages.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = T> + use<'a, T> {
        let number = self.number;
        let fields = self.fields.filter(move |field| field.number() == number);
        fields.map(|field| T::of(field.message()))
    }

    /// The messages with their positions, counted from 0.
    pub fn pairs(self) -> impl Iterator<Item = (Value<'static>, T)> + use<'a, T> {
        (0_i64..).map(Value::from).zip(self.iter())
    }

    /// Without a message.
    #[inline]
    pub fn is_empty(mut self) -> bool {
        self.fields.first(self.number).is_none()
    }

    /// How many messages there are.
    pub fn size(self) -> i64 {
        self.iter().count() as i64
    }

    /// The message at a position, counted from 0.
    ///
    /// # Errors
    ///
    /// [`Error::IndexOutOfRange`] outside of the list.
    pub fn at(self, position: i64) -> Result<T, Error> {
        nth(self.iter(), position)
    }
}

/// The views that the macro `filter` kept.
#[derive(Clone, Debug, Default)]
pub struct Kept<T>(Vec<T>);

impl<T: Copy> Kept<T> {
    /// None yet.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Keeps one more.
    pub fn push(&mut self, view: T) {
        self.0.push(view);
    }

    /// The views.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.0.iter().copied()
    }

    /// The views with their positions, counted from 0.
    pub fn pairs(&self) -> impl Iterator<Item = (Value<'static>, T)> {
        (0_i64..).map(Value::from).zip(self.iter())
    }

    /// How many there are.
    pub fn size(&self) -> i64 {
        self.0.len() as i64
    }

    /// The view at a position, counted from 0.
    ///
    /// # Errors
    ///
    /// [`Error::IndexOutOfRange`] outside of the list.
    pub fn at(&self, position: i64) -> Result<T, Error> {
        nth(self.iter(), position)
    }
}

fn nth<T>(mut views: impl Iterator<Item = T>, position: i64) -> Result<T, Error> {
    let found = usize::try_from(position).ok();
    let found = found.and_then(|position| views.nth(position));
    found.ok_or(Error::IndexOutOfRange { index: position })
}

#[cfg(test)]
mod tests {
    use allocation_counter::measure;

    use super::*;
    use crate::cel::{Map, Value, logic};
    use crate::otlp::{Span, SpanEvent};
    use crate::value;

    /// A span with two events: `{ name: "a" }` and `{ name: "b", attributes: { "k": "v" }, time_unix_nano: 7 }`, with a
    /// field that is no event between them.
    const SPAN: &[u8] =
        b"\x5a\x03\x12\x01a\x30\x02\x5a\x16\x12\x01b\x1a\x08\x0a\x01k\x12\x03\x0a\x01v\
        \x09\x07\0\0\0\0\0\0\0";

    fn events() -> Messages<'static, SpanEvent<'static>> {
        Span::new(Fields::new(SPAN)).events()
    }

    #[test]
    fn messages_are_found_between_other_fields() {
        let names: Vec<_> = events().iter().map(|event| event.name().to_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!((events().size(), events().is_empty()), (2, false));
        assert_eq!(events().at(1).unwrap().time_unix_nano(), 7);
        let positions: Vec<_> = events().pairs().map(|(position, _)| position).collect();
        assert_eq!(positions, [Value::Int(0), Value::Int(1)]);
        for outside in [-1, 2] {
            let error = events().at(outside).unwrap_err();
            assert_eq!(error, Error::IndexOutOfRange { index: outside });
        }
        assert!(Span::default().events().is_empty());
    }

    #[test]
    fn what_was_kept_is_a_list_like_any_other() {
        let mut kept = Kept::new();
        events().iter().skip(1).for_each(|event| kept.push(event));
        assert_eq!((kept.size(), kept.pairs().count()), (1, 1));
        assert_eq!(kept.at(0).unwrap().name().to_str(), "b");
        assert!(kept.at(1).is_err());
    }

    #[test]
    fn going_through_messages_allocates_nothing() {
        let found = || {
            let has_value = |event: SpanEvent<'_>| {
                let attributes = Map::from(value::Map::from(event.attributes()));
                logic::attempt(|| Ok(attributes.at("k")? == Value::from("v"))) == Ok(true)
            };
            events().iter().any(has_value)
                && events().iter().all(|event| !event.name().is_empty())
                && events().size() == 2
        };
        let mut is_found = false;
        let allocations = measure(|| is_found = found());
        assert!(is_found);
        assert_eq!(allocations.count_total, 0);
    }
}
