//! `batch(…)`: collects the records of several events and hands them on together.

use crate::catalog::option::{OPTION, OptionSpec, OptionType};
use crate::catalog::stage::{StageForm, StageSpec};

/// Within this time an event is answered whatever happens, so no batch may hold it longer. In nanoseconds.
const EVENT_DEADLINE: i64 = 8_000_000_000;

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "batch",
    form: StageForm::Call,
    arguments: &[
        OptionSpec {
            name: "max_records",
            ty: OptionType::Int {
                min: 1,
                max: 10_000_000,
            },
            default: Some("8192"),
            help: "hands on at this many records, counted per signal",
            example: "1000",
            ..OPTION
        },
        OptionSpec {
            name: "max_bytes",
            ty: OptionType::Size {
                min: 1,
                max: 1 << 30,
            },
            default: Some("4MiB"),
            help: "hands on at this many bytes, counted per signal",
            example: "4MiB",
            ..OPTION
        },
        OptionSpec {
            name: "timeout",
            ty: OptionType::Duration {
                below: EVENT_DEADLINE,
            },
            default: Some("200ms"),
            help: "hands on after this time at the latest; shorter than the 8 s an event may take",
            example: "10ms",
            ..OPTION
        },
    ],
    positional: 0,
    help: "collects the records of several events and hands them on together",
    example: "ingest.logs -> batch(max_records: 1000, timeout: 10ms) -> rest;",
};
