//! Names in expressions that mean something later, F0305: facts first, words below.

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
