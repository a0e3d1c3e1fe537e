//! Whether two parts of a plan mean the same, wherever they stand in the text.
//!
//! Equality of the types themselves counts the places. Here a predicate that is written twice is the same, so that it is
//! tested once. The answer "no" may be wrong, "yes" never is.

use super::{Condition, ConditionKind, Test, Value, ValueKind};

impl Test {
    /// Whether both pass the same records.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.outcome == other.outcome && self.condition.is_same(&other.condition)
    }
}

impl Condition {
    /// Whether both come to the same for every record.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        use ConditionKind as Kind;
        let own = match (&self.kind, &other.kind) {
            (Kind::Constant(left), Kind::Constant(right)) => left == right,
            (Kind::Predicate(left), Kind::Predicate(right)) => left == right,
            (Kind::Compare { op: left, .. }, Kind::Compare { op: right, .. }) => left == right,
            (Kind::TextTest { test: left, .. }, Kind::TextTest { test: right, .. }) => {
                left == right
            }
            (Kind::Matches { pattern: left, .. }, Kind::Matches { pattern: right, .. }) => {
                left == right
            }
            (Kind::HasKey { key: left, .. }, Kind::HasKey { key: right, .. }) => left == right,
            (Kind::Expression(left), Kind::Expression(right)) => return left == right,
            (left, right) => std::mem::discriminant(left) == std::mem::discriminant(right),
        };
        own && all_same(&self.operands(), &other.operands(), Self::is_same)
            && all_same(&self.values(), &other.values(), Value::is_same)
    }
}

impl Value {
    /// Whether both are the same for every record.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        use ValueKind as Kind;
        let own = match (&self.kind, &other.kind) {
            (Kind::Literal(left), Kind::Literal(right)) => left == right,
            (Kind::Config(left), Kind::Config(right)) => left == right,
            (Kind::Field(left), Kind::Field(right)) => left == right,
            (
                Kind::Attribute { map, key },
                Kind::Attribute {
                    map: other_map,
                    key: other_key,
                },
            ) => map == other_map && key == other_key,
            (Kind::Expression(left), Kind::Expression(right)) => return left == right,
            (left, right) => std::mem::discriminant(left) == std::mem::discriminant(right),
        };
        own && self.ty == other.ty
            && all_same(&self.operands(), &other.operands(), Self::is_same)
            && all_same(&self.conditions(), &other.conditions(), Condition::is_same)
    }
}

fn all_same<T>(left: &[&T], right: &[&T], is_same: fn(&T, &T) -> bool) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| is_same(left, right))
}

#[cfg(test)]
mod tests {
    use watershed_lang::span::{FileId, Span};

    use super::*;
    use crate::cel::Type;
    use crate::hir::Literal;
    use crate::level::Level;
    use crate::plan::CompareOp;

    fn compare(op: CompareOp, number: i64, start: u32) -> Condition {
        let span = Span::new(FileId::default(), start, start + 1);
        let value = |number| Value {
            kind: ValueKind::Literal(Literal::Int(number)),
            ty: Type::Int,
            level: Level::Const,
            span,
        };
        Condition {
            kind: ConditionKind::Compare {
                op,
                left: value(1),
                right: value(number),
            },
            level: Level::Const,
            span,
        }
    }

    #[test]
    fn places_do_not_count_and_everything_else_does() {
        let one = compare(CompareOp::Less, 2, 0);
        assert!(one.is_same(&compare(CompareOp::Less, 2, 9)));
        assert!(!one.is_same(&compare(CompareOp::LessEqual, 2, 0)));
        assert!(!one.is_same(&compare(CompareOp::Less, 3, 0)));
        let both = |parts: Vec<Condition>| Condition {
            kind: ConditionKind::All(parts),
            ..one.clone()
        };
        assert!(both(vec![one.clone()]).is_same(&both(vec![compare(CompareOp::Less, 2, 5)])));
        assert!(!both(vec![one.clone()]).is_same(&both(vec![one.clone(), one.clone()])));
    }
}
