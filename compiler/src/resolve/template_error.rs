//! Mistakes with templates and their uses: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use super::error::suggest;
use crate::words::and_list;

/// Something about a template or a use of one that cannot be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TemplateError {
    /// A use of what is no template.
    UnknownTemplate {
        /// The name.
        name: Name,
        /// What the name stands for, and where that was declared.
        declared: Option<(&'static str, Span)>,
        /// The templates that there are.
        candidates: Vec<String>,
    },
    /// An item in the braces of a `template` or a `for` that cannot stand there.
    Misplaced {
        /// What it is.
        found: &'static str,
        /// In the braces of what.
        around: &'static str,
        /// The item.
        span: Span,
    },
    /// A template whose instances have no key.
    WithoutParameters {
        /// Its name.
        name: Name,
    },
    /// A parameter of type `secret`.
    SecretParameter {
        /// The type.
        ty: Name,
    },
    /// A first parameter that is neither a text nor a number.
    KeyType {
        /// The type.
        ty: Name,
    },
    /// `csv` and `json` are the formats of tables.
    UnknownFormat {
        /// What was written.
        name: Name,
    },
    /// An argument for a parameter that there is not.
    UnknownParameter {
        /// The name.
        name: Name,
        /// The parameters that there are.
        candidates: Vec<String>,
    },
    /// More arguments than parameters.
    TooManyArguments {
        /// The template.
        template: Name,
        /// How many parameters it has.
        expected: usize,
        /// The first argument too many.
        span: Span,
    },
    /// Two arguments for one parameter.
    ArgumentTwice {
        /// The parameter.
        parameter: String,
        /// The later argument.
        span: Span,
    },
    /// Parameters without arguments.
    MissingArguments {
        /// The template.
        template: Name,
        /// The parameters.
        missing: Vec<String>,
        /// The use.
        span: Span,
    },
}

impl IntoDiagnostic for TemplateError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::UnknownTemplate {
                name,
                declared,
                candidates,
            } => unknown_template(&name, declared, &candidates),
            Self::Misplaced {
                found,
                around,
                span,
            } => misplaced(found, around, span),
            Self::WithoutParameters { name } => Diagnostic::new(
                Code::TemplateArguments,
                format!("the template `{}` has no parameter", name.value),
                name.span,
            )
            .help("the first parameter tells the instances apart: give it one, such as `tenant: string`"),
            Self::SecretParameter { ty } => Diagnostic::new(
                Code::UnknownType,
                "a parameter cannot be a `secret`: a table is part of the program",
                ty.span,
            )
            .help("name the `config` in the template itself"),
            Self::KeyType { ty } => Diagnostic::new(
                Code::UnknownType,
                "the first parameter is the key of an instance: a `string` or an `int`",
                ty.span,
            )
            .help("put a parameter that names the instance before it"),
            Self::UnknownFormat { name } => suggest(
                Diagnostic::new(
                    Code::UnknownFunction,
                    format!("no table is read with `{}`", name.value),
                    name.span,
                ),
                &name,
                &["csv", "json"],
            ),
            Self::UnknownParameter { name, candidates } => suggest(
                Diagnostic::new(
                    Code::TemplateArguments,
                    format!("no parameter is named `{}`", name.value),
                    name.span,
                ),
                &name,
                &candidates,
            ),
            Self::TooManyArguments {
                template,
                expected,
                span,
            } => too_many(&template, expected, span),
            Self::ArgumentTwice { parameter, span } => Diagnostic::new(
                Code::TemplateArguments,
                format!("the parameter `{parameter}` has an argument already"),
                span,
            )
            .help("remove one of them"),
            Self::MissingArguments {
                template,
                missing,
                span,
            } => missing_arguments(&template, &missing, span),
        }
    }
}

fn unknown_template(
    name: &Name,
    declared: Option<(&'static str, Span)>,
    candidates: &[String],
) -> Diagnostic {
    let found = Diagnostic::new(
        Code::UnknownTemplate,
        format!("no template is named `{}`", name.value),
        name.span,
    );
    match declared {
        Some((noun, span)) => found.also(span, format!("this is a {noun}")),
        None if candidates.is_empty() => {
            found.help("declare one: `template link(tenant: string) { … }`")
        }
        None => suggest(found, name, candidates),
    }
}

fn misplaced(found: &str, around: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Code::MisplacedItem,
        format!("a {found} cannot stand in a `{around}`"),
        span,
    );
    if around == "for" {
        return diagnostic.help("a `for` holds uses of templates, such as `link(t.name);`");
    }
    diagnostic.help(match found {
        "use of a template" => {
            "templates do not use templates: write it outside, beside the uses of this one"
        }
        "config" | "const" => "write it before the template, which may read it",
        _ => "a template holds connections, sources, sinks, stages, predicates and chains",
    })
}

fn too_many(template: &Name, expected: usize, span: Span) -> Diagnostic {
    let noun = if expected == 1 {
        "parameter"
    } else {
        "parameters"
    };
    Diagnostic::new(
        Code::TemplateArguments,
        format!("`{}` has {expected} {noun}", template.value),
        span,
    )
    .label("one argument too many")
}

fn missing_arguments(template: &Name, missing: &[String], span: Span) -> Diagnostic {
    let names: Vec<_> = missing.iter().map(|name| format!("`{name}`")).collect();
    let noun = if names.len() == 1 {
        "an argument"
    } else {
        "arguments"
    };
    Diagnostic::new(
        Code::TemplateArguments,
        format!("`{}` needs {noun} for {}", template.value, and_list(&names)),
        span,
    )
}
