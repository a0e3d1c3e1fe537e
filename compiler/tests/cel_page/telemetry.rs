//! Expressions of the page as a flow sees them, with the data declared as the compiler declares them.

use watershed_compiler::catalog::signals::Root;
use watershed_compiler::cel::environment::{Environment, VariableId};
use watershed_compiler::cel::{Checked, Mode, check, telemetry};
use watershed_lang::diagnostic::{Diagnostic, Diagnostics, IntoDiagnostic};
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

/// Every root, with all its fields.
fn environment() -> Environment {
    let mut environment = Environment::default();
    let roots = std::iter::once(Root::Payload).chain(Root::WITH_FIELDS);
    for (root, id) in roots.zip(0..) {
        telemetry::declare(&mut environment, root, VariableId(id));
    }
    environment
}

/// What an expression is, or the first thing that is wrong with it.
pub(crate) fn checked(text: &str) -> Result<Checked, Box<Diagnostic>> {
    let mut diagnostics = Diagnostics::new();
    let expression = parse_expression(FileId(0), text, &mut diagnostics);
    if let Some(mistake) = diagnostics.into_sorted().into_iter().next() {
        return Err(Box::new(mistake));
    }
    let mut checked = check(&expression, &environment(), Mode::Static);
    if checked.errors.is_empty() {
        Ok(checked)
    } else {
        Err(Box::new(checked.errors.swap_remove(0).into_diagnostic()))
    }
}
