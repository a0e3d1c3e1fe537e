//! Mistakes with connectors, options and arguments, F05xx and F02xx: facts first, words below.

use watershed_lang::diagnostic::suggest::nearest;
use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use super::error::suggest;
use crate::catalog::connector::CONNECTORS;
use crate::catalog::{ConnectorSpec, OptionSpec, Role, StageSpec};
use crate::words::{article, or_list};

/// What an option belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Owner {
    /// A source, sink or connection.
    Connector(&'static ConnectorSpec),
    /// A stage; its options are called arguments.
    Stage(&'static StageSpec),
}

impl Owner {
    /// "a `nats` sink", "a `batch` stage".
    fn describe(self) -> String {
        let (name, noun) = match self {
            Self::Connector(spec) => (spec.name, spec.role.keyword()),
            Self::Stage(spec) => (spec.name, "stage"),
        };
        format!("{} `{name}` {noun}", article(name))
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Connector(_) => "option",
            Self::Stage(_) => "argument",
        }
    }

    const fn options(self) -> &'static [OptionSpec] {
        match self {
            Self::Connector(spec) => spec.options,
            Self::Stage(spec) => spec.arguments,
        }
    }

    /// Whether an option with this name is known and not compiled yet.
    pub(super) fn reserves(self, name: &str) -> bool {
        match self {
            Self::Connector(spec) => spec.reserved.contains(&name),
            Self::Stage(_) => false,
        }
    }
}

/// A connector, option or argument that is not what its place needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ConnectorError {
    /// A connector that does not exist.
    UnknownConnector {
        /// The item that it stands in.
        role: Role,
        /// Its name.
        name: Name,
        /// The item that it could stand in, when there is such a connector.
        other_role: Option<Role>,
    },
    /// A connector that is not compiled yet.
    ConnectorNotYet {
        /// The item that it stands in.
        role: Role,
        /// Its name.
        name: Name,
    },
    /// A source of events, which is not compiled yet.
    EventsNotYet {
        /// The type of the events.
        ty: Name,
    },
    /// An option that does not exist.
    UnknownOption {
        /// What it was set on.
        owner: Owner,
        /// Its name.
        name: Name,
    },
    /// An option that is not compiled yet.
    OptionNotYet {
        /// What it was set on.
        owner: Owner,
        /// Its name.
        name: Name,
    },
    /// An option that was set before.
    DuplicateOption {
        /// The later one.
        name: Name,
        /// Where the earlier one stands.
        first: Span,
    },
    /// An option that must be set and is not.
    MissingOption {
        /// What lacks it.
        owner: Owner,
        /// The option.
        option: &'static OptionSpec,
        /// The name of what lacks it.
        span: Span,
    },
    /// An argument without a name where none is taken.
    UnexpectedArgument {
        /// The stage.
        stage: &'static StageSpec,
        /// The argument.
        span: Span,
    },
    /// A block where a value is needed.
    BlockValue {
        /// The option.
        option: &'static OptionSpec,
        /// The block.
        span: Span,
    },
    /// A value that is none of an option's words.
    NotAWord {
        /// The option.
        option: &'static OptionSpec,
        /// Its words.
        words: &'static [&'static str],
        /// The word or text that was written.
        written: Option<String>,
        /// The value.
        span: Span,
    },
    /// A value that is no name where a connection is needed.
    NotAConnection {
        /// The value.
        span: Span,
    },
    /// A secret with a default.
    SecretLiteral {
        /// The config.
        config: Name,
        /// Its default.
        default: Span,
    },
}

impl IntoDiagnostic for ConnectorError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::UnknownConnector {
                role,
                name,
                other_role,
            } => unknown_connector(role, &name, other_role),
            Self::ConnectorNotYet { role, name } => not_yet(
                &format!("`{}` as a {}", name.value, role.keyword()),
                name.span,
            ),
            Self::EventsNotYet { ty } => not_yet("a source of events", ty.span),
            Self::UnknownOption { owner, name } => unknown_option(owner, &name),
            Self::OptionNotYet { owner, name } => not_yet(
                &format!("the option `{}` of {}", name.value, owner.describe()),
                name.span,
            ),
            Self::DuplicateOption { name, first } => duplicate_option(&name, first),
            Self::MissingOption {
                owner,
                option,
                span,
            } => missing_option(owner, option, span),
            Self::UnexpectedArgument { stage, span } => unexpected_argument(stage, span),
            Self::BlockValue { option, span } => block_value(option, span),
            Self::NotAWord {
                option,
                words,
                written,
                span,
            } => not_a_word(option, words, written.as_deref(), span),
            Self::NotAConnection { span } => not_a_connection(span),
            Self::SecretLiteral { config, default } => secret_literal(&config, default),
        }
    }
}

fn unknown_connector(role: Role, name: &Name, other_role: Option<Role>) -> Diagnostic {
    let keyword = role.keyword();
    let diagnostic = Diagnostic::new(
        Code::UnknownConnector,
        format!("there is no {keyword} `{}`", name.value),
        name.span,
    )
    .label(format!("not a kind of {keyword}"));
    match other_role {
        Some(other) => {
            diagnostic.help(format!("`{}` is a kind of {}", name.value, other.keyword()))
        }
        None => {
            let known: Vec<_> = CONNECTORS
                .iter()
                .filter(|spec| spec.role == role)
                .map(|spec| spec.name)
                .collect();
            suggest(diagnostic, name, &known)
        }
    }
}

fn not_yet(what: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::NotSupportedYet,
        format!("{what} is not supported yet"),
        span,
    )
    .label("part of the language that this version does not compile")
}

fn unknown_option(owner: Owner, name: &Name) -> Diagnostic {
    let message = format!(
        "{} has no {} `{}`",
        owner.describe(),
        owner.noun(),
        name.value
    );
    let diagnostic = Diagnostic::new(Code::UnknownOption, message, name.span)
        .label(format!("unknown {}", owner.noun()));
    let known: Vec<_> = owner.options().iter().map(|option| option.name).collect();
    suggest(diagnostic, name, &known)
}

fn duplicate_option(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::new(
        Code::DuplicateOption,
        format!("`{}` is given twice", name.value),
        name.span,
    )
    .label("given again here")
    .also(first, "given first here")
    .help("keep one of them")
}

fn missing_option(owner: Owner, option: &OptionSpec, span: Span) -> Diagnostic {
    let message = format!(
        "{} needs the {} `{}`",
        owner.describe(),
        owner.noun(),
        option.name
    );
    let example = match owner {
        Owner::Stage(stage) if stage.is_positional(option.name) => {
            format!("{}({})", stage.name, option.example)
        }
        _ => format!("{}: {}", option.name, option.example),
    };
    Diagnostic::new(Code::MissingOption, message, span)
        .label(format!("`{}` is missing", option.name))
        .help(format!("{}; for example `{example}`", option.help))
}

fn unexpected_argument(stage: &StageSpec, span: Span) -> Diagnostic {
    let named: Vec<_> = stage
        .arguments
        .iter()
        .skip(stage.positional)
        .map(|option| option.name)
        .collect();
    let message = match stage.positional {
        0 => format!("`{}` takes arguments by name", stage.name),
        _ => format!("`{}` takes no more arguments without a name", stage.name),
    };
    let names: Vec<_> = named.iter().map(|name| format!("`{name}:`")).collect();
    Diagnostic::new(Code::UnknownOption, message, span)
        .label("an argument without a name")
        .help(format!("give it as {}", or_list(&names)))
}

fn block_value(option: &OptionSpec, span: Span) -> Diagnostic {
    let message = format!("`{}` is {}, not a block", option.name, option.ty.describe());
    Diagnostic::new(Code::OptionType, message, span)
        .label("a block of options")
        .help(format!("for example `{}: {}`", option.name, option.example))
}

fn not_a_word(
    option: &OptionSpec,
    words: &[&str],
    written: Option<&str>,
    span: Span,
) -> Diagnostic {
    let all: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    let message = format!("`{}` is {}", option.name, or_list(&all));
    let diagnostic =
        Diagnostic::new(Code::InvalidOptionValue, message, span).label("not one of these words");
    // The word itself, when it only stood in quotes.
    let meant = written.and_then(|written| {
        let same = words.iter().copied().find(|word| *word == written);
        same.or_else(|| nearest(written, words.iter().copied()))
    });
    match meant {
        Some(near) => diagnostic
            .help(format!("write `{}: {near}`", option.name))
            .fix(span, near),
        None => diagnostic.help(format!("for example `{}: {}`", option.name, option.example)),
    }
}

fn not_a_connection(span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::OptionType,
        "the name of a connection is needed here",
        span,
    )
    .label("not a name")
    .help("declare one, such as `connection bus = nats { url: \"nats://127.0.0.1:4222\" };`")
}

fn secret_literal(config: &Name, default: Span) -> Diagnostic {
    let message = format!("the secret `{}` is written into the text", config.value);
    Diagnostic::new(Code::InvalidOptionValue, message, default)
        .label("everyone who reads the file knows it")
        .help("leave the default out and give the value when the flow starts")
}
