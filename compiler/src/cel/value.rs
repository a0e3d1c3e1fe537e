//! Places that need a value: a subject, a key, the value of an option.
//!
//! In: a checked expression and the type that the place wants. Out: the part that keeps it from always having such a
//! value, why, and how to write it so that it has. A condition may fail, a value may not.

use watershed_lang::ast::{Expr, ExprKind};
use watershed_lang::span::Span;

use super::declarations::{self, Overload};
use super::failure::{Fails, Failure};
use super::mend::default_of;
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
        let (part, fails) = weakest(tree, root);
        let wrong_type = tree.node(part).ty.is_open() && is_of_no_use(tree, part, wanted);
        let more = if wrong_type {
            Fails::because(Failure::WrongType)
        } else {
            Fails::NEVER
        };
        return Some(weak(expr, tree, part, wanted, fails.or(more)));
    }
    let failure = match node.ty {
        Type::Dyn if *wanted != Type::Dyn => Failure::WrongType,
        Type::Optional(_) if !matches!(wanted, Type::Optional(_) | Type::Dyn) => {
            Failure::EmptyOptional
        }
        _ => return None,
    };
    Some(weak(expr, tree, root, wanted, Fails::because(failure)))
}

fn weak(expr: &Expr, tree: &Tree, part: NodeId, wanted: &Type, fails: Fails) -> WeakPart {
    let span = tree.node(part).span;
    let needed = needed(tree, part, wanted);
    let total_form = find(expr, span)
        .zip(needed)
        .and_then(|(expr, needed)| total_form(expr, tree, part, &needed));
    WeakPart {
        span,
        fails,
        total_form,
    }
}

/// The part to change first, and why it fails: a look-up, an operand that can be of any type, or what fails by itself.
fn weakest(tree: &Tree, root: NodeId) -> (NodeId, Fails) {
    let mut part = first_failing(tree, root);
    let node = tree.node(part);
    if is_lookup(tree, part) {
        // `m.?k.orValue(d)` is one look-up with its default.
        while let Some(parent) = parent(tree, part).filter(|id| takes_optional(tree, *id)) {
            part = parent;
        }
        return (part, tree.node(part).fails);
    }
    if totality::own(tree, node).contains(Failure::WrongType) {
        let mut operands = node.kind.children().into_iter();
        if let Some(open) = operands.find(|child| tree.node(*child).ty.is_open()) {
            return (open, Fails::because(Failure::WrongType));
        }
    }
    (part, node.fails)
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

/// Whether the node gives the value of an optional: `orValue`, `value`.
fn takes_optional(tree: &Tree, id: NodeId) -> bool {
    matches!(
        &tree.node(id).kind,
        NodeKind::Call { callee: Callee::Language(overloads), .. }
            if matches!(overloads.as_slice(), [Overload::OptionalOrValue | Overload::OptionalValue])
    )
}

fn parent(tree: &Tree, part: NodeId) -> Option<NodeId> {
    let mut nodes = tree.nodes();
    let found = nodes.find(|(_, node)| node.kind.children().contains(&part));
    found.map(|(id, _)| id)
}

/// Whether the node hands on the value of the part as its own.
fn hands_on(kind: &NodeKind, part: NodeId) -> bool {
    match kind {
        NodeKind::Conditional { arms, otherwise } => {
            *otherwise == part || arms.iter().any(|(_, value)| *value == part)
        }
        NodeKind::Bind { body, .. } | NodeKind::Block { body, .. } => *body == part,
        _ => false,
    }
}

/// Whether the part, which can be of any type, is used where only one type will do.
fn is_of_no_use(tree: &Tree, part: NodeId, wanted: &Type) -> bool {
    match parent(tree, part) {
        None => *wanted != Type::Dyn,
        Some(id) if hands_on(&tree.node(id).kind, part) => is_of_no_use(tree, id, wanted),
        Some(id) => totality::own(tree, tree.node(id)).contains(Failure::WrongType),
    }
}

/// The type that the part should have where it is used, when there is one.
fn needed(tree: &Tree, part: NodeId, wanted: &Type) -> Option<Type> {
    let Some(id) = parent(tree, part) else {
        return Some(wanted.clone());
    };
    let kind = &tree.node(id).kind;
    match kind {
        _ if hands_on(kind, part) => needed(tree, id, wanted),
        NodeKind::And(_) | NodeKind::Or(_) | NodeKind::Conditional { .. } => Some(Type::Bool),
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => {
            let position = args.iter().position(|arg| *arg == part)?;
            needed_by(tree, overloads, args, position)
        }
        _ => None,
    }
}

/// The type that a call needs at a position: of its signature, else of what it is compared with.
fn needed_by(
    tree: &Tree,
    overloads: &[Overload],
    args: &[NodeId],
    position: usize,
) -> Option<Type> {
    let mut types = overloads.iter().filter_map(|overload| {
        let signature = declarations::signature(*overload)?;
        signature
            .parameters
            .get(position)
            .map(|shape| shape.to_type())
    });
    let first = types.next()?;
    if !matches!(first, Type::Parameter(_) | Type::Dyn) {
        return types.all(|ty| ty == first).then_some(first);
    }
    let others = args.iter().enumerate().filter(|(at, _)| *at != position);
    let others: Vec<&Type> = others.map(|(_, arg)| &tree.node(*arg).ty).collect();
    match (overloads, others.as_slice()) {
        ([Overload::Equals | Overload::NotEquals], [other]) if !other.is_open() => {
            Some((*other).clone())
        }
        ([Overload::InList], [Type::List(element)]) if position == 0 => Some((**element).clone()),
        _ => None,
    }
}

/// The expression with this place. Only what lies around the place is walked through.
pub(crate) fn find(expr: &Expr, span: Span) -> Option<&Expr> {
    if expr.span == span {
        return Some(expr);
    }
    if span.start < expr.span.start || span.end > expr.span.end {
        return None;
    }
    expr.kind
        .children()
        .into_iter()
        .find_map(|child| find(child, span))
}

/// The form of a part that always has a value of the wanted type.
fn total_form(expr: &Expr, tree: &Tree, part: NodeId, wanted: &Type) -> Option<String> {
    let (function, default) = default_of(wanted)?;
    match &expr.kind {
        ExprKind::Call {
            receiver: Some(receiver),
            function: called,
            args,
            ..
        } if matches!(called.value.as_str(), "orValue" | "value") => {
            let given = args.first().filter(|given| is_of(tree, given, wanted));
            let default = given.map_or(default.to_owned(), print);
            Some(format!("{}.{function}({default})", print_operand(receiver)))
        }
        _ if is_lookup(tree, part) => Some(format!(
            "{}.{function}({default})",
            optional_form(expr, tree)
        )),
        _ if tree.node(part).fails.is_total() => {
            Some(format!("{}.{function}({default})", print_operand(expr)))
        }
        _ => None,
    }
}

/// Whether an expression of the tree is of the type and always has a value.
fn is_of(tree: &Tree, expr: &Expr, wanted: &Type) -> bool {
    let mut nodes = tree.nodes();
    nodes.any(|(_, node)| node.span == expr.span && node.ty == *wanted && node.fails.is_total())
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
