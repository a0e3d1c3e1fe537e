//! The names that an expression takes from around it.
//!
//! In: an expression of the syntax tree. Out: each name that is neither a variable of one of its macros nor the
//! namespace of a function, in the order of the text. The order of definitions and the kinds of named things are
//! found with it before any type is known.

use watershed_lang::ast::{Expr, ExprKind};
use watershed_lang::span::Name;

use super::declarations::signatures;
use super::macros::{self, Macro};

/// The names that an expression reads, repeated where they stand twice.
pub(crate) fn free_names(expr: &Expr) -> Vec<Name> {
    let mut search = Search::default();
    search.expr(expr);
    search.found
}

#[derive(Default)]
struct Search {
    /// Variables of the macros around, innermost last.
    bound: Vec<String>,
    found: Vec<Name>,
}

impl Search {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Error => {}
            ExprKind::Ident { name, leading_dot } => {
                if *leading_dot || !self.bound.contains(name) {
                    self.found.push(Name::new(name.clone(), expr.span));
                }
            }
            ExprKind::Call {
                receiver,
                function,
                args,
                ..
            } => self.call(receiver.as_deref(), function, args),
            kind => kind
                .children()
                .into_iter()
                .for_each(|child| self.expr(child)),
        }
    }

    fn call(&mut self, receiver: Option<&Expr>, function: &Name, args: &[Expr]) {
        let namespace = receiver.and_then(|receiver| self.namespace(receiver, function));
        let found = match (receiver, namespace) {
            (None, _) => macros::global(&function.value, args),
            (Some(_), Some(namespace)) => macros::namespaced(namespace, &function.value, args),
            (Some(receiver), None) => macros::member(receiver, &function.value, args),
        };
        match found {
            Some(found) => self.expand(found),
            None => {
                if namespace.is_none() {
                    receiver
                        .into_iter()
                        .for_each(|receiver| self.expr(receiver));
                }
                args.iter().for_each(|arg| self.expr(arg));
            }
        }
    }

    /// `math` in `math.abs(x)`, unless a macro has a variable of that name.
    fn namespace<'a>(&self, receiver: &'a Expr, function: &Name) -> Option<&'a str> {
        let ExprKind::Ident { name, .. } = &receiver.kind else {
            return None;
        };
        let qualified = format!("{name}.{}", function.value);
        let is_known = signatures(&qualified).next().is_some()
            || macros::arguments_of(&qualified).is_some()
            || name == "cel";
        (is_known && !self.bound.contains(name)).then_some(name)
    }

    fn expand(&mut self, found: Macro<'_>) {
        match found {
            Macro::Has { field } => self.expr(field),
            Macro::Loop {
                range,
                variables,
                condition,
                body,
                ..
            } => {
                self.expr(range);
                let variables: Vec<&Expr> = variables.iter().collect();
                self.within(&variables, condition.into_iter().chain([body]));
            }
            Macro::Bind {
                variable,
                value,
                body,
            } => {
                self.expr(value);
                self.within(&[variable], [body]);
            }
            Macro::Block { bindings, body } => {
                self.expr(bindings);
                self.expr(body);
            }
            Macro::Generated { .. } => {}
            Macro::OptionalMap {
                target,
                variable,
                body,
                ..
            } => {
                self.expr(target);
                self.within(&[variable], [body]);
            }
            Macro::Extreme { args, .. } => args.iter().for_each(|arg| self.expr(arg)),
        }
    }

    /// Goes through what stands behind the variables of a macro.
    fn within<'a>(&mut self, variables: &[&Expr], bodies: impl IntoIterator<Item = &'a Expr>) {
        let outer = self.bound.len();
        let names = variables
            .iter()
            .filter_map(|variable| macros::variable_name(variable).ok());
        self.bound.extend(names);
        bodies.into_iter().for_each(|body| self.expr(body));
        self.bound.truncate(outer);
    }
}

#[cfg(test)]
mod tests {
    use watershed_lang::diagnostic::Diagnostics;
    use watershed_lang::parse::parse_expression;
    use watershed_lang::span::FileId;

    use super::*;

    fn names(text: &str) -> Vec<String> {
        let expr = parse_expression(FileId(0), text, &mut Diagnostics::new());
        let names = free_names(&expr).into_iter().map(|name| name.value);
        names.collect()
    }

    #[test]
    fn variables_of_macros_hide_what_is_around_them() {
        assert_eq!(names("noisy.exists(x, x == y) || x"), ["noisy", "y", "x"]);
        assert_eq!(names("cel.bind(x, x + 1, x + z)"), ["x", "z"]);
        assert_eq!(names("a[?\"k\"].optMap(a, a + b)"), ["a", "b"]);
        assert_eq!(
            names("m.transformMap(k, v, v > limit, k + v)"),
            ["m", "limit"]
        );
        assert_eq!(names("[1].map(x, .x + x)"), ["x"]);
    }

    #[test]
    fn namespaces_and_fields_are_no_names() {
        assert_eq!(names("math.abs(log.x) + string(y)"), ["log", "y"]);
        assert_eq!(
            names("has(log.body.k) && math.greatest(a, b) > 1"),
            ["log", "a", "b"]
        );
        assert_eq!(names("math.unknown(a)"), ["math", "a"]);
    }
}
