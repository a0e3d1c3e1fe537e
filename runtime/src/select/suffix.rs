//! Where the own fields behind an envelope's children start.
//!
//! Closing an envelope means to hop over the children behind the last kept one. When many outputs keep a
//! few records each of one long envelope, that would be a walk for each of them; so long walks are
//! remembered.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::path::is_child;
use crate::otlp::{Extent, Fields};

/// Walks of more children than this are remembered.
const LONG: usize = 64;

/// What long walks found, for all outputs of one walk over a payload.
#[derive(Clone, Debug, Default)]
pub(super) struct Suffixes {
    /// By the place of the request, the depth and the start of the envelope: the offset of the first own
    /// field behind the children, or the end of the envelope. The start alone names no envelope: a request
    /// and its first resource group both start at 0.
    known: HashMap<(u32, usize, u32), u32, RandomState>,
}

impl Suffixes {
    /// The offset of the first own field of `envelope` at or behind `from`, which is the end of one of its
    /// children; the end of the envelope when there is none. `depth` says what its children are.
    pub(super) fn find(
        &mut self,
        data: &[u8],
        request: u32,
        depth: usize,
        envelope: Extent,
        from: u32,
    ) -> u32 {
        let mut fields = Fields::within(data, from as usize, envelope.end as usize);
        let own = |number| !is_child(depth, number);
        let near = fields.by_ref().take(LONG).find(|field| own(field.number()));
        if let Some(field) = near {
            return field.start() as u32;
        }
        if fields.remaining().is_empty() {
            return envelope.end;
        }
        *self
            .known
            .entry((request, depth, envelope.start))
            .or_insert_with(|| {
                let far = fields.find(|field| own(field.number()));
                far.map_or(envelope.end, |field| field.start() as u32)
            })
    }
}
