//! The way from a request to a record: the envelopes around it.

use crate::otlp::{
    DataPoint, Extent, MetricKind, Record, Request, ResourceGroup, ScopeGroup, number,
};

/// The envelopes around something that is kept, from the outermost to the innermost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<'a> {
    pub(super) request: Request<'a>,
    /// Resource group, scope group, metric, metric data.
    envelopes: [Envelope; 4],
    /// How many of them there are.
    depth: usize,
}

/// An envelope on a path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Envelope {
    pub(super) extent: Extent,
    /// Offset of its first child, when that is known; 0 when it is not.
    pub(super) first_child: u32,
}

impl From<Extent> for Envelope {
    fn from(extent: Extent) -> Self {
        Self {
            extent,
            first_child: 0,
        }
    }
}

impl Envelope {
    #[inline(always)]
    pub(super) fn group(group: &ResourceGroup<'_>) -> Self {
        Self {
            extent: group.extent,
            first_child: group.first_child,
        }
    }

    #[inline(always)]
    pub(super) fn scope(scope: &ScopeGroup<'_>) -> Self {
        Self {
            extent: scope.extent,
            first_child: scope.first_child,
        }
    }
}

impl<'a> Path<'a> {
    #[inline(always)]
    fn new<const DEPTH: usize>(request: Request<'a>, around: [Envelope; DEPTH]) -> Self {
        let mut envelopes = [Envelope::default(); 4];
        for (envelope, known) in envelopes.iter_mut().zip(around) {
            *envelope = known;
        }
        Self {
            request,
            envelopes,
            depth: DEPTH,
        }
    }

    /// The envelopes, the outermost first.
    #[inline(always)]
    pub(super) fn envelopes(&self) -> &[Envelope] {
        self.envelopes.get(..self.depth).unwrap_or_default()
    }

    /// The path to a resource group.
    #[inline(always)]
    pub(super) fn of_request(request: Request<'a>) -> Self {
        Self::new(request, [])
    }

    /// The path to what is in a resource group.
    pub(super) fn into_group(group: &ResourceGroup<'a>) -> Self {
        Self::new(group.request, [Envelope::group(group)])
    }

    /// The path to what is in a scope group.
    #[inline(always)]
    pub(super) fn into_scope(scope: &ScopeGroup<'a>) -> Self {
        let envelopes = [Envelope::group(&scope.group), Envelope::scope(scope)];
        Self::new(scope.group.request, envelopes)
    }

    /// The path to what is in a metric.
    pub(super) fn into_metric(metric: &Record<'a>) -> Self {
        let scope = metric.scope;
        let envelopes = [
            Envelope::group(&scope.group),
            Envelope::scope(&scope),
            metric.extent.into(),
        ];
        Self::new(scope.group.request, envelopes)
    }

    /// The path to a scope group.
    pub(super) fn of_scope(scope: &ScopeGroup<'a>) -> Self {
        Self::into_group(&scope.group)
    }

    /// The path to a log record, a span or a metric.
    #[inline(always)]
    pub(super) fn of_record(record: &Record<'a>) -> Self {
        Self::into_scope(&record.scope)
    }

    /// The path to a data point.
    pub(super) fn of_point(point: &DataPoint<'a>) -> Self {
        let scope = point.metric.scope;
        let envelopes = [
            Envelope::group(&scope.group),
            Envelope::scope(&scope),
            point.metric.extent.into(),
            point.data.into(),
        ];
        Self::new(scope.group.request, envelopes)
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
    pub(super) header: u32,
    /// Records kept of the request when it was opened.
    pub(super) records: u32,
}

impl Level {
    /// An envelope of which nothing is kept yet.
    pub(super) fn new(extent: Extent, header: u32, records: u32) -> Self {
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
