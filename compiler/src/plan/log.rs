//! What the passes changed and why: the answer to "where did my branch go?".

use std::collections::BTreeSet;

use watershed_lang::diagnostic::{Code, Diagnostic};
use watershed_lang::span::Span;

/// Every change that the passes made to a plan, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanLog {
    changes: Vec<Change>,
    /// What was noted: chains that several walks take are changed in each of them and noted once.
    noted: BTreeSet<(Span, &'static str, String)>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The pass that made it.
    pub pass: &'static str,
    /// What was changed and why, in one sentence without a full stop.
    pub reason: String,
    /// The text that caused it.
    pub span: Span,
    /// What became of that text.
    pub effect: Effect,
    /// The warning that the author of the flow gets for it, when it is hardly what was wanted.
    pub code: Option<Code>,
}

/// What a change did to the text that caused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It means the same and runs in another way.
    Rewritten,
    /// Its test is gone, because it always passes; what follows it stays.
    Untested,
    /// It never runs: it is gone, with all that is reached through it alone.
    Removed,
}

impl PlanLog {
    /// Nothing changed yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes that something runs in another way.
    pub fn note(&mut self, pass: &'static str, span: Span, reason: impl Into<String>) {
        self.push(pass, span, reason.into(), Effect::Rewritten, None);
    }

    /// Notes that a test is gone because it always passes.
    pub fn untested(&mut self, pass: &'static str, span: Span, reason: impl Into<String>) {
        self.push(pass, span, reason.into(), Effect::Untested, None);
    }

    /// Notes that something is gone because it never runs.
    pub fn removed(&mut self, pass: &'static str, span: Span, reason: impl Into<String>) {
        self.push(pass, span, reason.into(), Effect::Removed, None);
    }

    /// Notes that something is gone, which its author should hear of.
    pub fn warn(&mut self, pass: &'static str, code: Code, span: Span, reason: impl Into<String>) {
        self.push(pass, span, reason.into(), Effect::Removed, Some(code));
    }

    /// Each change is told once, however often it is made.
    fn push(
        &mut self,
        pass: &'static str,
        span: Span,
        reason: String,
        effect: Effect,
        code: Option<Code>,
    ) {
        if self.noted.insert((span, pass, reason.clone())) {
            self.changes.push(Change {
                pass,
                reason,
                span,
                effect,
                code,
            });
        }
    }

    /// The changes that an author should hear of, as warnings.
    pub fn warnings(&self) -> impl Iterator<Item = Diagnostic> {
        self.changes.iter().filter_map(|change| {
            let code = change.code?;
            Some(Diagnostic::new(code, change.reason.clone(), change.span))
        })
    }

    /// The changes so far.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// One line a change: `prune_dead: …`. Without places, so that a macro and a file compare equal.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.changes
            .iter()
            .map(|change| format!("{}: {}\n", change.pass, change.reason))
            .collect()
    }
}
