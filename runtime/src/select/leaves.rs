//! Records in the sense of counts: log records, spans, data points.

use super::path::Path;
use crate::otlp::{DataPoint, Extent, Record, Request};
use crate::payload::Signal;

/// A handle on what counts as one record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf<'a> {
    /// A log record or a span.
    Record(Record<'a>),
    /// A data point.
    Point(DataPoint<'a>),
}

impl<'a> Leaf<'a> {
    /// Where it lies in its request.
    pub(super) fn extent(&self) -> Extent {
        match self {
            Self::Record(record) => record.extent,
            Self::Point(point) => point.extent,
        }
    }

    /// The envelopes around it.
    pub(super) fn path(&self) -> Path<'a> {
        match self {
            Self::Record(record) => Path::of_record(record),
            Self::Point(point) => Path::of_point(point),
        }
    }
}

/// The records of a request, in order.
pub(super) fn leaves(request: Request<'_>) -> impl Iterator<Item = Leaf<'_>> {
    let points = request.signal() == Signal::Metrics;
    let records = request.resources().flat_map(|group| group.records());
    records.flat_map(move |record| {
        let single = (!points).then_some(Leaf::Record(record));
        let many = points.then(|| record.data_points().map(Leaf::Point));
        single.into_iter().chain(many.into_iter().flatten())
    })
}
