//! Mistakes in the form of expressions, F03xx: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::Span;

/// A form of CEL that is known and not compiled by this version.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NotSupportedYet {
    /// The form: "`event`", "a constant of this form".
    pub(super) what: String,
    /// Where exactly it stands.
    pub(super) span: Span,
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
    /// An expression that nests deeper than the compiler goes.
    TooDeep {
        /// Where it begins to be too deep.
        span: Span,
    },
}

impl IntoDiagnostic for ExpressionError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::NotSupported(error) => error.into_diagnostic(),
            Self::TooDeep { span } => too_deep(span),
        }
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(Code::TooDeep, "the expression nests too deeply", span)
        .label(format!("more than {} levels", super::expr::MAX_DEPTH))
        .help("name parts of it with `predicate` or `const`")
}
