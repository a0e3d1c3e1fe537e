//! What is read from the data, from configuration and from other definitions.

use super::Part;
use crate::catalog::signals::{self, FieldSpec, Reader, Root};
use crate::cel::Type;
use crate::cel::declarations::Overload;
use crate::cel::telemetry;
use crate::cel::typed::{NodeId, NodeKind};
use crate::check::Binding;
use crate::plan::{Condition, ConditionKind, Value, ValueKind};

impl Part<'_> {
    /// The value of a node that reads something and makes nothing of it. A field of attributes is the whole map, and
    /// what may be absent is a missing value.
    pub(super) fn read(&self, id: NodeId) -> Option<Value> {
        if let Some(value) = self.attribute(id) {
            return Some(value);
        }
        if let Some(test) = self.presence(id) {
            return Some(self.condition_value(id, test));
        }
        let kind = match &self.node(id).kind {
            NodeKind::Variable(variable) => match self.types.binding(*variable) {
                Binding::Config(config) => ValueKind::Config(config),
                Binding::Parameter(parameter) => ValueKind::Parameter(parameter),
                Binding::Root(Root::Payload) => {
                    ValueKind::Field(signals::field(Root::Payload, "")?)
                }
                Binding::Predicate(predicate) => {
                    return Some(self.condition_value(id, ConditionKind::Predicate(predicate)));
                }
                Binding::Const(_) | Binding::Root(_) | Binding::NotAValue => return None,
            },
            NodeKind::Field { field, .. } => ValueKind::Field(telemetry::field(*field)?),
            _ => return None,
        };
        Some(self.with(id, kind))
    }

    /// `resource.attributes["key"]`, `log.attributes[?"key"]`, `span.attributes.key`: one look-up.
    pub(super) fn attribute(&self, id: NodeId) -> Option<Value> {
        let (map, key) = match &self.node(id).kind {
            NodeKind::Select { operand, key, .. } => (*operand, key.as_str()),
            _ => match self.call(id)? {
                ([Overload::IndexMap | Overload::MapOptionalIndex], [map, key]) => {
                    (*map, self.known_text(*key)?)
                }
                _ => return None,
            },
        };
        self.look_up(id, map, key)
    }

    /// The look-up of a key in what may be attributes.
    fn look_up(&self, id: NodeId, map: NodeId, key: &str) -> Option<Value> {
        let map = self.attributes(map)?;
        let key = key.to_owned();
        Some(Value {
            ty: Type::Dyn,
            ..self.with(id, ValueKind::Attribute { map, key })
        })
    }

    /// `"key" in log.attributes`, `has(log.attributes.key)`, `has(log.body)`: never an error.
    pub(super) fn presence(&self, id: NodeId) -> Option<ConditionKind> {
        let (map, key) = match &self.node(id).kind {
            NodeKind::HasField { field, .. } => {
                let field = telemetry::field(*field)?;
                let value = Value {
                    ty: field.ty(),
                    ..self.with(id, ValueKind::Field(field))
                };
                return Some(ConditionKind::HasField(value));
            }
            NodeKind::Has { operand, key } => (*operand, key.as_str()),
            _ => match self.call(id)? {
                ([Overload::InMap], [key, map]) => (*map, self.known_text(*key)?),
                _ => return None,
            },
        };
        let attribute = self.look_up(id, map, key)?;
        Some(ConditionKind::HasAttribute(attribute))
    }

    /// The field of attributes that a node is.
    fn attributes(&self, id: NodeId) -> Option<&'static FieldSpec> {
        match &self.node(id).kind {
            NodeKind::Field {
                field,
                optional: false,
                ..
            } => telemetry::field(*field).filter(|field| field.reader == Reader::Attributes),
            _ => None,
        }
    }

    /// A condition whose value is wanted.
    pub(super) fn condition_value(&self, id: NodeId, kind: ConditionKind) -> Value {
        let node = self.node(id);
        let condition = Condition {
            kind,
            level: node.level,
            span: node.span,
        };
        self.with(id, ValueKind::Condition(Box::new(condition)))
    }
}

/// Whether a field is one value, and not a map of them.
pub(super) const fn is_single(field: &FieldSpec) -> bool {
    field.is_single()
}
