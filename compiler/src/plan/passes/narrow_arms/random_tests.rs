//! Random flows over a few fields, decided for every combination of values before and after the passes.
//!
//! The conditions are evaluated here as CEL says it, value by value and with errors, and not as sets: the two ways have
//! nothing in common but the plan.

use std::collections::BTreeMap;

use fastrand::Rng;

use super::run;
use crate::hir::Literal;
use crate::plan::passes::testing::shared;
use crate::plan::passes::{optimise, split_conjunctions};
use crate::plan::{
    CompareOp, Condition, ConditionKind, Constant, Guard, Outcome, Plan, PlanLog, Target, TextTest,
    Tree, Value, ValueKind,
};

/// The seed of the ordinary run.
const SEED: u64 = 20_261_130;
/// How many flows the ordinary run has.
const FLOWS: u64 = 50;

/// What the data has somewhere: a value of any type, or nothing.
#[derive(Clone, Debug, PartialEq)]
enum Datum {
    Absent,
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(&'static str),
    List,
}

/// The values of a record by the text of what is read.
type Record = BTreeMap<&'static str, Datum>;

const TEAM: &str = "resource.attributes[\"team\"]";
const CODE: &str = "log.attributes[\"code\"]";
const SEVERITY: &str = "log.severity_number";
const NAME: &str = "log.event_name";

fn records() -> Vec<Record> {
    use Datum::{Absent, Bool, Double, Int, List, Null, Text};
    let any = [
        Absent,
        Null,
        Bool(true),
        Bool(false),
        Int(1),
        Int(2),
        Double(1.0),
        Double(1.5),
        Double(f64::NAN),
        Text(""),
        Text("a"),
        Text("ab"),
        Text("b"),
        List,
    ];
    let mut records = Vec::new();
    for team in &any {
        for code in [Absent, Int(1), Double(1.5), Bool(true)] {
            for severity in [8, 9, 10, 17] {
                for name in ["", "a", "abc"] {
                    records.push(Record::from([
                        (TEAM, team.clone()),
                        (CODE, code.clone()),
                        (SEVERITY, Int(severity)),
                        (NAME, Text(name)),
                    ]));
                }
            }
        }
    }
    records
}

#[test]
fn narrowed_walks_decide_the_same() {
    let records = records();
    let mut random = Rng::with_seed(SEED);
    let mut decided = 0;
    for number in 0..FLOWS {
        let flow = flow(&mut random);
        let before = shared(&flow);
        let mut log = PlanLog::new();
        let split = split_conjunctions::run(before.clone(), &mut log);
        let mut log = PlanLog::new();
        let narrowed = run(split, &mut log);
        decided += log.changes().len();
        let optimised = optimise(before.clone(), &mut PlanLog::new());
        for record in &records {
            let expected = deliveries(&before, record);
            for (way, plan) in [("narrowed", &narrowed), ("optimised", &optimised)] {
                assert_eq!(
                    expected,
                    deliveries(plan, record),
                    "seed {SEED}, flow {number} {way}, {record:?}\n{flow}\n{}\n{}",
                    crate::plan::dump::dump(&before),
                    crate::plan::dump::dump(plan)
                );
            }
        }
    }
    assert!(decided > 100, "only {decided} tests were decided");
}

/// A flow over the fields of a record.
fn flow(random: &mut Rng) -> String {
    let mut text = String::new();
    for name in ["first", "second"] {
        text.push_str(&format!(
            "predicate {name} = {};\n",
            condition(random, 2, &[])
        ));
    }
    for _ in 0..random.u32(1..=2) {
        text.push_str(&format!("ingest.logs -> {};\n", chain(random, 3, true)));
    }
    text
}

/// What follows a step. A batch behind a batch is refused, so not every chain `may_batch`.
fn chain(random: &mut Rng, depth: u32, may_batch: bool) -> String {
    let sink = ["a", "b", "c"][random.usize(0..3)].to_owned();
    if depth == 0 {
        return sink;
    }
    let test = |random: &mut Rng| condition(random, 2, &["first", "second"]);
    let error = ["", ", on_error: keep", ", on_error: drop"][random.usize(0..3)];
    match random.u32(0..8) {
        0 => sink,
        1 => format!(
            "filter({}{error}) -> {}",
            test(random),
            chain(random, depth - 1, may_batch)
        ),
        2 => format!(
            "drop({}{error}) -> {}",
            test(random),
            chain(random, depth - 1, may_batch)
        ),
        3 if may_batch => format!("batch(timeout: 1s) -> {}", chain(random, depth - 1, false)),
        4 => format!(
            "[{}, {}]",
            chain(random, depth - 1, may_batch),
            chain(random, depth - 1, may_batch)
        ),
        5 => {
            let arms = arms(random, depth, may_batch);
            format!("split {{ {} }}", arms.join(", "))
        }
        _ => {
            let arms = arms(random, depth, may_batch);
            format!(
                "route {{ {}, else => {} }}",
                arms.join(", "),
                chain(random, depth - 1, may_batch)
            )
        }
    }
}

fn arms(random: &mut Rng, depth: u32, may_batch: bool) -> Vec<String> {
    let count = random.usize(1..=4);
    let arm = |_| {
        let test = condition(random, 2, &["first", "second"]);
        format!("{test} => {}", chain(random, depth - 1, may_batch))
    };
    (0..count).map(arm).collect()
}

fn condition(random: &mut Rng, depth: u32, named: &[&str]) -> String {
    if depth == 0 || random.bool() {
        return leaf(random, named);
    }
    let below = |random: &mut Rng| condition(random, depth - 1, named);
    match random.u32(0..5) {
        0 | 1 => format!("({} && {})", below(random), below(random)),
        2 => format!("({} || {})", below(random), below(random)),
        3 => format!("!({})", below(random)),
        _ => format!(
            "({} ? {} : {})",
            below(random),
            below(random),
            below(random)
        ),
    }
}

fn leaf(random: &mut Rng, named: &[&str]) -> String {
    let ordering = ["<", "<=", ">", ">=", "==", "!="];
    let operator = ordering[random.usize(0..ordering.len())];
    let equality = ["==", "!="][random.usize(0..2)];
    let severity = [8, 9, 10, 17][random.usize(0..4)];
    let text = ["", "a", "ab", "b"][random.usize(0..4)];
    match random.u32(0..13) {
        0 | 1 => format!("{TEAM} {equality} \"{text}\""),
        2 => format!("{TEAM} in [\"a\", \"{text}\", 1]"),
        3 => "\"team\" in resource.attributes".to_owned(),
        4 => format!("{TEAM}.startsWith(\"{text}\")"),
        5 => format!(
            "{TEAM} {operator} {}",
            ["1", "2", "1.0", "1.5", "\"a\""][random.usize(0..5)]
        ),
        6 => [TEAM, CODE][random.usize(0..2)].to_owned() + " == true",
        7 | 8 => format!("{SEVERITY} {operator} {severity}"),
        9 => format!("{NAME} {operator} \"{text}\""),
        10 => format!("{NAME}.startsWith(\"{text}\")"),
        11 => format!("{CODE} {operator} {}", ["1", "2", "3"][random.usize(0..3)]),
        _ => match named {
            [] => format!("has({NAME})"),
            named => named[random.usize(0..named.len())].to_owned(),
        },
    }
}

/// How often a record is delivered to each sink.
fn deliveries(plan: &Plan, record: &Record) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    for walk in &plan.walks {
        deliver(plan, &walk.tree, record, &mut found);
    }
    found
}

fn deliver(plan: &Plan, tree: &Tree, record: &Record, found: &mut BTreeMap<String, u32>) {
    match tree {
        Tree::Nothing => {}
        Tree::Refuse(refusal) => *found.entry(refusal.reason.clone()).or_default() += 1,
        Tree::Edit { then, .. } | Tree::Limit { then, .. } => deliver(plan, then, record, found),
        Tree::Keep(Target::Batch(id)) => deliver(plan, &plan.batches[id].walk.tree, record, found),
        Tree::Keep(target) => *found.entry(plan.target_name(*target)).or_default() += 1,
        Tree::Filter { guard, then } => {
            if holds(plan, guard, record) {
                deliver(plan, then, record, found);
            }
        }
        Tree::FanOut(branches) => {
            branches
                .iter()
                .for_each(|branch| deliver(plan, branch, record, found));
        }
        Tree::Split(arms) => {
            for arm in arms.iter().filter(|arm| holds(plan, &arm.guard, record)) {
                deliver(plan, &arm.then, record, found);
            }
        }
        Tree::Route { arms, otherwise } => {
            let taken = arms.iter().find(|arm| holds(plan, &arm.guard, record));
            let then = taken.map_or(otherwise.as_ref(), |arm| &arm.then);
            deliver(plan, then, record, found);
        }
        Tree::Fork(_) => panic!("these flows have no templates"),
        Tree::Switch {
            on,
            cases,
            otherwise,
        } => {
            let value = datum(on, record);
            let taken = cases.iter().find(|case| {
                let mut keys = case.keys.iter();
                keys.any(|key| equal(&value, &literal(key)))
            });
            let then = taken.map_or(otherwise.as_ref(), |case| &case.then);
            deliver(plan, then, record, found);
        }
    }
}

fn holds(plan: &Plan, guard: &Guard, record: &Record) -> bool {
    guard.tests.iter().all(|test| {
        let constant = evaluate(plan, &test.condition, record);
        match test.outcome {
            Outcome::True => constant == Constant::True,
            Outcome::NotTrue => constant != Constant::True,
            Outcome::False => constant == Constant::False,
            Outcome::NotFalse => constant != Constant::False,
        }
    })
}

fn evaluate(plan: &Plan, condition: &Condition, record: &Record) -> Constant {
    let below = |condition: &Condition| evaluate(plan, condition, record);
    match &condition.kind {
        ConditionKind::Constant(constant) => *constant,
        ConditionKind::Once(part) => below(part),
        ConditionKind::Not(operand) => below(operand).negated(),
        ConditionKind::All(operands) => junction(operands.iter().map(below), Constant::False),
        ConditionKind::Any(operands) => junction(operands.iter().map(below), Constant::True),
        ConditionKind::If { arms, otherwise } => {
            for (when, then) in arms {
                match below(when) {
                    Constant::True => return below(then),
                    Constant::False => {}
                    Constant::Error => return Constant::Error,
                }
            }
            below(otherwise)
        }
        ConditionKind::Predicate(id) => below(&plan.predicates[id].condition),
        ConditionKind::Compare { op, left, right } => {
            compare(*op, &datum(left, record), &datum(right, record))
        }
        ConditionKind::OneOf { element, list } => {
            let element = datum(element, record);
            if element == Datum::Absent {
                return Constant::Error;
            }
            let mut list = list.iter().map(|value| datum(value, record));
            constant(list.any(|value| equal(&element, &value)))
        }
        ConditionKind::HasAttribute(value) => constant(datum(value, record) != Datum::Absent),
        ConditionKind::HasField(value) => constant(datum(value, record) != Datum::Text("")),
        ConditionKind::TextTest {
            test: TextTest::StartsWith,
            text,
            part,
        } => match (datum(text, record), datum(part, record)) {
            (Datum::Text(text), Datum::Text(part)) => constant(text.starts_with(part)),
            _ => Constant::Error,
        },
        other => panic!("{other:?} is not generated"),
    }
}

/// `&&` and `||`: one operand with the value `decides` decides; otherwise an error stays.
fn junction(operands: impl Iterator<Item = Constant>, decides: Constant) -> Constant {
    let operands: Vec<Constant> = operands.collect();
    [decides, Constant::Error]
        .into_iter()
        .find(|constant| operands.contains(constant))
        .unwrap_or(decides.negated())
}

const fn constant(value: bool) -> Constant {
    if value {
        Constant::True
    } else {
        Constant::False
    }
}

fn datum(value: &Value, record: &Record) -> Datum {
    match &value.kind {
        ValueKind::Literal(known) => literal(known),
        ValueKind::Field(field) => record[field.to_string().as_str()].clone(),
        ValueKind::Attribute { map, key } => record[format!("{map}[{key:?}]").as_str()].clone(),
        other => panic!("{other:?} is not generated"),
    }
}

fn literal(literal: &Literal) -> Datum {
    match literal {
        Literal::Bool(value) => Datum::Bool(*value),
        Literal::Int(value) => Datum::Int(*value),
        Literal::Double(value) => Datum::Double(*value),
        Literal::String(text) => Datum::Text(text.clone().leak()),
        other => panic!("{other:?} is not generated"),
    }
}

fn number(value: &Datum) -> Option<f64> {
    match value {
        Datum::Int(value) => Some(*value as f64),
        Datum::Double(value) => Some(*value),
        _ => None,
    }
}

fn equal(left: &Datum, right: &Datum) -> bool {
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left == right,
        _ => left == right,
    }
}

fn compare(op: CompareOp, left: &Datum, right: &Datum) -> Constant {
    if *left == Datum::Absent || *right == Datum::Absent {
        return Constant::Error;
    }
    match op {
        CompareOp::Equal => return constant(equal(left, right)),
        CompareOp::NotEqual => return constant(!equal(left, right)),
        _ => {}
    }
    let order = match (left, right, number(left), number(right)) {
        (Datum::Text(left), Datum::Text(right), ..) => left.partial_cmp(right),
        (_, _, Some(left), Some(right)) => left.partial_cmp(&right),
        _ => return Constant::Error,
    };
    let Some(order) = order else {
        return Constant::False;
    };
    constant(match op {
        CompareOp::Less => order.is_lt(),
        CompareOp::LessEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        _ => order.is_ge(),
    })
}
