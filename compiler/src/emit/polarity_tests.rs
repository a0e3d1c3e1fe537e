//! The emitted booleans against the three values of CEL: every small condition over three leaves, under every
//! assignment of true, false and error to them.

use watershed_lang::span::Span;

use super::EmitOptions;
use super::condition::{Expressions, Variables};
use super::context::{Context, Polarity};
use crate::cel::Type;
use crate::hir::PredicateId;
use crate::level::Level;
use crate::plan::{
    Condition, ConditionKind, Constant, Outcome, Plan, Predicate, Test, Value, ValueKind,
};

const LEAVES: [&str; 3] = ["a", "b", "c"];
const VALUES: [Constant; 3] = [Constant::True, Constant::False, Constant::Error];

fn condition(kind: ConditionKind) -> Condition {
    Condition {
        kind,
        level: Level::Record,
        span: Span::default(),
    }
}

fn leaf(number: u32) -> Condition {
    condition(ConditionKind::Predicate(PredicateId(number)))
}

/// A plan whose predicates can be anything: each is the truth of a value that may be missing.
fn plan() -> Plan {
    let mut plan = Plan::default();
    for (number, name) in (0..).zip(LEAVES) {
        let value = Value {
            kind: ValueKind::Failed,
            ty: Type::Dyn,
            level: Level::Record,
            span: Span::default(),
        };
        let predicate = Predicate {
            name: name.to_owned(),
            condition: condition(ConditionKind::Boolean(Box::new(value))),
            docs: Vec::new(),
            span: Span::default(),
        };
        plan.predicates.insert(PredicateId(number), predicate);
    }
    plan
}

/// Leaves, constants, and each operator over `below`.
fn combine(below: &[Condition]) -> Vec<Condition> {
    let mut all = Vec::new();
    for x in below {
        all.push(condition(ConditionKind::Not(Box::new(x.clone()))));
        for (y, z) in [(leaf(0), leaf(1)), (leaf(1), leaf(2)), (leaf(2), leaf(0))] {
            all.push(condition(ConditionKind::All(vec![x.clone(), y.clone()])));
            all.push(condition(ConditionKind::Any(vec![
                y.clone(),
                x.clone(),
                z.clone(),
            ])));
            let arms = vec![(x.clone(), y.clone())];
            all.push(condition(ConditionKind::If {
                arms,
                otherwise: Box::new(z.clone()),
            }));
            let arms = vec![(y.clone(), z), (x.clone(), y)];
            all.push(condition(ConditionKind::If {
                arms,
                otherwise: Box::new(x.clone()),
            }));
        }
    }
    all
}

/// What CEL says.
fn expected(condition: &Condition, leaves: [Constant; 3]) -> Constant {
    let eval = |operand: &Condition| expected(operand, leaves);
    let junction = |operands: &[Condition], decides: Constant| {
        let values: Vec<_> = operands.iter().map(eval).collect();
        if values.contains(&decides) {
            decides
        } else if values.contains(&Constant::Error) {
            Constant::Error
        } else {
            decides.negated()
        }
    };
    match &condition.kind {
        ConditionKind::Constant(constant) => *constant,
        ConditionKind::Predicate(id) => leaves[id.0 as usize],
        ConditionKind::Not(operand) => eval(operand).negated(),
        ConditionKind::All(operands) => junction(operands, Constant::False),
        ConditionKind::Any(operands) => junction(operands, Constant::True),
        ConditionKind::If { arms, otherwise } => {
            for (when, then) in arms {
                match eval(when) {
                    Constant::True => return eval(then),
                    Constant::Error => return Constant::Error,
                    Constant::False => {}
                }
            }
            eval(otherwise)
        }
        other => panic!("not part of this test: {other:?}"),
    }
}

/// What the emitted expression says, where `a()` is "a is true" and `a_is_false()` is "a is false".
fn run(code: &syn::Expr, leaves: [Constant; 3]) -> bool {
    match code {
        syn::Expr::Lit(literal) => matches!(&literal.lit, syn::Lit::Bool(value) if value.value),
        syn::Expr::Paren(inner) => run(&inner.expr, leaves),
        syn::Expr::Unary(unary) => !run(&unary.expr, leaves),
        syn::Expr::Binary(binary) => match binary.op {
            syn::BinOp::And(_) => run(&binary.left, leaves) && run(&binary.right, leaves),
            syn::BinOp::Or(_) => run(&binary.left, leaves) || run(&binary.right, leaves),
            _ => panic!("an operator that conditions do not have"),
        },
        syn::Expr::Call(call) => {
            let syn::Expr::Path(path) = call.func.as_ref() else {
                panic!("a call of no name")
            };
            let name = path.path.get_ident().unwrap().to_string();
            let leaf = name.strip_suffix("_is_false");
            let value = leaves[LEAVES
                .iter()
                .position(|known| *known == leaf.unwrap_or(&name))
                .unwrap()];
            value
                == if leaf.is_some() {
                    Constant::False
                } else {
                    Constant::True
                }
        }
        _ => panic!("an expression that conditions do not have"),
    }
}

fn assignments() -> impl Iterator<Item = [Constant; 3]> {
    VALUES.into_iter().flat_map(|a| {
        VALUES
            .into_iter()
            .flat_map(move |b| VALUES.map(|c| [a, b, c]))
    })
}

#[test]
fn both_polarities_agree_with_cel() {
    let plan = plan();
    let (spans, describe) = (|_| proc_macro2::Span::call_site(), |_| None);
    let options = EmitOptions {
        flow: "test.flow",
        name: "test",
        runtime_path: "::watershed",
        spans: &spans,
        describe: &describe,
        comments: false,
    };
    let context = Context::new(&plan, &options);
    let expressions = Expressions {
        context: &context,
        variables: Variables::Owned,
        once: None,
    };
    let mut basic: Vec<_> = (0..3).map(leaf).collect();
    basic.extend(VALUES.map(|constant| condition(ConditionKind::Constant(constant))));
    let small = combine(&basic);
    let mut all = combine(&small);
    all.extend(small);
    assert!(all.len() > 900, "{}", all.len());
    for condition in all {
        let parse =
            |polarity| syn::parse2(expressions.condition(&condition, polarity).tokens).unwrap();
        let (is_true, is_false): (syn::Expr, syn::Expr) =
            (parse(Polarity::True), parse(Polarity::False));
        for leaves in assignments() {
            let answer = expected(&condition, leaves);
            assert_eq!(
                run(&is_true, leaves),
                answer == Constant::True,
                "{condition:?} {leaves:?}"
            );
            assert_eq!(
                run(&is_false, leaves),
                answer == Constant::False,
                "{condition:?} {leaves:?}"
            );
        }
        for outcome in [
            Outcome::True,
            Outcome::NotTrue,
            Outcome::False,
            Outcome::NotFalse,
        ] {
            let test = Test {
                condition: condition.clone(),
                outcome,
            };
            let code: syn::Expr = syn::parse2(expressions.test(&test).tokens).unwrap();
            for leaves in assignments() {
                let passes = outcome.admits(expected(&condition, leaves));
                assert_eq!(
                    run(&code, leaves),
                    passes,
                    "{condition:?} {outcome:?} {leaves:?}"
                );
            }
        }
    }
}
