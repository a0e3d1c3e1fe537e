//! What is read of the events and links of a span, one method a field.
//!
//! In: a view of one message. Out: its values. An event is looked at for one or two of its fields, so each is looked up by
//! itself.

use super::views::{SpanEvent, SpanLink, bytes, text, unsigned};
use crate::value::Text;

impl<'a> SpanEvent<'a> {
    /// What happened; empty when unset.
    #[inline]
    pub fn name(&self) -> Text<'a> {
        text(self.fields(), Self::NAME)
    }

    /// When it happened, in nanoseconds since the epoch; 0 when unset.
    #[inline]
    pub fn time_unix_nano(&self) -> u64 {
        unsigned(self.fields(), Self::TIME_UNIX_NANO)
    }

    /// How many attributes the sender left out.
    #[inline]
    pub fn dropped_attributes_count(&self) -> u64 {
        unsigned(self.fields(), Self::DROPPED_ATTRIBUTES_COUNT) & u64::from(u32::MAX)
    }
}

impl<'a> SpanLink<'a> {
    /// The trace of the other span: 16 bytes, or none when unset.
    #[inline]
    pub fn trace_id(&self) -> &'a [u8] {
        bytes(self.fields(), Self::TRACE_ID)
    }

    /// The other span: 8 bytes, or none when unset.
    #[inline]
    pub fn span_id(&self) -> &'a [u8] {
        bytes(self.fields(), Self::SPAN_ID)
    }

    /// The W3C trace state of the other span; empty when unset.
    #[inline]
    pub fn trace_state(&self) -> Text<'a> {
        text(self.fields(), Self::TRACE_STATE)
    }

    /// How many attributes the sender left out.
    #[inline]
    pub fn dropped_attributes_count(&self) -> u64 {
        unsigned(self.fields(), Self::DROPPED_ATTRIBUTES_COUNT) & u64::from(u32::MAX)
    }

    /// The trace flags of the other span; 0 when unset.
    #[inline]
    pub fn flags(&self) -> u64 {
        unsigned(self.fields(), Self::FLAGS)
    }
}
