//! The front end for CEL: any text in, a checked tree and Rust out.
//!
//! The text stands in an environment with the data of a log record and a span, with configuration values and
//! functions. Statically and dynamically, the checker ends, its tree can be walked by later stages, and what it
//! accepts becomes an expression of Rust or a compile error with a place.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use watershed_compiler::catalog::signals::Root;
use watershed_compiler::cel::environment::{
    CustomFunction, CustomOverload, Environment, FunctionId, Variable, VariableId,
};
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::lint::lints;
use watershed_compiler::cel::typed::Node;
use watershed_compiler::cel::value::weak_part;
use watershed_compiler::cel::{Checked, Fails, Mode, Tree, Type, check, telemetry};
use watershed_compiler::emit::cel::piece::{Form, Piece};
use watershed_compiler::emit::cel::{Emitter, Reader, Unsupported};
use watershed_compiler::level::Level;
use watershed_lang::ast::Expr;
use watershed_lang::diagnostic::{Diagnostics, IntoDiagnostic};
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

use crate::constants;
use crate::parse::{is_inside, show};
use crate::rust;

/// Checks `input` in both modes and makes Rust of it.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut diagnostics = Diagnostics::new();
    let expression = parse_expression(FileId(0), &text, &mut diagnostics);
    let environment = environment();
    for mode in [Mode::Static, Mode::Dynamic] {
        let checked = check(&expression, &environment, mode);
        inspect(&text, &checked);
        if checked.errors.is_empty() && !diagnostics.has_errors() {
            emit(&text, &expression, &checked.tree);
        }
        let found = checked.errors.into_iter();
        show(
            &text,
            &found
                .map(IntoDiagnostic::into_diagnostic)
                .collect::<Vec<_>>(),
        );
    }
}

/// What a predicate on a log record or a span sees, and more: every kind of thing that can be declared.
fn environment() -> Environment {
    let mut environment = Environment::default();
    let roots = [
        Root::Payload,
        Root::Resource,
        Root::Scope,
        Root::Log,
        Root::Span,
    ];
    for (root, id) in roots.into_iter().zip(0..) {
        telemetry::declare(&mut environment, root, VariableId(id));
    }
    let variables = [
        ("min_severity", Type::Int, Level::Config),
        ("team", Type::String, Level::Config),
        ("d", Type::Dyn, Level::Record),
        (
            "m",
            Type::map(Type::String, Type::list(Type::Int)),
            Level::Record,
        ),
        ("o", Type::optional(Type::Double), Level::Record),
    ];
    for ((name, ty, level), id) in variables.into_iter().zip(100..) {
        let variable = Variable::new(VariableId(id), ty, level);
        environment.variables.insert(name.to_owned(), variable);
    }
    let overload = CustomOverload {
        id: FunctionId(0),
        member: false,
        parameters: vec![Type::String, Type::Int],
        result: Type::Bool,
        fails: Fails::NEVER,
    };
    let function = CustomFunction {
        overloads: vec![overload],
    };
    environment.functions.insert("known".to_owned(), function);
    environment
}

/// Checks what later stages rely on.
fn inspect(text: &str, checked: &Checked) {
    for (id, node) in checked.tree.nodes() {
        let children = node.kind.children();
        assert!(
            children.iter().all(|child| *child < id),
            "operands come first"
        );
        assert!(is_closed(&node.ty), "{} is an open type", node.ty);
        assert!(is_inside(text, node.span), "{:?} lies outside", node.span);
        if matches!(node.constant, Some(Constant::Failed(_))) {
            assert!(!node.fails.is_total(), "{:?} fails and is total", node.kind);
        }
    }
    constants::check(&checked.tree);
    let root = checked.tree.root_node();
    if let (Some(constant), true) = (&root.constant, is_simple(&root.ty)) {
        let is_failure = matches!(constant, Constant::Failed(_));
        assert!(
            is_failure || constant.ty() == root.ty,
            "{constant:?} is no {}",
            root.ty
        );
    }
    let _ = lints(&checked.tree);
}

fn is_closed(ty: &Type) -> bool {
    !matches!(ty, Type::Variable(_) | Type::Parameter(_))
        && ty.parameters().into_iter().all(is_closed)
}

const fn is_simple(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool | Type::Int | Type::Uint | Type::Double | Type::String | Type::Bytes
    )
}

/// Makes Rust of a checked expression in every way that there is.
fn emit(text: &str, expression: &Expr, tree: &Tree) {
    if let Some(weak) = weak_part(expression, tree, &tree.root_node().ty) {
        assert!(is_inside(text, weak.span), "{:?} lies outside", weak.span);
    }
    for constants in [true, false] {
        let emitter = || {
            let emitter = Emitter::new(tree, &Names);
            if constants {
                emitter
            } else {
                emitter.without_constants()
            }
        };
        let value = emitter()
            .value()
            .map(|piece| piece.into_form(Form::Value).tokens);
        is_rust(text, value);
        if tree.root_node().ty == Type::Bool {
            is_rust(text, emitter().is_true());
            is_rust(text, emitter().is_false());
        }
    }
}

fn is_rust(text: &str, made: Result<TokenStream, Unsupported>) {
    match made {
        Ok(tokens) => rust::check::<syn::Expr>(&tokens),
        Err(unsupported) => assert!(is_inside(text, unsupported.span), "{unsupported:?}"),
    }
}

/// Reads everything as a Rust variable.
struct Names;

impl Reader for Names {
    fn read(&self, tree: &Tree, node: &Node) -> Result<Piece, Unsupported> {
        let place = tree
            .nodes()
            .position(|(_, other)| std::ptr::eq(other, node));
        let name = format_ident!("read_{}", place.unwrap_or_default());
        let form = match Form::of(&node.ty) {
            Form::Text => Form::Str,
            Form::Bytes => Form::Slice,
            form => form,
        };
        Ok(Piece::place(form, quote!(#name)))
    }

    fn call(
        &self,
        node: &Node,
        _: &[FunctionId],
        arguments: Vec<Piece>,
    ) -> Result<Piece, Unsupported> {
        let arguments = arguments.iter().map(|argument| &argument.tokens);
        Ok(Piece::new(
            Form::of(&node.ty),
            quote!(function(#(#arguments),*)),
        ))
    }
}
