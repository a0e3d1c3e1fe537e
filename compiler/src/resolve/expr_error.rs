//! Mistakes in the form of expressions, F03xx: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use crate::hir::{Function, print};

/// A form of CEL that is known and not compiled by this version.
#[derive(Clone, Debug, PartialEq)]
pub struct NotSupportedYet {
    /// The form: "`exists`", "a map literal".
    pub what: String,
    /// Where exactly it stands.
    pub span: Span,
}

impl IntoDiagnostic for NotSupportedYet {
    fn into_diagnostic(self) -> Diagnostic {
        Diagnostic::new(
            Code::UnsupportedExpression,
            format!("{} is not supported yet", self.what),
            self.span,
        )
        .label("part of CEL that this version does not compile")
    }
}

/// An expression whose form is wrong, whatever its types are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExpressionError {
    /// A form that is not compiled yet.
    NotSupported(NotSupportedYet),
    /// `has(m["k"])`
    HasIndex {
        /// The argument.
        argument: Span,
        /// The test that can be written instead, when the key is a literal.
        instead: Option<Instead>,
    },
    /// `has(x)` of something that is no selection.
    HasOther {
        /// The argument, or the whole call when there is not exactly one.
        span: Span,
    },
    /// A function with too many or too few arguments.
    WrongArity {
        /// The function.
        function: Function,
        /// Where its name stands.
        span: Span,
        /// How many arguments it got, the receiver not counted.
        found: usize,
    },
    /// `startsWith(a, b)` of a function that only has receivers.
    NeedsReceiver {
        /// The function.
        function: Function,
        /// Where its name stands.
        name: Name,
    },
    /// An expression that nests deeper than the compiler goes.
    TooDeep {
        /// Where it begins to be too deep.
        span: Span,
    },
}

/// `"key" in operand`, for the fix of `has(operand["key"])`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Instead {
    /// The whole call of `has`.
    pub call: Span,
    /// What takes its place.
    pub text: String,
}

impl IntoDiagnostic for ExpressionError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::NotSupported(error) => error.into_diagnostic(),
            Self::HasIndex { argument, instead } => has_index(argument, instead),
            Self::HasOther { span } => has_other(span),
            Self::WrongArity {
                function,
                span,
                found,
            } => wrong_arity(function, span, found),
            Self::NeedsReceiver { function, name } => needs_receiver(function, &name),
            Self::TooDeep { span } => too_deep(span),
        }
    }
}

fn has_index(argument: Span, instead: Option<Instead>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Code::InvalidMacroArgument,
        "`has` takes a field, not an index",
        argument,
    )
    .label("a key in brackets");
    match instead {
        Some(Instead { call, text }) => diagnostic
            .help(format!("ask the map for the key: `{text}`"))
            .fix(call, text),
        None => diagnostic.help("ask the map for the key: `\"key\" in map`"),
    }
}

fn has_other(span: Span) -> Diagnostic {
    Diagnostic::new(Code::InvalidMacroArgument, "`has` takes one field", span)
        .label("not a selection of a field")
        .help("write `has(log.body)`, or `\"key\" in map` for a key")
}

fn wrong_arity(function: Function, span: Span, found: usize) -> Diagnostic {
    let wanted = function.arity() - 1;
    let arguments = match wanted {
        0 => "no argument".to_owned(),
        1 => "one argument".to_owned(),
        more => format!("{more} arguments"),
    };
    Diagnostic::new(
        Code::NoOverload,
        format!("`{}` takes {arguments} and got {found}", function.name()),
        span,
    )
    .label("wrong number of arguments")
    .help(format!("write {}", form(function)))
}

fn needs_receiver(function: Function, name: &Name) -> Diagnostic {
    let message = format!("`{}` is called on a value", function.name());
    Diagnostic::new(Code::UnknownFunction, message, name.span)
        .label("no function without a value before it has this name")
        .help(format!("write {}", form(function)))
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(Code::TooDeep, "the expression nests too deeply", span)
        .label(format!("more than {} levels", super::expr::MAX_DEPTH))
        .help("name parts of it with `predicate` or `const`")
}

/// How a function is called.
fn form(function: Function) -> String {
    let name = function.name();
    match function {
        Function::Size => "`text.size()`".to_owned(),
        Function::OrValue | Function::OrString => {
            format!(
                "`map[?{}].{name}({})`",
                print::quoted("key"),
                print::quoted("default")
            )
        }
        Function::OrInt => "`map[?\"key\"].orInt(0)`".to_owned(),
        Function::OrDouble => "`map[?\"key\"].orDouble(0.0)`".to_owned(),
        Function::OrBool => "`map[?\"key\"].orBool(false)`".to_owned(),
        Function::StartsWith | Function::EndsWith | Function::Contains | Function::Matches => {
            format!("`text.{name}({})`", print::quoted("…"))
        }
    }
}
