//! `route { … }`: each record takes the first arm that is true.

use crate::catalog::stage::{StageForm, StageSpec};

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "route",
    form: StageForm::Arms,
    arguments: &[],
    positional: 0,
    help: "sends each record along the first arm whose condition is true; needs an `else`",
    example: "ingest.logs -> route { log.severity_number >= 17 => errors, else => rest };",
};
