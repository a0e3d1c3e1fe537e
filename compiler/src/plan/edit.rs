//! What a walk does to the bytes of records and of what is around them, besides choosing.
//!
//! In: nothing (lowering builds them). Out: [`Edit`], [`Limit`] and [`Refusal`], which trees hold.
//!
//! **A read of a plan means the bytes that came in**, also behind a change: lowering has put the new value in the
//! place of each read that stands behind a `set`. So passes may move tests and reads wherever they are known.

use watershed_lang::span::Span;

use super::expr::Value;
use crate::check::Changeable;
use crate::hir::StepId;

/// A change of everything that goes on behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// What changes.
    pub kind: EditKind,
    /// The stage.
    pub span: Span,
}

/// The kinds of changes.
#[derive(Clone, Debug, PartialEq)]
pub enum EditKind {
    /// A field or an attribute gets another value.
    Set {
        /// What is changed.
        path: Changeable,
        /// What it becomes; it is not known later than what is changed.
        value: Value,
    },
    /// A field or an attribute is left out.
    Remove {
        /// What is left out.
        path: Changeable,
    },
    /// The subject of the sink that follows reads what was changed before: this is what it is then.
    Subject(Value),
}

impl Edit {
    /// What is changed; `None` for a subject, which is not part of the data.
    #[must_use]
    pub const fn path(&self) -> Option<&Changeable> {
        match &self.kind {
            EditKind::Set { path, .. } | EditKind::Remove { path } => Some(path),
            EditKind::Subject(_) => None,
        }
    }

    /// The value that is read for it.
    #[must_use]
    pub const fn value(&self) -> Option<&Value> {
        match &self.kind {
            EditKind::Set { value, .. } | EditKind::Subject(value) => Some(value),
            EditKind::Remove { .. } => None,
        }
    }
}

/// A quota of records.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The step that it stands for: two uses of one named stage are two quotas.
    pub id: StepId,
    /// The name of its stage, when it has one.
    pub name: Option<String>,
    /// How many records.
    pub records: u64,
    /// In which time, in nanoseconds.
    pub per: i64,
    /// The stage.
    pub span: Span,
}

impl Limit {
    /// What it is called in metrics and messages: the name of its stage, else its number among all quotas.
    #[must_use]
    pub fn name_at(&self, position: usize) -> String {
        let name = self.name.clone();
        name.unwrap_or_else(|| format!("limit_{}", position + 1))
    }
}

/// Why records are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What their sender is told.
    pub reason: String,
    /// Whether the condition fails on them, and not only is not true.
    pub failed: bool,
    /// The stage.
    pub span: Span,
}
