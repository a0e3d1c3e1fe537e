//! What is wrong with a program, as data: a stable code, a message, labelled places, help and a fix.
//!
//! Every phase makes its own error enum of facts and turns it into a [`Diagnostic`] through [`IntoDiagnostic`];
//! the renderers below make text of it, one file each.

pub mod code;
pub mod render;
pub mod suggest;

use serde::Serialize;

pub use code::{Code, Severity};

use crate::span::Span;

/// A place and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What stands there; may be empty.
    pub text: String,
}

/// A change of the text that mends the mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What is replaced; an empty span inserts.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
}

/// One finding. Messages are lower case, without a final full stop, names in backticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The stable code, with its page.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The place of the mistake.
    pub primary: Label,
    /// Other places that explain it, two at most.
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// The change that does it, where one can be made.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A finding with the severity of its code, at `span`.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            primary: Label {
                span,
                text: String::new(),
            },
            secondary: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Says what stands at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place that explains the mistake.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Gives the change that mends the mistake.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix {
            span,
            replacement: replacement.into(),
        });
        self
    }

    /// Whether this finding stops the compilation.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        matches!(self.severity, Severity::Error)
    }
}

/// An error of some phase that can say itself.
pub trait IntoDiagnostic {
    /// Makes the words of this error. The only place where they are made.
    fn into_diagnostic(self) -> Diagnostic;
}

/// What a phase found; phases add to it and the driver stops between phases when it holds an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Nothing found yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one finding.
    pub fn push(&mut self, error: impl IntoDiagnostic) {
        self.list.push(error.into_diagnostic());
    }

    /// Keeps only the findings that `keep` wants: for those that follow from another one.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Whether any finding is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    /// Whether nothing was found at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The findings in the order of their places in the text.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list
            .sort_by_key(|found| (found.primary.span, found.code));
        self.list
    }

    /// The findings in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}

impl IntoDiagnostic for Diagnostic {
    fn into_diagnostic(self) -> Diagnostic {
        self
    }
}
