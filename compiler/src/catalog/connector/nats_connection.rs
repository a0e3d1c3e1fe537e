//! `connection … = nats`: one connection to a NATS server, shared by everything that names it.

use crate::catalog::connector::{ConnectorSpec, Role};
use crate::catalog::option::{OPTION, OptionSpec, OptionType};

/// The table of the connector.
pub(super) const SPEC: ConnectorSpec = ConnectorSpec {
    name: "nats",
    role: Role::Connection,
    options: &[OptionSpec {
        name: "url",
        ty: OptionType::Url,
        required: true,
        help: "the server, or several with commas between",
        example: "\"nats://127.0.0.1:4222\"",
        ..OPTION
    }],
    reserved: &[
        "credentials",
        "token",
        "user",
        "password",
        "nkey",
        "tls",
        "inbox_prefix",
    ],
    help: "a connection to NATS that sinks share",
    example: "connection bus = nats { url: \"nats://127.0.0.1:4222\" };",
};
