//! Cuts a payload into payloads under a limit, at record borders.
//!
//! The size of a part is foretold exactly before a record joins it: every open envelope counts with its
//! own fields and with the header that its new length needs.

use std::ops::Range;

use smallvec::SmallVec;

use super::common::Common;
use super::copy::copy;
use super::leaves::{Leaf, leaves};
use super::marks::Marks;
use super::path::{Path, is_child};
use crate::otlp::{Extent, Request, varint_length};
use crate::payload::Payload;

/// A run of records, by number in the payload, and its payload; without one each record of the run alone
/// is larger than the limit.
pub(super) struct Cut {
    pub(super) window: Range<u64>,
    pub(super) payload: Option<Payload>,
}

/// Cuts `payload` into runs of records of at most `limit` bytes each. Envelopes repeat in every run, so
/// `None` when the runs together would have more than `budget` bytes.
pub(super) fn cut(payload: &Payload, limit: usize, budget: u64) -> Option<Vec<Cut>> {
    let mut cutter = Cutter {
        payload,
        budget,
        cuts: Vec::new(),
        common: Common::default(),
    };
    let mut run = Run::new(0);
    let mut own = OwnBytes::default();
    let all = payload.requests().flat_map(leaves);
    for (number, leaf) in (0..).zip(all) {
        if run.fits(&leaf, limit, &mut own, &mut cutter.common) {
            continue;
        }
        cutter.finish(run, number)?;
        run = Run::new(number);
        if !run.fits(&leaf, limit, &mut own, &mut cutter.common) {
            cutter.leave_out(number);
            run = Run::new(number + 1);
        }
    }
    cutter.finish(run, payload.records())?;
    Some(cutter.cuts)
}

/// What is cut so far.
struct Cutter<'a> {
    payload: &'a Payload,
    /// Bytes that the runs to come may have.
    budget: u64,
    cuts: Vec<Cut>,
    /// Shared by all runs: they lie in the same long envelopes.
    common: Common,
}

impl<'a> Cutter<'a> {
    /// Copies `run`, which ends before record `end`, unless it is empty; `None` over the budget.
    fn finish(&mut self, mut run: Run<'a>, end: u64) -> Option<()> {
        run.marks.close_request(&mut self.common);
        if run.marks.is_empty() {
            return Some(());
        }
        self.budget = self.budget.checked_sub(run.size.total())?;
        self.cuts.push(Cut {
            window: run.first..end,
            payload: Some(copy(self.payload.signal(), &run.marks, &self.common.arena)),
        });
        Some(())
    }

    /// Notes that record `number` does not fit alone; neighbours become one cut.
    fn leave_out(&mut self, number: u64) {
        match self.cuts.last_mut() {
            Some(last) if last.payload.is_none() && last.window.end == number => {
                last.window.end += 1;
            }
            _ => self.cuts.push(Cut {
                window: number..number + 1,
                payload: None,
            }),
        }
    }
}

/// The records of the payload that is being filled.
struct Run<'a> {
    first: u64,
    marks: Marks<'a>,
    size: Size,
}

impl<'a> Run<'a> {
    /// A run that starts with record `first`.
    fn new(first: u64) -> Self {
        Self {
            first,
            marks: Marks::rewriting(),
            size: Size::default(),
        }
    }

    /// Takes `leaf` when the run stays within `limit` with it.
    fn fits(
        &mut self,
        leaf: &Leaf<'a>,
        limit: usize,
        own: &mut OwnBytes,
        common: &mut Common,
    ) -> bool {
        let mut size = self.size.clone();
        size.add(&leaf.path(), leaf.extent(), own);
        if size.total() > limit as u64 {
            return false;
        }
        self.size = size;
        match leaf {
            Leaf::Record(record) => self.marks.keep_record(record, common),
            Leaf::Point(point) => self.marks.keep_point(point, common),
        }
        true
    }
}

/// The encoded size of a run of records.
#[derive(Clone, Default)]
struct Size {
    /// Bytes of the requests that are complete.
    closed: u64,
    /// Place of the open request in the payload.
    request: Option<u32>,
    /// The open envelopes: where each starts, and the bytes in it without the next one.
    open: SmallVec<[(u32, u64); 5]>,
}

impl Size {
    /// Adds a record that lies in the envelopes of `path`.
    fn add(&mut self, path: &Path<'_>, leaf: Extent, own: &mut OwnBytes) {
        if self.request != Some(path.request.index) {
            self.closed += self.close(0);
            self.request = Some(path.request.index);
            let request = Extent {
                start: 0,
                payload: 0,
                end: path.request.data().len() as u32,
            };
            self.open.push((0, own.of(path.request, 0, request)));
        }
        let open = self.open.iter().skip(1).zip(path.envelopes());
        let common = 1 + open
            .take_while(|(open, envelope)| open.0 == envelope.extent.start)
            .count();
        self.join(common);
        for (depth, envelope) in path.envelopes().iter().enumerate().skip(common - 1) {
            let extent = envelope.extent;
            self.open
                .push((extent.start, own.of(path.request, depth + 1, extent)));
        }
        if let Some((_, bytes)) = self.open.last_mut() {
            *bytes += u64::from(leaf.end - leaf.start);
        }
    }

    /// Closes the envelopes deeper than `depth`: their bytes become those of the one around them.
    fn join(&mut self, depth: usize) {
        if self.open.len() > depth {
            let inner = self.close(depth);
            if let Some((_, bytes)) = self.open.last_mut() {
                *bytes += with_header(inner);
            }
        }
    }

    /// Removes the envelopes deeper than `depth`; the payload bytes of the outermost of them.
    fn close(&mut self, depth: usize) -> u64 {
        let bytes = payload_bytes(self.open.get(depth..).unwrap_or_default());
        self.open.truncate(depth);
        bytes
    }

    /// The size of everything that was added.
    fn total(&self) -> u64 {
        self.closed + payload_bytes(&self.open)
    }
}

/// The payload bytes of the first of several nested envelopes.
fn payload_bytes(open: &[(u32, u64)]) -> u64 {
    let (outermost, inner) = match open {
        [] => return 0,
        [(_, outermost), inner @ ..] => (outermost, inner),
    };
    let inner = inner
        .iter()
        .rev()
        .fold(0, |inside, (_, bytes)| with_header(bytes + inside));
    outermost + inner
}

/// The bytes of an envelope with `payload` bytes in it.
fn with_header(payload: u64) -> u64 {
    1 + varint_length(payload) as u64 + payload
}

/// The bytes of the fields of envelopes that are not their children, remembered for the last path: a long
/// envelope that is cut into many parts is walked once.
#[derive(Default)]
struct OwnBytes {
    /// By depth: the request and the start of the envelope, and its own bytes.
    last: [Option<(u32, u32, u64)>; 5],
}

impl OwnBytes {
    /// The own bytes of `envelope` at `depth` of `request`.
    fn of(&mut self, request: Request<'_>, depth: usize, envelope: Extent) -> u64 {
        let count = || {
            let own = request
                .fields(envelope)
                .filter(|field| !is_child(depth, field.number()));
            own.map(|field| (field.end() - field.start()) as u64).sum()
        };
        let Some(last) = self.last.get_mut(depth) else {
            return count();
        };
        match last {
            Some((index, start, bytes)) if (*index, *start) == (request.index, envelope.start) => {
                *bytes
            }
            _ => {
                let bytes = count();
                *last = Some((request.index, envelope.start, bytes));
                bytes
            }
        }
    }
}
