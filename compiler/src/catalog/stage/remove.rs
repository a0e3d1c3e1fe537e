//! `remove(path)`: leaves a field or an attribute out.

use super::set::PATH;
use crate::catalog::stage::{StageForm, StageSpec};

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "remove",
    form: StageForm::Call,
    arguments: &[PATH],
    positional: 1,
    help: "leaves a field or every attribute with a key out",
    example: r#"ingest.logs -> remove(log.attributes["password"]) -> rest;"#,
};
