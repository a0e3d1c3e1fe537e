//! Mistakes with types and values, F03xx: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use super::types::{Fails, Failure, Level, Type};
use super::words::or_list;

/// A change that mends the mistake: what takes the place of which text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rewrite {
    /// What is replaced; an empty span inserts.
    pub(super) span: Span,
    /// What stands there afterwards.
    pub(super) text: String,
    /// What to do, in words; ends in the new text.
    pub(super) help: String,
}

/// An expression whose types do not fit.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TypeError {
    /// An operator or function between types that it does not take.
    NoOverload {
        /// The operator or function, as it is written.
        operation: &'static str,
        /// The types it got.
        found: Vec<Type>,
        /// Where the operator or function stands.
        span: Span,
        /// The first operand that does not fit, or the whole.
        operand: Option<Span>,
        /// How to write it, when that is known.
        rewrite: Option<Rewrite>,
        /// What to do, when there is no change to offer.
        help: Option<String>,
    },
    /// Something that has no keys or positions is indexed.
    NotIndexable {
        /// Its type.
        ty: Type,
        /// Where it stands.
        span: Span,
    },
    /// A key or position of the wrong type.
    WrongIndex {
        /// What is indexed.
        container: Type,
        /// The type of the index.
        index: Type,
        /// The index.
        span: Span,
    },
    /// A condition that is not a `bool`.
    NotBool {
        /// Its type.
        ty: Type,
        /// The condition.
        span: Span,
        /// How to make a `bool` of it.
        rewrite: Option<Rewrite>,
    },
    /// A value that can fail where a value is needed.
    Fallible {
        /// What needs the value: "`subject`".
        position: String,
        /// The part that can fail.
        span: Span,
        /// Why.
        fails: Fails,
        /// The total form.
        rewrite: Option<Rewrite>,
    },
    /// The values of `?:` have different types.
    BranchesDiffer {
        /// The type of the first value.
        first: Type,
        /// Where it stands.
        first_span: Span,
        /// The other type.
        other: Type,
        /// Where it stands.
        other_span: Span,
    },
    /// A secret in an expression.
    SecretRead {
        /// Where it is read.
        span: Span,
    },
    /// A `const` or a default that is not known at build time.
    NotConstant {
        /// `const `x``, `the default of `x``.
        what: String,
        /// The level of the expression.
        level: Level,
        /// The expression.
        span: Span,
    },
    /// A default of another type than the `config` has.
    WrongDefault {
        /// The config.
        config: Name,
        /// The type it has.
        wanted: &'static str,
        /// The type of the default.
        found: Type,
        /// The default.
        span: Span,
    },
    /// A constant expression that always fails.
    ConstantFails {
        /// Why.
        failure: Failure,
        /// The expression.
        span: Span,
    },
    /// A constant that is too large.
    ConstantTooLarge {
        /// The expression.
        span: Span,
    },
    /// A malformed regular expression.
    InvalidRegex {
        /// What is wrong with it.
        reason: String,
        /// The pattern.
        span: Span,
    },
}

impl IntoDiagnostic for TypeError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::NoOverload {
                operation,
                found,
                span,
                operand,
                rewrite,
                help,
            } => {
                let diagnostic = no_overload(operation, &found, span, operand);
                match help {
                    Some(help) => diagnostic.help(help),
                    None => with(diagnostic, rewrite),
                }
            }
            Self::NotIndexable { ty, span } => not_indexable(&ty, span),
            Self::WrongIndex {
                container,
                index,
                span,
            } => wrong_index(&container, &index, span),
            Self::NotBool { ty, span, rewrite } => with(not_bool(&ty, span), rewrite),
            Self::Fallible {
                position,
                span,
                fails,
                rewrite,
            } => with(fallible(&position, span, fails), rewrite),
            Self::BranchesDiffer {
                first,
                first_span,
                other,
                other_span,
            } => branches_differ(&first, first_span, &other, other_span),
            Self::SecretRead { span } => secret_read(span),
            Self::NotConstant { what, level, span } => not_constant(&what, level, span),
            Self::WrongDefault {
                config,
                wanted,
                found,
                span,
            } => wrong_default(&config, wanted, &found, span),
            Self::ConstantFails { failure, span } => constant_fails(failure, span),
            Self::ConstantTooLarge { span } => constant_too_large(span),
            Self::InvalidRegex { reason, span } => invalid_regex(&reason, span),
        }
    }
}

/// Adds a change with its words.
pub(super) fn with(diagnostic: Diagnostic, rewrite: Option<Rewrite>) -> Diagnostic {
    match rewrite {
        Some(Rewrite { span, text, help }) => diagnostic.help(help).fix(span, text),
        None => diagnostic,
    }
}

fn no_overload(operation: &str, found: &[Type], span: Span, operand: Option<Span>) -> Diagnostic {
    let types: Vec<_> = found.iter().map(|ty| format!("`{ty}`")).collect();
    let message = match types.as_slice() {
        [left, right] => format!("`{operation}` does not take {left} and {right}"),
        _ => format!("`{operation}` does not take {}", types.join(", ")),
    };
    let diagnostic =
        Diagnostic::new(Code::NoOverload, message, span).label("no meaning for these types");
    match (operand, found) {
        (Some(operand), [.., last]) if operand != span => {
            diagnostic.also(operand, format!("this is `{last}`"))
        }
        _ => diagnostic,
    }
}

fn not_indexable(ty: &Type, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::NoOverload,
        format!("a value of type `{ty}` has no keys"),
        span,
    )
    .label(format!("this is `{ty}`"))
}

fn wrong_index(container: &Type, index: &Type, span: Span) -> Diagnostic {
    let wanted = match container {
        Type::Map(_) => "a `string`",
        Type::List(_) => "an `int`",
        _ => "a `string` or an `int`",
    };
    Diagnostic::new(
        Code::NoOverload,
        format!("the index of a `{container}` is {wanted}, not `{index}`"),
        span,
    )
    .label(format!("this is `{index}`"))
}

fn not_bool(ty: &Type, span: Span) -> Diagnostic {
    let message = match ty {
        Type::Dyn => "a condition must be `bool`, and this can be of any type".to_owned(),
        _ => format!("a condition must be `bool`, and this is `{ty}`"),
    };
    Diagnostic::new(Code::PredicateNotBool, message, span)
        .label("no value counts as true or false by itself")
}

fn fallible(position: &str, span: Span, fails: Fails) -> Diagnostic {
    let reasons: Vec<_> = fails.iter().map(Failure::describe).collect();
    Diagnostic::new(
        Code::FallibleValue,
        format!("{position} needs a value, and this can fail"),
        span,
    )
    .label(or_list(&reasons))
}

fn branches_differ(first: &Type, first_span: Span, other: &Type, other_span: Span) -> Diagnostic {
    let message = format!("the values of `?:` are `{first}` and `{other}`");
    Diagnostic::new(Code::TypeMismatch, message, other_span)
        .label(format!("this is `{other}`"))
        .also(first_span, format!("this is `{first}`"))
        .help("give both the same type")
}

fn secret_read(span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TypeMismatch,
        "a secret cannot be read by an expression",
        span,
    )
    .label("a secret")
    .help("secrets are values of options that take one, and of nothing else")
}

fn not_constant(what: &str, level: Level, span: Span) -> Diagnostic {
    let known = match level {
        Level::Config => "when the flow starts".to_owned(),
        other => format!("for each {}", other.name()),
    };
    Diagnostic::new(
        Code::TypeMismatch,
        format!("{what} must be known at build time"),
        span,
    )
    .label(format!("known only {known}"))
    .help("read nothing but literals and other constants")
}

fn wrong_default(config: &Name, wanted: &str, found: &Type, span: Span) -> Diagnostic {
    let message = format!(
        "the default of `{}` is `{found}`, and the config is `{wanted}`",
        config.value
    );
    Diagnostic::new(Code::TypeMismatch, message, span)
        .label(format!("this is `{found}`"))
        .also(config.span, format!("declared as `{wanted}`"))
}

fn constant_fails(failure: Failure, span: Span) -> Diagnostic {
    let reason = match failure {
        Failure::MissingKey => "the key is missing",
        Failure::WrongType => "the value is of another type",
        Failure::OutOfRange => "the position is outside of the list",
        Failure::Overflow => "the result does not fit into 64 bits",
        Failure::DivisionByZero => "the divisor is zero",
    };
    Diagnostic::new(
        Code::ConstantFails,
        "this constant expression always fails",
        span,
    )
    .label(reason)
}

fn constant_too_large(span: Span) -> Diagnostic {
    Diagnostic::new(Code::ConstantFails, "this constant is too large", span).label(format!(
        "more than {} bytes or elements",
        super::evaluate::MAX_SIZE
    ))
}

fn invalid_regex(reason: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidRegex,
        format!("the regular expression {reason}"),
        span,
    )
    .label("in this pattern")
}
