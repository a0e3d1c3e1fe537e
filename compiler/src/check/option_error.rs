//! Mistakes with the values of options, F05xx: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::Span;

use crate::catalog::OptionSpec;
use crate::cel::Type;
use crate::cel::print::{print_duration, print_size};
use crate::level::Level;

/// What the values of an option are held to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Range {
    /// A number between two, both allowed.
    Int {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A size between two, both allowed.
    Size {
        /// The smallest, in bytes.
        min: i64,
        /// The largest, in bytes.
        max: i64,
    },
    /// More than nothing and less than this.
    Duration {
        /// The first that is too long, in nanoseconds.
        below: i64,
    },
    /// Text of at least one character.
    NotEmpty,
    /// `host:port`
    Address,
    /// `scheme://host`
    Url,
    /// More than nothing, and the whole at most.
    Ratio,
}

/// Why a subject cannot be published to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SubjectFault {
    /// The first token comes from the data or from a config: what it reads.
    OpenFirstToken(Level),
    /// The first token is one that the server keeps.
    ReservedFirstToken,
    /// Nothing between two dots, or at an end.
    EmptyToken,
    /// A character that no token can have.
    BadCharacter(char),
    /// A token of more than 128 bytes, or more than 1 KiB in all.
    TooLong,
}

/// An option with a value that it cannot have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OptionError {
    /// A value of another type.
    WrongType {
        /// The option.
        option: &'static OptionSpec,
        /// The type of the value.
        found: Type,
        /// The value.
        span: Span,
    },
    /// A value that is known too late.
    TooDeep {
        /// The option.
        option: &'static OptionSpec,
        /// The level of the value.
        level: Level,
        /// The value.
        span: Span,
    },
    /// A value outside of the range.
    OutOfRange {
        /// The option.
        option: &'static OptionSpec,
        /// What it is held to.
        range: Range,
        /// The value.
        span: Span,
    },
    /// A value that is outside of the range in some instance of a template.
    RowOutOfRange {
        /// The option.
        option: &'static OptionSpec,
        /// What it is held to.
        range: Range,
        /// The option's value in the template.
        span: Span,
        /// What that comes to, as it would be written.
        value: String,
        /// The instance: `link["acme"]`.
        instance: String,
        /// The row that makes the instance; `None` for a use without a table.
        place: Option<String>,
        /// The use of the template.
        used: Span,
    },
    /// A subject that cannot be published to.
    Subject {
        /// Why.
        fault: SubjectFault,
        /// The part that is wrong.
        span: Span,
    },
}

impl IntoDiagnostic for OptionError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::WrongType {
                option,
                found,
                span,
            } => wrong_type(option, &found, span),
            Self::TooDeep {
                option,
                level,
                span,
            } => too_deep(option, level, span),
            Self::OutOfRange {
                option,
                range,
                span,
            } => out_of_range(option, range, span),
            Self::RowOutOfRange {
                option,
                range,
                span,
                value,
                instance,
                place,
                used,
            } => {
                let row = place.map_or("made here".to_owned(), |place| {
                    format!("made of {place} of the table")
                });
                out_of_range(option, range, span)
                    .label(format!("{value} in `{instance}`"))
                    .also(used, row)
            }
            Self::Subject { fault, span } => subject(&fault, span),
        }
    }
}

fn wrong_type(option: &OptionSpec, found: &Type, span: Span) -> Diagnostic {
    let message = format!(
        "`{}` is {}, not `{found}`",
        option.name,
        option.ty.describe()
    );
    Diagnostic::new(Code::OptionType, message, span)
        .label(format!("this is `{found}`"))
        .help(format!("for example `{}: {}`", option.name, option.example))
}

fn too_deep(option: &OptionSpec, level: Level, span: Span) -> Diagnostic {
    let known = match option.deepest {
        Level::Const => "at build time",
        _ => "when the flow starts",
    };
    let message = format!("`{}` must be known {known}", option.name);
    let label = match level {
        Level::Config => "known only when the flow starts".to_owned(),
        Level::Instance => "known only for each instance of the template".to_owned(),
        Level::Payload => "known only for each event".to_owned(),
        other => format!("known only for each {}", other.name()),
    };
    Diagnostic::new(Code::OptionTooDeep, message, span)
        .label(label)
        .help(match (option.deepest, level) {
            (Level::Const, Level::Config | Level::Instance) => {
                "give a literal or a `const`: this is built into the program"
            }
            (Level::Const, _) => {
                "give a literal or a `const`; for another value for some records, put the stage into the arms of a `route`"
            }
            _ => {
                "give a literal, a `const` or a `config`; to choose by the data, declare a sink for each value and \
                 deliver to them with `route`, or make them with a `template`"
            }
        })
}

fn out_of_range(option: &OptionSpec, range: Range, span: Span) -> Diagnostic {
    let name = option.name;
    let size = |bytes: i64| print_size(u64::try_from(bytes).unwrap_or(0));
    let message = match range {
        Range::Int { min, max } => format!("`{name}` is between {min} and {max}"),
        Range::Size { min, max } => format!("`{name}` is between {} and {}", size(min), size(max)),
        Range::Duration { below } => format!(
            "`{name}` is more than 0s and less than {}",
            print_duration(below)
        ),
        Range::NotEmpty => format!("`{name}` cannot be empty"),
        Range::Address => format!("`{name}` is an address of the form `host:port`"),
        Range::Url => format!("`{name}` is a URL of the form `scheme://host:port`"),
        Range::Ratio => format!("`{name}` is more than 0.0 and at most 1.0"),
    };
    Diagnostic::new(Code::InvalidOptionValue, message, span)
        .label("not allowed")
        .help(format!(
            "{}; for example `{name}: {}`",
            option.help, option.example
        ))
}

fn subject(fault: &SubjectFault, span: Span) -> Diagnostic {
    let (message, label, help) = match fault {
        SubjectFault::OpenFirstToken(level) => (
            "the first token of a subject must be constant",
            match level {
                Level::Const => "not computed at build time".to_owned(),
                Level::Config => "a config is known only when the flow starts".to_owned(),
                Level::Instance => "a parameter differs from instance to instance".to_owned(),
                Level::Payload => "known only for each event".to_owned(),
                other => format!("known only for each {}", other.name()),
            },
            "no value may turn it into a subject of the server itself, so it is checked at build time; begin with a \
             literal that ends in a dot, such as \"telemetry.\" + …",
        ),
        SubjectFault::ReservedFirstToken => (
            "the first token of a subject cannot begin with `$` or `_INBOX`",
            "a subject of the server itself".to_owned(),
            "a message there would be a command to the server; choose another first token",
        ),
        SubjectFault::EmptyToken => (
            "a subject has something between its dots and at both ends",
            "an empty token".to_owned(),
            "take one of the dots away, or write something between them",
        ),
        SubjectFault::BadCharacter(character) => (
            "a subject has no white space, no control characters and no wildcards",
            format!("`{}` is not allowed", character.escape_debug()),
            "replace the character",
        ),
        SubjectFault::TooLong => (
            "a subject has at most 128 bytes a token and 1 KiB in all",
            "too long".to_owned(),
            "shorten it",
        ),
    };
    Diagnostic::new(Code::InvalidOptionValue, message, span)
        .label(label)
        .help(help)
}
