//! The row of one option: of a connector, or an argument of a stage.

use crate::level::Level;

/// One option.
#[derive(Debug, PartialEq)]
pub struct OptionSpec {
    /// The name as it is written.
    pub name: &'static str,
    /// What it can be set to.
    pub ty: OptionType,
    /// What it is when it is not set, as it would be written; `None` when it is then absent.
    pub default: Option<&'static str>,
    /// Whether it must be set.
    pub required: bool,
    /// The deepest level that its value may read.
    pub deepest: Level,
    /// What it does, in one line.
    pub help: &'static str,
    /// A value, as it would be written.
    pub example: &'static str,
}

/// What an option can be set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionType {
    /// Any text that is not empty.
    Text,
    /// `host:port`
    Address,
    /// The address of a server, such as `nats://127.0.0.1:4222`.
    Url,
    /// A subject of NATS: text whose first token is constant. The rest may come from the data.
    Subject,
    /// A whole number within bounds, both included.
    Int {
        /// The smallest allowed value.
        min: i64,
        /// The largest allowed value.
        max: i64,
    },
    /// A size in bytes within bounds, both included.
    Size {
        /// The smallest allowed size.
        min: i64,
        /// The largest allowed size.
        max: i64,
    },
    /// A length of time in nanoseconds, more than nothing and less than the bound.
    Duration {
        /// The first value that is too long.
        below: i64,
    },
    /// `true` or `false`.
    Bool,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of a connection with this connector.
    Connection(&'static str),
    /// A CEL condition.
    Predicate,
    /// A field or attribute of the data that can be changed.
    Path,
    /// A value for such a field or attribute, which cannot fail.
    NewValue,
    /// A part of a whole: more than 0 and at most 1.
    Ratio,
}

impl OptionType {
    /// The type in words, as the reference and messages show it.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Address => "an address such as \"127.0.0.1:4318\"",
            Self::Url => "a URL",
            Self::Subject => "a subject",
            Self::Int { .. } => "a whole number",
            Self::Size { .. } => "a size such as 64MiB",
            Self::Duration { .. } => "a duration such as 10ms",
            Self::Bool => "true or false",
            Self::Word(_) => "a word",
            Self::Connection(_) => "a connection",
            Self::Predicate => "a condition",
            Self::Path => "a field or an attribute",
            Self::NewValue => "a value that cannot fail",
            Self::Ratio => "a number above 0.0 and up to 1.0",
        }
    }
}

/// The row of an optional option without a default; fields that differ are written over it.
pub(super) const OPTION: OptionSpec = OptionSpec {
    name: "",
    ty: OptionType::Text,
    default: None,
    required: false,
    deepest: Level::Instance,
    help: "",
    example: "",
};
