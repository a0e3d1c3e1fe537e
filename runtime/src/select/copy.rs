//! The copy: marks in, export requests with exact lengths out.

use bytes::Bytes;

use super::marks::{Chunk, Header, MarkedPiece, Marks};
use crate::otlp::write_varint;
use crate::payload::{Payload, Piece, Signal};

/// Copies what `marks` keep into one buffer and cuts it into a piece for each request. A request that is
/// kept whole is handed on as it is.
pub(super) fn copy(signal: Signal, marks: &Marks<'_>) -> Payload {
    let length = marks
        .pieces
        .iter()
        .filter(|piece| !piece.is_whole())
        .map(|piece| piece.length);
    let mut buffer = Vec::with_capacity(length.map(|length| length as usize).sum());
    let mut chunks = marks.chunks.as_slice();
    let mut headers = marks.headers.as_slice();
    let mut before = (0, 0);
    for piece in &marks.pieces {
        let own_chunks = take(&mut chunks, piece.chunks - before.0);
        let own_headers = take(&mut headers, piece.headers - before.1);
        if !piece.is_whole() {
            write(
                &piece.source.bytes,
                own_chunks,
                own_headers,
                before.0,
                &mut buffer,
            );
        }
        before = (piece.chunks, piece.headers);
    }
    cut(signal, marks, buffer.into())
}

/// The first `count` items of `list`, which goes on behind them.
fn take<'a, T>(list: &mut &'a [T], count: usize) -> &'a [T] {
    let (first, rest) = list.split_at_checked(count).unwrap_or((*list, &[]));
    *list = rest;
    first
}

/// Appends `chunks` of `source`, each behind the headers that stand in front of it. The first chunk has
/// number `number`.
fn write(source: &[u8], chunks: &[Chunk], headers: &[Header], number: usize, out: &mut Vec<u8>) {
    let mut rest = chunks;
    let mut next = number;
    for header in headers {
        let before = take(&mut rest, header.chunk as usize - next);
        next = header.chunk as usize;
        write_chunks(source, before, out);
        write_varint(header.tag.into(), out);
        write_varint(header.length.into(), out);
    }
    write_chunks(source, rest, out);
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
    let mut before = 0;
    let mut offset = 0;
    let mut payload = Payload::new(signal);
    for marked in &marks.pieces {
        let group_records = take(&mut groups, marked.groups - before);
        before = marked.groups;
        if marked.is_whole() {
            payload.append(marked.source.clone());
            continue;
        }
        let end = offset + marked.length as usize;
        payload.append(Piece {
            signal,
            bytes: buffer.slice(offset.min(buffer.len())..end.min(buffer.len())),
            contributor: marked.source.contributor,
            records: marked.records,
            group_records: group_records.into(),
            layout: marked.source.layout,
            duplicate_attributes: 0,
        });
        offset = end;
    }
    payload.set_copied(buffer.len());
    if !buffer.is_empty() && !marks.pieces.iter().any(MarkedPiece::is_whole) {
        payload.set_joined(buffer);
    }
    payload
}

impl MarkedPiece<'_> {
    /// True when every byte of the source request is kept.
    pub(super) fn is_whole(&self) -> bool {
        self.length as usize == self.source.bytes.len()
    }
}
