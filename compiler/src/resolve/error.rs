//! Mistakes with names, F02xx: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use super::suggest::closest;
use crate::catalog::signals::{FIELDS, Root, fields_of};
use crate::check::words::{and_list, or_list};
use crate::hir::{ConfigType, print};

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
    /// A field that a root does not have.
    UnknownField {
        /// The root.
        root: Root,
        /// The field, dots included.
        name: Name,
    },
    /// A root without a field.
    RootAlone {
        /// The root.
        root: Root,
        /// Where it stands.
        span: Span,
    },
    /// `resource["key"]`
    RootIndexed {
        /// The root.
        root: Root,
        /// Where the root stands.
        span: Span,
    },
    /// A function that does not exist.
    UnknownFunction {
        /// Its name.
        name: Name,
        /// The functions that could have been meant.
        candidates: Vec<&'static str>,
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
            Self::UnknownField { root, name } => unknown_field(root, &name),
            Self::RootAlone { root, span } => root_alone(root, span),
            Self::RootIndexed { root, span } => root_indexed(root, span),
            Self::UnknownFunction { name, candidates } => unknown_function(&name, &candidates),
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
    match closest(&name.value, candidates.iter().map(AsRef::as_ref)) {
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
    let field = FIELDS.iter().find(|field| field.name == name.value);
    match field {
        Some(field) if wanted == VALUE => diagnostic
            .help(format!("did you mean the field `{field}`?"))
            .fix(name.span, field.to_string()),
        _ => suggest(diagnostic, name, candidates),
    }
}

/// What can stand in an expression, as messages call it.
pub(super) const VALUE: &str = "value";

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

fn unknown_field(root: Root, name: &Name) -> Diagnostic {
    let message = format!("{} has no field `{}`", root.noun(), name.value);
    let diagnostic = Diagnostic::new(Code::UnknownField, message, name.span)
        .label(format!("not a field of `{}`", root.name()));
    let fields: Vec<_> = fields_of(root).map(|field| field.name).collect();
    let below = format!("{}.", name.value);
    let deeper: Vec<_> = fields_of(root)
        .filter(|field| field.name.starts_with(&below))
        .map(|field| format!("`{field}`"))
        .collect();
    if !deeper.is_empty() {
        return diagnostic.help(format!("read {}", or_list(&deeper)));
    }
    match closest(&name.value, fields.iter().copied()) {
        Some(near) => diagnostic
            .help(format!("did you mean `{near}`?"))
            .fix(name.span, near),
        None if fields.contains(&"attributes") => {
            let attribute = format!("attributes[{}]", print::quoted(&name.value));
            diagnostic
                .help(format!(
                    "an attribute is read as `{}.{attribute}`",
                    root.name()
                ))
                .fix(name.span, attribute)
        }
        None => diagnostic.help(format!("its fields are {}", and_list(&fields))),
    }
}

fn root_alone(root: Root, span: Span) -> Diagnostic {
    let field = fields_of(root)
        .next()
        .map_or(String::new(), ToString::to_string);
    Diagnostic::new(
        Code::WrongNameKind,
        format!("`{}` is not a value by itself", root.name()),
        span,
    )
    .label("a field must follow")
    .help(format!("read one of its fields, such as `{field}`"))
}

fn root_indexed(root: Root, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Code::WrongNameKind,
        format!("`{}` has fields and no keys", root.name()),
        span,
    )
    .label("not a map");
    match crate::catalog::signals::field(root, "attributes") {
        Some(attributes) => diagnostic
            .help(format!("attributes are keys of `{attributes}`"))
            .fix(span, attributes.to_string()),
        None => diagnostic,
    }
}

fn unknown_function(name: &Name, candidates: &[&str]) -> Diagnostic {
    let message = format!("no function is named `{}`", name.value);
    let diagnostic =
        Diagnostic::new(Code::UnknownFunction, message, name.span).label("not a function of CEL");
    match closest(&name.value, candidates.iter().copied()) {
        Some(near) => diagnostic
            .help(format!("did you mean `{near}`?"))
            .fix(name.span, near),
        None => diagnostic.help(format!("the functions are {}", and_list(candidates))),
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
