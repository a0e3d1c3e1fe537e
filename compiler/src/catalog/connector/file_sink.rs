//! `sink … = file`: appends to a file.

use crate::catalog::connector::{ConnectorSpec, Role};
use crate::catalog::option::{OPTION, OptionSpec, OptionType};

/// The words of `format`, for the sinks that write bytes.
pub(super) const FORMATS: &[&str] = &["otlp_json", "otlp_protobuf"];

/// The table of the connector.
pub(super) const SPEC: ConnectorSpec = ConnectorSpec {
    name: "file",
    role: Role::Sink,
    options: &[
        OptionSpec {
            name: "path",
            ty: OptionType::Text,
            required: true,
            help: "the directory that the files of each signal are written to",
            example: "\"rest\"",
            ..OPTION
        },
        OptionSpec {
            name: "format",
            ty: OptionType::Word(FORMATS),
            default: Some("otlp_json"),
            deepest: crate::check::types::Level::Const,
            help: "OTLP JSON lines, or export requests in protobuf with a length before each",
            example: "otlp_json",
            ..OPTION
        },
    ],
    reserved: &["rotate", "compression"],
    help: "appends records to files",
    example: "sink rest = file { path: \"rest\", format: otlp_json };",
};
