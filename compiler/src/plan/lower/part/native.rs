//! Values that have a form of their own in the plan.

use watershed_lang::ast::Literal;
use watershed_lang::span::Span;

use super::read::is_single;
use super::{Part, present};
use crate::cel::Type;
use crate::cel::declarations::Overload;
use crate::cel::fold::Constant as Known;
use crate::cel::telemetry;
use crate::cel::typed::{NodeId, NodeKind};
use crate::level::Level;
use crate::plan::{ConditionKind, Value, ValueKind};

impl Part<'_> {
    /// The value of a node, when the plan has a form for it. What may be absent has one only where something stands
    /// for it.
    pub(super) fn native(&self, id: NodeId) -> Option<Value> {
        let node = self.node(id);
        if let Some(known) = &node.constant {
            return Some(self.with(id, ValueKind::Literal(literal(known)?)));
        }
        if matches!(node.ty, Type::Optional(_)) {
            return None;
        }
        if let Some(value) = self.read(id) {
            return self.is_one_value(id).then_some(value);
        }
        if node.ty == Type::Bool {
            return self.test(id).map(|test| match test {
                ConditionKind::Boolean(value) => *value,
                test => self.condition_value(id, test),
            });
        }
        self.made(id)
    }

    /// A value that is made of others.
    pub(super) fn made(&self, id: NodeId) -> Option<Value> {
        let node = self.node(id);
        let kind = match &node.kind {
            NodeKind::Select { operand, key, .. } => self.index(*operand, text(key, node.span))?,
            NodeKind::Conditional { arms, otherwise } => self.choice(id, arms, *otherwise)?,
            NodeKind::Call { .. } => self.native_call(id)?,
            _ => return None,
        };
        Some(self.with(id, kind))
    }

    /// A look-up with something that stands for what is absent: it needs no optional.
    pub(super) fn with_default(&self, id: NodeId) -> Option<Value> {
        let (overloads, _) = self.call(id)?;
        let has_default = matches!(
            overloads,
            [Overload::OptionalOrValue
                | Overload::OrString
                | Overload::OrInt
                | Overload::OrDouble
                | Overload::OrBool]
        );
        has_default.then(|| self.native(id)).flatten()
    }

    /// Whether what is read is not a whole map of attributes.
    fn is_one_value(&self, id: NodeId) -> bool {
        match &self.node(id).kind {
            NodeKind::Field { field, .. } => telemetry::field(*field).is_some_and(is_single),
            _ => true,
        }
    }

    fn native_call(&self, id: NodeId) -> Option<ValueKind> {
        let (overloads, args) = self.call(id)?;
        match (overloads, args) {
            ([Overload::AddString], _) => {
                let parts = self.tree.joined_parts(id);
                // A part of any type may be no text, which only the emitter of CEL tells.
                let text = |part| self.native(part).filter(|part| part.ty == Type::String);
                let parts: Option<Vec<_>> = parts.into_iter().map(text).collect();
                Some(ValueKind::Concatenate(parts?))
            }
            ([Overload::AddInt | Overload::AddUint | Overload::AddDouble], [left, right]) => {
                let (left, right) = (self.native(*left)?, self.native(*right)?);
                let is_typed = left.ty == right.ty && left.ty.is_numeric();
                is_typed.then(|| ValueKind::Add(Box::new(left), Box::new(right)))
            }
            (overloads, [operand]) if overloads.iter().all(|one| is_size(*one)) => {
                let operand = self.native(*operand)?;
                matches!(operand.ty, Type::Dyn | Type::String | Type::Bytes)
                    .then(|| ValueKind::Size(Box::new(operand)))
            }
            ([Overload::OptionalOrValue], [value, default]) => Some(ValueKind::Or {
                // A map of attributes is always one; what else is looked into may not be, and that is an error.
                value: Box::new(self.attribute(*value)?),
                default: Box::new(self.plain(*default)?),
            }),
            (
                [Overload::OrString | Overload::OrInt | Overload::OrDouble | Overload::OrBool],
                [value, default],
            ) => {
                let default = self.plain(*default)?;
                (!default.ty.is_open()).then_some(ValueKind::OrTyped {
                    value: Box::new(self.lenient(*value)?),
                    default: Box::new(default),
                })
            }
            (_, [operand, index]) if overloads.contains(&Overload::IndexMap) => {
                self.index(*operand, self.native(*index)?)
            }
            _ => None,
        }
    }

    /// `body["key"]`, `body[0]` of something whose type the data decides.
    fn index(&self, operand: NodeId, index: Value) -> Option<ValueKind> {
        let operand = self
            .native(operand)
            .filter(|operand| operand.ty == Type::Dyn)?;
        let is_known = matches!(index.literal(), Some(Literal::String(_) | Literal::Int(_)));
        is_known.then(|| ValueKind::Index {
            operand: Box::new(operand),
            index: Box::new(index),
        })
    }

    /// A value in whose place something stands when it is absent, of another type, or an error: look-ups with and
    /// without `?` are the same there.
    fn lenient(&self, id: NodeId) -> Option<Value> {
        if let Some(value) = self.attribute(id) {
            return Some(value);
        }
        let node = self.node(id);
        let (operand, index) = match &node.kind {
            NodeKind::Select { operand, key, .. } => (*operand, text(key, node.span)),
            _ => match self.call(id) {
                Some((overloads, [operand, index]))
                    if overloads.iter().all(|one| is_look_up(*one)) =>
                {
                    (*operand, self.native(*index)?)
                }
                _ => return self.native(id).filter(|value| value.ty == Type::Dyn),
            },
        };
        let is_known = matches!(index.literal(), Some(Literal::String(_) | Literal::Int(_)));
        if !is_known || *present(&self.node(operand).ty) != Type::Dyn {
            return None;
        }
        let kind = ValueKind::Index {
            operand: Box::new(self.lenient(operand)?),
            index: Box::new(index),
        };
        Some(self.with(id, kind))
    }

    /// `c ? a : …` whose values are of one type, or whose type the data decides.
    fn choice(
        &self,
        id: NodeId,
        arms: &[(NodeId, NodeId)],
        otherwise: NodeId,
    ) -> Option<ValueKind> {
        if !is_plain(&self.node(id).ty) || arms.len() > super::MANY_ARMS {
            return None;
        }
        let arms: Option<Vec<_>> = arms
            .iter()
            .map(|(when, then)| Some((self.condition(*when), self.comparable(*then)?)))
            .collect();
        Some(ValueKind::If {
            arms: arms?,
            otherwise: Box::new(self.comparable(otherwise)?),
        })
    }

    /// A value that stands for an absent one: it is borrowed, so it is read or known and not made here, and it cannot
    /// fail.
    fn plain(&self, id: NodeId) -> Option<Value> {
        self.comparable(id).filter(|value| {
            matches!(
                value.kind,
                ValueKind::Literal(_) | ValueKind::Config(_) | ValueKind::Field(_)
            )
        })
    }

    /// A value that can be compared with any other: a duration is a number in the plan, so it is none.
    pub(super) fn comparable(&self, id: NodeId) -> Option<Value> {
        self.native(id)
            .filter(|value| is_plain(&value.ty) && value.ty != Type::Duration)
    }
}

/// Whether values of a type have a form in the plan.
pub(super) const fn is_plain(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Dyn
            | Type::Null
            | Type::Bool
            | Type::Int
            | Type::Uint
            | Type::Double
            | Type::String
            | Type::Bytes
            | Type::Duration
    )
}

const fn is_size(overload: Overload) -> bool {
    matches!(
        overload,
        Overload::SizeBytes
            | Overload::SizeList
            | Overload::SizeMap
            | Overload::SizeString
            | Overload::BytesSize
            | Overload::ListSize
            | Overload::MapSize
            | Overload::StringSize
    )
}

/// Whether it is a look-up, with or without `?`.
const fn is_look_up(overload: Overload) -> bool {
    matches!(
        overload,
        Overload::IndexList
            | Overload::IndexMap
            | Overload::OptionalListIndex
            | Overload::OptionalMapIndex
            | Overload::ListOptionalIndex
            | Overload::OptionalListOptionalIndex
            | Overload::MapOptionalIndex
            | Overload::OptionalMapOptionalIndex
    )
}

/// A known value as a literal, when the plan has one for it.
fn literal(known: &Known) -> Option<Literal> {
    Some(match known {
        Known::Null => Literal::Null,
        Known::Bool(value) => Literal::Bool(*value),
        Known::Int(value) => Literal::Int(*value),
        Known::Uint(value) => Literal::Uint(*value),
        Known::Double(value) => Literal::Double(*value),
        Known::String(value) => Literal::String(value.clone()),
        Known::Bytes(value) => Literal::Bytes(value.clone()),
        Known::Duration(value) => Literal::Duration(*value),
        Known::Timestamp(_) | Known::List(_) | Known::Map(_) | Known::Failed(_) => return None,
    })
}

/// A known value, element of a list, as a value.
pub(super) fn known_value(known: &Known, span: Span) -> Option<Value> {
    Some(Value {
        kind: ValueKind::Literal(literal(known)?),
        ty: known.ty(),
        level: Level::Const,
        span,
    })
}

fn text(text: &str, span: Span) -> Value {
    Value {
        kind: ValueKind::Literal(Literal::String(text.to_owned())),
        ty: Type::String,
        level: Level::Const,
        span,
    }
}
