//! Comparison and arithmetic.
//!
//! Kinds of numbers never mix when both are known; a `dyn` operand is compared as CEL compares it at run time.

use watershed_lang::span::Span;

use super::Checker;
use super::access::is_scalar;
use super::constant::Constant;
use super::evaluate;
use super::type_error::{Rewrite, TypeError};
use super::types::{Failure, Type, Typed};
use crate::hir::{ArithmeticOp, CompareOp, ExprId, ExprKind, Literal};

impl Checker<'_> {
    /// `left op right`
    pub(super) fn compare(
        &mut self,
        op: CompareOp,
        op_span: Span,
        left: ExprId,
        right: ExprId,
    ) -> Typed {
        let broken = Typed {
            ty: Type::Bool,
            ..Typed::ERROR
        };
        if self.any_error(&[left, right]) {
            return broken;
        }
        let (left_type, right_type) = (self.table.ty(left).clone(), self.table.ty(right).clone());
        let open = left_type.is_open() || right_type.is_open();
        if !open && left_type != right_type
            || op.is_ordering() && !(ordered(&left_type) && ordered(&right_type))
        {
            self.mismatch(op.symbol(), op_span, left, right);
            return broken;
        }
        if !is_scalar(&left_type) || !is_scalar(&right_type) {
            self.later("comparing a list, a map or an optional as a whole", op_span);
            return broken;
        }
        let constant = match (self.table.constant(left), self.table.constant(right)) {
            (Some(left), Some(right)) => evaluate::compare(op, left, right),
            _ => None,
        };
        let typed = Typed {
            constant: constant.map(Constant::Bool),
            ..self.over(&[left, right], Type::Bool)
        };
        if open && op.is_ordering() {
            typed.failing(Failure::WrongType)
        } else {
            typed
        }
    }

    /// `left op right`
    pub(super) fn arithmetic(
        &mut self,
        id: ExprId,
        op: ArithmeticOp,
        op_span: Span,
        left: ExprId,
        right: ExprId,
    ) -> Typed {
        if self.any_error(&[left, right]) {
            return Typed::ERROR;
        }
        let (left_type, right_type) = (self.table.ty(left).clone(), self.table.ty(right).clone());
        if left_type == Type::Dyn || right_type == Type::Dyn {
            return self.open_arithmetic(id, op, left, right);
        }
        if left_type != right_type || !takes(op, &left_type) {
            return self.mismatch(op.symbol(), op_span, left, right);
        }
        if let (Some(left), Some(right)) = (self.table.constant(left), self.table.constant(right))
            && let Some(value) = evaluate::arithmetic(op, left, right)
        {
            return self.known(value);
        }
        match (op, &left_type) {
            (ArithmeticOp::Add, Type::String | Type::Double) => {
                self.over(&[left, right], left_type)
            }
            (ArithmeticOp::Add, Type::Int | Type::Uint | Type::Duration) => self
                .over(&[left, right], left_type)
                .failing(Failure::Overflow),
            _ => self.later(
                format!(
                    "`{}` on values of type `{left_type}` that are not constant",
                    op.symbol()
                ),
                op_span,
            ),
        }
    }

    /// Arithmetic with an operand of any type can fail. Where a value is needed that is said with the form that
    /// cannot; elsewhere it is not compiled yet. Only the root knows which, so it is kept until then.
    fn open_arithmetic(
        &mut self,
        id: ExprId,
        op: ArithmeticOp,
        left: ExprId,
        right: ExprId,
    ) -> Typed {
        let (open, other) = if *self.table.ty(left) == Type::Dyn {
            (left, right)
        } else {
            (right, left)
        };
        let ty = self.table.ty(other).clone();
        if op != ArithmeticOp::Add || !(ty == Type::Dyn || takes(op, &ty)) {
            return self.mismatch(op.symbol(), self.span(id), left, right);
        }
        self.open_sums.push(open);
        self.over(&[left, right], ty).failing(Failure::WrongType)
    }

    /// `-operand`, of constants.
    pub(super) fn negate(&mut self, id: ExprId, operand: ExprId) -> Typed {
        let ty = self.table.ty(operand).clone();
        match (&ty, self.table.constant(operand).and_then(evaluate::negate)) {
            (Type::Error, _) => Typed::ERROR,
            (_, Some(value)) => self.known(value),
            (Type::Int | Type::Double | Type::Dyn, None) => {
                self.later("`-` on a value that is not constant", self.span(id))
            }
            _ => self.no_overload("-", vec![ty], self.span(id), None),
        }
    }

    /// Reports two operands whose types do not go together, with the literal that would.
    fn mismatch(
        &mut self,
        operation: &'static str,
        span: Span,
        left: ExprId,
        right: ExprId,
    ) -> Typed {
        let found = vec![self.table.ty(left).clone(), self.table.ty(right).clone()];
        let rewrite = self
            .other_literal(left, right)
            .or_else(|| self.other_literal(right, left));
        let help = match found.as_slice() {
            _ if rewrite.is_some() => None,
            [Type::Optional(_), _] | [_, Type::Optional(_)] => Some(
                "give the value that an absent one stands for, such as `.orString(\"\")`"
                    .to_owned(),
            ),
            [Type::Duration, _] | [_, Type::Duration] => {
                Some("write a duration with its unit, such as `5s`".to_owned())
            }
            [Type::String, _] | [_, Type::String] if operation == "+" => {
                Some("nothing is turned into text by itself".to_owned())
            }
            _ => None,
        };
        self.report(TypeError::NoOverload {
            operation,
            found,
            span,
            operand: None,
            rewrite,
            help,
        });
        Typed::ERROR
    }

    /// A number literal written as the type of the other operand.
    fn other_literal(&self, literal: ExprId, other: ExprId) -> Option<Rewrite> {
        let ExprKind::Literal(value) = &self.program.exprs.at(literal).kind else {
            return None;
        };
        let ty = self.table.ty(other);
        let text = match (value, ty) {
            (Literal::Int(value), Type::Uint) => format!("{}u", u64::try_from(*value).ok()?),
            (Literal::Int(value), Type::Double) => format!("{value}.0"),
            (Literal::Uint(value), Type::Int) => i64::try_from(*value).ok()?.to_string(),
            (Literal::Uint(value), Type::Double) => format!("{value}.0"),
            _ => return None,
        };
        Some(Rewrite {
            span: self.span(literal),
            help: format!("write the number as `{ty}`: `{text}`"),
            text,
        })
    }
}

/// Whether values of the type have an order.
const fn ordered(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool
            | Type::Int
            | Type::Uint
            | Type::Double
            | Type::String
            | Type::Bytes
            | Type::Duration
            | Type::Dyn
            | Type::Error
    )
}

/// Whether an arithmetic operator takes two values of the type.
const fn takes(op: ArithmeticOp, ty: &Type) -> bool {
    match op {
        ArithmeticOp::Add => matches!(
            ty,
            Type::Int
                | Type::Uint
                | Type::Double
                | Type::Duration
                | Type::String
                | Type::Bytes
                | Type::List(_)
        ),
        ArithmeticOp::Subtract => {
            matches!(ty, Type::Int | Type::Uint | Type::Double | Type::Duration)
        }
        ArithmeticOp::Multiply | ArithmeticOp::Divide => {
            matches!(ty, Type::Int | Type::Uint | Type::Double)
        }
        ArithmeticOp::Remainder => matches!(ty, Type::Int | Type::Uint),
    }
}
