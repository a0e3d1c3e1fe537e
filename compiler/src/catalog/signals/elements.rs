//! Messages that stand in lists: the events and links of a span.
//!
//! An expression goes through such a list with a macro or takes one of it by its position; what it reads of an element is
//! read where that lies. Names follow OTTL, types the protobuf binding of CEL, as those of [`super::FIELDS`].

use super::fields::Reader;
use crate::cel::types::Type;

/// What a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// An event of a span.
    SpanEvent,
    /// A link of a span.
    SpanLink,
}

impl Element {
    /// Every kind, in the order of the reference.
    pub const ALL: [Self; 2] = [Self::SpanEvent, Self::SpanLink];

    /// The name of its record, as messages show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SpanEvent => "span.event",
            Self::SpanLink => "span.link",
        }
    }

    /// The view of the runtime that reads it.
    #[must_use]
    pub const fn view(self) -> &'static str {
        match self {
            Self::SpanEvent => "SpanEvent",
            Self::SpanLink => "SpanLink",
        }
    }
}

/// A field of an element.
#[derive(Debug, PartialEq, Eq)]
pub struct ElementField {
    /// What it is a field of.
    pub element: Element,
    /// Its name, also of the method that reads it.
    pub name: &'static str,
    /// How its value is made.
    pub reader: Reader,
    /// What it is, in one line.
    pub help: &'static str,
}

/// One row of [`ELEMENT_FIELDS`].
const fn row(
    element: Element,
    name: &'static str,
    reader: Reader,
    help: &'static str,
) -> ElementField {
    ElementField {
        element,
        name,
        reader,
        help,
    }
}

/// Every field of an element, in the order of the reference.
pub static ELEMENT_FIELDS: &[ElementField] = &[
    row(
        Element::SpanEvent,
        "name",
        Reader::Text,
        "what happened, such as \"exception\"",
    ),
    row(
        Element::SpanEvent,
        "time_unix_nano",
        Reader::Fixed64,
        "when it happened, in ns since 1970",
    ),
    row(
        Element::SpanEvent,
        "attributes",
        Reader::Attributes,
        "what else is known of the event",
    ),
    row(
        Element::SpanEvent,
        "dropped_attributes_count",
        Reader::Unsigned,
        "how many attributes the sender left out",
    ),
    row(
        Element::SpanLink,
        "trace_id",
        Reader::Bytes,
        "16 bytes: the trace of the other span",
    ),
    row(
        Element::SpanLink,
        "span_id",
        Reader::Bytes,
        "8 bytes: the other span",
    ),
    row(
        Element::SpanLink,
        "trace_state",
        Reader::Text,
        "the W3C trace state of the other span",
    ),
    row(
        Element::SpanLink,
        "attributes",
        Reader::Attributes,
        "what else is known of the link",
    ),
    row(
        Element::SpanLink,
        "dropped_attributes_count",
        Reader::Unsigned,
        "how many attributes the sender left out",
    ),
    row(
        Element::SpanLink,
        "flags",
        Reader::Fixed32,
        "the trace flags of the other span in the lowest 8 bits",
    ),
];

impl ElementField {
    /// The type of its values.
    #[must_use]
    pub fn ty(&self) -> Type {
        self.reader.ty()
    }
}
