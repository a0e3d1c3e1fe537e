//! `split { … }`: each record takes every arm that is true.

use crate::catalog::stage::{StageForm, StageSpec};

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "split",
    form: StageForm::Arms,
    arguments: &[],
    positional: 0,
    help: "sends each record along every arm whose condition is true; with no such arm it is dropped",
    example: "ingest.logs -> split { log.severity_number >= 17 => errors, log.severity_number < 9 => rest };",
};
