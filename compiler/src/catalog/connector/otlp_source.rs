//! `source … = otlp`: OpenTelemetry clients send here.

use crate::catalog::connector::{ConnectorSpec, Role};
use crate::catalog::option::{OPTION, OptionSpec, OptionType};

/// The table of the connector.
pub(super) const SPEC: ConnectorSpec = ConnectorSpec {
    name: "otlp",
    role: Role::Source,
    options: &[
        OptionSpec {
            name: "http",
            ty: OptionType::Address,
            default: Some("\"127.0.0.1:4318\""),
            help: "address that OTLP over HTTP is served at; port 0 lets the system choose",
            example: "\"127.0.0.1:4318\"",
            ..OPTION
        },
        OptionSpec {
            name: "max_in_flight",
            ty: OptionType::Size {
                min: 1 << 20,
                max: 1 << 40,
            },
            default: Some("64MiB"),
            help: "bytes of all events under way; a request over it is answered 503",
            example: "64MiB",
            ..OPTION
        },
    ],
    reserved: &["grpc", "signal", "strict", "validate", "tls"],
    help: "receives logs, metrics and traces from OpenTelemetry clients",
    example: "source ingest = otlp { http: \"127.0.0.1:4318\", max_in_flight: 64MiB };",
};
