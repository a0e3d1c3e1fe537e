//! The copy: marks in, export requests with exact lengths out.

use bytes::Bytes;
use smallvec::SmallVec;

use super::arena::Arena;
use super::marks::{Chunk, Insert, Inserted, MarkedPiece, Marks};
use crate::otlp::{Fields, number, write_varint};
use crate::payload::{Payload, Piece, Signal};

/// Copies what `marks` keep into one buffer, with the new bytes from `arena`, and cuts it into a piece for each
/// request. A request that is kept whole is handed on as it is, and so are a few long ranges of a single request.
pub(super) fn copy(signal: Signal, marks: &Marks<'_>, arena: &Arena) -> Payload {
    if let Some(payload) = share(signal, marks) {
        return payload;
    }
    let length = marks
        .pieces
        .iter()
        .filter(|piece| !piece.is_whole())
        .map(|piece| piece.length);
    let mut buffer = Vec::with_capacity(length.map(|length| length as usize).sum());
    let mut chunks = marks.chunks.as_slice();
    let mut inserts = marks.inserts.as_slice();
    let mut before = (0, 0);
    for piece in &marks.pieces {
        let own_chunks = take(&mut chunks, piece.chunks - before.0);
        let own_inserts = take(&mut inserts, piece.inserts - before.1);
        if !piece.is_whole() {
            let from = From {
                source: &piece.source.bytes,
                arena,
            };
            from.write(own_chunks, own_inserts, before.0, &mut buffer);
        }
        before = (piece.chunks, piece.inserts);
    }
    cut(signal, marks, buffer.into())
}

/// Of a request that is more than this many times as long as what is kept of it, that is copied.
const MOST_PINNED: usize = 16;

/// No more slices than this are made of one request.
const MOST_SLICES: usize = 8;

/// Where several slices would be shorter than this on average, to copy them costs less than to count who holds them.
const SHORTEST_SLICES: usize = 4_096;

/// What is kept, when it is a few ranges of one request: resources that lie side by side are an export request already.
/// The origin of the part holds on to the request anyway. What outlives the part, as the queue of a connection may, pins the
/// whole of it, so little of long requests is copied.
fn share(signal: Signal, marks: &Marks<'_>) -> Option<Payload> {
    let ([only], ranges, []) = (
        marks.pieces.as_slice(),
        marks.chunks.as_slice(),
        marks.inserts.as_slice(),
    ) else {
        return None;
    };
    let source = &only.source.bytes;
    let length = only.length as usize;
    if length.saturating_mul(MOST_PINNED) < source.len() {
        return None;
    }
    if let [range] = ranges {
        let mut payload = Payload::new(signal);
        payload.append(only.piece(slice(source, *range)?, &marks.group_records));
        return Some(payload);
    }
    let long = length >= ranges.len() * SHORTEST_SLICES;
    if ranges.len() > MOST_SLICES || !long || only.source.layout.unknown_top_level {
        return None;
    }
    share_ranges(signal, only, ranges, &marks.group_records)
}

/// A piece for each of `ranges`. A target that sends one buffer joins them, so they are paid for as a copy is.
fn share_ranges(
    signal: Signal,
    only: &MarkedPiece<'_>,
    ranges: &[Chunk],
    mut group_records: &[u32],
) -> Option<Payload> {
    let source = &only.source.bytes;
    let mut payload = Payload::with_capacity(signal, ranges.len());
    payload.set_copied(only.length as usize);
    for range in ranges {
        let bytes = slice(source, *range)?;
        let groups = Fields::new(&bytes).filter(|field| field.number() == number::RESOURCE_GROUP);
        let group_records = take(&mut group_records, groups.count());
        payload.append(only.source.part(
            bytes,
            group_records.iter().sum(),
            SmallVec::from_slice(group_records),
        ));
    }
    Some(payload)
}

/// A range of a request, which is not copied.
fn slice(source: &Bytes, range: Chunk) -> Option<Bytes> {
    let range = range.start as usize..range.end as usize;
    (range.start <= range.end && range.end <= source.len()).then(|| source.slice(range))
}

/// The first `count` items of `list`, which goes on behind them.
fn take<'a, T>(list: &mut &'a [T], count: usize) -> &'a [T] {
    let (first, rest) = list.split_at_checked(count).unwrap_or((*list, &[]));
    *list = rest;
    first
}

/// Where the bytes of a piece come from.
struct From<'b> {
    source: &'b [u8],
    arena: &'b Arena,
}

impl From<'_> {
    /// Appends `chunks`, each behind the inserts that stand in front of it. The first chunk has number `number`.
    fn write(&self, chunks: &[Chunk], inserts: &[Insert], number: usize, out: &mut Vec<u8>) {
        let mut rest = chunks;
        let mut next = number;
        for insert in inserts {
            let before = take(&mut rest, insert.chunk as usize - next);
            next = insert.chunk as usize;
            write_chunks(self.source, before, out);
            match insert.bytes {
                Inserted::Header { tag, length } => {
                    write_varint(tag.into(), out);
                    write_varint(length.into(), out);
                }
                Inserted::New { start, end } => out.extend_from_slice(self.arena.get(start..end)),
            }
        }
        write_chunks(self.source, rest, out);
    }
}

/// Appends `chunks` of `source`.
fn write_chunks(source: &[u8], chunks: &[Chunk], out: &mut Vec<u8>) {
    for chunk in chunks {
        let bytes = source.get(chunk.start as usize..chunk.end as usize);
        out.extend_from_slice(bytes.unwrap_or_default());
    }
}

/// Makes the pieces of `buffer`, in order.
fn cut(signal: Signal, marks: &Marks<'_>, buffer: Bytes) -> Payload {
    let mut groups = marks.group_records.as_slice();
    let mut payload = Payload::new(signal);
    payload.set_copied(buffer.len());
    if let [only] = marks.pieces.as_slice() {
        // One piece is the buffer itself: to share it would cost an allocation.
        payload.append(only.piece(buffer, groups));
        return payload;
    }
    let mut before = 0;
    let mut offset = 0;
    for marked in &marks.pieces {
        let group_records = take(&mut groups, marked.groups - before);
        before = marked.groups;
        let start = offset.min(buffer.len());
        if !marked.is_whole() {
            offset += marked.length as usize;
        }
        let own = buffer.slice(start..offset.min(buffer.len()));
        payload.append(marked.piece(own, group_records));
    }
    if !buffer.is_empty() && !marks.pieces.iter().any(MarkedPiece::is_whole) {
        payload.set_joined(buffer);
    }
    payload
}

impl MarkedPiece<'_> {
    /// True when every byte of the source request is kept and none is new.
    pub(super) fn is_whole(&self) -> bool {
        !self.changed && self.length as usize == self.source.bytes.len()
    }
    /// What is kept of the request: `bytes` with these records in its resource groups, or the request itself.
    fn piece(&self, bytes: Bytes, group_records: &[u32]) -> Piece {
        if self.is_whole() {
            return self.source.clone();
        }
        self.source
            .part(bytes, self.records, SmallVec::from_slice(group_records))
    }
}
