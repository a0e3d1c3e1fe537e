//! New bytes: what changes put in place of bytes of the source.
//!
//! In: encoded fields and envelopes. Out: ranges that marks stand for them with. All outputs of one selection
//! share an arena, and it is bounded as outputs are: what does not fit any more is refused when the selection
//! ends, and nothing more is written.

use std::ops::Range;

use super::limits::output_limit;
use crate::otlp::{Request, write_varint};

/// Room that lengths of envelopes and offsets need below what 32 bits can say.
const SPARE: u64 = 1 << 24;

/// The new bytes of one selection.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    bytes: Vec<u8>,
    /// The request that was counted last, and the bytes of all that were.
    request: Option<u32>,
    input: u64,
    overflowed: bool,
}

impl Arena {
    /// Counts the bytes of `request`, of which something will be changed.
    #[inline]
    pub(super) fn begin(&mut self, request: Request<'_>) {
        if self.request != Some(request.index) {
            self.request = Some(request.index);
            self.input += request.data().len() as u64;
        }
    }

    /// Where the next byte will stand.
    #[inline]
    pub(super) fn position(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// The range from `start` to the last byte.
    #[inline]
    pub(super) fn since(&self, start: u32) -> Range<u32> {
        start..self.position()
    }

    /// Appends what `write` writes, `about` bytes at most; nothing when there is no room for that.
    #[inline]
    pub(super) fn write(&mut self, about: usize, write: impl FnOnce(&mut Vec<u8>)) -> Range<u32> {
        let start = self.position();
        if !self.has_room(about) {
            self.overflowed = true;
            return start..start;
        }
        write(&mut self.bytes);
        self.since(start)
    }

    /// Appends a length.
    #[inline]
    pub(super) fn write_length(&mut self, length: u32) -> Range<u32> {
        self.write(5, |out| write_varint(length.into(), out))
    }

    /// Appends a copy of a range of its own.
    pub(super) fn repeat(&mut self, range: Range<u32>) {
        let range = range.start as usize..range.end as usize;
        if range.end > self.bytes.len() || !self.has_room(range.len()) {
            self.overflowed |= range.end <= self.bytes.len();
            return;
        }
        self.bytes.extend_from_within(range);
    }

    /// The bytes of a range.
    pub(super) fn get(&self, range: Range<u32>) -> &[u8] {
        let bytes = self.bytes.get(range.start as usize..range.end as usize);
        bytes.unwrap_or_default()
    }

    /// Whether something was left out because there was no room for it.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// New bytes and all bytes of the source together stay below what 32 bits can say, whatever is kept.
    fn has_room(&self, more: usize) -> bool {
        let below_32_bits = u64::from(u32::MAX) - SPARE;
        let limit = output_limit(self.input).min(below_32_bits.saturating_sub(self.input));
        (self.bytes.len() as u64).saturating_add(more as u64) <= limit
    }
}
