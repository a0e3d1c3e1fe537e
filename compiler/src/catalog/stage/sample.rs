//! `sample(ratio)`: keeps a part of the records.

use crate::catalog::option::{OPTION, OptionSpec, OptionType};
use crate::catalog::stage::{StageForm, StageSpec};
use crate::level::Level;

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "sample",
    form: StageForm::Call,
    arguments: &[OptionSpec {
        name: "ratio",
        ty: OptionType::Ratio,
        required: true,
        deepest: Level::Const,
        help: "the part of the records that is kept",
        example: "0.1",
        ..OPTION
    }],
    positional: 1,
    help: "keeps a part of the records: all of a trace or none, and without a trace id by chance",
    example: "ingest.traces -> sample(0.1) -> rest;",
};
