//! The two formats in which a body may be packed, behind one call.
//!
//! Input: packed bytes in pieces of any size. Output: as many unpacked bytes as fit into the room
//! of a buffer that the caller pays for. Concatenated gzip members and zstd frames are one body.

use flate2::{Decompress, FlushDecompress, Status};
use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

use super::answer::Refusal;
use super::body::Packing;

/// The window of gzip.
const GZIP_WINDOW_BITS: u8 = 15;
/// The largest window of zstd: 8 MiB, which RFC 8878 asks every decoder to support.
const ZSTD_WINDOW_BITS: u32 = 23;
/// At least what a zstd decoder takes before it has seen anything: its tables, and no window yet.
const ZSTD_TABLES: u64 = 160 << 10;

/// Unpacks one format.
pub(super) enum Decoder {
    Gzip(Decompress),
    Zstd(DCtx<'static>),
}

/// What one call did.
pub(super) struct Progress {
    /// Packed bytes that were taken.
    pub(super) consumed: usize,
    /// A member or frame ends here.
    pub(super) complete: bool,
}

impl Decoder {
    /// Bytes to be charged before a decoder is made, as far as they are counted: see [`Decoder::held`].
    pub(super) const fn cost(packing: Packing) -> u64 {
        match packing {
            Packing::Identity | Packing::Gzip => 0,
            Packing::Zstd => ZSTD_TABLES,
        }
    }

    /// A decoder that has seen nothing; `None` for bodies that are not packed.
    pub(super) fn new(packing: Packing) -> Result<Option<Self>, Refusal> {
        match packing {
            Packing::Identity => Ok(None),
            Packing::Gzip => Ok(Some(Self::Gzip(Decompress::new_gzip(GZIP_WINDOW_BITS)))),
            Packing::Zstd => Self::zstd().map(Some),
        }
    }

    fn zstd() -> Result<Self, Refusal> {
        let mut context = DCtx::try_create().ok_or(Refusal::Overloaded)?;
        context
            .set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_BITS))
            .map_err(|_| Refusal::CorruptPacking)?;
        Ok(Self::Zstd(context))
    }

    /// Starts the next member or frame.
    pub(super) fn restart(&mut self) -> Result<(), Refusal> {
        match self {
            Self::Gzip(decoder) => decoder.reset(true),
            Self::Zstd(context) => {
                context
                    .reset(ResetDirective::SessionOnly)
                    .map_err(|_| Refusal::CorruptPacking)?;
            }
        }
        Ok(())
    }

    /// Fills the free capacity of `output`, without growing it.
    pub(super) fn decode(
        &mut self,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<Progress, Refusal> {
        match self {
            Self::Gzip(decoder) => {
                let before = decoder.total_in();
                let status = decoder
                    .decompress_vec(input, output, FlushDecompress::None)
                    .map_err(|_| Refusal::CorruptPacking)?;
                let consumed = decoder.total_in().saturating_sub(before);
                Ok(Progress {
                    consumed: usize::try_from(consumed).unwrap_or(usize::MAX),
                    complete: status == Status::StreamEnd,
                })
            }
            Self::Zstd(context) => {
                let written = output.len();
                let mut input = InBuffer::around(input);
                let mut output = OutBuffer::around_pos(output, written);
                let hint = context
                    .decompress_stream(&mut output, &mut input)
                    .map_err(|_| Refusal::CorruptPacking)?;
                Ok(Progress {
                    consumed: input.pos(),
                    complete: hint == 0,
                })
            }
        }
    }

    /// Bytes that the decoder itself holds where they are many: the tables of zstd and the window that the sender
    /// chooses. Those of gzip are few and always the same.
    pub(super) fn held(&self) -> u64 {
        match self {
            Self::Gzip(_) => 0,
            Self::Zstd(context) => context.sizeof() as u64,
        }
    }
}
