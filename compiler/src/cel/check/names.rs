//! Names, fields and `has`.

use std::collections::VecDeque;

use watershed_lang::ast::{Expr, ExprKind};
use watershed_lang::span::{Name, Span};

use super::{Checker, Mode};
use crate::cel::environment::{Variable, type_name};
use crate::cel::error::{ATTRIBUTES, CheckError};
use crate::cel::failure::Fails;
use crate::cel::print::{field_text, quote};
use crate::cel::typed::{LocalId, NodeId, NodeKind, Unresolved};
use crate::cel::types::Type;
use crate::level::Level;

/// What a name means.
enum Meaning {
    Variable(Variable),
    Type(Type),
}

/// A name with dots, as far as it is one.
pub(super) struct Path<'a> {
    pub(super) parts: Vec<&'a str>,
    pub(super) rooted: bool,
}

/// The dotted name that an expression is; `None` when it is more than a name.
pub(super) fn path(expr: &Expr) -> Option<Path<'_>> {
    let mut parts = Vec::new();
    let mut base = expr;
    while let ExprKind::Select {
        operand,
        field,
        optional: false,
        backticked: false,
    } = &base.kind
    {
        parts.push(field.value.as_str());
        base = operand;
    }
    let ExprKind::Ident { name, leading_dot } = &base.kind else {
        return None;
    };
    parts.push(name);
    parts.reverse();
    Some(Path {
        parts,
        rooted: *leading_dot,
    })
}

impl Checker<'_> {
    /// The innermost variable of a macro with this name.
    pub(super) fn local(&self, name: &str) -> Option<LocalId> {
        self.scope
            .iter()
            .rev()
            .copied()
            .find(|local| self.locals.at(*local).name == name)
    }

    /// Whether the path begins with a variable of a macro, so that it names nothing of the environment.
    pub(super) fn begins_local(&self, path: &Path<'_>) -> bool {
        !path.rooted
            && path
                .parts
                .first()
                .is_some_and(|first| self.local(first).is_some())
    }

    /// A name that stands alone or begins a selection.
    pub(super) fn ident(&mut self, name: &Name, rooted: bool) -> NodeId {
        if let (false, Some(local)) = (rooted, self.local(&name.value)) {
            let ty = self.locals.at(local).ty.clone();
            return self.push(NodeKind::Local(local), ty, name.span);
        }
        if let Some(meaning) = self.meaning(&name.value, rooted) {
            return self.meant(meaning, name.span);
        }
        if self.mode == Mode::Dynamic {
            return self.push(NodeKind::Unresolved(Unresolved::Name), Type::Dyn, name.span);
        }
        let error = CheckError::UnknownName {
            name: name.clone(),
            field: self.field_named(&name.value),
            candidates: self.visible_names(),
        };
        self.wrong(error, name.span)
    }

    /// `operand.field` or `operand.?field`, which may be one name with dots.
    pub(super) fn select(
        &mut self,
        whole: &Expr,
        operand: &Expr,
        field: &Name,
        optional: bool,
        backticked: bool,
    ) -> NodeId {
        if !optional
            && !backticked
            && let Some(path) = path(whole)
            && !self.begins_local(&path)
            && let Some(meaning) = self.meaning(&path.parts.join("."), path.rooted)
        {
            return self.meant(meaning, whole.span);
        }
        let operand = self.expr(operand);
        self.selection(operand, field, whole.span, Selection::Value { optional })
    }

    /// `has(operand.field)`
    pub(super) fn has(&mut self, field: &Expr, span: Span) -> NodeId {
        match &field.kind {
            ExprKind::Select {
                operand,
                field,
                optional: false,
                ..
            } => {
                let operand = self.expr(operand);
                self.selection(operand, field, span, Selection::Presence)
            }
            ExprKind::Error => self.push(NodeKind::Error, Type::Error, span),
            ExprKind::Index { operand, index, .. } => {
                let container = self.expr(operand);
                let container = self.ty(container);
                let error = CheckError::HasArgument {
                    indexed: true,
                    span: field.span,
                    mend: self.key_mend(operand, &container, index, span),
                };
                self.wrong(error, span)
            }
            _ => {
                let error = CheckError::HasArgument {
                    indexed: false,
                    span: field.span,
                    mend: None,
                };
                self.wrong(error, span)
            }
        }
    }

    /// What follows a dot, read or only looked for.
    fn selection(
        &mut self,
        operand: NodeId,
        field: &Name,
        span: Span,
        selection: Selection,
    ) -> NodeId {
        let operand_type = self.ty(operand);
        let (target, within_optional) = match operand_type {
            Type::Optional(inner) => (*inner, true),
            other => (other, false),
        };
        let found = match target {
            Type::Map(_, value) => *value,
            Type::Record(record) => {
                return self.record_field(
                    operand,
                    &record,
                    field,
                    span,
                    selection,
                    within_optional,
                );
            }
            Type::Variable(_) => {
                // A later use must not give the operand a type that the selection has already been made without.
                self.bindings.is_assignable(&Type::Dyn, &target);
                Type::Dyn
            }
            Type::Dyn | Type::Error => Type::Dyn,
            other => {
                let (operand_span, field) = (self.span(operand), field.clone());
                return self.wrong_or_dynamic(Unresolved::Field, span, || {
                    CheckError::NotSelectable {
                        ty: other,
                        field,
                        span: operand_span,
                    }
                });
            }
        };
        let key = field.value.clone();
        match selection {
            Selection::Presence => self.push(NodeKind::Has { operand, key }, Type::Bool, span),
            Selection::Value { optional } => {
                let optional = optional || within_optional;
                let ty = if optional {
                    Type::optional(found)
                } else {
                    found
                };
                self.push(
                    NodeKind::Select {
                        operand,
                        key,
                        optional,
                    },
                    ty,
                    span,
                )
            }
        }
    }

    fn record_field(
        &mut self,
        operand: NodeId,
        record: &str,
        name: &Name,
        span: Span,
        selection: Selection,
        within_optional: bool,
    ) -> NodeId {
        let environment = self.environment;
        let fields = environment.records.get(record).map(|record| &record.fields);
        let Some(field) = fields.and_then(|fields| fields.get(&name.value)) else {
            let candidates = fields
                .map(|fields| fields.keys().cloned().collect())
                .unwrap_or_default();
            let attributes = fields.and_then(|fields| fields.get(ATTRIBUTES));
            let attribute = attributes.map(|_| match selection {
                // A key in brackets is nothing that `has` asks for.
                Selection::Presence => format!("{ATTRIBUTES}.{}", field_text(&name.value)),
                Selection::Value { .. } => format!("{ATTRIBUTES}[{}]", quote(&name.value)),
            });
            let (record, name) = (record.to_owned(), name.clone());
            let error = || CheckError::UnknownField {
                record,
                field: name,
                attribute,
                candidates,
            };
            return self.wrong_or_dynamic(Unresolved::Field, span, error);
        };
        match selection {
            Selection::Presence => {
                let kind = NodeKind::HasField {
                    operand,
                    field: field.id,
                };
                self.push_read(kind, Type::Bool, span, field.level, Fails::NEVER)
            }
            Selection::Value { optional } => {
                let optional = optional || within_optional;
                let ty = if optional {
                    Type::optional(field.ty.clone())
                } else {
                    field.ty.clone()
                };
                let kind = NodeKind::Field {
                    operand,
                    field: field.id,
                    optional,
                };
                self.push_read(kind, ty, span, field.level, field.fails)
            }
        }
    }

    /// What exactly this name means in the environment or the language.
    fn meaning(&self, name: &str, rooted: bool) -> Option<Meaning> {
        let environment = self.environment;
        let find = |candidate: &str| {
            environment
                .variables
                .get(candidate)
                .cloned()
                .map(Meaning::Variable)
                .or_else(|| type_name(candidate).map(Meaning::Type))
        };
        environment
            .longest(&[name], rooted, find)
            .map(|(meaning, _)| meaning)
    }

    fn meant(&mut self, meaning: Meaning, span: Span) -> NodeId {
        match meaning {
            Meaning::Type(ty) => self.push_read(
                NodeKind::TypeValue(ty.clone()),
                Type::type_of(ty),
                span,
                Level::Const,
                Fails::NEVER,
            ),
            Meaning::Variable(variable) => {
                let kind = NodeKind::Variable(variable.id);
                let id = self.push_read(kind, variable.ty, span, variable.level, variable.fails);
                self.nodes.at_mut(id).constant = variable.constant;
                id
            }
        }
    }

    /// The first field of a record in scope that has this name, with the names that lead to it.
    fn field_named(&self, name: &str) -> Option<String> {
        let variables = self.environment.variables.values();
        let mut records: VecDeque<&str> = variables
            .filter_map(|variable| match &variable.ty {
                Type::Record(record) => Some(record.as_str()),
                _ => None,
            })
            .collect();
        // Records of telemetry have the name by which they are read.
        while let Some(record) = records.pop_front() {
            let Some(fields) = self.environment.records.get(record) else {
                continue;
            };
            if fields.is_value {
                continue;
            }
            if fields.fields.contains_key(name) {
                return Some(format!("{record}.{name}"));
            }
            records.extend(fields.fields.values().filter_map(|field| match &field.ty {
                Type::Record(inner) => Some(inner.as_str()),
                _ => None,
            }));
        }
        None
    }

    /// Every name that can stand where a value is wanted.
    fn visible_names(&self) -> Vec<String> {
        let locals = self
            .scope
            .iter()
            .map(|local| self.locals.at(*local).name.clone());
        locals
            .chain(self.environment.variables.keys().cloned())
            .collect()
    }
}

/// What is wanted of a field.
#[derive(Clone, Copy)]
enum Selection {
    /// Its value, as an optional or not.
    Value { optional: bool },
    /// Whether it is there.
    Presence,
}
