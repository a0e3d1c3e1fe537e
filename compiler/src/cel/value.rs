//! Places that need a value: a subject, a key, the value of an option.
//!
//! In: a checked expression and the type that the place wants. Out: the part that keeps it from always having such a
//! value, why, and how to write it so that it has. A condition may fail, a value may not.

use watershed_lang::ast::{Expr, ExprKind};
use watershed_lang::span::Span;

use super::declarations::Overload;
use super::failure::{Fails, Failure};
use super::print::{print, print_operand, quote};
use super::totality;
use super::typed::{Callee, NodeId, NodeKind, Tree};
use super::types::Type;

/// A part that keeps a value from being total and typed.
#[derive(Clone, Debug, PartialEq)]
pub struct WeakPart {
    /// Where it stands.
    pub span: Span,
    /// Why it can fail.
    pub fails: Fails,
    /// What to write in its place, where that is known: `m[?"k"].orString("unknown")`.
    pub total_form: Option<String>,
}

/// The first part because of which the expression has not always a value of the wanted type; `None` when there is
/// none. A type other than `dyn` and optionals is not compared with the wanted one.
///
/// ```
/// use watershed_compiler::catalog::signals::Root;
/// use watershed_compiler::cel::environment::{Environment, VariableId};
/// use watershed_compiler::cel::{Mode, Type, check, telemetry, value};
/// use watershed_lang::{diagnostic::Diagnostics, parse::parse_expression, span::FileId};
///
/// let mut environment = Environment::default();
/// telemetry::declare(&mut environment, Root::Resource, VariableId(0));
/// let text = r#""team." + resource.attributes["team"]"#;
/// let expression = parse_expression(FileId(0), text, &mut Diagnostics::new());
/// let checked = check(&expression, &environment, Mode::Static);
/// let weak = value::weak_part(&expression, &checked.tree, &Type::String).unwrap();
/// assert_eq!(weak.total_form.as_deref(), Some(r#"resource.attributes[?"team"].orString("unknown")"#));
/// ```
#[must_use]
pub fn weak_part(expr: &Expr, tree: &Tree, wanted: &Type) -> Option<WeakPart> {
    let root = tree.root();
    let node = tree.node(root);
    if !node.fails.is_total() {
        let part = first_failing(tree, root);
        return Some(weak(expr, tree, part, wanted, Fails::NEVER));
    }
    match node.ty {
        Type::Dyn if *wanted != Type::Dyn => Some(weak(
            expr,
            tree,
            root,
            wanted,
            Fails::because(Failure::WrongType),
        )),
        Type::Optional(_) if !matches!(wanted, Type::Optional(_) | Type::Dyn) => Some(weak(
            expr,
            tree,
            root,
            wanted,
            Fails::because(Failure::EmptyOptional),
        )),
        _ => None,
    }
}

fn weak(expr: &Expr, tree: &Tree, part: NodeId, wanted: &Type, more: Fails) -> WeakPart {
    let node = tree.node(part);
    let wanted = neighbour(tree, part).unwrap_or(wanted);
    let total_form = find(expr, node.span).and_then(|expr| total_form(expr, tree, part, wanted));
    WeakPart {
        span: node.span,
        fails: node.fails.or(more),
        total_form,
    }
}

/// The smallest part that can fail by itself; a look-up with all look-ups that it stands on.
fn first_failing(tree: &Tree, id: NodeId) -> NodeId {
    if is_lookup(tree, id) {
        return id;
    }
    let children = totality::failing_children(&tree.node(id).kind);
    let failing = children
        .into_iter()
        .find(|child| !tree.node(*child).fails.is_total());
    failing.map_or(id, |child| first_failing(tree, child))
}

fn is_lookup(tree: &Tree, id: NodeId) -> bool {
    match &tree.node(id).kind {
        NodeKind::Select { .. } => true,
        NodeKind::Call {
            callee: Callee::Language(overloads),
            ..
        } => overloads
            .iter()
            .any(|overload| matches!(overload, Overload::IndexList | Overload::IndexMap)),
        _ => false,
    }
}

/// The type of what the part is compared or joined with, when it has one.
fn neighbour(tree: &Tree, part: NodeId) -> Option<&Type> {
    let (id, parent) = tree
        .nodes()
        .find(|(_, node)| node.kind.children().contains(&part))?;
    let NodeKind::Call {
        callee: Callee::Language(_),
        args,
    } = &parent.kind
    else {
        return None;
    };
    match args.as_slice() {
        [left, right] if !is_lookup(tree, id) => {
            let other = if *left == part { *right } else { *left };
            Some(&tree.node(other).ty).filter(|ty| !ty.is_open())
        }
        _ => None,
    }
}

/// The expression with this place.
pub(crate) fn find(expr: &Expr, span: Span) -> Option<&Expr> {
    if expr.span == span {
        return Some(expr);
    }
    expr.kind
        .children()
        .into_iter()
        .find_map(|child| find(child, span))
}

/// The form of a part that always has a value of the wanted type.
fn total_form(expr: &Expr, tree: &Tree, part: NodeId, wanted: &Type) -> Option<String> {
    let (function, default) = match wanted {
        Type::String => ("orString", "\"unknown\""),
        Type::Int => ("orInt", "0"),
        Type::Uint => ("orUint", "0u"),
        Type::Double => ("orDouble", "0.0"),
        Type::Bool => ("orBool", "false"),
        _ => return None,
    };
    let node = tree.node(part);
    let value = match &expr.kind {
        ExprKind::Call {
            receiver: Some(receiver),
            function,
            ..
        } if function.value == "orValue" => receiver,
        ExprKind::Call {
            receiver: Some(receiver),
            function,
            ..
        } if function.value == "value" => receiver,
        _ if is_lookup(tree, part) => {
            return Some(format!(
                "{}.{function}({default})",
                optional_form(expr, tree)
            ));
        }
        _ if node.fails.is_total() => {
            return Some(format!("{}.{function}({default})", print_operand(expr)));
        }
        _ => return None,
    };
    Some(format!("{}.{function}({default})", print_operand(value)))
}

/// `a.x["y"]` as `a.?x[?"y"]`, as far as it is made of look-ups.
fn optional_form(expr: &Expr, tree: &Tree) -> String {
    let is_read = tree
        .nodes()
        .any(|(id, node)| node.span == expr.span && is_lookup(tree, id));
    match &expr.kind {
        ExprKind::Index { operand, index, .. } if is_read => {
            format!("{}[?{}]", optional_form(operand, tree), print(index))
        }
        ExprKind::Select {
            operand,
            field,
            backticked,
            ..
        } if is_read => {
            let operand = optional_form(operand, tree);
            if *backticked {
                format!("{operand}[?{}]", quote(&field.value))
            } else {
                format!("{operand}.?{}", field.value)
            }
        }
        _ => print_operand(expr),
    }
}
