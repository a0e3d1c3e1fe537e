//! `sink … = nats`: publishes to a JetStream stream and waits for its acknowledgement.

use crate::catalog::connector::{ConnectorSpec, Role};
use crate::catalog::option::{OPTION, OptionSpec, OptionType};
use crate::level::Level;

/// The table of the connector.
pub(super) const SPEC: ConnectorSpec = ConnectorSpec {
    name: "nats",
    role: Role::Sink,
    options: &[
        OptionSpec {
            name: "via",
            ty: OptionType::Connection("nats"),
            required: true,
            deepest: Level::Const,
            help: "the connection to publish on",
            example: "bus",
            ..OPTION
        },
        OptionSpec {
            name: "stream",
            ty: OptionType::Text,
            required: true,
            help: "the stream that must take the messages; it exists when the flow starts",
            example: "\"TEAM0\"",
            ..OPTION
        },
        OptionSpec {
            name: "subject",
            ty: OptionType::Subject,
            required: true,
            deepest: Level::Record,
            help: "where messages are published; values from the data become one token each",
            example: "\"team0.\" + resource.attributes[?\"service.name\"].orString(\"unknown\")",
            ..OPTION
        },
    ],
    reserved: &["dedup", "headers", "window", "dead_letter"],
    help: "publishes OTLP protobuf to a JetStream stream, one message per subject and event",
    example: "sink team0 = nats { via: bus, stream: \"TEAM0\", subject: \"team0.all\" };",
};
