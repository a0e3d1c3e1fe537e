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
                min: 1 << 10,
                max: 1 << 40,
            },
            default: Some("256MiB"),
            help: "bytes held for events under way; a request over it is answered 503",
            example: "64MiB",
            ..OPTION
        },
        OptionSpec {
            name: "max_body",
            ty: OptionType::Size {
                min: 1 << 10,
                max: 1 << 32,
            },
            default: Some("64MiB"),
            help: "the longest body, before and after decompression; a longer one is answered 413",
            example: "16MiB",
            ..OPTION
        },
        OptionSpec {
            name: "max_connections",
            ty: OptionType::Int {
                min: 1,
                max: 65_535,
            },
            default: Some("1024"),
            help: "connections at the same time; further ones wait",
            example: "1024",
            ..OPTION
        },
        OptionSpec {
            name: "body_timeout",
            ty: OptionType::Duration {
                below: 3_600_000_000_000,
            },
            default: Some("30s"),
            help: "how long a body may take to arrive",
            example: "30s",
            ..OPTION
        },
    ],
    reserved: &["grpc", "signal", "strict", "validate", "tls"],
    help: "receives logs, metrics and traces from OpenTelemetry clients",
    example: "source ingest = otlp { http: \"127.0.0.1:4318\", max_in_flight: 64MiB };",
};
