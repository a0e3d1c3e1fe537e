//! Keys and positions: `m["k"]`, `m[?"k"]`, `has(m.k)`, `x in xs`.

use watershed_lang::span::Span;

use super::Checker;
use super::constant::Constant;
use super::evaluate;
use super::type_error::{Rewrite, TypeError};
use super::types::{Fails, Failure, Type, Typed};
use crate::hir::{ExprId, ExprKind, print};

impl Checker<'_> {
    /// `operand[index]`, `operand[?index]`
    pub(super) fn index(&mut self, operand: ExprId, index: ExprId, optional: bool) -> Typed {
        if self.any_error(&[operand, index]) {
            return Typed::ERROR;
        }
        let operand_type = self.table.ty(operand).clone();
        match &operand_type {
            Type::Map(value) => self.map_key(operand, index, optional, value),
            Type::List(element) => self.list_position(operand, index, optional, element),
            Type::Dyn => self.dyn_key(operand, index, optional, &operand_type),
            Type::Optional(inner) if inner.is_open() => self.dyn_key(operand, index, true, inner),
            _ => {
                let span = self.span(operand);
                self.report(TypeError::NotIndexable {
                    ty: operand_type,
                    span,
                });
                Typed::ERROR
            }
        }
    }

    /// A key of the attributes of something. An optional look-up there cannot fail.
    fn map_key(&mut self, operand: ExprId, index: ExprId, optional: bool, value: &Type) -> Typed {
        if !self.is_key(index, &Type::Map(Box::new(value.clone())), false) {
            return Typed::ERROR;
        }
        if optional {
            return self.over(&[operand], Type::Optional(Box::new(value.clone())));
        }
        self.over(&[operand], value.clone())
            .failing(Failure::MissingKey)
    }

    /// A key or position of a value of any type. An optional look-up still fails on a value without keys.
    fn dyn_key(&mut self, operand: ExprId, index: ExprId, optional: bool, ty: &Type) -> Typed {
        if !self.is_key(index, ty, true) {
            return Typed::ERROR;
        }
        if optional {
            return self
                .over(&[operand], Type::Optional(Box::new(Type::Dyn)))
                .failing(Failure::WrongType);
        }
        let absent = match self.table.constant(index) {
            Some(Constant::Int(_)) => Failure::OutOfRange,
            _ => Failure::MissingKey,
        };
        self.over(&[operand], Type::Dyn)
            .failing(absent)
            .failing(Failure::WrongType)
    }

    /// A position of a constant list; other lists cannot be indexed yet.
    fn list_position(
        &mut self,
        operand: ExprId,
        index: ExprId,
        optional: bool,
        element: &Type,
    ) -> Typed {
        let span = self.span(index);
        if *self.table.ty(index) != Type::Int {
            let (container, index) = (
                Type::List(Box::new(element.clone())),
                self.table.ty(index).clone(),
            );
            self.report(TypeError::WrongIndex {
                container,
                index,
                span,
            });
            return Typed::ERROR;
        }
        if optional {
            return self.later("`[?…]` on a list", span);
        }
        let value = match (self.table.constant(operand), self.table.constant(index)) {
            (Some(Constant::List(elements)), Some(position)) => {
                evaluate::element(elements, position)
            }
            _ => None,
        };
        match value {
            Some(value) => self.known(value),
            None => self.later("an index on a list that is not constant", span),
        }
    }

    /// Whether an index is a constant key, or a constant position where positions are allowed. Reports what is not.
    fn is_key(&mut self, index: ExprId, container: &Type, positions: bool) -> bool {
        let span = self.span(index);
        let fits = match self.table.ty(index) {
            Type::String => true,
            Type::Int => positions,
            Type::Dyn => true,
            _ => false,
        };
        if !fits {
            let (container, index) = (container.clone(), self.table.ty(index).clone());
            self.report(TypeError::WrongIndex {
                container,
                index,
                span,
            });
            return false;
        }
        if self.table.constant(index).is_none() {
            self.later("an index that is not constant", span);
            return false;
        }
        true
    }

    /// `has(operand.key)`
    pub(super) fn has(&mut self, operand: ExprId, key: ExprId) -> Typed {
        let ty = self.table.ty(operand).clone();
        match ty {
            Type::Error => Typed {
                ty: Type::Bool,
                ..Typed::ERROR
            },
            Type::Map(_) => self.over(&[operand], Type::Bool),
            Type::Dyn => self
                .over(&[operand], Type::Bool)
                .failing(Failure::WrongType),
            Type::Optional(_) => self.later("`has` behind `.?` or `[?…]`", self.span(key)),
            other => {
                let span = self.span(operand);
                self.report(TypeError::NotIndexable { ty: other, span });
                Typed::ERROR
            }
        }
    }

    /// `element in container`
    pub(super) fn contained(
        &mut self,
        id: ExprId,
        op_span: Span,
        element: ExprId,
        container: ExprId,
    ) -> Typed {
        if self.any_error(&[element, container]) {
            return Typed {
                ty: Type::Bool,
                ..Typed::ERROR
            };
        }
        match self.table.ty(container).clone() {
            Type::List(inner) => self.in_list(op_span, element, container, &inner),
            Type::Map(value) => {
                let key = self.is_key(element, &Type::Map(value), false);
                if key {
                    self.over(&[container], Type::Bool)
                } else {
                    Typed {
                        ty: Type::Bool,
                        ..Typed::ERROR
                    }
                }
            }
            Type::Dyn if is_scalar(self.table.ty(element)) => self
                .over(&[element, container], Type::Bool)
                .failing(Failure::WrongType),
            ty => {
                let rewrite =
                    (ty == Type::String).then(|| self.contains_form(id, element, container));
                let found = vec![self.table.ty(element).clone(), ty];
                self.no_overload("in", found, op_span, rewrite)
            }
        }
    }

    fn in_list(&mut self, op_span: Span, element: ExprId, list: ExprId, inner: &Type) -> Typed {
        let element_type = self.table.ty(element).clone();
        if !is_scalar(&element_type) || !is_scalar(inner) {
            return self.later("looking for a list or a map inside of a list", op_span);
        }
        if !inner.is_open() && !element_type.is_open() && *inner != element_type {
            let found = vec![element_type, Type::List(Box::new(inner.clone()))];
            return self.no_overload("in", found, op_span, None);
        }
        let is_literal = matches!(self.program.exprs.at(list).kind, ExprKind::List(_));
        let constant = match self.table.constant(list) {
            Some(Constant::List(elements)) => self
                .table
                .constant(element)
                .and_then(|element| evaluate::contained(element, elements)),
            _ if is_literal => None,
            _ => {
                return self.later(
                    "`in` a list that is neither a literal nor constant",
                    op_span,
                );
            }
        };
        Typed {
            constant: constant.map(Constant::Bool),
            ..self.over(&[element, list], Type::Bool)
        }
    }

    /// `text.contains(part)`, for `part in text`.
    fn contains_form(&self, whole: ExprId, element: ExprId, container: ExprId) -> Rewrite {
        let (text, part) = (
            print::operand(self.program, container),
            print::expr(self.program, element),
        );
        let text = format!("{text}.contains({part})");
        Rewrite {
            span: self.span(whole),
            help: format!("a part of a text is found by `{text}`"),
            text,
        }
    }

    /// The row of a constant that was evaluated.
    pub(super) fn known(&self, value: evaluate::Value) -> Typed {
        let constant = match value {
            Ok(constant) => constant,
            Err(failure) => Constant::Failed(failure),
        };
        Typed {
            ty: constant.ty(),
            fails: Fails::NEVER,
            constant: Some(constant),
            ..Typed::ERROR
        }
    }
}

/// Whether values of the type are compared as a whole by this version.
pub(super) const fn is_scalar(ty: &Type) -> bool {
    !matches!(
        ty,
        Type::List(_) | Type::Map(_) | Type::Optional(_) | Type::Secret
    )
}
