//! Expressions over telemetry, for tests of the checker.

#![allow(dead_code, reason = "each test program uses a part of it")]

use watershed_compiler::catalog::signals::Root;
use watershed_compiler::cel::environment::{Environment, Variable, VariableId};
use watershed_compiler::cel::{Checked, Failure, Mode, Type, check, telemetry as signals};
use watershed_compiler::level::Level;
use watershed_lang::ast::Expr;
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

/// `signal`, `resource`, `scope`, `log`, `span`, and the configuration values `min_severity` and `team`.
pub(crate) fn telemetry() -> Environment {
    let mut environment = Environment::default();
    let roots = [
        Root::Payload,
        Root::Resource,
        Root::Scope,
        Root::Log,
        Root::Span,
    ];
    for (root, id) in roots.into_iter().zip(0..) {
        signals::declare(&mut environment, root, VariableId(id));
    }
    for (name, ty, id) in [
        ("min_severity", Type::Int, 100),
        ("team", Type::String, 101),
    ] {
        environment.variables.insert(
            name.to_owned(),
            Variable::new(VariableId(id), ty, Level::Config),
        );
    }
    environment
}

/// The syntax tree of an expression without mistakes of syntax.
pub(crate) fn parsed(file: FileId, text: &str) -> Expr {
    let mut diagnostics = Diagnostics::new();
    let expression = parse_expression(file, text, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{text}: {diagnostics:?}");
    expression
}

/// An expression over telemetry without mistakes.
pub(crate) fn checked(text: &str) -> Checked {
    let checked = check(&parsed(FileId(0), text), &telemetry(), Mode::Static);
    assert!(checked.errors.is_empty(), "{text}: {:?}", checked.errors);
    checked
}

/// Why an expression can fail.
pub(crate) fn fails(text: &str) -> Vec<Failure> {
    checked(text).tree.root_node().fails.iter().collect()
}
