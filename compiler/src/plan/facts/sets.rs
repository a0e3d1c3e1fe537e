//! Conditions that look at one thing: what it must be for them to be true, and for them to be false.
//!
//! In: a condition of the plan. Out: [`Sets`], or nothing when it looks at several things, or at one in a way that sets
//! of values do not tell.

use std::fmt;

use indexmap::IndexMap;

use super::domain::Domain;
use crate::catalog::signals::{FieldSpec, Reader};
use crate::cel::Type;
use crate::hir::{Literal, PredicateId};
use crate::plan::{CompareOp, Condition, ConditionKind, Predicate, TextTest, Value, ValueKind};

/// Something whose value a condition looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A field that is one value.
    Field(&'static FieldSpec),
    /// The value of an attribute.
    Attribute {
        /// The attribute map.
        map: &'static FieldSpec,
        /// The key.
        key: String,
    },
    /// An attribute, or what stands for it when it is absent or of another type.
    Defaulted {
        /// The attribute map.
        map: &'static FieldSpec,
        /// The key.
        key: String,
        /// What stands for it, as text.
        default: String,
        /// Its type.
        ty: Type,
    },
}

/// The subject as it is written.
impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => write!(formatter, "{field}"),
            Self::Attribute { map, key } => write!(formatter, "{map}[{key:?}]"),
            Self::Defaulted { map, key, .. } => write!(formatter, "{map}[?{key:?}]"),
        }
    }
}

impl Subject {
    /// What a value reads, when it is nothing but read.
    fn of(value: &Value) -> Option<Self> {
        match &value.kind {
            ValueKind::Field(field) => {
                let field = *field;
                Domain::of_type(&field.ty()).map(|_| Self::Field(field))
            }
            ValueKind::Attribute { map, key } => Some(Self::Attribute {
                map,
                key: key.clone(),
            }),
            ValueKind::OrTyped { value, default } => match &value.kind {
                ValueKind::Attribute { map, key } => Some(Self::Defaulted {
                    map,
                    key: key.clone(),
                    default: format!("{:?}", default.literal()?),
                    ty: default.ty.clone(),
                }),
                _ => None,
            },
            _ => None,
        }
    }

    fn ty(&self) -> Type {
        match self {
            Self::Field(field) => field.ty(),
            Self::Attribute { .. } => Type::Dyn,
            Self::Defaulted { ty, .. } => ty.clone(),
        }
    }

    /// Everything that it can be.
    pub(super) fn domain(&self) -> Domain {
        let may_be_absent = match self {
            Self::Field(field) => !field.is_always_there(),
            Self::Attribute { .. } => true,
            Self::Defaulted { .. } => false,
        };
        match Domain::of_type(&self.ty()) {
            Some(domain) if !may_be_absent => domain,
            _ => Domain::anything(),
        }
    }
}

/// What one thing must be for a condition to be true, and to be false. For everything else it is an error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sets {
    pub(super) subject: Subject,
    pub(super) is_true: Domain,
    pub(super) is_false: Domain,
}

impl Sets {
    fn flipped(self) -> Self {
        Self {
            subject: self.subject,
            is_true: self.is_false,
            is_false: self.is_true,
        }
    }

    /// The sets of two conditions that must both hold.
    fn and(&self, other: &Self) -> Self {
        Self {
            subject: self.subject.clone(),
            is_true: self.is_true.intersect(&other.is_true),
            is_false: self.is_false.union(&other.is_false),
        }
    }

    /// The sets of a total test: true for some values, false for all others that are there.
    fn present(subject: Subject, is_true: Domain) -> Self {
        let is_false = Domain::present().without(&is_true);
        Self {
            subject,
            is_true,
            is_false,
        }
    }
}

/// Finds the sets of conditions; those of named predicates once each.
#[derive(Debug, Default)]
pub(super) struct SetFinder {
    predicates: IndexMap<PredicateId, Option<Sets>>,
}

impl SetFinder {
    /// Looks into every named predicate, each after those that it names.
    pub(super) fn new(predicates: &IndexMap<PredicateId, Predicate>) -> Self {
        let mut finder = Self::default();
        for (id, predicate) in predicates {
            let sets = finder.sets(&predicate.condition);
            finder.predicates.insert(*id, sets);
        }
        finder
    }

    /// The sets of a condition that looks at one thing.
    pub(super) fn sets(&self, condition: &Condition) -> Option<Sets> {
        match &condition.kind {
            ConditionKind::Not(operand) => self.sets(operand).map(Sets::flipped),
            ConditionKind::All(operands) => self.all(operands, false),
            ConditionKind::Any(operands) => self.all(operands, true).map(Sets::flipped),
            ConditionKind::If { arms, otherwise } => self.conditional(arms, otherwise),
            ConditionKind::Predicate(id) => self.predicates.get(id).cloned().flatten(),
            _ => leaf(condition),
        }
    }

    /// The sets of conditions that must all hold; `flip` asks for their negations, of which `||` is one. Halves are joined,
    /// so that thousands of operands take little more than one look at each.
    fn all(&self, operands: &[Condition], flip: bool) -> Option<Sets> {
        match operands {
            [] => None,
            [operand] => {
                let sets = self.sets(operand)?;
                Some(if flip { sets.flipped() } else { sets })
            }
            _ => {
                let (left, right) = operands.split_at(operands.len() / 2);
                let (left, right) = (self.all(left, flip)?, self.all(right, flip)?);
                (left.subject == right.subject).then(|| left.and(&right))
            }
        }
    }

    fn conditional(&self, arms: &[(Condition, Condition)], otherwise: &Condition) -> Option<Sets> {
        let mut below = self.sets(otherwise)?;
        for (when, then) in arms.iter().rev() {
            let (when, then) = (self.sets(when)?, self.sets(then)?);
            if when.subject != below.subject || then.subject != below.subject {
                return None;
            }
            let choose = |taken: &Domain, passed: &Domain| {
                let taken = when.is_true.intersect(taken);
                taken.union(&when.is_false.intersect(passed))
            };
            below = Sets {
                is_true: choose(&then.is_true, &below.is_true),
                is_false: choose(&then.is_false, &below.is_false),
                subject: below.subject,
            };
        }
        Some(below)
    }
}

/// The sets of a condition without conditions in it.
fn leaf(condition: &Condition) -> Option<Sets> {
    match &condition.kind {
        ConditionKind::Compare { op, left, right } => match right.literal() {
            Some(literal) => compare(*op, left, literal),
            None => compare(op.mirrored(), right, left.literal()?),
        },
        ConditionKind::OneOf { element, list } => {
            let subject = Subject::of(element)?;
            let holds = one_of(list, &subject.ty())?;
            Some(Sets::present(subject, holds))
        }
        ConditionKind::HasAttribute(value) => Some(Sets {
            subject: Subject::of(value)?,
            is_true: Domain::present(),
            is_false: Domain::absent(),
        }),
        ConditionKind::HasField(value) => has_field(value),
        ConditionKind::TextTest {
            test: TextTest::StartsWith,
            text,
            part,
        } => {
            let Some(Literal::String(part)) = part.literal() else {
                return None;
            };
            let (is_true, is_false) = Domain::starting_with(part)?;
            Some(Sets {
                subject: Subject::of(text)?,
                is_true,
                is_false,
            })
        }
        ConditionKind::Boolean(value) => Some(Sets {
            subject: Subject::of(value)?,
            is_true: Domain::boolean(true),
            is_false: Domain::boolean(false),
        }),
        _ => None,
    }
}

/// What equals an element of a list that has some.
fn one_of(list: &[Value], ty: &Type) -> Option<Domain> {
    match list {
        [] => None,
        [value] => Domain::equal_to(value.literal()?, ty),
        _ => {
            let (left, right) = list.split_at(list.len() / 2);
            Some(one_of(left, ty)?.union(&one_of(right, ty)?))
        }
    }
}

fn compare(op: CompareOp, value: &Value, literal: &Literal) -> Option<Sets> {
    let subject = Subject::of(value)?;
    if !op.is_ordering() {
        let sets = Domain::equal_to(literal, &subject.ty())?;
        let sets = Sets::present(subject, sets);
        return Some(if op == CompareOp::Equal {
            sets
        } else {
            sets.flipped()
        });
    }
    let (is_true, is_false) = Domain::ordered(op, literal, &subject.ty())?;
    Some(Sets {
        subject,
        is_true,
        is_false,
    })
}

/// `has(log.event_name)`: whether a field differs from its default.
fn has_field(value: &Value) -> Option<Sets> {
    let ValueKind::Field(field) = value.kind else {
        return None;
    };
    let default = match field.reader {
        Reader::Text => Literal::String(String::new()),
        Reader::Unsigned | Reader::Fixed32 | Reader::Fixed64 => Literal::Uint(0),
        Reader::Enumeration => Literal::Int(0),
        _ => return None,
    };
    let default = Domain::equal_to(&default, &field.ty())?;
    Some(Sets::present(Subject::of(value)?, default).flipped())
}

impl CompareOp {
    /// The operator that says the same with the operands exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
        }
    }
}
