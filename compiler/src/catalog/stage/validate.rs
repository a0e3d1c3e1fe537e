//! `validate(p, reason: …)`: refuses the records that a condition is not true for.

use super::filter::CONDITION;
use crate::catalog::option::{OPTION, OptionSpec, OptionType};
use crate::catalog::stage::{StageForm, StageSpec};
use crate::level::Level;

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "validate",
    form: StageForm::Call,
    arguments: &[
        CONDITION,
        OptionSpec {
            name: "reason",
            ty: OptionType::Text,
            required: true,
            deepest: Level::Const,
            help: "what the sender is told of records that the condition is not true for",
            example: r#""a team is needed""#,
            ..OPTION
        },
    ],
    positional: 1,
    help: "refuses the records that the condition is not true for, and tells their sender why",
    example: r#"ingest.logs -> validate("team" in resource.attributes, reason: "a team is needed") -> rest;"#,
};
