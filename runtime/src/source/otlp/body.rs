//! Reads and unpacks the body of a request.
//!
//! Input: an HTTP body of unknown length, identity, gzip or zstd. Output: its bytes and the [`Charge`]
//! that pays for them, or the [`Refusal`]. Every byte is charged before room is made for it, so
//! neither a false length nor a bomb costs more memory than the limits allow. A decoder of zstd is charged
//! before it is made, and its window, 8 MiB at most, as soon as the header of its frame has told its size.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::Instant;

use super::answer::Refusal;
use super::decoder::Decoder;
use crate::source::admission::{Charge, Overload};

/// Smallest buffer for unpacked bytes.
const SMALLEST_BUFFER: usize = 4 << 10;
/// Largest first buffer: later ones double, as data really arrives.
const LARGEST_FIRST_BUFFER: usize = 1 << 20;
/// How much longer than its packed form telemetry usually is.
const USUAL_RATIO: usize = 6;
/// Bodies up to this size are copied, because a slice would keep a whole read buffer alive.
const COPY_BELOW: usize = 16 << 10;

/// How a body is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Not at all.
    Identity,
    /// As gzip members.
    Gzip,
    /// As zstd frames.
    Zstd,
}

/// How long the rest of a refused body is read, so that its sender comes to read the answer.
const DISCARD_TIME: Duration = Duration::from_secs(1);

/// What a body may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimits {
    /// Bytes, before and after decompression.
    pub(crate) bytes: u64,
    /// Time until the last byte.
    pub(crate) time: Duration,
}

impl From<Overload> for Refusal {
    fn from(overload: Overload) -> Self {
        match overload {
            Overload::Source => Self::Overloaded,
            Overload::Connection => Self::ConnectionShare,
        }
    }
}

/// Reads `body` to its end. On a refusal the rest of the body is discarded for a moment, so that the
/// sender gets to read the answer and the connection can go on.
pub(crate) async fn read_body(
    mut body: Incoming,
    packing: Packing,
    limits: BodyLimits,
    charge: &mut Charge,
) -> Result<Bytes, Refusal> {
    let until = Instant::now() + limits.time;
    let read = async {
        let hint = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        if hint as u64 > limits.bytes {
            return Err(too_large(limits));
        }
        match packing {
            Packing::Identity => read_identity(&mut body, limits, charge).await,
            Packing::Gzip | Packing::Zstd => read_packed(&mut body, packing, limits, charge).await,
        }
    };
    let outcome = tokio::time::timeout_at(until, read)
        .await
        .unwrap_or(Err(Refusal::BodyTimeout));
    match outcome {
        Err(refusal) if !refusal.leaves_body() => {
            discard(body, limits).await;
            Err(refusal)
        }
        outcome => outcome,
    }
}

/// Reads a body that nobody wants, for a moment and up to the limit.
pub(crate) async fn discard(mut body: Incoming, limits: BodyLimits) {
    let mut left = limits.bytes;
    let discard = async {
        while let Ok(Some(chunk)) = next_chunk(&mut body).await {
            match left.checked_sub(chunk.len() as u64) {
                Some(rest) => left = rest,
                None => break,
            }
        }
    };
    // When time is up the connection is closed, and the sender finds out that way.
    let _elapsed = tokio::time::timeout(DISCARD_TIME, discard).await;
}

async fn next_chunk(body: &mut Incoming) -> Result<Option<Bytes>, Refusal> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Err(_)) => return Err(Refusal::BodyLost),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

async fn read_identity(
    body: &mut Incoming,
    limits: BodyLimits,
    charge: &mut Charge,
) -> Result<Bytes, Refusal> {
    let mut received: u64 = 0;
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    while let Some(chunk) = next_chunk(body).await? {
        received = received.saturating_add(chunk.len() as u64);
        if received > limits.bytes {
            return Err(too_large(limits));
        }
        charge.grow(chunk.len() as u64).await?;
        if first.is_empty() {
            first = chunk;
            continue;
        }
        if all.is_empty() {
            let expected = usize::try_from(body.size_hint().lower()).unwrap_or(0);
            let more = chunk
                .len()
                .saturating_add(expected.min(LARGEST_FIRST_BUFFER));
            all.reserve(first.len().saturating_add(more));
            all.extend_from_slice(&first);
        }
        all.extend_from_slice(&chunk);
    }
    Ok(match (all.is_empty(), first.len() < COPY_BELOW) {
        (false, _) => all.freeze(),
        (true, true) => Bytes::copy_from_slice(&first),
        (true, false) => first,
    })
}

async fn read_packed(
    body: &mut Incoming,
    packing: Packing,
    limits: BodyLimits,
    charge: &mut Charge,
) -> Result<Bytes, Refusal> {
    let expected = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let mut inflate = Inflate::new(packing, expected, limits);
    let mut received: u64 = 0;
    while let Some(chunk) = next_chunk(body).await? {
        received = received.saturating_add(chunk.len() as u64);
        if received > limits.bytes {
            return Err(too_large(limits));
        }
        inflate.push(&chunk, charge).await?;
    }
    inflate.finish(charge).await
}

fn too_large(limits: BodyLimits) -> Refusal {
    Refusal::TooLarge {
        limit: limits.bytes,
    }
}

/// Unpacks a body into one buffer that grows only after it was paid for.
struct Inflate {
    packing: Packing,
    /// Made when the first byte has come, so that a sender who sends none costs nothing.
    decoder: Option<Decoder>,
    /// What was charged for the decoder itself.
    held: u64,
    output: Vec<u8>,
    limits: BodyLimits,
    next_capacity: usize,
    /// The last member is complete; more input starts another one.
    complete: bool,
}

impl Inflate {
    fn new(packing: Packing, packed: usize, limits: BodyLimits) -> Self {
        let expected = packed.saturating_mul(USUAL_RATIO);
        Self {
            packing,
            decoder: None,
            held: 0,
            output: Vec::new(),
            limits,
            next_capacity: expected.clamp(SMALLEST_BUFFER, LARGEST_FIRST_BUFFER),
            complete: false,
        }
    }

    async fn push(&mut self, mut input: &[u8], charge: &mut Charge) -> Result<(), Refusal> {
        while !input.is_empty() {
            if self.complete
                && let Some(decoder) = &mut self.decoder
            {
                decoder.restart()?;
                self.complete = false;
            }
            let consumed = self.step(input, charge).await?;
            input = input.get(consumed..).unwrap_or_default();
        }
        Ok(())
    }

    /// The whole body. One without a byte is empty, however it is labelled.
    async fn finish(mut self, charge: &mut Charge) -> Result<Bytes, Refusal> {
        if self.decoder.is_none() {
            return Ok(Bytes::new());
        }
        // What the decoder still holds comes out without more input.
        while !self.complete {
            let before = self.output.len();
            self.step(&[], charge).await?;
            if self.output.len() == before && !self.complete {
                return Err(Refusal::CorruptPacking);
            }
        }
        self.decoder = None;
        charge.shrink(self.held);
        Ok(self.output.into())
    }

    /// One call of the decoder; returns how much input it took.
    async fn step(&mut self, input: &[u8], charge: &mut Charge) -> Result<usize, Refusal> {
        if self.decoder.is_none() {
            self.hold(Decoder::cost(self.packing), charge).await?;
            self.decoder = Decoder::new(self.packing)?;
        }
        if self.output.len() == self.output.capacity() {
            self.make_room(charge).await?;
        }
        let written = self.output.len();
        let Some(decoder) = &mut self.decoder else {
            return Err(Refusal::CorruptPacking);
        };
        let progress = decoder.decode(input, &mut self.output)?;
        let held = decoder.held();
        self.hold(held, charge).await?;
        if self.output.len() as u64 > self.limits.bytes {
            return Err(too_large(self.limits));
        }
        self.complete = progress.complete;
        let stuck = progress.consumed == 0 && self.output.len() == written && !self.complete;
        if stuck && !input.is_empty() {
            return Err(Refusal::CorruptPacking);
        }
        Ok(progress.consumed)
    }

    /// Charges what the decoder itself holds. A decoder that needs more than the source may ever hold makes the body
    /// too large for good.
    async fn hold(&mut self, held: u64, charge: &mut Charge) -> Result<(), Refusal> {
        let more = held.saturating_sub(self.held);
        let room = charge.room();
        if more > room {
            let buffer = self.output.capacity() as u64;
            let limit = buffer.saturating_add(room).saturating_sub(more);
            return Err(Refusal::TooLarge { limit });
        }
        charge.grow(more).await?;
        self.held = self.held.max(held);
        Ok(())
    }

    /// Doubles the buffer, up to one byte over the limit: that byte tells that there is more. Where the decoder leaves
    /// less of what the source may ever hold, that is the limit: another time there would not be more either.
    async fn make_room(&mut self, charge: &mut Charge) -> Result<(), Refusal> {
        let most = usize::try_from(self.limits.bytes.saturating_add(1)).unwrap_or(usize::MAX);
        let room = usize::try_from(charge.room()).unwrap_or(usize::MAX);
        let most = most.min(self.output.capacity().saturating_add(room));
        let capacity = self.next_capacity.min(most);
        let more = capacity.saturating_sub(self.output.capacity());
        if more == 0 {
            let limit = (most as u64).saturating_sub(1);
            return Err(Refusal::TooLarge { limit });
        }
        charge.grow(more as u64).await?;
        self.output
            .try_reserve_exact(capacity.saturating_sub(self.output.len()))
            .map_err(|_| Refusal::Overloaded)?;
        self.next_capacity = capacity.saturating_mul(2);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
