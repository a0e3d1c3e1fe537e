//! Mistakes with names, F02xx: facts first, words below.

use watershed_lang::diagnostic::suggest::nearest;
use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use crate::hir::ConfigType;
use crate::words::and_list;

/// A name that does not mean what its place needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NameError {
    /// A name that nothing declares.
    Unknown {
        /// The name.
        name: Name,
        /// What could stand there, such as "sink or stage".
        wanted: &'static str,
        /// The names that could have been meant.
        candidates: Vec<String>,
    },
    /// A name that was declared before.
    Duplicate {
        /// The later declaration.
        name: Name,
        /// Where the earlier one stands.
        first: Span,
    },
    /// A name that the language keeps.
    Reserved {
        /// The name.
        name: Name,
    },
    /// A config whose environment variable means something else.
    ReservedConfig {
        /// The name.
        name: Name,
    },
    /// A name of something else than is needed.
    WrongKind {
        /// The name.
        name: Name,
        /// What it is.
        found: &'static str,
        /// What could stand there.
        wanted: &'static str,
        /// Where it was declared.
        declared: Span,
        /// What could be written instead of the name.
        instead: Option<String>,
    },
    /// A type that a `config` cannot have.
    UnknownType {
        /// The type.
        name: Name,
    },
    /// Definitions that need each other.
    Cycle {
        /// The names, each needing the next and the last the first.
        names: Vec<Name>,
    },
    /// A definition at the end of too long a chain of definitions.
    TooDeep {
        /// The definition.
        name: Name,
    },
}

impl IntoDiagnostic for NameError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::Unknown {
                name,
                wanted,
                candidates,
            } => unknown(&name, wanted, &candidates),
            Self::Duplicate { name, first } => duplicate(&name, first),
            Self::Reserved { name } => reserved(&name),
            Self::ReservedConfig { name } => reserved_config(&name),
            Self::WrongKind {
                name,
                found,
                wanted,
                declared,
                instead,
            } => wrong_kind(&name, found, wanted, declared, instead),
            Self::UnknownType { name } => unknown_type(&name),
            Self::Cycle { names } => cycle(&names),
            Self::TooDeep { name } => too_deep(&name),
        }
    }
}

/// Adds "did you mean" with its fix, or the list of what there is when it is short.
pub(super) fn suggest(
    diagnostic: Diagnostic,
    name: &Name,
    candidates: &[impl AsRef<str>],
) -> Diagnostic {
    const SHORT_LIST: usize = 8;
    match nearest(&name.value, candidates.iter().map(AsRef::as_ref)) {
        Some(near) => diagnostic
            .help(format!("did you mean `{near}`?"))
            .fix(name.span, near),
        None if candidates.is_empty() || candidates.len() > SHORT_LIST => diagnostic,
        None => {
            let known: Vec<_> = candidates
                .iter()
                .map(|name| format!("`{}`", name.as_ref()))
                .collect();
            let verb = if known.len() == 1 { "is" } else { "are" };
            diagnostic.help(format!("there {verb} {}", and_list(&known)))
        }
    }
}

fn unknown(name: &Name, wanted: &str, candidates: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Code::UnknownName,
        format!("no {wanted} is named `{}`", name.value),
        name.span,
    )
    .label("not found in this file");
    suggest(diagnostic, name, candidates)
}

fn duplicate(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::new(
        Code::DuplicateName,
        format!("`{}` is declared twice", name.value),
        name.span,
    )
    .label("declared again here")
    .also(first, "declared first here")
    .help("all items share one namespace; give one of them another name")
}

fn reserved(name: &Name) -> Diagnostic {
    Diagnostic::new(
        Code::ReservedName,
        format!("`{}` cannot be the name of an item", name.value),
        name.span,
    )
    .label("the language keeps this name for expressions")
    .help(format!("choose another name, such as `{}_1`", name.value))
}

fn reserved_config(name: &Name) -> Diagnostic {
    Diagnostic::new(
        Code::ReservedName,
        format!("`{}` cannot be the name of a config", name.value),
        name.span,
    )
    .label("every flow reads `WATERSHED_TELEMETRY` as the address of its own metrics")
    .help(format!(
        "choose another name, such as `{}_address`",
        name.value
    ))
}

fn wrong_kind(
    name: &Name,
    found: &str,
    wanted: &str,
    declared: Span,
    instead: Option<String>,
) -> Diagnostic {
    let message = format!(
        "`{}` is a {found}, and a {wanted} is needed here",
        name.value
    );
    let diagnostic = Diagnostic::new(Code::WrongNameKind, message, name.span)
        .label(format!("not a {wanted}"))
        .also(declared, format!("the {found} is declared here"));
    match instead {
        Some(instead) => diagnostic
            .help(format!("write `{instead}`"))
            .fix(name.span, instead),
        None => diagnostic,
    }
}

fn unknown_type(name: &Name) -> Diagnostic {
    let types: Vec<_> = ConfigType::ALL.into_iter().map(ConfigType::name).collect();
    let diagnostic = Diagnostic::new(
        Code::UnknownType,
        format!("no type is named `{}`", name.value),
        name.span,
    )
    .label("not a type that a config can have");
    suggest(diagnostic, name, &types)
}

fn cycle(names: &[Name]) -> Diagnostic {
    let first = names
        .first()
        .cloned()
        .unwrap_or(Name::new(String::new(), Span::default()));
    let mut circle: Vec<_> = names
        .iter()
        .map(|name| format!("`{}`", name.value))
        .collect();
    circle.push(format!("`{}`", first.value));
    let message = match names {
        [_] => format!("`{}` needs itself", first.value),
        _ => format!("`{}` needs itself: {}", first.value, circle.join(" needs ")),
    };
    let diagnostic =
        Diagnostic::new(Code::Cycle, message, first.span).label("has no value of its own");
    match names.get(1) {
        Some(second) => diagnostic.also(second.span, "which takes part in the cycle"),
        None => diagnostic,
    }
    .help("replace one of the uses by a value")
}

fn too_deep(name: &Name) -> Diagnostic {
    let message = format!(
        "`{}` stands on too many definitions that stand on each other",
        name.value
    );
    Diagnostic::new(Code::TooDeep, message, name.span)
        .label(format!("more than {} deep", super::order::MAX_DEPTH))
        .help("write some of the definitions out")
}
