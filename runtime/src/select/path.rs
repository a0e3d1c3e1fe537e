//! The way from a request to a record: the envelopes around it.

use smallvec::SmallVec;

use crate::otlp::{
    DataPoint, Extent, MetricKind, Record, Request, ResourceGroup, ScopeGroup, number,
};

/// The envelopes around something that is kept, from the outermost to the innermost.
#[derive(Clone, Debug)]
pub(super) struct Path<'a> {
    pub(super) request: Request<'a>,
    /// Resource group, scope group, metric, metric data: as many as there are around it.
    pub(super) envelopes: Envelopes,
}

/// Up to four envelopes in line.
pub(super) type Envelopes = SmallVec<[Extent; 4]>;

impl<'a> Path<'a> {
    /// The path to a resource group.
    #[inline(always)]
    pub(super) fn of_request(request: Request<'a>) -> Self {
        Self {
            request,
            envelopes: SmallVec::new(),
        }
    }

    /// The path to what is in a resource group.
    pub(super) fn into_group(group: &ResourceGroup<'a>) -> Self {
        Self {
            request: group.request,
            envelopes: SmallVec::from_slice(&[group.extent]),
        }
    }

    /// The path to what is in a scope group.
    pub(super) fn into_scope(scope: &ScopeGroup<'a>) -> Self {
        Self {
            request: scope.group.request,
            envelopes: SmallVec::from_slice(&[scope.group.extent, scope.extent]),
        }
    }

    /// The path to what is in a metric.
    pub(super) fn into_metric(metric: &Record<'a>) -> Self {
        let scope = metric.scope;
        Self {
            request: scope.group.request,
            envelopes: SmallVec::from_slice(&[scope.group.extent, scope.extent, metric.extent]),
        }
    }

    /// The path to a scope group.
    pub(super) fn of_scope(scope: &ScopeGroup<'a>) -> Self {
        let group = scope.group;
        Self {
            request: group.request,
            envelopes: SmallVec::from_slice(&[group.extent]),
        }
    }

    /// The path to a log record, a span or a metric.
    #[inline(always)]
    pub(super) fn of_record(record: &Record<'a>) -> Self {
        let scope = record.scope;
        let envelopes = SmallVec::from_slice(&[scope.group.extent, scope.extent]);
        Self {
            request: scope.group.request,
            envelopes,
        }
    }

    /// The path to a data point.
    pub(super) fn of_point(point: &DataPoint<'a>) -> Self {
        let metric = point.metric;
        let group = metric.scope.group;
        let envelopes =
            SmallVec::from_buf([group.extent, metric.scope.extent, metric.extent, point.data]);
        Self {
            request: group.request,
            envelopes,
        }
    }
}

/// An envelope that records are being kept of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) extent: Extent,
    /// Up to where its fields were taken or passed.
    pub(super) cursor: u32,
    /// Encoded length of what is kept of its payload.
    pub(super) length: u32,
    /// The numbers of its own fields that go, as bits.
    pub(super) omit: u32,
    /// Its header's place in the list of inserts.
    pub(super) header: usize,
    /// Records kept of the request when it was opened.
    pub(super) records: u32,
}

impl Level {
    /// An envelope of which nothing is kept yet.
    pub(super) fn new(extent: Extent, header: usize, records: u32) -> Self {
        Self {
            extent,
            cursor: extent.payload,
            length: 0,
            omit: 0,
            header,
            records,
        }
    }
}

/// Whether field `number` of an envelope is what the envelope exists for. Depth 0 is the request, 1 a
/// resource group, 2 a scope group, 3 a metric and 4 the data of a metric.
#[inline(always)]
pub(super) fn is_child(depth: usize, field: u32) -> bool {
    match depth {
        0 => field == number::RESOURCE_GROUP,
        1 => field == number::SCOPE_GROUP,
        2 => field == number::RECORD,
        3 => MetricKind::of_field(field).is_some(),
        _ => field == number::DATA_POINT,
    }
}
