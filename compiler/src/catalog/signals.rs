//! The signals of OTLP, and the fields that expressions can read.
//!
//! What an edge carries is a set of signals; what can be read on it follows from the roots of the fields.

mod elements;
mod fields;
mod table;

use std::fmt;

pub use elements::{ELEMENT_FIELDS, Element, ElementField};
pub use fields::{FieldSpec, Reader, Root, field, fields_of};
pub use table::FIELDS;

/// A kind of telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// Log records.
    Logs,
    /// Metrics with their data points.
    Metrics,
    /// Spans.
    Traces,
}

impl Signal {
    /// Every signal, in the order of the language.
    pub const ALL: [Self; 3] = [Self::Logs, Self::Metrics, Self::Traces];

    /// The name as it is written behind a source.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logs => "logs",
            Self::Metrics => "metrics",
            Self::Traces => "traces",
        }
    }

    /// The signal with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|signal| signal.name() == name)
    }
}

/// A set of signals: what an edge carries.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signals(u8);

impl Signals {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Logs, metrics and traces.
    pub const ALL: Self = Self(0b111);

    /// One signal.
    #[must_use]
    pub const fn only(signal: Signal) -> Self {
        Self(1 << signal as u8)
    }

    /// What is in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the signal is in the set.
    #[must_use]
    pub const fn contains(self, signal: Signal) -> bool {
        self.0 & Self::only(signal).0 != 0
    }

    /// Whether every signal of `other` is in the set.
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The signals of the set, in the order of the language.
    pub fn iter(self) -> impl Iterator<Item = Signal> {
        Signal::ALL
            .into_iter()
            .filter(move |signal| self.contains(*signal))
    }
}

/// `logs, metrics and traces`
impl fmt::Display for Signals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Signal::name).collect();
        formatter.write_str(&crate::words::and_list(&names))
    }
}

impl fmt::Debug for Signals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_signals_read_like_a_sentence() {
        assert_eq!(Signals::ALL.to_string(), "logs, metrics and traces");
        assert!(Signals::ALL.covers(Root::Log.signals()));
        assert!(!Root::Log.signals().covers(Signals::ALL));
    }
}
