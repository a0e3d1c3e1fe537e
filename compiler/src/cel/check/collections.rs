//! Lists, maps, records, `&&`, `||` and `?:`.

use watershed_lang::ast::{Expr, ListElement, MapEntry, RecordField};
use watershed_lang::span::{Name, Span};

use super::{Checker, Mode};
use crate::cel::error::CheckError;
use crate::cel::failure::{Fails, Failure};
use crate::cel::typed::{Element, Entry, FieldValue, NodeId, NodeKind};
use crate::cel::types::Type;
use crate::cel::unify::is_nullable;
use crate::level::Level;

impl Checker<'_> {
    /// `a && b && …`, `a || b || …`
    pub(super) fn logical(
        &mut self,
        operands: &[Expr],
        span: Span,
        operator: &'static str,
        make: fn(Vec<NodeId>) -> NodeKind,
    ) -> NodeId {
        let ids: Vec<NodeId> = operands.iter().map(|operand| self.expr(operand)).collect();
        let ids = ids
            .into_iter()
            .zip(operands)
            .map(|(id, operand)| self.boolean(id, operator, operand))
            .collect();
        self.push(make(ids), Type::Bool, span)
    }

    /// `c ? a : …`; values must have one type, where `dyn` goes with every type.
    pub(super) fn conditional(
        &mut self,
        arms: &[(Expr, Expr)],
        otherwise: &Expr,
        span: Span,
    ) -> NodeId {
        let mut ids = Vec::with_capacity(arms.len());
        for (condition, value) in arms {
            let checked = self.expr(condition);
            let condition = self.boolean(checked, "?:", condition);
            ids.push((condition, self.expr(value)));
        }
        let otherwise = self.expr(otherwise);
        let mut ty = self.ty(otherwise);
        let mut mixes_null = false;
        for (_, value) in ids.clone().iter().rev() {
            let arm = self.ty(*value);
            mixes_null |= is_null_and_other(&arm, &ty);
            let common = self.bindings.fresh();
            if self.bindings.are_assignable(
                &[arm.clone(), ty.clone()],
                &[common.clone(), common.clone()],
            ) {
                ty = self.bindings.resolve(&common);
            } else if self.mode == Mode::Dynamic {
                ty = Type::Dyn;
            } else {
                let first = (arm, self.span(*value));
                let second = (ty, self.span(otherwise));
                return self.wrong(CheckError::ConditionalTypes { first, second }, span);
            }
        }
        self.push_read(
            NodeKind::Conditional {
                arms: ids,
                otherwise,
            },
            ty,
            span,
            Level::Const,
            null_fails(mixes_null),
        )
    }

    /// `[a, ?b]`
    pub(super) fn list(&mut self, elements: &[ListElement], span: Span) -> NodeId {
        let mut ids = Vec::with_capacity(elements.len());
        let mut joined = None;
        let mut mixes_null = false;
        for element in elements {
            let value = self.expr(&element.value);
            let ty = self.value_type(value, element.optional);
            mixes_null |= joined
                .as_ref()
                .is_some_and(|earlier| is_null_and_other(earlier, &ty));
            joined = Some(self.joined(joined, ty));
            ids.push(Element {
                optional: element.optional,
                value,
            });
        }
        let element = joined.unwrap_or_else(|| self.bindings.fresh());
        self.push_read(
            NodeKind::List(ids),
            Type::list(element),
            span,
            Level::Const,
            null_fails(mixes_null),
        )
    }

    /// `{k: v, ?k: v}`
    pub(super) fn map(&mut self, entries: &[MapEntry], span: Span) -> NodeId {
        let mut ids = Vec::with_capacity(entries.len());
        let (mut keys, mut values) = (None, None);
        let mut mixes_null = false;
        for entry in entries {
            let key = self.expr(&entry.key);
            let key_type = self.ty(key);
            keys = Some(self.joined(keys, key_type));
            let value = self.expr(&entry.value);
            let ty = self.value_type(value, entry.optional);
            mixes_null |= values
                .as_ref()
                .is_some_and(|earlier| is_null_and_other(earlier, &ty));
            values = Some(self.joined(values, ty));
            ids.push(Entry {
                optional: entry.optional,
                key,
                value,
            });
        }
        let key = keys.unwrap_or_else(|| self.bindings.fresh());
        let value = values.unwrap_or_else(|| self.bindings.fresh());
        self.push_read(
            NodeKind::Map(ids),
            Type::map(key, value),
            span,
            Level::Const,
            null_fails(mixes_null),
        )
    }

    /// `Quote{field: value}`
    pub(super) fn record(&mut self, name: &Name, fields: &[RecordField], span: Span) -> NodeId {
        let environment = self.environment;
        let found = environment
            .record(&name.value)
            .filter(|(_, record)| record.is_constructible);
        let Some((record, declaration)) = found else {
            let what = name.value.clone();
            return self.wrong(
                CheckError::NeedsProtobuf {
                    what,
                    span: name.span,
                },
                span,
            );
        };
        let mut values = Vec::with_capacity(fields.len());
        for field in fields {
            let value = self.expr(&field.value);
            let Some(declared) = declaration.fields.get(&field.name.value) else {
                let candidates = declaration.fields.keys().cloned().collect();
                let (record, field) = (record.to_owned(), field.name.clone());
                self.errors.push(CheckError::UnknownField {
                    record,
                    field,
                    attribute: None,
                    candidates,
                });
                continue;
            };
            let ty = self.value_type(value, field.optional);
            if !self.bindings.is_assignable(&declared.ty, &ty) {
                let (field, wanted) = (field.name.clone(), declared.ty.clone());
                self.errors.push(CheckError::FieldType {
                    field,
                    wanted,
                    found: ty,
                    span: self.span(value),
                });
            }
            values.push(FieldValue {
                field: declared.id,
                optional: field.optional,
                value,
            });
        }
        let kind = NodeKind::Record {
            record: record.to_owned(),
            fields: values,
        };
        self.push(kind, Type::Record(record.to_owned()), span)
    }

    /// The type that an element adds to its list: of `?element`, what is within the optional.
    fn value_type(&mut self, value: NodeId, optional: bool) -> Type {
        match (optional, self.ty(value)) {
            (true, Type::Optional(inner)) => *inner,
            (true, ty) if !ty.is_open() => {
                let span = self.span(value);
                if self.mode == Mode::Static {
                    self.errors.push(CheckError::NotOptional { ty, span });
                }
                Type::Dyn
            }
            (_, ty) => ty,
        }
    }

    /// The common type of what came before and one more; `dyn` when there is no other.
    pub(super) fn joined(&mut self, earlier: Option<Type>, later: Type) -> Type {
        match earlier {
            None => later,
            Some(earlier) => self.bindings.join(&earlier, &later).unwrap_or(Type::Dyn),
        }
    }
}

/// Whether one is `null` and the other something that `null` goes with, so that a typed value may be `null`.
fn is_null_and_other(left: &Type, right: &Type) -> bool {
    (*left == Type::Null) != (*right == Type::Null) && is_nullable(left) && is_nullable(right)
}

/// A value that may be `null` although its type says otherwise can be refused wherever it is used.
const fn null_fails(mixes_null: bool) -> Fails {
    if mixes_null {
        Fails::because(Failure::MixedNull)
    } else {
        Fails::NEVER
    }
}
