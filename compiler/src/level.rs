//! Levels: how often something is evaluated.
//!
//! Every phase speaks of them: the catalog says how deep an option may read, the checker finds the level of each
//! expression, passes and walks put each test at its own.

/// The deepest thing that an expression reads. What is less deep is evaluated less often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Known at build time.
    Const,
    /// Known when the flow starts.
    Config,
    /// Known for one instance of a template.
    Instance,
    /// Known for one event.
    Payload,
    /// Known for one resource.
    Resource,
    /// Known for one instrumentation scope.
    Scope,
    /// Known for one metric.
    Metric,
    /// Known for one log record, span or data point.
    Record,
}

impl Level {
    /// The level in lower case, as dumps and messages show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Const => "const",
            Self::Config => "config",
            Self::Instance => "instance",
            Self::Payload => "payload",
            Self::Resource => "resource",
            Self::Scope => "scope",
            Self::Metric => "metric",
            Self::Record => "record",
        }
    }
}
