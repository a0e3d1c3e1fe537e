//! Macros that make variables: comprehensions, `cel.bind`, `cel.block`, `optMap`.

use watershed_lang::ast::{Expr, ExprKind};
use watershed_lang::span::Span;

use super::calls::Style;
use super::{Checker, Mode};
use crate::cel::error::CheckError;
use crate::cel::macros::{Loop, variable_name};
use crate::cel::typed::{
    Callee, Comprehension, ComprehensionKind, LocalId, LocalRole, NodeId, NodeKind, Unresolved,
};
use crate::cel::types::Type;

/// What messages call the condition of a macro.
const PREDICATE: &str = "the predicate of a macro";

impl Checker<'_> {
    /// `range.all(x, p)` and its kin.
    pub(super) fn comprehension(
        &mut self,
        kind: Loop,
        range: &Expr,
        variables: &[Expr],
        condition: Option<&Expr>,
        body: &Expr,
        span: Span,
    ) -> NodeId {
        let names: Result<Vec<String>, Box<CheckError>> =
            variables.iter().map(variable_name).collect();
        let range = self.expr(range);
        let names = match names {
            Ok(names) => names,
            Err(error) => return self.wrong(*error, span),
        };
        let depth = self.scope.len();
        let (range, locals) = self.loop_variables(range, names);
        let condition = condition.map(|condition| {
            let checked = self.expr(condition);
            self.boolean(checked, PREDICATE, condition)
        });
        let source = body;
        let mut body = self.expr(source);
        if matches!(
            kind,
            Loop::All | Loop::Exists | Loop::ExistsOne | Loop::Filter
        ) {
            body = self.boolean(body, PREDICATE, source);
        }
        self.scope.truncate(depth);
        let Some((kind, ty)) = self.loop_type(kind, range, &locals, body) else {
            return self.wrong_loop_body(kind, body, span);
        };
        let comprehension = Comprehension {
            kind,
            range,
            locals,
            condition,
            body,
        };
        self.push(NodeKind::Comprehension(comprehension), ty, span)
    }

    /// Declares the variables of a loop by what its range holds.
    fn loop_variables(&mut self, range: NodeId, names: Vec<String>) -> (NodeId, Vec<LocalId>) {
        let pair = names.len() > 1;
        let mut range = range;
        let (first, second) = match self.ty(range) {
            Type::List(element) if pair => (Type::Int, *element),
            Type::List(element) => (*element, Type::Error),
            Type::Map(key, value) => (*key, *value),
            Type::Dyn | Type::Error => (Type::Dyn, Type::Dyn),
            Type::Variable(number) => {
                self.bindings
                    .is_assignable(&Type::Dyn, &Type::Variable(number));
                (Type::Dyn, Type::Dyn)
            }
            _ if self.mode == Mode::Dynamic => {
                range = self.boxed(range);
                (Type::Dyn, Type::Dyn)
            }
            ty => {
                // That a record is used whole is said at the end, where it stands.
                if !self.is_read_in_place(&ty) {
                    let span = self.span(range);
                    self.errors.push(CheckError::NotIterable { ty, span });
                }
                (Type::Error, Type::Error)
            }
        };
        let mut names = names.into_iter();
        let role = if pair {
            LocalRole::IndexOrKey
        } else {
            LocalRole::Element
        };
        let mut locals = Vec::new();
        if let Some(name) = names.next() {
            locals.push(self.declare(name, first, range, role));
        }
        if let Some(name) = names.next() {
            locals.push(self.declare(name, second, range, LocalRole::Value));
        }
        (range, locals)
    }

    /// What the loop makes; `None` when the body is of a type that it cannot make it from.
    fn loop_type(
        &mut self,
        kind: Loop,
        range: NodeId,
        locals: &[LocalId],
        body: NodeId,
    ) -> Option<(ComprehensionKind, Type)> {
        let first = locals
            .first()
            .map_or(Type::Error, |local| self.locals.at(*local).ty.clone());
        let first = self.bindings.resolve(&first);
        let body = self.ty(body);
        Some(match kind {
            Loop::All => (ComprehensionKind::All, Type::Bool),
            Loop::Exists => (ComprehensionKind::Exists, Type::Bool),
            Loop::ExistsOne => (ComprehensionKind::ExistsOne, Type::Bool),
            Loop::Filter => (ComprehensionKind::Filter, Type::list(first)),
            Loop::Map | Loop::TransformList => (ComprehensionKind::List, Type::list(body)),
            Loop::TransformMap => (ComprehensionKind::Map, Type::map(first, body)),
            Loop::TransformMapEntry => {
                let entry = Type::map(self.bindings.fresh(), self.bindings.fresh());
                if !self.bindings.is_assignable(&body, &entry) {
                    return None;
                }
                (ComprehensionKind::Entries, self.bindings.resolve(&entry))
            }
            Loop::SortBy => {
                let types = [self.ty(range), Type::list(body)];
                let style = Style {
                    member: true,
                    rooted: false,
                };
                let resolution = self.resolve("@sortByAssociatedKeys", style, &types)?;
                let Callee::Language(overloads) = resolution.callee else {
                    return None;
                };
                (ComprehensionKind::SortBy(overloads), resolution.ty)
            }
        })
    }

    fn wrong_loop_body(&mut self, kind: Loop, body: NodeId, span: Span) -> NodeId {
        let (ty, body) = (self.ty(body), self.span(body));
        let sorts = kind == Loop::SortBy;
        self.wrong_or_dynamic(Unresolved::Overload, span, || CheckError::LoopBody {
            sorts,
            ty,
            span: body,
        })
    }

    /// `cel.bind(x, value, body)`
    pub(super) fn bind(
        &mut self,
        variable: &Expr,
        value: &Expr,
        body: &Expr,
        span: Span,
    ) -> NodeId {
        let name = variable_name(variable);
        let value = self.expr(value);
        let name = match name {
            Ok(name) => name,
            Err(error) => return self.wrong(*error, span),
        };
        let ty = self.ty(value);
        let local = self.declare(name, ty, value, LocalRole::Whole);
        let body = self.expr(body);
        self.scope.pop();
        let ty = self.ty(body);
        self.push(NodeKind::Bind { local, value, body }, ty, span)
    }

    /// `cel.block([a, b], body)`. What a block holds is `dyn` to its readers, as the reference has it.
    pub(super) fn block(&mut self, bindings: &Expr, body: &Expr, span: Span) -> NodeId {
        let elements = match &bindings.kind {
            ExprKind::List(elements) if elements.iter().all(|element| !element.optional) => {
                elements
            }
            _ => {
                return self.wrong(
                    CheckError::BlockBindings {
                        span: bindings.span,
                    },
                    span,
                );
            }
        };
        let depth = self.scope.len();
        let mut locals = Vec::with_capacity(elements.len());
        for (position, element) in elements.iter().enumerate() {
            let value = self.expr(&element.value);
            let local = self.declare(
                format!("@index{position}"),
                Type::Dyn,
                value,
                LocalRole::Whole,
            );
            locals.push((local, value));
        }
        let body = self.expr(body);
        self.scope.truncate(depth);
        let ty = self.ty(body);
        self.push(
            NodeKind::Block {
                bindings: locals,
                body,
            },
            ty,
            span,
        )
    }

    /// `target.optMap(x, body)`, `target.optFlatMap(x, body)`
    pub(super) fn optional_map(
        &mut self,
        target: &Expr,
        variable: &Expr,
        body: &Expr,
        flat: bool,
        span: Span,
    ) -> NodeId {
        let name = variable_name(variable);
        let mut target = self.expr(target);
        let name = match name {
            Ok(name) => name,
            Err(error) => return self.wrong(*error, span),
        };
        let style = Style {
            member: true,
            rooted: false,
        };
        let mut target_type = self.ty(target);
        if self.mode == Mode::Dynamic && !matches!(target_type, Type::Optional(_)) {
            target = self.boxed(target);
            target_type = Type::Dyn;
        }
        let Some(inner) = self.resolve("value", style, std::slice::from_ref(&target_type)) else {
            let error = CheckError::NotOptional {
                ty: target_type,
                span: self.span(target),
            };
            return self.wrong(error, span);
        };
        let local = self.declare(name, inner.ty, target, LocalRole::Inner);
        let mut body = self.expr(body);
        self.scope.pop();
        if self.mode == Mode::Dynamic && flat && !matches!(self.ty(body), Type::Optional(_)) {
            body = self.boxed(body);
        }
        let body_type = self.ty(body);
        let ty = if flat {
            let empty = Type::optional(self.bindings.fresh());
            if !self.bindings.is_assignable(&body_type, &empty) {
                let error = CheckError::NotOptional {
                    ty: body_type,
                    span: self.span(body),
                };
                return self.wrong(error, span);
            }
            self.bindings.resolve(&empty)
        } else {
            Type::optional(body_type)
        };
        self.push(
            NodeKind::OptionalMap {
                target,
                local,
                body,
                flat,
            },
            ty,
            span,
        )
    }
}
