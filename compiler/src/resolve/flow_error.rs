//! Mistakes with the names of stages and signals: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use super::error::suggest;
use crate::catalog::StageSpec;
use crate::catalog::signals::Signal;
use crate::catalog::stage::STAGES;
use crate::words::or_list;

/// A step of a chain that means nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FlowError {
    /// A stage that does not exist.
    UnknownStage {
        /// Its name.
        name: Name,
        /// What an item with this name is, and where it was declared.
        declared: Option<(&'static str, Span)>,
    },
    /// A stage that is not compiled yet.
    StageNotYet {
        /// Its name.
        name: Name,
    },
    /// `-> filter ->`
    StageWithoutArguments {
        /// The stage.
        stage: &'static StageSpec,
        /// Its name.
        span: Span,
    },
    /// `route(…)`
    ArmsNeeded {
        /// The stage.
        stage: &'static StageSpec,
        /// The call.
        span: Span,
    },
    /// A signal that does not exist.
    UnknownSignal {
        /// Its name.
        name: Name,
    },
}

impl IntoDiagnostic for FlowError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::UnknownStage { name, declared } => unknown_stage(&name, declared),
            Self::StageNotYet { name } => stage_not_yet(&name),
            Self::StageWithoutArguments { stage, span } => stage_without_arguments(stage, span),
            Self::ArmsNeeded { stage, span } => arms_needed(stage, span),
            Self::UnknownSignal { name } => unknown_signal(&name),
        }
    }
}

fn unknown_stage(name: &Name, declared: Option<(&'static str, Span)>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Code::UnknownStage,
        format!("no stage is named `{}`", name.value),
        name.span,
    )
    .label("not a stage");
    match declared {
        Some((noun, span)) => diagnostic
            .also(span, format!("a {noun} has this name"))
            .help("an item of this file takes no arguments where it is used"),
        None => {
            let known: Vec<_> = STAGES.iter().map(|stage| stage.name).collect();
            suggest(diagnostic, name, &known)
        }
    }
}

fn stage_not_yet(name: &Name) -> Diagnostic {
    let message = format!("the stage `{}` is not supported yet", name.value);
    Diagnostic::new(Code::NotSupportedYet, message, name.span)
        .label("part of the language that this version does not compile")
}

fn stage_without_arguments(stage: &StageSpec, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownName,
        format!("`{}` is a stage and needs its arguments", stage.name),
        span,
    )
    .label("no sink or stage of this file has this name")
    .help(format!("for example `{}`", stage.example))
}

fn arms_needed(stage: &StageSpec, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownStage,
        format!("`{}` takes arms in braces", stage.name),
        span,
    )
    .label("written like a stage with arguments")
    .help(format!("for example `{}`", stage.example))
}

fn unknown_signal(name: &Name) -> Diagnostic {
    let names: Vec<_> = Signal::ALL.into_iter().map(Signal::name).collect();
    let diagnostic = Diagnostic::new(
        Code::UnknownSignal,
        format!("no signal is named `{}`", name.value),
        name.span,
    )
    .label(format!("a signal is {}", or_list(&names)));
    let near = match name.value.as_str() {
        "log" => Some("logs"),
        "span" | "spans" | "trace" => Some("traces"),
        "metric" | "datapoint" | "datapoints" => Some("metrics"),
        _ => None,
    };
    match near {
        Some(near) => diagnostic
            .help(format!("did you mean `{near}`?"))
            .fix(name.span, near),
        None => suggest(diagnostic, name, &names),
    }
}
