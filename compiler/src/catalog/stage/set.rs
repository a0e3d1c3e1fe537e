//! `set(path, value)`: gives a field or an attribute another value.

use crate::catalog::option::{OPTION, OptionSpec, OptionType};
use crate::catalog::stage::{StageForm, StageSpec};
use crate::level::Level;

/// What is changed; `remove` has it too.
pub(super) const PATH: OptionSpec = OptionSpec {
    name: "path",
    ty: OptionType::Path,
    required: true,
    deepest: Level::Record,
    help: "what is changed: an attribute, or a field that is not made of others",
    example: "log.attributes[\"team\"]",
    ..OPTION
};

/// What it becomes.
const VALUE: OptionSpec = OptionSpec {
    name: "value",
    ty: OptionType::NewValue,
    required: true,
    deepest: Level::Record,
    help: "what it becomes; it reads nothing deeper than what is changed",
    example: "\"a\"",
    ..OPTION
};

/// The table of the stage.
pub(super) const SPEC: StageSpec = StageSpec {
    name: "set",
    form: StageForm::Call,
    arguments: &[PATH, VALUE],
    positional: 2,
    help: "gives a field or an attribute another value; an attribute that is not there is created",
    example: r#"ingest.logs -> set(resource.attributes["team"], "a") -> rest;"#,
};
