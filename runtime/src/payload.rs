//! What flows along an edge: complete OTLP export requests and who sent them.
//!
//! A [`Piece`] is one validated export request of one contributor; a [`Payload`] is a rope of pieces of
//! one signal. Concatenated, the pieces are one export request again, because repeated fields merge.

use bytes::{Bytes, BytesMut};
use smallvec::SmallVec;

use crate::otlp::{Malformed, Requests, validate};

/// The three signals of OTLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signal {
    /// Log records.
    Logs,
    /// Data points of metrics.
    Metrics,
    /// Spans.
    Traces,
}

impl Signal {
    /// `logs`, `metrics` or `traces`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Logs => "logs",
            Self::Metrics => "metrics",
            Self::Traces => "traces",
        }
    }
}

impl std::fmt::Display for Signal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One complete export request of one contributor, in the canonical reading of OTLP.
///
/// Cloning is cheap: the bytes are shared.
#[derive(Clone, Debug)]
pub struct Piece {
    pub(crate) signal: Signal,
    pub(crate) bytes: Bytes,
    pub(crate) contributor: u32,
    pub(crate) records: u32,
    /// Records of each resource group, in order.
    pub(crate) group_records: SmallVec<[u32; 6]>,
    pub(crate) layout: Layout,
    pub(crate) duplicate_attributes: u32,
}

/// What the validation learned about the order of fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Some envelope has a field of its own between its children.
    pub(crate) interleaved: bool,
    /// Some envelope has a field of its own behind its first child.
    pub(crate) trailing: bool,
    /// The request has fields that the schema does not know.
    pub(crate) unknown_top_level: bool,
}

impl Piece {
    /// Checks that `bytes` is an export request of `signal` in the one canonical reading, and counts.
    ///
    /// # Errors
    /// The first offence with its byte offset; [`Fault`](crate::Fault) lists them (delivery rules, section 4).
    ///
    /// ```
    /// use bytes::Bytes;
    /// use watershed::{Fault, Piece, Signal};
    ///
    /// let empty = Piece::validate(Signal::Logs, Bytes::new())?;
    /// assert_eq!(empty.records(), 0);
    ///
    /// let cut = Piece::validate(Signal::Logs, Bytes::from_static(&[0x0a, 5]));
    /// assert_eq!(cut.unwrap_err().fault, Fault::LengthPastEnd);
    /// # Ok::<(), watershed::Malformed>(())
    /// ```
    pub fn validate(signal: Signal, bytes: Bytes) -> Result<Self, Malformed> {
        let counts = validate(signal, &bytes)?;
        Ok(Self {
            signal,
            bytes,
            contributor: 0,
            records: counts.records,
            group_records: counts.group_records,
            layout: counts.layout,
            duplicate_attributes: counts.duplicate_attributes,
        })
    }

    /// An export request without any data.
    pub fn empty(signal: Signal) -> Self {
        Self {
            signal,
            bytes: Bytes::new(),
            contributor: 0,
            records: 0,
            group_records: SmallVec::new(),
            layout: Layout::default(),
            duplicate_attributes: 0,
        }
    }

    /// The same request, sent by contributor number `contributor` of its event.
    pub fn with_contributor(mut self, contributor: u32) -> Self {
        self.contributor = contributor;
        self
    }

    /// What is kept of the request: `bytes`, with so many records in its resource groups.
    pub(crate) fn part(
        &self,
        bytes: Bytes,
        records: u32,
        group_records: SmallVec<[u32; 6]>,
    ) -> Self {
        Self {
            signal: self.signal,
            bytes,
            contributor: self.contributor,
            records,
            group_records,
            layout: self.layout,
            duplicate_attributes: 0,
        }
    }

    /// The signal of the request.
    pub fn signal(&self) -> Signal {
        self.signal
    }

    /// The encoded export request.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Which contributor of the event sent it, counted from 0.
    pub fn contributor(&self) -> u32 {
        self.contributor
    }

    /// Log records, spans or data points.
    pub fn records(&self) -> u64 {
        u64::from(self.records)
    }

    /// False when the request has top-level fields that the schema does not know: concatenation
    /// would give them to other senders' records.
    pub fn is_mergeable(&self) -> bool {
        !self.layout.unknown_top_level
    }

    /// Attributes of resources, scopes, records, spans and data points whose key stood before
    /// in the same list. Predicates read the first.
    pub fn duplicate_attributes(&self) -> u64 {
        u64::from(self.duplicate_attributes)
    }
}

/// A rope of export requests of one signal.
#[derive(Clone, Debug)]
pub struct Payload {
    signal: Signal,
    pieces: SmallVec<[Piece; 1]>,
    /// The bytes of all pieces, when they already lie side by side in one buffer.
    joined: Option<Bytes>,
    /// Bytes that were copied to make the payload, or are when its pieces are joined; the others are shared with its source.
    copied: u64,
}

impl Payload {
    /// A payload without pieces.
    pub fn new(signal: Signal) -> Self {
        Self::with_capacity(signal, 1)
    }

    /// A payload without pieces, with room for so many.
    pub(crate) fn with_capacity(signal: Signal, pieces: usize) -> Self {
        Self {
            signal,
            pieces: SmallVec::with_capacity(pieces),
            joined: None,
            copied: 0,
        }
    }

    /// Appends a piece; a piece of another signal is refused and returned.
    ///
    /// # Errors
    /// The piece, when its signal is not that of the payload.
    pub fn push(&mut self, piece: Piece) -> Result<(), Piece> {
        if piece.signal != self.signal {
            return Err(piece);
        }
        self.joined = None;
        self.pieces.push(piece);
        Ok(())
    }

    /// Appends a piece of the same signal.
    pub(crate) fn append(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    /// Notes that `bytes` were copied to make the payload, or may be to join it.
    pub(crate) fn set_copied(&mut self, bytes: usize) {
        self.copied = bytes as u64;
    }

    /// How many bytes were copied to make the payload, or may be to join it, and so live as long as it does.
    pub(crate) fn copied_bytes(&self) -> u64 {
        self.copied
    }

    /// Notes that all pieces lie side by side in `joined`.
    pub(crate) fn set_joined(&mut self, joined: Bytes) {
        self.joined = Some(joined);
    }

    /// The signal of every piece.
    pub fn signal(&self) -> Signal {
        self.signal
    }

    /// The pieces, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Cursors over the pieces, in order.
    pub fn requests(&self) -> Requests<'_> {
        Requests::new(&self.pieces)
    }

    /// Log records, spans or data points.
    pub fn records(&self) -> u64 {
        self.pieces.iter().map(Piece::records).sum()
    }

    /// The encoded size in bytes.
    pub fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.bytes.len()).sum()
    }

    /// True without a single byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// False when a piece must not be merged with others.
    pub fn is_mergeable(&self) -> bool {
        self.pieces.iter().all(Piece::is_mergeable)
    }

    /// The payload as one export request. Copies only when the pieces lie in different buffers.
    pub fn bytes(&self) -> Bytes {
        if let Some(joined) = &self.joined {
            return joined.clone();
        }
        if let [only] = self.pieces.as_slice() {
            return only.bytes.clone();
        }
        let mut joined = BytesMut::with_capacity(self.len());
        for piece in &self.pieces {
            joined.extend_from_slice(&piece.bytes);
        }
        joined.freeze()
    }
}

impl From<Piece> for Payload {
    fn from(piece: Piece) -> Self {
        let mut pieces = SmallVec::new();
        let signal = piece.signal;
        pieces.push(piece);
        Self {
            signal,
            pieces,
            joined: None,
            copied: 0,
        }
    }
}
