//! Mistakes with types and values, F03xx: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use crate::cel::error::mended;
use crate::cel::format::Problem;
use crate::cel::limits::MAX_PRECISION;
use crate::cel::mend::Mend;
use crate::cel::{Fails, Failure, Type};
use crate::level::Level;
use crate::words::or_list;

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
    /// A condition that is not a `bool`.
    NotBool {
        /// Its type.
        ty: Type,
        /// The condition.
        span: Span,
        /// How to make a `bool` of it.
        mend: Option<Mend>,
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
    /// A constant that is too large to be kept.
    ConstantTooLarge {
        /// The part that is.
        span: Span,
    },
    /// An expression without data that only a running flow can evaluate.
    NotComputed {
        /// `const `x``, `the default of `x``.
        what: String,
        /// The expression.
        span: Span,
    },
    /// A template of `format` that never works.
    FormatFails {
        /// Why.
        problem: Problem,
        /// The call.
        span: Span,
    },
}

impl IntoDiagnostic for TypeError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::NotBool { ty, span, mend } => mended(not_bool(&ty, span), mend),
            Self::Fallible {
                position,
                span,
                fails,
                rewrite,
            } => with(fallible(&position, span, fails), rewrite),
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
            Self::NotComputed { what, span } => not_computed(&what, span),
            Self::FormatFails { problem, span } => format_fails(&problem, span),
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
    Diagnostic::new(Code::ConstantFails, "this expression always fails", span)
        .label(certain(failure))
}

/// The reason of a failure that is certain.
const fn certain(failure: Failure) -> &'static str {
    match failure {
        Failure::MissingKey => "the key is missing",
        Failure::WrongType => "the value is of another type",
        Failure::OutOfRange => "there is nothing at this position",
        Failure::Overflow => "the result is out of the range of its type",
        Failure::DivisionByZero => "the divisor is zero",
        Failure::Conversion => "the value is not convertible",
        Failure::InvalidArgument => "an argument is out of its range",
        Failure::InvalidRegex => "the regular expression is malformed",
        Failure::InvalidFormat => "the template does not fit its arguments",
        Failure::UnknownTimeZone => "the time zone does not exist",
        Failure::EmptyOptional => "the optional is empty",
        Failure::InvalidKey => "a key is of a type that no key can have",
        Failure::DuplicateKey => "a key stands twice",
        Failure::Unresolved => "a name or a function does not exist",
        Failure::MixedNull => "the value is `null` where its type says otherwise",
        Failure::Elsewhere => "what it refers to fails",
    }
}

fn constant_too_large(span: Span) -> Diagnostic {
    Diagnostic::new(Code::ConstantFails, "this constant is too large", span).label(format!(
        "more than {} values and bytes",
        crate::cel::fold::MAX_WEIGHT
    ))
}

fn not_computed(what: &str, span: Span) -> Diagnostic {
    let message = format!("{what} is not evaluated at build time");
    Diagnostic::new(Code::UnsupportedExpression, message, span)
        .label("this version evaluates it only in a running flow")
        .help("write its value, or write the expression where it is used")
}

fn format_fails(problem: &Problem, span: Span) -> Diagnostic {
    let reason = match problem {
        Problem::Unfinished => "it ends within a verb".to_owned(),
        Problem::Precision => {
            format!("a precision is a number from 0 to {MAX_PRECISION}, as in `%.3f`")
        }
        Problem::UnknownVerb(verb) => format!("there is no verb `%{verb}`"),
        Problem::MissingArgument { given } => {
            format!("it has more verbs than arguments, which are {given}")
        }
        Problem::WrongType { verb, ty } => format!("`%{verb}` does not take `{ty}`"),
    };
    Diagnostic::new(
        Code::ConstantFails,
        "this template never fits its arguments",
        span,
    )
    .label(reason)
}
