//! Expressions: operators, literals and names.
//!
//! Children are pushed before their parents and every root after all of its parts, so that later phases can go
//! through the arena from front to back and need no recursion. Chains of operators are unrolled here for the same
//! reason; what still nests too deeply is refused.

use watershed_lang::ast::{self, BinaryOp};
use watershed_lang::span::{Name, Span};

use super::Resolver;
use super::error::{NameError, VALUE};
use super::expr_error::ExpressionError;
use super::scope::Entity;
use crate::catalog::reserved;
use crate::catalog::signals::{FIELDS, FieldSpec, Root};
use crate::hir::{ArithmeticOp, CompareOp, Expr, ExprId, ExprKind, Literal};

/// How deep a resolved expression may nest. Brackets are limited by the parser; this limits chains of operators.
pub(super) const MAX_DEPTH: u32 = 250;

/// The depth of a node that was refused, so that the nodes around it are refused without another message.
const REFUSED: u32 = u32::MAX;

impl Resolver<'_> {
    /// Resolves an expression with everything below it.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Literal(literal) => self.push(ExprKind::Literal(literal.clone()), span),
            ast::ExprKind::Ident { .. }
            | ast::ExprKind::Select { .. }
            | ast::ExprKind::Index { .. }
            | ast::ExprKind::Call { .. } => self.postfix(expr),
            ast::ExprKind::Not { times, operand } => {
                let operand = self.expr(operand);
                self.repeated(*times, operand, span, ExprKind::Not)
            }
            ast::ExprKind::Negate { times, operand } => {
                let operand = self.expr(operand);
                self.repeated(*times, operand, span, ExprKind::Negate)
            }
            ast::ExprKind::Binary { .. } => self.binary(expr),
            ast::ExprKind::And(operands) => {
                let operands = self.exprs(operands);
                self.push(ExprKind::And(operands), span)
            }
            ast::ExprKind::Or(operands) => {
                let operands = self.exprs(operands);
                self.push(ExprKind::Or(operands), span)
            }
            ast::ExprKind::Conditional { arms, otherwise } => {
                self.conditional(arms, otherwise, span)
            }
            ast::ExprKind::List(elements) => self.list(elements, span),
            ast::ExprKind::Map(_) => self.later("a map literal", span),
            ast::ExprKind::Record { .. } => self.later("a record literal", span),
            ast::ExprKind::Error => self.push(ExprKind::Error, span),
        }
    }

    /// Adds an expression whose parts have been added.
    pub(super) fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let depths = kind
            .children()
            .into_iter()
            .filter_map(|child| self.depths.get(child.0 as usize))
            .copied();
        let below = depths.max().unwrap_or(0);
        let (kind, depth) = if below == REFUSED {
            (ExprKind::Error, REFUSED)
        } else if below >= MAX_DEPTH {
            self.report(ExpressionError::TooDeep { span });
            (ExprKind::Error, REFUSED)
        } else {
            (kind, below + 1)
        };
        self.depths.push(depth);
        self.program.exprs.push(Expr { kind, span })
    }

    /// A string literal for a key that was written as a field.
    pub(super) fn key(&mut self, name: &Name) -> ExprId {
        self.push(
            ExprKind::Literal(Literal::String(name.value.clone())),
            name.span,
        )
    }

    /// Reports a form that is not compiled yet and stands in for it.
    pub(super) fn later(&mut self, what: impl Into<String>, span: Span) -> ExprId {
        self.not_supported(what, span);
        self.push(ExprKind::Error, span)
    }

    /// Reports a mistake and stands in for the expression.
    pub(super) fn wrong(
        &mut self,
        error: impl watershed_lang::diagnostic::IntoDiagnostic,
        span: Span,
    ) -> ExprId {
        self.report(error);
        self.push(ExprKind::Error, span)
    }

    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<ExprId> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// `!!!x` is `!x`, and `!!x` stays two: it is `x` only when `x` is a `bool`.
    fn repeated(
        &mut self,
        times: u32,
        operand: ExprId,
        span: Span,
        wrap: fn(ExprId) -> ExprKind,
    ) -> ExprId {
        let inner = if times.is_multiple_of(2) && times > 0 {
            self.push(wrap(operand), span)
        } else {
            operand
        };
        if times == 0 {
            operand
        } else {
            self.push(wrap(inner), span)
        }
    }

    /// `a + b + c`, left to right.
    fn binary(&mut self, expr: &ast::Expr) -> ExprId {
        let mut pending = Vec::new();
        let mut first = expr;
        while let ast::ExprKind::Binary {
            op,
            op_span,
            left,
            right,
        } = &first.kind
        {
            pending.push((*op, *op_span, right, first.span));
            first = left;
        }
        let mut left = self.expr(first);
        for (op, op_span, right, span) in pending.into_iter().rev() {
            let right = self.expr(right);
            left = self.push(operation(op, op_span, left, right), span);
        }
        left
    }

    fn conditional(
        &mut self,
        arms: &[(ast::Expr, ast::Expr)],
        otherwise: &ast::Expr,
        span: Span,
    ) -> ExprId {
        let arms = arms
            .iter()
            .map(|(condition, value)| (self.expr(condition), self.expr(value)))
            .collect();
        let otherwise = self.expr(otherwise);
        self.push(ExprKind::Conditional { arms, otherwise }, span)
    }

    fn list(&mut self, elements: &[ast::ListElement], span: Span) -> ExprId {
        if let Some(element) = elements.iter().find(|element| element.optional) {
            return self.later("an optional element of a list", element.value.span);
        }
        let elements = elements
            .iter()
            .map(|element| self.expr(&element.value))
            .collect();
        self.push(ExprKind::List(elements), span)
    }

    /// A name that stands alone.
    pub(super) fn ident(&mut self, name: &Name) -> ExprId {
        let span = name.span;
        if let Some(declaration) = self.scope.get(&name.value) {
            return match declaration.entity {
                Entity::Config(id) => self.push(ExprKind::Config(id), span),
                Entity::Const(id) => self.push(ExprKind::Const(id), span),
                Entity::Predicate(id) => self.push(ExprKind::Predicate(id), span),
                other => {
                    let (found, declared, wanted) = (other.noun(), declaration.span, VALUE);
                    let name = name.clone();
                    self.wrong(
                        NameError::WrongKind {
                            name,
                            found,
                            wanted,
                            declared,
                            instead: None,
                        },
                        span,
                    )
                }
            };
        }
        if let Some(field) = payload_field(&name.value) {
            return self.push(ExprKind::Field(field), span);
        }
        if let Some(root) = Root::from_name(&name.value) {
            return self.wrong(NameError::RootAlone { root, span }, span);
        }
        if reserved::LATER_ROOTS.contains(&name.value.as_str()) {
            return self.later(format!("`{}`", name.value), span);
        }
        if reserved::TYPE_NAMES.contains(&name.value.as_str()) {
            return self.later(format!("the type `{}` as a value", name.value), span);
        }
        let candidates = self.value_names();
        self.wrong(
            NameError::Unknown {
                name: name.clone(),
                wanted: VALUE,
                candidates,
            },
            span,
        )
    }

    /// Every name that can stand in an expression.
    fn value_names(&self) -> Vec<String> {
        let mut names = self.scope.names_of(|entity| {
            matches!(
                entity,
                Entity::Config(_) | Entity::Const(_) | Entity::Predicate(_)
            )
        });
        names.extend(
            Root::WITH_FIELDS
                .into_iter()
                .map(|root| root.name().to_owned()),
        );
        names.push(Root::Payload.name().to_owned());
        names
    }
}

/// The field that is a name by itself: `signal`.
fn payload_field(name: &str) -> Option<&'static FieldSpec> {
    FIELDS
        .iter()
        .find(|field| field.root == Root::Payload && field.root.name() == name)
}

fn operation(op: BinaryOp, op_span: Span, left: ExprId, right: ExprId) -> ExprKind {
    let arithmetic = |op| ExprKind::Arithmetic {
        op,
        op_span,
        left,
        right,
    };
    let compare = |op| ExprKind::Compare {
        op,
        op_span,
        left,
        right,
    };
    match op {
        BinaryOp::Add => arithmetic(ArithmeticOp::Add),
        BinaryOp::Subtract => arithmetic(ArithmeticOp::Subtract),
        BinaryOp::Multiply => arithmetic(ArithmeticOp::Multiply),
        BinaryOp::Divide => arithmetic(ArithmeticOp::Divide),
        BinaryOp::Remainder => arithmetic(ArithmeticOp::Remainder),
        BinaryOp::Equal => compare(CompareOp::Equal),
        BinaryOp::NotEqual => compare(CompareOp::NotEqual),
        BinaryOp::Less => compare(CompareOp::Less),
        BinaryOp::LessEqual => compare(CompareOp::LessEqual),
        BinaryOp::Greater => compare(CompareOp::Greater),
        BinaryOp::GreaterEqual => compare(CompareOp::GreaterEqual),
        BinaryOp::In => ExprKind::In {
            op_span,
            element: left,
            container: right,
        },
    }
}
