//! What is kept of a request for one output, as ranges and the headers of the envelopes around them.

use bytes::Bytes;

use super::wire::{Field, varint_length, write_varint};

/// Ranges of a request that are kept, in order.
#[derive(Default)]
pub(super) struct Kept {
    ranges: Vec<(usize, usize)>,
    headers: Vec<Header>,
    /// Bytes of everything that is kept so far, headers included.
    length: usize,
    /// Ranges from this one on may be prolonged: no header stands behind them.
    open: usize,
}

/// The tag and length of an envelope, in front of a range.
struct Header {
    range: usize,
    tag: u8,
    length: usize,
}

/// An envelope that is open, and what was kept before it.
#[derive(Clone, Copy)]
pub(super) struct Envelope {
    ranges: usize,
    headers: usize,
    length: usize,
}

impl Kept {
    /// Keeps a field of the request as it is.
    #[inline(always)]
    pub(super) fn keep(&mut self, field: Field) {
        self.length += field.end - field.start;
        let prolongs = self.ranges.len() > self.open;
        match self.ranges.last_mut() {
            Some(last) if prolongs && last.1 == field.start => last.1 = field.end,
            _ => self.ranges.push((field.start, field.end)),
        }
    }

    /// Opens an envelope around what is kept from here on.
    #[inline(always)]
    pub(super) fn open(&mut self, envelope: Field) -> Envelope {
        let before = Envelope {
            ranges: self.ranges.len(),
            headers: self.headers.len(),
            length: self.length,
        };
        self.headers.push(Header {
            range: before.ranges,
            tag: envelope.tag as u8,
            length: 0,
        });
        self.open = before.ranges;
        before
    }

    /// Closes an envelope that has records.
    #[inline(always)]
    pub(super) fn close(&mut self, envelope: Envelope) {
        let length = self.length - envelope.length;
        if let Some(header) = self.headers.get_mut(envelope.headers) {
            header.length = length;
            self.length += 1 + varint_length(length);
        }
    }

    /// Takes back everything from the opening of an envelope on.
    #[inline(always)]
    pub(super) fn cancel(&mut self, envelope: Envelope) {
        self.ranges.truncate(envelope.ranges);
        self.headers.truncate(envelope.headers);
        self.length = envelope.length;
        self.open = envelope.ranges;
    }

    /// The output: `request` itself when everything is kept, else a copy of what is.
    pub(super) fn finish(&self, request: &Bytes) -> Bytes {
        if self.length == request.len() {
            return request.clone();
        }
        let mut out = Vec::with_capacity(self.length);
        let mut ranges = self.ranges.iter();
        let mut done = 0;
        for header in &self.headers {
            copy(request, ranges.by_ref().take(header.range - done), &mut out);
            done = header.range;
            out.push(header.tag);
            write_varint(header.length, &mut out);
        }
        copy(request, ranges, &mut out);
        out.into()
    }
}

/// Appends `ranges` of `request`.
#[inline(always)]
fn copy<'a>(request: &[u8], ranges: impl Iterator<Item = &'a (usize, usize)>, out: &mut Vec<u8>) {
    for (start, end) in ranges {
        out.extend_from_slice(request.get(*start..*end).unwrap_or_default());
    }
}
