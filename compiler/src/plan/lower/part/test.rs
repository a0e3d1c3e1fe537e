//! Conditions that have a form of their own in the plan.

use super::native::known_value;
use super::{MANY_ARMS, Part};
use crate::cel::Type;
use crate::cel::declarations::Overload;
use crate::cel::fold::Constant as Known;
use crate::cel::typed::{NodeId, NodeKind};
use crate::plan::{CompareOp, Condition, ConditionKind, TextTest, Value, ValueKind};

impl Part<'_> {
    /// The condition that a node is, when the plan has a form for it.
    pub(super) fn test(&self, id: NodeId) -> Option<ConditionKind> {
        let node = self.node(id);
        if let Some(test) = self.presence(id) {
            return Some(test);
        }
        match &node.kind {
            NodeKind::And(operands) => Some(ConditionKind::All(self.conditions(operands))),
            NodeKind::Or(operands) => Some(ConditionKind::Any(self.conditions(operands))),
            NodeKind::Conditional { arms, .. } if arms.len() > MANY_ARMS => None,
            NodeKind::Conditional { arms, otherwise } => {
                let arms = arms.iter();
                Some(ConditionKind::If {
                    arms: arms
                        .map(|(when, then)| (self.condition(*when), self.condition(*then)))
                        .collect(),
                    otherwise: Box::new(self.condition(*otherwise)),
                })
            }
            NodeKind::Has { operand, key } => {
                let operand = self
                    .native(*operand)
                    .filter(|value| value.ty == Type::Dyn)?;
                let key = key.clone();
                Some(ConditionKind::HasKey { operand, key })
            }
            NodeKind::Call { .. } => self.test_call(id),
            NodeKind::Variable(_) | NodeKind::Field { .. } | NodeKind::Select { .. } => {
                self.boolean(id)
            }
            _ => None,
        }
    }

    fn conditions(&self, ids: &[NodeId]) -> Vec<Condition> {
        ids.iter().map(|id| self.condition(*id)).collect()
    }

    fn test_call(&self, id: NodeId) -> Option<ConditionKind> {
        let (overloads, args) = self.call(id)?;
        match (overloads, args) {
            ([Overload::Not], [operand]) => {
                Some(ConditionKind::Not(Box::new(self.condition(*operand))))
            }
            ([Overload::Matches | Overload::MatchesMember], [text, _]) => {
                Some(ConditionKind::Matches {
                    text: self.textual(*text)?,
                    pattern: self.tree.regex(id)?.to_owned(),
                })
            }
            ([only], [text, part]) if let Some(test) = text_test(*only) => {
                Some(ConditionKind::TextTest {
                    test,
                    text: self.textual(*text)?,
                    part: self.textual(*part)?,
                })
            }
            (overloads, [element, container])
                if overloads
                    .iter()
                    .all(|one| matches!(one, Overload::InList | Overload::InMap)) =>
            {
                self.membership(*element, *container)
            }
            (overloads, [left, right]) => match comparison(overloads) {
                Some(op) => self.compare(op, *left, *right),
                None => self.boolean(id),
            },
            _ => self.boolean(id),
        }
    }

    /// A `bool` that is read, or that the data decides.
    fn boolean(&self, id: NodeId) -> Option<ConditionKind> {
        let node = self.node(id);
        if !matches!(node.ty, Type::Bool | Type::Dyn) {
            return None;
        }
        let value = self.read(id).or_else(|| self.made(id))?;
        match value.kind {
            ValueKind::Condition(condition) => Some(condition.kind),
            _ => Some(ConditionKind::Boolean(Box::new(value))),
        }
    }

    fn compare(&self, op: CompareOp, left: NodeId, right: NodeId) -> Option<ConditionKind> {
        let is_duration = |id: NodeId| self.node(id).ty == Type::Duration;
        let (left, right) = if is_duration(left) && is_duration(right) {
            (self.native(left)?, self.native(right)?)
        } else {
            (self.comparable(left)?, self.comparable(right)?)
        };
        let is_typed = left.ty == right.ty || left.ty.is_open() || right.ty.is_open();
        is_typed.then_some(ConditionKind::Compare { op, left, right })
    }

    fn membership(&self, element: NodeId, container: NodeId) -> Option<ConditionKind> {
        let element = self.comparable(element)?;
        let node = self.node(container);
        let list: Option<Vec<Value>> = match (&node.kind, &node.constant) {
            (_, Some(Known::List(elements))) => elements
                .iter()
                .map(|known| known_value(known, node.span))
                .map(|value| value.filter(|value| value.ty != Type::Duration))
                .collect(),
            (NodeKind::List(elements), None) => elements
                .iter()
                .map(|element| self.comparable(element.value).filter(|_| !element.optional))
                .collect(),
            _ => {
                let container = self.native(container)?;
                return (container.ty == Type::Dyn)
                    .then_some(ConditionKind::ContainedIn { element, container });
            }
        };
        let list = list?;
        let is_typed =
            |value: &Value| value.ty == element.ty || value.ty.is_open() || element.ty.is_open();
        list.iter()
            .all(is_typed)
            .then_some(ConditionKind::OneOf { element, list })
    }

    /// A text, or what the data may have as one.
    fn textual(&self, id: NodeId) -> Option<Value> {
        self.native(id)
            .filter(|value| matches!(value.ty, Type::String | Type::Dyn))
    }
}

const fn text_test(overload: Overload) -> Option<TextTest> {
    Some(match overload {
        Overload::StartsWith => TextTest::StartsWith,
        Overload::EndsWith => TextTest::EndsWith,
        Overload::Contains => TextTest::Contains,
        _ => return None,
    })
}

/// The operator whose overloads these are.
fn comparison(overloads: &[Overload]) -> Option<CompareOp> {
    let first = operator(*overloads.first()?)?;
    let same = overloads
        .iter()
        .all(|other| operator(*other) == Some(first));
    same.then_some(first)
}

const fn operator(overload: Overload) -> Option<CompareOp> {
    Some(match overload {
        Overload::Equals => CompareOp::Equal,
        Overload::NotEquals => CompareOp::NotEqual,
        Overload::LessBool
        | Overload::LessInt
        | Overload::LessUint
        | Overload::LessDouble
        | Overload::LessString
        | Overload::LessBytes
        | Overload::LessTimestamp
        | Overload::LessDuration => CompareOp::Less,
        Overload::LessEqualsBool
        | Overload::LessEqualsInt
        | Overload::LessEqualsUint
        | Overload::LessEqualsDouble
        | Overload::LessEqualsString
        | Overload::LessEqualsBytes
        | Overload::LessEqualsTimestamp
        | Overload::LessEqualsDuration => CompareOp::LessEqual,
        Overload::GreaterBool
        | Overload::GreaterInt
        | Overload::GreaterUint
        | Overload::GreaterDouble
        | Overload::GreaterString
        | Overload::GreaterBytes
        | Overload::GreaterTimestamp
        | Overload::GreaterDuration => CompareOp::Greater,
        Overload::GreaterEqualsBool
        | Overload::GreaterEqualsInt
        | Overload::GreaterEqualsUint
        | Overload::GreaterEqualsDouble
        | Overload::GreaterEqualsString
        | Overload::GreaterEqualsBytes
        | Overload::GreaterEqualsTimestamp
        | Overload::GreaterEqualsDuration => CompareOp::GreaterEqual,
        _ => return None,
    })
}
