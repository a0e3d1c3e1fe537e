//! Calls: the functions of this version, and the macro `has`.

use watershed_lang::ast::{self, Expr};
use watershed_lang::span::{Name, Span};

use super::Resolver;
use super::error::NameError;
use super::expr_error::{ExpressionError, Instead};
use super::postfix::{Link, Postfix};
use crate::catalog::reserved;
use crate::catalog::signals::Root;
use crate::hir::{ExprId, ExprKind, Function, Literal, print};

impl Resolver<'_> {
    /// `function(args)`
    pub(super) fn global_call(&mut self, name: &Name, args: &[Expr], span: Span) -> ExprId {
        if name.value == "has" {
            return self.has(args, span);
        }
        match Function::from_name(&name.value) {
            Some(function) if function.is_global() => {
                if args.len() != function.arity() {
                    let found = args.len().saturating_sub(1);
                    return self.wrong(
                        ExpressionError::WrongArity {
                            function,
                            span: name.span,
                            found,
                        },
                        span,
                    );
                }
                let args = self.exprs(args);
                self.push(
                    ExprKind::Call {
                        function,
                        function_span: name.span,
                        args,
                    },
                    span,
                )
            }
            Some(function) => self.wrong(
                ExpressionError::NeedsReceiver {
                    function,
                    name: name.clone(),
                },
                span,
            ),
            None => self.unknown_function(name, span),
        }
    }

    /// `receiver.function(args)`
    pub(super) fn method(
        &mut self,
        receiver: ExprId,
        name: &Name,
        args: &[Expr],
        span: Span,
    ) -> ExprId {
        let Some(function) = Function::from_name(&name.value) else {
            return self.unknown_function(name, span);
        };
        if args.len() + 1 != function.arity() {
            let found = args.len();
            return self.wrong(
                ExpressionError::WrongArity {
                    function,
                    span: name.span,
                    found,
                },
                span,
            );
        }
        let mut all = vec![receiver];
        all.extend(self.exprs(args));
        self.push(
            ExprKind::Call {
                function,
                function_span: name.span,
                args: all,
            },
            span,
        )
    }

    fn unknown_function(&mut self, name: &Name, span: Span) -> ExprId {
        if reserved::LATER_FUNCTIONS.contains(&name.value.as_str()) {
            self.not_supported(format!("`{}`", name.value), name.span);
            return self.push(ExprKind::Error, span);
        }
        let mut candidates: Vec<_> = Function::ALL.into_iter().map(Function::name).collect();
        candidates.push("has");
        self.wrong(
            NameError::UnknownFunction {
                name: name.clone(),
                candidates,
            },
            span,
        )
    }

    /// `has(operand.field)`: the field is not read, only looked for.
    fn has(&mut self, args: &[Expr], span: Span) -> ExprId {
        let [argument] = args else {
            return self.wrong(ExpressionError::HasOther { span }, span);
        };
        match &argument.kind {
            ast::ExprKind::Select {
                optional: true,
                field,
                ..
            } => self.later("`.?` inside of `has`", field.span),
            ast::ExprKind::Select { operand, field, .. } => {
                self.has_field(argument, operand, field, span)
            }
            ast::ExprKind::Index { operand, index, .. } => {
                let instead = self.instead_of_has(operand, index, span);
                self.wrong(
                    ExpressionError::HasIndex {
                        argument: argument.span,
                        instead,
                    },
                    span,
                )
            }
            ast::ExprKind::Error => self.push(ExprKind::Error, span),
            _ => self.wrong(
                ExpressionError::HasOther {
                    span: argument.span,
                },
                span,
            ),
        }
    }

    fn has_field(&mut self, argument: &Expr, operand: &Expr, field: &Name, span: Span) -> ExprId {
        let postfix = Postfix::of(argument);
        if let Some(root) = postfix.root() {
            match postfix.field(root) {
                Some((found, taken)) if taken == postfix.links.len() => {
                    return self.push(ExprKind::HasField(found), span);
                }
                None if matches!(postfix.links.as_slice(), [(Link::Field { .. }, _)]) => {
                    return self.wrong(
                        NameError::UnknownField {
                            root,
                            name: field.clone(),
                        },
                        span,
                    );
                }
                _ => {}
            }
        }
        let operand = self.expr(operand);
        let key = self.key(field);
        self.push(ExprKind::Has { operand, key }, span)
    }

    /// `"key" in operand`, printed from the resolved parts.
    fn instead_of_has(&mut self, operand: &Expr, index: &Expr, call: Span) -> Option<Instead> {
        let postfix = Postfix::of(operand);
        let is_root = postfix.links.is_empty() && postfix.root().is_some();
        let operand = if is_root {
            format!("{}.attributes", postfix.root().map_or("", Root::name))
        } else {
            let operand = self.expr(operand);
            print::operand(&self.program, operand)
        };
        match &index.kind {
            ast::ExprKind::Literal(Literal::String(key)) => Some(Instead {
                call,
                text: format!("{} in {operand}", print::quoted(key)),
            }),
            _ => None,
        }
    }
}
