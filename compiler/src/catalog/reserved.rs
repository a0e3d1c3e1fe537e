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
pub const LATER_STAGES: &[&str] = &[
    "validate",
    "set",
    "remove",
    "sample",
    "limit",
    "call",
    "dead_letter",
    "buffer",
];

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

/// Functions, macros and namespaces of CEL that this version does not compile. Only for the message: a name that
/// is in no list is a mistake, one that is here is a wish.
pub const LATER_FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "base64",
    "bind",
    "bool",
    "bytes",
    "ceil",
    "charAt",
    "double",
    "duration",
    "dyn",
    "exists",
    "exists_one",
    "existsOne",
    "filter",
    "flatten",
    "floor",
    "format",
    "getDate",
    "getDayOfMonth",
    "getDayOfWeek",
    "getDayOfYear",
    "getFullYear",
    "getHours",
    "getMilliseconds",
    "getMinutes",
    "getMonth",
    "getSeconds",
    "hasValue",
    "indexOf",
    "int",
    "join",
    "lastIndexOf",
    "lowerAscii",
    "map",
    "none",
    "of",
    "ofNonZeroValue",
    "optFlatMap",
    "optMap",
    "or",
    "quote",
    "replace",
    "reverse",
    "round",
    "sort",
    "split",
    "string",
    "substring",
    "timestamp",
    "tokens",
    "transformList",
    "transformMap",
    "trim",
    "type",
    "uint",
    "unwrap",
    "upperAscii",
    "value",
];

/// Names of types, which CEL also takes as values. Comparing types is not compiled yet.
pub const TYPE_NAMES: &[&str] = &[
    "bool",
    "bytes",
    "double",
    "dyn",
    "int",
    "list",
    "map",
    "null_type",
    "string",
    "type",
    "uint",
];

/// Namespaces of functions that this version does not compile.
pub const NAMESPACES: &[&str] = &[
    "base64", "cel", "cidr", "ip", "math", "net", "optional", "proto", "regex", "sets", "strings",
];
