//! The words of the lints, W10xx: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use super::type_error::{Rewrite, with};
use crate::cel::{Fails, Failure};
use crate::words::or_list;

/// Something doubtful.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LintWarning {
    /// A condition that is always true or always false.
    Always {
        /// The condition.
        span: Span,
        /// Its value.
        value: bool,
        /// What follows from it.
        effect: &'static str,
    },
    /// A last arm that is always true.
    ArmIsElse {
        /// Its condition.
        span: Span,
    },
    /// An arm that an earlier one hides.
    ShadowedArm {
        /// The hidden condition, or `else`.
        span: Span,
        /// The condition that hides it.
        first: Span,
        /// Whether that is always true; else it is the same condition.
        always: bool,
    },
    /// A stage that drops everything.
    DropsAll {
        /// The stage.
        stage: Span,
        /// Its condition.
        condition: Span,
        /// The value of the condition.
        value: bool,
    },
    /// A `drop` that keeps records on which its condition fails.
    DropWithoutPolicy {
        /// The stage.
        stage: Span,
        /// Its condition.
        condition: Span,
        /// Why the condition can fail.
        fails: Fails,
    },
    /// A sink that nothing reaches.
    UnreachableSink {
        /// Its name.
        name: Name,
        /// Whether some chain names it, where no record comes.
        used: bool,
    },
    /// A declaration that nothing uses.
    Unused {
        /// The kind of item.
        noun: &'static str,
        /// Its name.
        name: Name,
    },
    /// A fan-out that names a sink twice.
    SinkTwice {
        /// The sink.
        sink: String,
        /// The later place.
        span: Span,
        /// The earlier place.
        first: Span,
    },
    /// A sink of a stream without a batch before it.
    PublishWithoutBatch {
        /// The sink.
        sink: String,
        /// The step that delivers to it.
        span: Span,
    },
    /// A condition that reads an attribute before the chain sets it.
    ReadBeforeSet {
        /// The attribute.
        attribute: String,
        /// The condition.
        read: Span,
        /// The path of the `set`.
        set: Span,
    },
    /// `m["k"] != x`, which is not true when the key is missing.
    NotEqualMissing {
        /// The comparison.
        span: Span,
        /// Whether it is `m["k"] == x` in something that is negated.
        negated: bool,
        /// The form that includes a missing key.
        rewrite: Rewrite,
    },
}

impl IntoDiagnostic for LintWarning {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::Always {
                span,
                value,
                effect,
            } => always(span, value, effect),
            Self::ArmIsElse { span } => arm_is_else(span),
            Self::ReadBeforeSet {
                attribute,
                read,
                set,
            } => read_before_set(&attribute, read, set),
            Self::ShadowedArm {
                span,
                first,
                always,
            } => shadowed_arm(span, first, always),
            Self::DropsAll {
                stage,
                condition,
                value,
            } => drops_all(stage, condition, value),
            Self::DropWithoutPolicy {
                stage,
                condition,
                fails,
            } => drop_without_policy(stage, condition, fails),
            Self::UnreachableSink { name, used } => unreachable_sink(&name, used),
            Self::Unused { noun, name } => unused(noun, &name),
            Self::SinkTwice { sink, span, first } => sink_twice(&sink, span, first),
            Self::PublishWithoutBatch { sink, span } => publish_without_batch(&sink, span),
            Self::NotEqualMissing {
                span,
                negated,
                rewrite,
            } => not_equal_missing(span, negated, rewrite),
        }
    }
}

fn always(span: Span, value: bool, effect: &str) -> Diagnostic {
    let code = if value {
        Code::AlwaysTrue
    } else {
        Code::AlwaysFalse
    };
    Diagnostic::new(code, format!("this condition is always {value}"), span)
        .label(effect)
        .help("remove it, or read something of the data")
}

fn read_before_set(attribute: &str, read: Span, set: Span) -> Diagnostic {
    Diagnostic::new(
        Code::ReadBeforeSet,
        format!("`{attribute}` is read before it is set"),
        read,
    )
    .label("decides by what the sender wrote")
    .also(set, "set here")
    .help("put the `set` in front of the condition")
}

fn arm_is_else(span: Span) -> Diagnostic {
    Diagnostic::new(Code::AlwaysTrue, "this condition is always true", span)
        .label("the arm takes everything that is left")
        .help("write `else`")
        .fix(span, "else")
}

fn shadowed_arm(span: Span, first: Span, always: bool) -> Diagnostic {
    let (text, help) = if always {
        (
            "this is always true",
            "remove the arm, or the one that is always true",
        )
    } else {
        (
            "the same condition",
            "remove the arm, or give it another condition; in a `split`, both are taken",
        )
    };
    Diagnostic::new(Code::ShadowedArm, "no record takes this arm", span)
        .label("an earlier arm takes them all")
        .also(first, text)
        .help(help)
}

fn drops_all(stage: Span, condition: Span, value: bool) -> Diagnostic {
    Diagnostic::new(Code::ChainDropsAll, "this stage drops every record", stage)
        .label("nothing comes out of it")
        .also(condition, format!("always {value}"))
        .help("remove the chain, or read something of the data")
}

fn drop_without_policy(stage: Span, condition: Span, fails: Fails) -> Diagnostic {
    let reasons: Vec<_> = fails.iter().map(Failure::describe).collect();
    let inside = Span::new(
        stage.file,
        stage.end.saturating_sub(1),
        stage.end.saturating_sub(1),
    );
    Diagnostic::new(
        Code::DropWithoutPolicy,
        "records on which this condition fails are kept",
        condition,
    )
    .label(or_list(&reasons))
    .help("say what happens to them: `on_error: drop`, `keep` or `fail`")
    .fix(inside, ", on_error: drop")
}

fn unreachable_sink(name: &Name, used: bool) -> Diagnostic {
    let label = if used {
        "every way to it is dead"
    } else {
        "no chain delivers to it"
    };
    Diagnostic::new(
        Code::UnreachableSink,
        format!("nothing reaches the sink `{}`", name.value),
        name.span,
    )
    .label(label)
    .help("it is left out of the program; remove it, or deliver to it")
}

fn unused(noun: &str, name: &Name) -> Diagnostic {
    Diagnostic::new(
        Code::UnusedItem,
        format!("the {noun} `{}` is never used", name.value),
        name.span,
    )
    .label("not used in this file")
    .help(format!("remove it, or name it `_{}`", name.value))
}

fn sink_twice(sink: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        Code::SinkTwice,
        format!("`{sink}` gets every record twice"),
        span,
    )
    .label("named again here")
    .also(first, "named first here")
    .help("remove one of them")
}

fn publish_without_batch(sink: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::PublishWithoutBatch, format!("`{sink}` publishes each event by itself"), span)
        .label("no batch before it")
        .help("put `batch(max_records: 1000, timeout: 10ms)` before it: small events then share an acknowledgement")
}

fn not_equal_missing(span: Span, negated: bool, rewrite: Rewrite) -> Diagnostic {
    let (message, label) = if negated {
        (
            "the opposite of this is not true for records without the key",
            "a missing key makes this and its opposite neither true nor false",
        )
    } else {
        (
            "this is not true for records without the key",
            "a missing key makes `!=` neither true nor false",
        )
    };
    let diagnostic = Diagnostic::new(Code::NotEqualMissing, message, span).label(label);
    with(diagnostic, Some(rewrite))
}
