//! `sink … = file`: appends to a file.

use crate::catalog::connector::{ConnectorSpec, Role};
use crate::catalog::option::{OPTION, OptionSpec, OptionType};
use crate::level::Level;

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
            ty: OptionType::Word(&["otlp_json", "otlp_protobuf"]),
            default: Some("otlp_json"),
            deepest: Level::Const,
            help: "OTLP JSON lines, or export requests in protobuf with a length before each",
            example: "otlp_json",
            ..OPTION
        },
        OptionSpec {
            name: "fsync",
            ty: OptionType::Bool,
            default: Some("false"),
            help: "waits for the disk before it accepts; without it, data survives a crash of the process only",
            example: "true",
            ..OPTION
        },
    ],
    reserved: &["rotate", "compression"],
    help: "appends records to files",
    example: "sink rest = file { path: \"rest\", format: otlp_json };",
};
