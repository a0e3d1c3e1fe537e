//! What all outputs of one selection share: remembered walks, new bytes, and how the envelopes change that are
//! being walked.

use std::ops::Range;

use super::arena::Arena;
use super::change::{Changes, Cuts, Edits, cuts, rewrite};
use super::suffix::Suffixes;
use crate::otlp::{
    DataPoint, Extent, LogRecord, Record, Request, Resource, ResourceGroup, Scope, ScopeGroup,
    Span, number,
};
use crate::payload::Signal;

/// The depths at which the own fields of envelopes can change: resource group, scope group, metric.
const DEPTHS: usize = 3;

/// What all outputs of one selection share.
#[derive(Clone, Debug, Default)]
pub(super) struct Common {
    pub(super) suffixes: Suffixes,
    pub(super) arena: Arena,
    /// By depth, counted from that of resource groups: the envelope that changes.
    changes: [Option<EnvelopeChange>; DEPTHS],
    /// Whether an envelope ever changed: most selections change none.
    any_change: bool,
}

/// How the own fields of an envelope change.
#[derive(Clone, Debug)]
pub(super) struct EnvelopeChange {
    request: u32,
    start: u32,
    /// The numbers of the fields that go, as bits.
    pub(super) omit: u32,
    /// The fields that stand in front of all others then.
    pub(super) new: Range<u32>,
}

impl Common {
    /// How the own fields of an envelope change; `None` where they stay.
    #[inline(always)]
    pub(super) fn change_of(
        &self,
        request: Request<'_>,
        depth: usize,
        start: u32,
    ) -> Option<&EnvelopeChange> {
        if !self.any_change {
            return None;
        }
        let change = self.changes.get(depth.checked_sub(1)?)?.as_ref()?;
        (change.request == request.index && change.start == start).then_some(change)
    }

    /// Whether the own fields of any envelope change.
    #[inline(always)]
    pub(super) const fn changes_envelopes(&self) -> bool {
        self.any_change
    }

    /// Changes the resource of a group, which gets one when it has none.
    pub(super) fn change_resource(
        &mut self,
        group: &ResourceGroup<'_>,
        change: impl FnOnce(&mut Changes<'_>),
    ) {
        let message = own_message(group.request, group.extent, number::RESOURCE);
        let new = self.change_message(
            group.request,
            number::RESOURCE,
            Resource::ATTRIBUTES,
            message,
            change,
        );
        self.set(1, group.request, group.extent, 1 << number::RESOURCE, new);
    }

    /// Changes the scope of a group, which gets one when it has none.
    pub(super) fn change_scope(
        &mut self,
        scope: &ScopeGroup<'_>,
        change: impl FnOnce(&mut Changes<'_>),
    ) {
        let request = scope.group.request;
        let message = own_message(request, scope.extent, number::SCOPE);
        let new = self.change_message(request, number::SCOPE, Scope::ATTRIBUTES, message, change);
        self.set(2, request, scope.extent, 1 << number::SCOPE, new);
    }

    /// Changes fields of a metric itself.
    pub(super) fn change_metric(
        &mut self,
        metric: &Record<'_>,
        change: impl FnOnce(&mut Changes<'_>),
    ) {
        let request = metric.request();
        self.arena.begin(request);
        let start = self.arena.position();
        let mut edits = Edits::new();
        change(&mut Changes::new(&mut self.arena, &mut edits, 0, &[]));
        // The numbers of the own fields of a metric are small.
        let omit = edits
            .iter()
            .fold(0, |bits, edit| bits | 1 << (edit.number() & 31));
        let new = self.arena.since(start);
        self.set(3, request, metric.extent, omit, Some(new));
    }

    /// What changes in a log record or span.
    pub(super) fn change_record(
        &mut self,
        record: &Record<'_>,
        change: impl FnOnce(&mut Changes<'_>),
    ) -> Cuts {
        let attributes = match record.request().signal() {
            Signal::Logs => LogRecord::ATTRIBUTES,
            Signal::Traces => Span::ATTRIBUTES,
            Signal::Metrics => 0,
        };
        self.change_leaf(record.request(), record.extent, attributes, change)
    }

    /// What changes in a data point.
    pub(super) fn change_point(
        &mut self,
        point: &DataPoint<'_>,
        change: impl FnOnce(&mut Changes<'_>),
    ) -> Cuts {
        let attributes = point.kind.attributes_field();
        self.change_leaf(point.metric.request(), point.extent, attributes, change)
    }

    fn change_leaf(
        &mut self,
        request: Request<'_>,
        extent: Extent,
        attributes: u32,
        change: impl FnOnce(&mut Changes<'_>),
    ) -> Cuts {
        self.arena.begin(request);
        let mut edits = Edits::new();
        let message = payload(request, extent);
        change(&mut Changes::new(
            &mut self.arena,
            &mut edits,
            attributes,
            message,
        ));
        cuts(request.data(), extent.payload, extent.end, &mut edits)
    }

    /// The whole field `number` with its changes; `None` when nothing changes.
    fn change_message(
        &mut self,
        request: Request<'_>,
        number: u32,
        attributes: u32,
        message: &[u8],
        change: impl FnOnce(&mut Changes<'_>),
    ) -> Option<Range<u32>> {
        self.arena.begin(request);
        let mut edits = Edits::new();
        change(&mut Changes::new(
            &mut self.arena,
            &mut edits,
            attributes,
            message,
        ));
        rewrite(number, message, &mut self.arena, &mut edits)
    }

    fn set(
        &mut self,
        depth: usize,
        request: Request<'_>,
        envelope: Extent,
        omit: u32,
        new: Option<Range<u32>>,
    ) {
        self.any_change = true;
        if let Some(place) = self.changes.get_mut(depth - 1) {
            *place = new.map(|new| EnvelopeChange {
                request: request.index,
                start: envelope.start,
                omit,
                new,
            });
        }
    }
}

/// The message that field `number` of an envelope is; empty without one.
fn own_message<'a>(request: Request<'a>, envelope: Extent, number: u32) -> &'a [u8] {
    let found = request.fields(envelope).first(number);
    found.map(|field| field.bytes()).unwrap_or_default()
}

fn payload<'a>(request: Request<'a>, extent: Extent) -> &'a [u8] {
    let bytes = request
        .data()
        .get(extent.payload as usize..extent.end as usize);
    bytes.unwrap_or_default()
}
