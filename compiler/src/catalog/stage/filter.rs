//! `filter(p)`: keeps the records that a condition is true for.

use crate::catalog::option::{OPTION, OptionSpec, OptionType};
use crate::catalog::stage::{StageForm, StageSpec};
use crate::level::Level;

/// The argument that says what happens when a condition fails; `drop` has it too.
pub(super) const ON_ERROR: OptionSpec = OptionSpec {
    name: "on_error",
    ty: OptionType::Word(&["keep", "drop", "fail"]),
    deepest: Level::Const,
    help: "what happens to a record that the condition fails on; without it, failing is not true",
    example: "drop",
    ..OPTION
};

/// The condition itself; `drop` has it too.
pub(super) const CONDITION: OptionSpec = OptionSpec {
    name: "condition",
    ty: OptionType::Predicate,
    required: true,
    deepest: Level::Record,
    help: "the condition; it must be a `bool`",
    example: "log.severity_number >= 9",
    ..OPTION
};

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "filter",
    form: StageForm::Call,
    arguments: &[CONDITION, ON_ERROR],
    positional: 1,
    help: "keeps the records that the condition is true for",
    example: "ingest.logs -> filter(log.severity_number >= 9) -> rest;",
};
