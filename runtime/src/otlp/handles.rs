//! Handles on the parts of a request: small, copyable, and able to be kept by a selection.
//!
//! The three export requests share their shape: a request holds resource groups, a group holds one
//! resource and scope groups, a scope group holds one scope and records. So one set of handles serves
//! logs, metrics and traces. For metrics a [`Record`] is a metric, and its data points can be kept one
//! by one. Every handle knows its byte range, tag and length included, and those of its parents.

use super::views::{LogRecord, Metric, MetricKind, PointView, Resource, Scope, Span};
use super::wire::{Fields, RawField};
use crate::payload::{Piece, Signal};

/// Field numbers that the envelopes of all three signals share.
pub(crate) mod number {
    /// `resource_logs`, `resource_metrics`, `resource_spans` of a request.
    pub(crate) const RESOURCE_GROUP: u32 = 1;
    /// `resource` of a resource group.
    pub(crate) const RESOURCE: u32 = 1;
    /// `scope_logs`, `scope_metrics`, `scope_spans` of a resource group.
    pub(crate) const SCOPE_GROUP: u32 = 2;
    /// `scope` of a scope group.
    pub(crate) const SCOPE: u32 = 1;
    /// `log_records`, `metrics`, `spans` of a scope group.
    pub(crate) const RECORD: u32 = 2;
    /// `data_points` of every kind of metric.
    pub(crate) const DATA_POINT: u32 = 1;
}

/// The tag of a length-delimited field with this number.
pub(crate) const fn length_delimited(number: u32) -> u32 {
    number << 3 | 2
}

/// Where a length-delimited field lies in its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Extent {
    /// Offset of the tag.
    pub(crate) start: u32,
    /// Offset of the payload.
    pub(crate) payload: u32,
    /// Offset behind the field.
    pub(crate) end: u32,
}

impl Extent {
    /// The extent of `field`. Requests are shorter than 4 GiB, so offsets fit.
    #[inline]
    pub(crate) fn of(field: &RawField<'_>) -> Self {
        Self {
            start: field.start() as u32,
            payload: field.payload() as u32,
            end: field.end() as u32,
        }
    }
}

/// The requests of a payload, in order.
#[derive(Clone, Debug)]
pub struct Requests<'a> {
    pieces: std::iter::Enumerate<std::slice::Iter<'a, Piece>>,
}

impl<'a> Requests<'a> {
    pub(crate) fn new(pieces: &'a [Piece]) -> Self {
        Self {
            pieces: pieces.iter().enumerate(),
        }
    }
}

impl<'a> Iterator for Requests<'a> {
    type Item = Request<'a>;

    fn next(&mut self) -> Option<Request<'a>> {
        let (index, piece) = self.pieces.next()?;
        Some(Request {
            piece,
            index: index as u32,
        })
    }
}

/// One export request: a piece of a payload.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub(crate) piece: &'a Piece,
    pub(crate) index: u32,
}

impl<'a> Request<'a> {
    /// The signal of the request.
    pub fn signal(&self) -> Signal {
        self.piece.signal
    }

    /// Log records, spans or data points in the request.
    pub fn record_count(&self) -> u64 {
        self.piece.records()
    }

    /// The resource groups (`ResourceLogs`, `ResourceMetrics`, `ResourceSpans`).
    #[inline]
    pub fn resources(&self) -> ResourceGroups<'a> {
        ResourceGroups {
            request: *self,
            fields: Fields::new(&self.piece.bytes),
            next: 0,
        }
    }

    #[inline]
    pub(crate) fn data(&self) -> &'a [u8] {
        &self.piece.bytes
    }

    #[inline]
    pub(crate) fn fields(&self, extent: Extent) -> Fields<'a> {
        Fields::within(self.data(), extent.payload as usize, extent.end as usize)
    }
}

/// The resource groups of a request.
#[derive(Clone, Debug)]
pub struct ResourceGroups<'a> {
    request: Request<'a>,
    fields: Fields<'a>,
    next: usize,
}

impl<'a> Iterator for ResourceGroups<'a> {
    type Item = ResourceGroup<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<ResourceGroup<'a>> {
        let extent = self
            .fields
            .first_extent(length_delimited(number::RESOURCE_GROUP))?;
        let records = self.request.piece.group_records.get(self.next).copied();
        self.next += 1;
        Some(ResourceGroup {
            request: self.request,
            extent,
            records: records.unwrap_or_default(),
            first_child: 0,
        })
    }
}

/// A resource and everything that it sent (`ResourceLogs`, `ResourceMetrics`, `ResourceSpans`).
#[derive(Clone, Copy, Debug)]
pub struct ResourceGroup<'a> {
    pub(crate) request: Request<'a>,
    pub(crate) extent: Extent,
    pub(crate) records: u32,
    /// Offset of the first scope group, when a walk has met it; 0 when none has.
    pub(crate) first_child: u32,
}

impl<'a> ResourceGroup<'a> {
    /// The resource, wherever it stands in the group; without one, an empty resource.
    #[inline(always)]
    pub fn resource(&self) -> Resource<'a> {
        let found = self
            .fields()
            .first_payload(length_delimited(number::RESOURCE));
        Resource::new(found.map(Fields::new).unwrap_or_default())
    }

    /// The scope groups.
    #[inline]
    pub fn scopes(&self) -> ScopeGroups<'a> {
        ScopeGroups {
            group: *self,
            fields: self.fields(),
        }
    }

    /// The records of all scope groups.
    #[inline]
    pub fn records(&self) -> Records<'a> {
        Records {
            scopes: self.scopes(),
            scope: ScopeGroup {
                group: *self,
                extent: Extent::default(),
                first_child: 0,
            },
            fields: Fields::default(),
        }
    }

    /// Log records, spans or data points in the group.
    pub fn record_count(&self) -> u64 {
        u64::from(self.records)
    }

    #[inline]
    fn fields(&self) -> Fields<'a> {
        self.request.fields(self.extent)
    }
}

/// The scope groups of a resource group.
#[derive(Clone, Debug)]
pub struct ScopeGroups<'a> {
    group: ResourceGroup<'a>,
    fields: Fields<'a>,
}

impl<'a> Iterator for ScopeGroups<'a> {
    type Item = ScopeGroup<'a>;

    #[inline]
    fn next(&mut self) -> Option<ScopeGroup<'a>> {
        let wanted = length_delimited(number::SCOPE_GROUP);
        let extent = self.fields.first_extent(wanted)?;
        if self.group.first_child == 0 {
            self.group.first_child = extent.start;
        }
        Some(ScopeGroup {
            group: self.group,
            extent,
            first_child: 0,
        })
    }
}

/// A scope and its records (`ScopeLogs`, `ScopeMetrics`, `ScopeSpans`).
#[derive(Clone, Copy, Debug)]
pub struct ScopeGroup<'a> {
    pub(crate) group: ResourceGroup<'a>,
    pub(crate) extent: Extent,
    /// Offset of the first record, when a walk has met it; 0 when none has.
    pub(crate) first_child: u32,
}

impl<'a> ScopeGroup<'a> {
    /// The instrumentation scope, wherever it stands; without one, an empty scope.
    #[inline]
    pub fn scope(&self) -> Scope<'a> {
        let found = self.fields().first_payload(length_delimited(number::SCOPE));
        Scope::new(found.map(Fields::new).unwrap_or_default())
    }

    /// The resource group around it.
    #[inline]
    pub fn resource_group(&self) -> ResourceGroup<'a> {
        self.group
    }

    /// Its records: log records, spans or metrics.
    #[inline]
    pub fn records(&self) -> Records<'a> {
        Records {
            scopes: ScopeGroups {
                group: self.group,
                fields: Fields::default(),
            },
            scope: *self,
            fields: self.fields(),
        }
    }

    #[inline]
    fn fields(&self) -> Fields<'a> {
        self.group.request.fields(self.extent)
    }
}

/// The records of a scope group or of all scope groups of a resource group.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    /// The scope groups to go on with.
    scopes: ScopeGroups<'a>,
    scope: ScopeGroup<'a>,
    fields: Fields<'a>,
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Record<'a>> {
        let wanted = length_delimited(number::RECORD);
        let extent = match self.fields.first_extent(wanted) {
            Some(extent) => extent,
            None => self.first_of_next_scope()?,
        };
        Some(Record {
            scope: self.scope,
            extent,
        })
    }
}

impl Records<'_> {
    /// Goes on to the next scope group that has records; the first of them.
    fn first_of_next_scope(&mut self) -> Option<Extent> {
        loop {
            self.scope = self.scopes.next()?;
            self.fields = self.scope.fields();
            let wanted = length_delimited(number::RECORD);
            if let Some(extent) = self.fields.first_extent(wanted) {
                self.scope.first_child = extent.start;
                return Some(extent);
            }
        }
    }
}

/// A log record, a span or a metric.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub(crate) scope: ScopeGroup<'a>,
    pub(crate) extent: Extent,
}

impl<'a> Record<'a> {
    /// The record as a log record.
    #[inline]
    pub fn log(&self) -> LogRecord<'a> {
        LogRecord::new(self.fields())
    }

    /// The record as a span.
    #[inline]
    pub fn span(&self) -> Span<'a> {
        Span::new(self.fields())
    }

    /// The record as a metric.
    #[inline]
    pub fn metric(&self) -> Metric<'a> {
        Metric::new(self.fields())
    }

    /// The data points of a metric, each a handle that can be kept.
    #[inline]
    pub fn data_points(&self) -> DataPoints<'a> {
        let data = self
            .fields()
            .find_map(|field| MetricKind::of_field(field.number()).map(|kind| (kind, field)));
        match data {
            Some((kind, field)) => {
                let data = Extent::of(&field);
                DataPoints {
                    metric: *self,
                    kind,
                    data,
                    fields: self.request().fields(data),
                }
            }
            None => DataPoints {
                metric: *self,
                kind: MetricKind::Gauge,
                data: Extent::default(),
                fields: Fields::default(),
            },
        }
    }

    /// Records in it: 1, or the data points of a metric.
    #[inline]
    pub(crate) fn record_count(&self) -> u32 {
        match self.request().piece.signal {
            Signal::Metrics => self.data_points().count() as u32,
            Signal::Logs | Signal::Traces => 1,
        }
    }

    /// The scope group around it.
    #[inline]
    pub fn scope_group(&self) -> ScopeGroup<'a> {
        self.scope
    }

    #[inline]
    pub(crate) fn request(&self) -> Request<'a> {
        self.scope.group.request
    }

    #[inline]
    fn fields(&self) -> Fields<'a> {
        self.request().fields(self.extent)
    }
}

/// The data points of a metric.
#[derive(Clone, Debug)]
pub struct DataPoints<'a> {
    metric: Record<'a>,
    kind: MetricKind,
    data: Extent,
    fields: Fields<'a>,
}

impl<'a> Iterator for DataPoints<'a> {
    type Item = DataPoint<'a>;

    #[inline]
    fn next(&mut self) -> Option<DataPoint<'a>> {
        let wanted = length_delimited(number::DATA_POINT);
        let extent = self.fields.first_extent(wanted)?;
        Some(DataPoint {
            metric: self.metric,
            kind: self.kind,
            data: self.data,
            extent,
        })
    }
}

/// One data point of a metric.
#[derive(Clone, Copy, Debug)]
pub struct DataPoint<'a> {
    pub(crate) metric: Record<'a>,
    pub(crate) kind: MetricKind,
    /// The `gauge`, `sum`, … message around it.
    pub(crate) data: Extent,
    pub(crate) extent: Extent,
}

impl<'a> DataPoint<'a> {
    /// What the point says.
    #[inline]
    pub fn point(&self) -> PointView<'a> {
        PointView::new(self.kind, self.metric.request().fields(self.extent))
    }

    /// The metric around it.
    #[inline]
    pub fn record(&self) -> Record<'a> {
        self.metric
    }
}
