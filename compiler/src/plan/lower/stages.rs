//! Lowers the stages that change, choose by chance, count or refuse.

use watershed_lang::span::Span;

use super::Lowering;
use super::bounds::held;
use crate::catalog::signals::{self, Reader, Root, Signal};
use crate::cel::fold::Constant as Known;
use crate::check::changeable;
use crate::hir::{ExprId, Setting, SettingValue, Stage, Step};
use crate::level::Level;
use crate::plan::{
    Arm, Condition, ConditionKind, Edit, EditKind, Guard, Limit, Outcome, Refusal, Tree, Value,
    ValueKind,
};

/// The random part of a trace id has so many values.
const RANDOM_VALUES: f64 = (1_u64 << 56) as f64;

impl Lowering<'_> {
    /// `set` with a value, `remove` without one.
    pub(super) fn change(
        &mut self,
        path: ExprId,
        value: Option<Value>,
        stage: &Stage,
        after: &[Step],
        rest: Option<&Tree>,
    ) -> Tree {
        let then = self.steps(after, rest);
        let Some(path) = self.types.tree(path).and_then(|tree| changeable(tree)) else {
            // Only programs without errors are lowered, and their paths lead somewhere.
            return then;
        };
        let kind = match value {
            Some(value) => EditKind::Set {
                value: held(&path, value),
                path,
            },
            None => EditKind::Remove { path },
        };
        let span = stage.span;
        Tree::Edit {
            edit: Box::new(Edit { kind, span }),
            then: Box::new(then),
        }
    }

    /// A filter by the trace id, where records have one.
    pub(super) fn sample(
        &mut self,
        step: &Step,
        ratio: &Setting,
        after: &[Step],
        rest: Option<&Tree>,
    ) -> Tree {
        let signals = self.types.step(step.id);
        let root = match (
            signals.contains(Signal::Traces),
            signals.contains(Signal::Logs),
        ) {
            (true, _) => Some(Root::Span),
            (_, true) => Some(Root::Log),
            _ => None,
        };
        let trace_id = root.and_then(|root| signals::field(root, "trace_id"));
        let trace_id = trace_id.map(|field| Value {
            kind: ValueKind::Field(field),
            ty: field.ty(),
            level: field.level(),
            span: step.span,
        });
        let ratio = match self.known(ratio) {
            Some(Known::Double(ratio)) => *ratio,
            _ => 1.0,
        };
        let condition = Condition {
            kind: ConditionKind::Sampled {
                step: step.id,
                threshold: threshold(ratio),
                trace_id,
            },
            level: Level::Record,
            span: step.span,
        };
        Tree::Filter {
            guard: Guard::one(condition, Outcome::True),
            then: Box::new(self.steps(after, rest)),
        }
    }

    /// The quota of a `limit`.
    pub(super) fn limit(
        &self,
        step: &Step,
        name: Option<&str>,
        records: &Setting,
        per: &Setting,
    ) -> Limit {
        let records = match self.known(records) {
            Some(Known::Int(records)) => u64::try_from(*records).unwrap_or(0),
            _ => 0,
        };
        let per = match self.known(per) {
            Some(Known::Duration(per)) => *per,
            _ => 0,
        };
        Limit {
            id: step.id,
            name: name.map(str::to_owned),
            records,
            per,
            span: step.span,
        }
    }

    /// A route: what is true goes on, and what is not is refused; where the condition fails, that is said.
    pub(super) fn validate(
        &mut self,
        step: &Step,
        condition: ExprId,
        reason: &Setting,
        after: &[Step],
        rest: Option<&Tree>,
    ) -> Tree {
        let reason = match self.known(reason) {
            Some(Known::String(reason)) => reason.clone(),
            _ => String::new(),
        };
        let refuse = |failed| {
            Tree::Refuse(Refusal {
                reason: reason.clone(),
                failed,
                span: step.span,
            })
        };
        let fails = !self.types.fails(condition).is_total();
        let condition = self.condition(condition);
        let mut arms = vec![Arm {
            guard: guard(condition.clone(), Outcome::True, step.span),
            then: self.steps(after, rest),
        }];
        if fails {
            arms.push(Arm {
                guard: guard(condition, Outcome::False, step.span),
                then: refuse(false),
            });
        }
        Tree::Route {
            arms,
            otherwise: Box::new(refuse(fails)),
        }
    }

    /// The value of an argument that the checker has seen to be known.
    fn known(&self, setting: &Setting) -> Option<&Known> {
        match setting.value {
            SettingValue::Expr(id) => self.types.constant(id),
            _ => None,
        }
    }
}

fn guard(condition: Condition, outcome: Outcome, span: Span) -> Guard {
    Guard {
        span,
        ..Guard::one(condition, outcome)
    }
}

/// Of the values of 56 random bits, those below it are not kept.
fn threshold(ratio: f64) -> u64 {
    // The ratio lies between 0 and 1, so the product fits.
    ((1.0 - ratio) * RANDOM_VALUES).round() as u64
}

/// What an unset field reads as.
pub(super) fn unset(reader: Reader) -> crate::hir::Literal {
    use crate::hir::Literal;
    match reader {
        Reader::Text | Reader::SignalName => Literal::String(String::new()),
        Reader::Bytes => Literal::Bytes(Vec::new()),
        Reader::Unsigned | Reader::Fixed32 | Reader::Fixed64 => Literal::Uint(0),
        Reader::Enumeration => Literal::Int(0),
        Reader::SpanDuration => Literal::Duration(0),
        Reader::Boolean => Literal::Bool(false),
        Reader::AnyValue | Reader::Attributes | Reader::Messages(_) => Literal::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_leaves_the_ratio_above_it() {
        assert_eq!(threshold(1.0), 0);
        assert_eq!(threshold(0.5), 1 << 55);
        assert_eq!(threshold(0.25), 3 << 54);
        assert!(threshold(1e-300) <= 1 << 56);
    }
}
