//! `sink … = stdout`: writes to the standard output of the process.

use crate::catalog::connector::{ConnectorSpec, Role};

/// The table of the connector.
pub(super) const SPEC: ConnectorSpec = ConnectorSpec {
    name: "stdout",
    role: Role::Sink,
    options: &[],
    reserved: &["format"],
    help: "writes records to the standard output as OTLP JSON lines",
    example: "sink out = stdout;",
};
