//! Names that mean something to the language: some can be given to nothing, some are not compiled yet.

use super::Role;

/// Names that no item can have, because expressions mean something by them.
pub const RESERVED_NAMES: &[&str] = &[
    "resource",
    "scope",
    "log",
    "span",
    "metric",
    "datapoint",
    "signal",
    "event",
    "input",
    "output",
    "error",
    "request",
];

/// The config whose environment variable (`WATERSHED_TELEMETRY`) every flow reads already.
pub const TELEMETRY_CONFIG: &str = "telemetry";

/// Roots of expressions that the language knows and this version does not compile.
pub const LATER_ROOTS: &[&str] = &[
    "event", "input", "output", "error", "request", "caller", "metadata",
];

/// Stages that the language knows and this version does not compile.
pub const LATER_STAGES: &[&str] = &["call", "dead_letter", "buffer"];

/// Connectors that the language knows and this version does not compile.
const LATER_CONNECTORS: &[(Role, &str)] = &[
    (Role::Source, "nats"),
    (Role::Source, "http"),
    (Role::Source, "cron"),
    (Role::Source, "file"),
    (Role::Source, "stdin"),
    (Role::Sink, "otlp"),
    (Role::Sink, "http"),
    (Role::Sink, "postgres"),
    (Role::Connection, "postgres"),
];

/// Whether a connector is known by name and not compiled yet.
#[must_use]
pub fn is_later_connector(role: Role, name: &str) -> bool {
    LATER_CONNECTORS.contains(&(role, name))
}
