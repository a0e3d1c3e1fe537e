//! Calls: macros, functions with and without a receiver, qualified functions.

use watershed_lang::ast::{Expr, ExprKind};
use watershed_lang::span::{Name, Span};

use super::Checker;
use super::names::path;
use crate::cel::declarations;
use crate::cel::error::CheckError;
use crate::cel::macros::{self, Macro};
use crate::cel::typed::{Element, NodeId, NodeKind, Unresolved};
use crate::cel::types::Type;

impl Checker<'_> {
    /// `function(args)` or `receiver.function(args)`.
    pub(super) fn call(&mut self, expr: &Expr) -> NodeId {
        let ExprKind::Call {
            receiver,
            function,
            leading_dot,
            args,
        } = &expr.kind
        else {
            return self.push(NodeKind::Error, Type::Error, expr.span);
        };
        match receiver {
            None => match macros::global(&function.value, args) {
                Some(found) => self.expand(found, expr.span),
                None => self.global_call(function, *leading_dot, args, expr.span),
            },
            Some(receiver) => self.member_call(receiver, function, args, expr.span),
        }
    }

    fn global_call(&mut self, function: &Name, rooted: bool, args: &[Expr], span: Span) -> NodeId {
        if let [receiver, rest @ ..] = args
            && macros::member(receiver, &function.value, rest).is_some()
        {
            let (name, mend) = (
                function.clone(),
                self.written_on(receiver, function, rest, span),
            );
            let needs_receiver = true;
            return self.wrong_or_dynamic(Unresolved::Function, span, || CheckError::WrongStyle {
                name,
                needs_receiver,
                mend,
            });
        }
        if !self.is_function(&function.value, rooted) {
            return self.unknown_function(function, &function.value, args.len(), span);
        }
        let sources: Vec<&Expr> = args.iter().collect();
        let args = args.iter().map(|arg| self.expr(arg)).collect();
        let style = Style {
            member: false,
            rooted,
        };
        self.function_call(&function.value, style, args, function.span, span, &sources)
    }

    /// A qualified function when there is one of that name, else a function of the receiver's value.
    fn member_call(
        &mut self,
        receiver: &Expr,
        function: &Name,
        args: &[Expr],
        span: Span,
    ) -> NodeId {
        if let Some(path) = path(receiver).filter(|path| !self.begins_local(path)) {
            let namespace = path.parts.join(".");
            if let Some(found) = macros::namespaced(&namespace, &function.value, args) {
                return self.expand(found, span);
            }
            let qualified = format!("{namespace}.{}", function.value);
            if self.is_function(&qualified, path.rooted) {
                let sources: Vec<&Expr> = args.iter().collect();
                let args = args.iter().map(|arg| self.expr(arg)).collect();
                let style = Style {
                    member: false,
                    rooted: path.rooted,
                };
                return self.function_call(&qualified, style, args, function.span, span, &sources);
            }
            if let Some(known) = known_namespace(&namespace) {
                let qualified_span = receiver.span.to(function.span);
                return match known {
                    Namespace::Functions => self.unknown_function(
                        &Name::new(qualified.clone(), qualified_span),
                        &qualified,
                        args.len(),
                        span,
                    ),
                    Namespace::Protobuf => self.wrong(
                        CheckError::NeedsProtobuf {
                            what: qualified,
                            span,
                        },
                        span,
                    ),
                };
            }
        }
        if let Some(found) = macros::member(receiver, &function.value, args) {
            return self.expand(found, span);
        }
        if !self.is_function(&function.value, false) {
            return self.unknown_function(function, &function.value, args.len(), span);
        }
        let sources: Vec<&Expr> = [receiver].into_iter().chain(args).collect();
        let args = sources.iter().map(|source| self.expr(source)).collect();
        let style = Style {
            member: true,
            rooted: false,
        };
        self.function_call(&function.value, style, args, function.span, span, &sources)
    }

    /// An operator by its name in the tables.
    pub(super) fn operator(
        &mut self,
        name: &str,
        name_span: Span,
        operands: &[&Expr],
        span: Span,
    ) -> NodeId {
        let args = operands.iter().map(|operand| self.expr(operand)).collect();
        self.resolved_call(name, args, name_span, span, operands)
    }

    fn expand(&mut self, found: Macro<'_>, span: Span) -> NodeId {
        match found {
            Macro::Has { field } => self.has(field, span),
            Macro::Loop {
                kind,
                range,
                variables,
                condition,
                body,
            } => self.comprehension(kind, range, variables, condition, body, span),
            Macro::Bind {
                variable,
                value,
                body,
            } => self.bind(variable, value, body, span),
            Macro::Block { bindings, body } => self.block(bindings, body, span),
            Macro::Generated { function, args } => self.generated(function, args, span),
            Macro::OptionalMap {
                target,
                variable,
                body,
                flat,
            } => self.optional_map(target, variable, body, flat, span),
            Macro::Extreme { function, args } => self.extreme(function, args, span),
        }
    }

    /// `cel.index(0)` and its kin: a variable by a name that only a generator writes.
    fn generated(&mut self, function: &str, args: &[Expr], span: Span) -> NodeId {
        match macros::generated_name(function, args, span) {
            Ok(name) => match self.local(&name) {
                Some(local) => {
                    let ty = self.locals.at(local).ty.clone();
                    self.push(NodeKind::Local(local), ty, span)
                }
                None => self.wrong(
                    CheckError::UnboundGenerated {
                        function: function.to_owned(),
                        span,
                    },
                    span,
                ),
            },
            Err(error) => self.wrong(*error, span),
        }
    }

    /// `math.greatest(a, b, c)`: more than two numbers go as a list.
    fn extreme(&mut self, function: &'static str, args: &[Expr], span: Span) -> NodeId {
        let numbers = match args {
            [
                Expr {
                    kind: ExprKind::List(elements),
                    ..
                },
            ] => elements.iter().map(|element| &element.value).collect(),
            _ => args.iter().collect::<Vec<_>>(),
        };
        let sources: Vec<&Expr> = args.iter().collect();
        let ids: Vec<NodeId> = args.iter().map(|arg| self.expr(arg)).collect();
        let checked = match (args, ids.as_slice()) {
            (
                [
                    Expr {
                        kind: ExprKind::List(_),
                        ..
                    },
                ],
                [list],
            ) => self.nodes.at(*list).kind.children(),
            _ => ids.clone(),
        };
        for (number, id) in numbers.into_iter().zip(checked) {
            let ty = self.ty(id);
            let is_list = matches!(ty, Type::List(_)) && args.len() == 1;
            if !(ty.is_numeric() || ty.is_open() || matches!(ty, Type::Variable(_)) || is_list) {
                let error = || CheckError::NotNumeric {
                    function,
                    ty,
                    span: number.span,
                };
                return self.wrong_or_dynamic(Unresolved::Overload, span, error);
            }
        }
        if args.len() <= 2 {
            return self.resolved_call(function, ids, span, span, &sources);
        }
        let mut element = None;
        for id in &ids {
            let ty = self.ty(*id);
            element = Some(self.joined(element, ty));
        }
        let elements = ids
            .into_iter()
            .map(|value| Element {
                optional: false,
                value,
            })
            .collect();
        let list = self.push(
            NodeKind::List(elements),
            Type::list(element.unwrap_or(Type::Dyn)),
            span,
        );
        self.resolved_call(function, vec![list], span, span, &[])
    }

    /// Whether anything has this name, in any style.
    fn is_function(&self, name: &str, rooted: bool) -> bool {
        let language = !name.starts_with(['@', '_', '!', '-'])
            && declarations::signatures(name).next().is_some();
        language || self.environment.function(name, rooted).is_some()
    }

    fn unknown_function(
        &mut self,
        function: &Name,
        full: &str,
        given: usize,
        span: Span,
    ) -> NodeId {
        let arguments = macros::arguments_of(full);
        let function = function.clone();
        let candidates = self.function_names();
        self.wrong_or_dynamic(Unresolved::Function, span, || match arguments {
            Some(wanted) => CheckError::MacroArguments {
                name: function,
                wanted,
                given,
            },
            None => CheckError::UnknownFunction {
                name: function,
                candidates,
            },
        })
    }

    fn function_names(&self) -> Vec<String> {
        let language = declarations::functions().map(|function| function.name);
        let language = language.filter(|name| !name.starts_with(['@', '_', '!', '-']));
        let mut names: Vec<String> = language.chain(macros::names()).map(str::to_owned).collect();
        names.extend(self.environment.functions.keys().cloned());
        names
    }
}

/// How a function is called.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Whether a receiver stands before it.
    pub(super) member: bool,
    /// Whether a dot stands before its name.
    pub(super) rooted: bool,
}

/// What stands before the dot of a qualified function.
enum Namespace {
    Functions,
    Protobuf,
}

fn known_namespace(namespace: &str) -> Option<Namespace> {
    match namespace {
        "math" | "strings" | "base64" | "optional" | "lists" | "cel" => Some(Namespace::Functions),
        "proto" => Some(Namespace::Protobuf),
        _ => None,
    }
}
