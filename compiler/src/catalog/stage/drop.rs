//! `drop(p)`: drops the records that a condition is true for.

use super::filter::{CONDITION, ON_ERROR};
use crate::catalog::stage::{StageForm, StageSpec};

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "drop",
    form: StageForm::Call,
    arguments: &[CONDITION, ON_ERROR],
    positional: 1,
    help: "drops the records that the condition is true for",
    example: "ingest.logs -> drop(log.severity_number < 9, on_error: drop) -> rest;",
};
