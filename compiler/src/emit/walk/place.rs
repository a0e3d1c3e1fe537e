//! The places of a walk: between which loops a statement stands.

/// How deep in a request a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Request,
    Resource,
    Scope,
    /// A log record, a span, or a metric with all its points.
    Record,
    /// A data point.
    Point,
}
