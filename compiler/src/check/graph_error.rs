//! Mistakes in the form of chains and in what edges carry, F04xx and F0307: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::Span;

use crate::catalog::signals::{Root, Signal, Signals};

/// A chain of a form that cannot run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum GraphError {
    /// A chain or branch that ends in a stage.
    WithoutSink {
        /// Its last step.
        last: Span,
    },
    /// A fan-out, route or split without branches.
    Empty {
        /// The step.
        span: Span,
    },
    /// A step behind one that nothing can follow.
    AfterEnd {
        /// What ends the chain.
        end: Span,
        /// What that is.
        end_noun: &'static str,
        /// The step behind it.
        step: Span,
    },
    /// A route that some records may not take.
    RouteWithoutElse {
        /// The route.
        span: Span,
        /// Its last branch.
        last: Span,
    },
    /// An `else` before other arms.
    ElseNotLast {
        /// The `else`.
        span: Span,
        /// The arm behind it.
        next: Span,
    },
    /// An `else` in a split.
    ElseInSplit {
        /// The `else`.
        span: Span,
    },
    /// A stage that answers the sender, behind something that ends what it can answer for.
    AnswersTooLate {
        /// The stage: `validate`.
        stage: &'static str,
        /// Where it stands.
        span: Span,
        /// What stands before it.
        before: Span,
        /// What that is.
        noun: &'static str,
    },
    /// A stage that answers the sender, in a template.
    GateInTemplate {
        /// The stage: `validate`.
        stage: &'static str,
        /// Where it stands.
        span: Span,
        /// The name of the template.
        template: Span,
    },
    /// A sample of several signals at once.
    SampleOfSeveral {
        /// The stage.
        span: Span,
        /// The edge.
        head: Option<Span>,
    },
    /// A batch behind a batch.
    BatchAfterBatch {
        /// The later one.
        span: Span,
        /// The earlier one.
        earlier: Span,
    },
}

impl IntoDiagnostic for GraphError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::WithoutSink { last } => without_sink(last),
            Self::Empty { span } => empty(span),
            Self::AfterEnd {
                end,
                end_noun,
                step,
            } => after_end(end, end_noun, step),
            Self::RouteWithoutElse { span, last } => route_without_else(span, last),
            Self::ElseNotLast { span, next } => else_not_last(span, next),
            Self::ElseInSplit { span } => else_in_split(span),
            Self::AnswersTooLate {
                stage,
                span,
                before,
                noun,
            } => answers_too_late(stage, span, before, noun),
            Self::GateInTemplate {
                stage,
                span,
                template,
            } => gate_in_template(stage, span, template),
            Self::SampleOfSeveral { span, head } => sample_of_several(span, head),
            Self::BatchAfterBatch { span, earlier } => batch_after_batch(span, earlier),
        }
    }
}

fn answers_too_late(stage: &str, span: Span, before: Span, noun: &str) -> Diagnostic {
    let what = match stage {
        "limit" => "what is over the quota",
        _ => "what it refuses",
    };
    Diagnostic::new(
        Code::MisplacedStage,
        format!("`{stage}` cannot stand behind {noun}"),
        span,
    )
    .label(format!("cannot tell the sender any more {what}"))
    .also(before, format!("{noun} stands here"))
    .help(format!(
        "put `{stage}` in front of every batch and fan-out: nothing of an event may be on its way then"
    ))
}

fn gate_in_template(stage: &str, span: Span, template: Span) -> Diagnostic {
    Diagnostic::new(
        Code::MisplacedStage,
        format!("`{stage}` cannot stand in a template"),
        span,
    )
    .label("answers for whole events, which may come to many instances")
    .also(template, "the template")
    .help(format!(
        "put `{stage}` into a chain outside that is alone with its source"
    ))
}

fn sample_of_several(span: Span, head: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::MisplacedStage, "`sample` takes one signal", span)
        .label("how a record is chosen differs between signals")
        .help("begin a chain for each signal, such as `ingest.traces`");
    match head {
        Some(head) => diagnostic.also(head, "carries several signals"),
        None => diagnostic,
    }
}

fn without_sink(last: Span) -> Diagnostic {
    Diagnostic::new(
        Code::ChainWithoutSink,
        "the chain does not end in a sink",
        last,
    )
    .label("the data ends here")
    .help("add `->` and a sink behind it")
}

fn empty(span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::ChainWithoutSink,
        "there is nowhere for the data to go",
        span,
    )
    .label("no branches")
    .help("name at least one sink")
}

fn after_end(end: Span, end_noun: &str, step: Span) -> Diagnostic {
    Diagnostic::new(
        Code::StepAfterEnd,
        format!("nothing can follow {end_noun}"),
        step,
    )
    .label("this step gets no data")
    .also(end, "the chain ends here")
    .help("put the step before it, or into each of its branches")
}

fn route_without_else(span: Span, last: Span) -> Diagnostic {
    Diagnostic::new(
        Code::RouteWithoutElse,
        "the route does not take every record",
        span,
    )
    .label("a record for which no arm is true has nowhere to go")
    .also(last, "an `else` can follow here")
    .help("add `else => sink`, or use `split` to drop what no arm takes")
}

fn else_not_last(span: Span, next: Span) -> Diagnostic {
    Diagnostic::new(Code::MisplacedElse, "`else` must be the last arm", span)
        .label("takes everything")
        .also(next, "so nothing is left for this arm")
        .help("move the `else` arm to the end")
}

fn else_in_split(span: Span) -> Diagnostic {
    Diagnostic::new(Code::MisplacedElse, "a `split` has no `else`", span)
        .label("a split takes every arm that is true")
        .help("use `route` to take one arm only")
}

fn batch_after_batch(span: Span, earlier: Span) -> Diagnostic {
    Diagnostic::new(Code::MisplacedStage, "a batch behind a batch", span)
        .label("collects what has just been collected")
        .also(earlier, "the batch before it")
        .help("keep one of them")
}

/// An edge, as a message needs it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EdgeFact {
    /// The name of the source.
    pub(super) source: String,
    /// What the edge carries.
    pub(super) signals: Signals,
    /// Whether a signal was named.
    pub(super) named: bool,
    /// Where it stands.
    pub(super) span: Span,
}

/// A root that is read where something arrives that does not have it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SignalError {
    /// The root.
    pub(super) root: Root,
    /// Where it is read, or the predicate that reads it.
    pub(super) at: Span,
    /// Where the predicate reads it; the step that leads to the sink when an option of a sink reads it.
    pub(super) inside: Option<Span>,
    /// The edge that does not suit.
    pub(super) edge: EdgeFact,
    /// Whether an option of a sink reads it.
    pub(super) at_sink: bool,
}

impl IntoDiagnostic for SignalError {
    fn into_diagnostic(self) -> Diagnostic {
        let Self {
            root,
            at,
            inside,
            edge,
            at_sink,
        } = self;
        let message = format!("`{}` cannot be read on {}", root.name(), edge.signals);
        let mut diagnostic = Diagnostic::new(Code::SignalUnavailable, message, at)
            .label(format!("only {} have it", root.signals()));
        if let Some(inside) = inside {
            let text = if at_sink {
                "the data comes to the sink here".to_owned()
            } else {
                format!("the predicate reads `{}` here", root.name())
            };
            diagnostic = diagnostic.also(inside, text);
        }
        diagnostic = diagnostic.also(edge.span, format!("this edge carries {}", edge.signals));
        let wanted = root.signals().iter().next();
        match wanted.filter(|wanted| !edge.named && edge.signals.contains(*wanted)) {
            Some(wanted) => {
                let narrow = format!("{}.{}", edge.source, wanted.name());
                diagnostic
                    .help(format!("use `{narrow}`"))
                    .fix(edge.span, narrow)
            }
            None => match edge.signals.iter().next() {
                Some(signal) => diagnostic.help(format!(
                    "{} are read as {}",
                    signal.name(),
                    roots_of(signal)
                )),
                None => diagnostic,
            },
        }
    }
}

/// How the records of a signal are read.
const fn roots_of(signal: Signal) -> &'static str {
    match signal {
        Signal::Logs => "`log`",
        Signal::Metrics => "`metric` and `datapoint`",
        Signal::Traces => "`span`",
    }
}
