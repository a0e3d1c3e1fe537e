//! Plans, evaluated as they stand: what a plan delivers of a record.
//!
//! A plan's leaves are asked by their place in the text, so the evaluator knows nothing of how they would be emitted. No
//! Rust is compiled, so many topologies can be tried.

use cel::Value;
use watershed_compiler::driver::{Compilation, CompileOptions, compile};
use watershed_compiler::hir::Literal;
use watershed_compiler::plan::{
    Condition, ConditionKind, Constant, Guard, Outcome, Plan, Target, Tree,
};
use watershed_lang::source::{SourceFile, SourceMap};

use crate::interpreter::{Interpreter, Record};
use crate::topology::{Answer, Topology};

/// A topology with its plans.
#[derive(Debug)]
pub struct Planned {
    topology: Topology,
    text: String,
    compilation: Compilation,
}

impl Planned {
    /// Compiles a topology.
    ///
    /// # Panics
    ///
    /// When the compiler finds a mistake in it.
    pub fn new(topology: Topology) -> Self {
        let text = topology.to_string();
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("random.flow", text.as_str()));
        let compilation = compile(&sources, file, &CompileOptions::default());
        let findings = &compilation.diagnostics;
        assert!(!compilation.has_errors(), "{findings:?}\n{text}");
        Self {
            topology,
            text,
            compilation,
        }
    }

    /// The topology.
    pub const fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The sinks that a record comes to, which the plan before every pass, the plan after every pass and the interpreter
    /// must agree on.
    ///
    /// # Panics
    ///
    /// When they do not.
    pub fn deliveries(&self, record: &Record, interpreter: &mut Interpreter) -> Vec<usize> {
        let expected = interpreter.deliveries(&self.topology, record);
        let Compilation {
            naive_plan, plan, ..
        } = &self.compilation;
        for (way, plan) in [("naive", naive_plan), ("optimised", plan)] {
            let mut evaluator = Evaluator {
                plan: plan.as_ref().expect("a flow without errors is planned"),
                text: &self.text,
                interpreter,
                record,
                sinks: Vec::new(),
            };
            assert_eq!(
                evaluator.deliveries(),
                expected,
                "{way}:\n{}\n{record}",
                self.text
            );
        }
        expected
    }
}

/// Sends one record through a plan.
struct Evaluator<'a> {
    plan: &'a Plan,
    text: &'a str,
    interpreter: &'a mut Interpreter,
    record: &'a Record,
    sinks: Vec<usize>,
}

impl<'a> Evaluator<'a> {
    fn deliveries(&mut self) -> Vec<usize> {
        for walk in &self.plan.walks {
            self.tree(&walk.tree);
        }
        self.sinks.sort_unstable();
        std::mem::take(&mut self.sinks)
    }

    fn tree(&mut self, tree: &'a Tree) {
        match tree {
            // Topologies have filters and arms, and nothing that changes, counts or refuses records.
            Tree::Nothing | Tree::Refuse(_) => {}
            Tree::Edit { then, .. } | Tree::Limit { then, .. } => self.tree(then),
            Tree::Keep(Target::Batch(id)) => self.tree(&self.plan.batches[id].walk.tree),
            Tree::Keep(target @ Target::Sink(_)) => {
                let name = self.plan.target_name(*target);
                self.sinks
                    .push(name.trim_start_matches('s').parse().expect("a number"));
            }
            Tree::Filter { guard, then } => {
                if self.passes(guard) {
                    self.tree(then);
                }
            }
            Tree::Fork(_) => panic!("no topology has templates"),
            Tree::FanOut(branches) => branches.iter().for_each(|branch| self.tree(branch)),
            Tree::Route { arms, otherwise } => {
                let taken = arms.iter().find(|arm| self.passes(&arm.guard));
                self.tree(taken.map_or(otherwise, |arm| &arm.then));
            }
            Tree::Split(arms) => {
                for arm in arms {
                    if self.passes(&arm.guard) {
                        self.tree(&arm.then);
                    }
                }
            }
            Tree::Switch {
                on,
                cases,
                otherwise,
            } => {
                let text = &self.text[on.span.start as usize..on.span.end as usize];
                let value = self.interpreter.value(text, self.record);
                let taken = cases
                    .iter()
                    .find(|case| case.keys.iter().any(|key| is_key(value.as_ref(), key)));
                self.tree(taken.map_or(otherwise, |case| &case.then));
            }
        }
    }

    fn passes(&mut self, guard: &'a Guard) -> bool {
        guard.tests.iter().all(|test| {
            let answer = self.answer(&test.condition);
            match test.outcome {
                Outcome::True => answer == Answer::True,
                Outcome::NotTrue => answer != Answer::True,
                Outcome::False => answer == Answer::False,
                Outcome::NotFalse => answer != Answer::False,
            }
        })
    }

    fn answer(&mut self, condition: &'a Condition) -> Answer {
        match &condition.kind {
            ConditionKind::Constant(Constant::True) => Answer::True,
            ConditionKind::Constant(Constant::False) => Answer::False,
            ConditionKind::Constant(Constant::Error) => Answer::Error,
            ConditionKind::Not(operand) => self.answer(operand).negated(),
            ConditionKind::Once(part) => self.answer(part),
            ConditionKind::All(operands) => {
                let answers = operands.iter().map(|operand| self.answer(operand));
                Answer::decided_by(answers, Answer::False)
            }
            ConditionKind::Any(operands) => {
                let answers = operands.iter().map(|operand| self.answer(operand));
                Answer::decided_by(answers, Answer::True)
            }
            ConditionKind::If { arms, otherwise } => {
                for (when, then) in arms {
                    match self.answer(when) {
                        Answer::True => return self.answer(then),
                        Answer::False => {}
                        Answer::Error => return Answer::Error,
                    }
                }
                self.answer(otherwise)
            }
            ConditionKind::Predicate(id) => self.answer(&self.plan.predicates[id].condition),
            _ => {
                let span = condition.span;
                let text = &self.text[span.start as usize..span.end as usize];
                self.interpreter.answer(text, self.record)
            }
        }
    }
}

/// Whether a value is equal to a key of a switch, as CEL compares.
fn is_key(value: Option<&Value>, key: &Literal) -> bool {
    match (value, key) {
        (Some(Value::String(text)), Literal::String(key)) => **text == *key,
        (Some(Value::Int(number)), Literal::Int(key)) => number == key,
        (Some(Value::Float(number)), Literal::Int(key)) => *number == *key as f64,
        _ => false,
    }
}
