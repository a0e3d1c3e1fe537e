//! Connectors: kinds of sources, sinks and connections.

mod file_sink;
mod nats_connection;
mod nats_sink;
mod otlp_source;
mod stdout_sink;

use super::OptionSpec;

/// A kind of source, sink or connection.
#[derive(Debug, PartialEq)]
pub struct ConnectorSpec {
    /// The name after `=`.
    pub name: &'static str,
    /// The item that it stands in.
    pub role: Role,
    /// Its options, in the order of the reference.
    pub options: &'static [OptionSpec],
    /// Options that are known and not compiled yet.
    pub reserved: &'static [&'static str],
    /// What it does, in one line.
    pub help: &'static str,
    /// A whole item that uses it.
    pub example: &'static str,
}

/// The item that a connector stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// `connection name = …`
    Connection,
    /// `source name = …`
    Source,
    /// `sink name = …`
    Sink,
}

impl Role {
    /// The keyword of the item.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Source => "source",
            Self::Sink => "sink",
        }
    }
}

/// Every connector, in the order of the reference.
pub const CONNECTORS: &[&ConnectorSpec] = &[
    &nats_connection::SPEC,
    &otlp_source::SPEC,
    &file_sink::SPEC,
    &nats_sink::SPEC,
    &stdout_sink::SPEC,
];

/// The connector with this name that can stand in such an item.
#[must_use]
pub fn find(role: Role, name: &str) -> Option<&'static ConnectorSpec> {
    CONNECTORS
        .iter()
        .copied()
        .find(|spec| spec.role == role && spec.name == name)
}

impl ConnectorSpec {
    /// The option with this name.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&'static OptionSpec> {
        self.options.iter().find(|option| option.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_filled_in() {
        for spec in CONNECTORS {
            assert!(
                !spec.help.is_empty() && spec.example.contains(spec.name),
                "{}",
                spec.name
            );
            for option in spec.options {
                assert!(
                    !option.help.is_empty() && !option.example.is_empty(),
                    "{}.{}",
                    spec.name,
                    option.name
                );
                assert!(
                    option.default.is_none() || !option.required,
                    "{}.{}",
                    spec.name,
                    option.name
                );
            }
        }
    }
}
