//! Counting records of a walk without keeping them.

use crate::otlp::{DataPoint, Record, Request, ResourceGroup, ScopeGroup};

/// How many records came to some place of a walk. It is told of them as a selection is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    records: u64,
}

impl Count {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a whole request.
    pub fn keep_request(&mut self, request: &Request<'_>) {
        self.records += request.record_count();
    }

    /// Counts everything that a resource sent.
    pub fn keep_all(&mut self, group: &ResourceGroup<'_>) {
        self.records += group.record_count();
    }

    /// Counts everything that a scope sent.
    pub fn keep_scope(&mut self, scope: &ScopeGroup<'_>) {
        let records = scope
            .records()
            .map(|record| u64::from(record.record_count()));
        self.records += records.sum::<u64>();
    }

    /// Counts a log record, a span or the points of a metric.
    #[inline]
    pub fn keep(&mut self, record: &Record<'_>) {
        self.records += u64::from(record.record_count());
    }

    /// Counts one data point.
    #[inline]
    pub fn keep_point(&mut self, _point: &DataPoint<'_>) {
        self.records += 1;
    }

    /// The records that were counted.
    pub fn records(self) -> u64 {
        self.records
    }
}
