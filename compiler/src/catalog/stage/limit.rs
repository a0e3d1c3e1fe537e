//! `limit(n, per: d)`: lets only so many records pass in some time.

use crate::catalog::option::{OPTION, OptionSpec, OptionType};
use crate::catalog::stage::{StageForm, StageSpec};
use crate::level::Level;

/// One day, in nanoseconds: what counts over days is no quota for a process.
const DAY: i64 = 86_400_000_000_000;

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "limit",
    form: StageForm::Call,
    arguments: &[
        OptionSpec {
            name: "records",
            ty: OptionType::Int {
                min: 1,
                max: 1_000_000_000_000,
            },
            required: true,
            deepest: Level::Const,
            help: "how many records pass in that time; more are answered with 429",
            example: "1000",
            ..OPTION
        },
        OptionSpec {
            name: "per",
            ty: OptionType::Duration { below: DAY },
            required: true,
            deepest: Level::Const,
            help: "the time; less than a day",
            example: "1s",
            ..OPTION
        },
    ],
    positional: 1,
    help: "answers an event with 429 when more records came in some time",
    example: "ingest.logs -> limit(1000, per: 1s) -> rest;",
};
