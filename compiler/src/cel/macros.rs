//! Which calls are macros, and what their arguments are.
//!
//! In: a call of the syntax tree. Out: [`Macro`], or nothing when the call is an ordinary one. A macro is known by
//! its name, its style and the number of its arguments, before any of them is looked at; a call with the name of a
//! macro and another number of arguments is looked up as a function, as CEL says.

use watershed_lang::ast::{Expr, ExprKind, Literal};
use watershed_lang::span::Span;

use super::declarations::MACROS;
use super::error::CheckError;

/// Macros that go through a list or a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loop {
    All,
    Exists,
    ExistsOne,
    Filter,
    Map,
    TransformList,
    TransformMap,
    TransformMapEntry,
    SortBy,
}

/// A call that is a macro.
#[derive(Clone, Copy, Debug)]
pub(super) enum Macro<'a> {
    /// `has(field)`
    Has { field: &'a Expr },
    /// `range.all(x, p)` and its kin.
    Loop {
        kind: Loop,
        range: &'a Expr,
        variables: &'a [Expr],
        condition: Option<&'a Expr>,
        body: &'a Expr,
    },
    /// `cel.bind(x, value, body)`
    Bind {
        variable: &'a Expr,
        value: &'a Expr,
        body: &'a Expr,
    },
    /// `cel.block([…], body)`
    Block { bindings: &'a Expr, body: &'a Expr },
    /// `cel.index(n)`, `cel.iterVar(n, m)`, `cel.accuVar(n, m)`
    Generated { function: &'a str, args: &'a [Expr] },
    /// `target.optMap(x, body)`, `target.optFlatMap(x, body)`
    OptionalMap {
        target: &'a Expr,
        variable: &'a Expr,
        body: &'a Expr,
        flat: bool,
    },
    /// `math.greatest(…)`, `math.least(…)` with any number of arguments.
    Extreme {
        function: &'static str,
        args: &'a [Expr],
    },
}

/// How many arguments the macro with this name takes; `None` when there is no such macro.
pub(super) fn arguments_of(name: &str) -> Option<&'static str> {
    MACROS
        .iter()
        .find(|entry| entry.name == name)
        .map(|entry| entry.arguments)
}

/// The names of all macros.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    MACROS.iter().map(|entry| entry.name)
}

/// The macro that `name(args)` is.
pub(super) fn global<'a>(name: &str, args: &'a [Expr]) -> Option<Macro<'a>> {
    match (name, args) {
        ("has", [field]) => Some(Macro::Has { field }),
        _ => None,
    }
}

/// The macro that `namespace.name(args)` is.
pub(super) fn namespaced<'a>(
    namespace: &str,
    name: &'a str,
    args: &'a [Expr],
) -> Option<Macro<'a>> {
    Some(match (namespace, name, args) {
        ("cel", "bind", [variable, value, body]) => Macro::Bind {
            variable,
            value,
            body,
        },
        ("cel", "block", [bindings, body]) => Macro::Block { bindings, body },
        ("cel", "index", [_]) | ("cel", "iterVar" | "accuVar", [_, _]) => Macro::Generated {
            function: name,
            args,
        },
        ("math", "greatest", [_, ..]) => Macro::Extreme {
            function: "math.greatest",
            args,
        },
        ("math", "least", [_, ..]) => Macro::Extreme {
            function: "math.least",
            args,
        },
        _ => return None,
    })
}

/// The macro that `target.name(args)` is.
pub(super) fn member<'a>(target: &'a Expr, name: &str, args: &'a [Expr]) -> Option<Macro<'a>> {
    if let ("optMap" | "optFlatMap", [variable, body]) = (name, args) {
        return Some(Macro::OptionalMap {
            target,
            variable,
            body,
            flat: name == "optFlatMap",
        });
    }
    let (kind, variables, conditional) = match (name, args.len()) {
        ("all", 2) => (Loop::All, 1, false),
        ("all", 3) => (Loop::All, 2, false),
        ("exists", 2) => (Loop::Exists, 1, false),
        ("exists", 3) => (Loop::Exists, 2, false),
        ("exists_one" | "existsOne", 2) => (Loop::ExistsOne, 1, false),
        ("existsOne", 3) => (Loop::ExistsOne, 2, false),
        ("filter", 2) => (Loop::Filter, 1, false),
        ("map", 2) => (Loop::Map, 1, false),
        ("map", 3) => (Loop::Map, 1, true),
        ("transformList", 3) => (Loop::TransformList, 2, false),
        ("transformList", 4) => (Loop::TransformList, 2, true),
        ("transformMap", 3) => (Loop::TransformMap, 2, false),
        ("transformMap", 4) => (Loop::TransformMap, 2, true),
        ("transformMapEntry", 3) => (Loop::TransformMapEntry, 2, false),
        ("transformMapEntry", 4) => (Loop::TransformMapEntry, 2, true),
        ("sortBy", 2) => (Loop::SortBy, 1, false),
        _ => return None,
    };
    let (variables, rest) = args.split_at_checked(variables)?;
    let (condition, body) = match rest {
        [body] => (None, body),
        [condition, body] if conditional => (Some(condition), body),
        _ => return None,
    };
    Some(Macro::Loop {
        kind,
        range: target,
        variables,
        condition,
        body,
    })
}

/// The name that the variable of a macro has: a plain name or a generated one.
pub(super) fn variable_name(expr: &Expr) -> Result<String, Box<CheckError>> {
    match &expr.kind {
        ExprKind::Ident {
            name,
            leading_dot: false,
        } => Ok(name.clone()),
        ExprKind::Call {
            receiver: Some(receiver),
            function,
            args,
            ..
        } if is_name(receiver, "cel") => generated_name(&function.value, args, expr.span),
        _ => Err(Box::new(CheckError::MacroVariable { span: expr.span })),
    }
}

/// The name that `cel.index(1)`, `cel.iterVar(0, 1)` or `cel.accuVar(0, 1)` stands for. No one can write it otherwise.
pub(super) fn generated_name(
    function: &str,
    args: &[Expr],
    span: Span,
) -> Result<String, Box<CheckError>> {
    let numbers: Vec<i64> = args
        .iter()
        .filter_map(|arg| match arg.kind {
            ExprKind::Literal(Literal::Int(number @ 0..)) => Some(number),
            _ => None,
        })
        .collect();
    match (function, numbers.as_slice()) {
        ("index", [number]) if args.len() == 1 => Ok(format!("@index{number}")),
        ("iterVar", [depth, number]) if args.len() == 2 => Ok(format!("@it:{depth}:{number}")),
        ("accuVar", [depth, number]) if args.len() == 2 => Ok(format!("@ac:{depth}:{number}")),
        _ => Err(Box::new(CheckError::GeneratedName { span })),
    }
}

/// Whether the expression is the plain name.
pub(super) fn is_name(expr: &Expr, wanted: &str) -> bool {
    matches!(&expr.kind, ExprKind::Ident { name, .. } if name == wanted)
}
