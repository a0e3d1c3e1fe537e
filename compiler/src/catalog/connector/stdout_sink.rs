//! `sink … = stdout`: writes to the standard output of the process.

use super::file_sink::FORMATS;
use crate::catalog::connector::{ConnectorSpec, Role};
use crate::catalog::option::{OPTION, OptionSpec, OptionType};

/// The table of the connector.
pub(super) const SPEC: ConnectorSpec = ConnectorSpec {
    name: "stdout",
    role: Role::Sink,
    options: &[OptionSpec {
        name: "format",
        ty: OptionType::Word(FORMATS),
        default: Some("otlp_json"),
        deepest: crate::check::types::Level::Const,
        help: "OTLP JSON lines, or export requests in protobuf with a length before each",
        example: "otlp_json",
        ..OPTION
    }],
    reserved: &[],
    help: "writes records to the standard output",
    example: "sink out = stdout;",
};
