//! The requests that the work is done on.

use anyhow::{Context, Result};
use bytes::Bytes;
use prost::Message;
use watershed::{Payload, Piece, Signal};
use watershed_samples::{Sampler, Shape};

/// A request in the two forms that the sides start from.
#[derive(Clone, Debug)]
pub struct Input {
    /// `lean` or `rich`.
    pub shape: Shape,
    /// Log records in the request.
    pub records: usize,
    /// The encoded request.
    pub bytes: Bytes,
    /// The same request, validated, as an event carries it.
    pub payload: Payload,
}

impl Input {
    /// The request of 1,000 records over 10 resources.
    ///
    /// # Errors
    /// When what was generated is not canonical OTLP.
    pub fn generate(shape: Shape) -> Result<Self> {
        Self::with_records(shape, 1_000)
    }

    /// A request of `records` records over 10 resources.
    ///
    /// # Errors
    /// When what was generated is not canonical OTLP.
    pub fn with_records(shape: Shape, records: usize) -> Result<Self> {
        let request = Sampler::new(20_260_101)
            .shape(shape)
            .records(records)
            .logs();
        Self::of(shape, records, request.encode_to_vec().into())
    }

    /// The request `bytes` of `records` records.
    ///
    /// # Errors
    /// When it is not canonical OTLP.
    pub fn of(shape: Shape, records: usize, bytes: Bytes) -> Result<Self> {
        let piece = Piece::validate(Signal::Logs, bytes.clone())
            .ok()
            .context("the generated request is malformed")?;
        Ok(Self {
            shape,
            records,
            bytes,
            payload: piece.into(),
        })
    }
}
