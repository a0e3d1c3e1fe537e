//! The page of the language of expressions: its generated parts and its examples.
//!
//! A block that begins with three backticks and `cel` has an example a line: `expression // outcome`. The outcome is
//! a constant, `error: no such key` with the words of the run time, `refused: F0302` with the code of the compiler,
//! or `of type int`. The block that begins with `cel record` is the data that examples read.

#![allow(dead_code, reason = "each test program uses a part of it")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a page that is not what it should be must stop the test"
)]

pub(crate) mod tables;
pub(crate) mod telemetry;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use watershed_compiler::cel::declarations::{self, MACROS};
use watershed_compiler::cel::environment::Environment;
use watershed_compiler::cel::fold::Constant;

use crate::cel_suite::{Case, Expected, base64, declare_variable};

/// The file under which the examples are counted; they are no cases of the suite.
pub(crate) const EXAMPLES: &str = "examples of the reference";

/// Where the page stands.
pub(crate) fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/expressions.md")
}

/// An example and what becomes of it.
pub(crate) struct Example {
    pub(crate) expression: String,
    pub(crate) outcome: Outcome,
}

/// What becomes of an example.
pub(crate) enum Outcome {
    /// It is this constant.
    Value(String),
    /// It fails for this reason.
    Error(String),
    /// The compiler refuses it with this code.
    Refused(String),
    /// It is of this type.
    Type(String),
}

/// The examples of the page and of the compiler's tables, which are true.
pub(crate) fn examples() -> Vec<Example> {
    let page = std::fs::read_to_string(path()).unwrap();
    let lines = blocks(&page, "cel").flat_map(str::lines);
    let functions = declarations::functions().map(|function| function.example);
    let tables = functions.chain(MACROS.iter().map(|one| one.example));
    let truths = tables.map(|example| Example {
        expression: example.to_owned(),
        outcome: Outcome::Value("true".to_owned()),
    });
    lines
        .filter(|line| !line.is_empty())
        .map(example)
        .chain(truths)
        .collect()
}

/// The examples as cases that are compiled and run, with the record of the page for data. Where the type is all that
/// is said, there is nothing to run.
pub(crate) fn cases() -> Vec<Case> {
    let page = std::fs::read_to_string(path()).unwrap();
    let (environment, bindings) = record(&page);
    let examples = examples().into_iter();
    examples
        .filter(|example| !matches!(example.outcome, Outcome::Type(_)))
        .map(|example| Case {
            id: "example".to_owned(),
            file: EXAMPLES.to_owned(),
            environment: environment.clone(),
            ty: None,
            overloads: None,
            is_refused: matches!(example.outcome, Outcome::Refused(_)),
            is_unchecked: false,
            bindings: bindings.clone(),
            expected: match &example.outcome {
                Outcome::Value(value) => Expected::Value(data(&constant(value))),
                Outcome::Error(code) => Expected::Error(code.replace(' ', "_")),
                Outcome::Refused(_) | Outcome::Type(_) => Expected::Unknown,
            },
            expression: example.expression,
        })
        .collect()
}

fn example(line: &str) -> Example {
    let Some((expression, outcome)) = line.rsplit_once(" // ") else {
        panic!("the example `{line}` has no outcome");
    };
    let parts = [("error: ", 0), ("refused: ", 1), ("of type ", 2)];
    let found = parts
        .into_iter()
        .find_map(|(prefix, kind)| Some((kind, outcome.strip_prefix(prefix)?.to_owned())));
    Example {
        expression: expression.trim_end().to_owned(),
        outcome: match found {
            Some((0, code)) => Outcome::Error(code),
            Some((1, code)) => Outcome::Refused(code),
            Some((_, ty)) => Outcome::Type(ty),
            None => Outcome::Value(outcome.to_owned()),
        },
    }
}

/// The blocks between fences that begin with this word.
pub(crate) fn blocks<'a>(page: &'a str, info: &str) -> impl Iterator<Item = &'a str> {
    let fence = format!("\n```{info}\n");
    let starts: Vec<usize> = page
        .match_indices(&fence)
        .map(|(at, fence)| at + fence.len())
        .collect();
    starts
        .into_iter()
        .map(|start| page[start..].split_once("```").unwrap().0)
}

/// The record of the page: each field is a variable with dots in its name, of the type that the field has.
fn record(page: &str) -> (Environment, Map<String, Value>) {
    let (mut environment, mut bindings) = (Environment::default(), Map::new());
    for line in blocks(page, "cel record").flat_map(str::lines) {
        let (field, value) = line.split_once(" = ").unwrap();
        let field = field.trim_end();
        let ty = telemetry::checked(field).unwrap().ty().clone();
        declare_variable(&mut environment, field, ty);
        bindings.insert(field.to_owned(), data(&constant(value)));
    }
    (environment, bindings)
}

/// The value of an expression that reads nothing.
fn constant(text: &str) -> Constant {
    let checked = telemetry::checked(text).unwrap();
    let constant = &checked.tree.root_node().constant;
    constant.clone().unwrap()
}

/// A value as the data of the suite write it.
fn data(constant: &Constant) -> Value {
    match constant {
        Constant::Null => json!({"null": null}),
        Constant::Bool(value) => json!({"bool": value}),
        Constant::Int(value) => json!({"int": value.to_string()}),
        Constant::Uint(value) => json!({"uint": value.to_string()}),
        Constant::Double(value) => json!({"double": format!("{value:?}")}),
        Constant::String(value) => json!({"string": value}),
        Constant::Bytes(value) => json!({"bytes": base64(value)}),
        Constant::Duration(value) => {
            let (seconds, nanos) = (value / 1_000_000_000, value % 1_000_000_000);
            json!({"duration": {"seconds": seconds.to_string(), "nanos": nanos}})
        }
        Constant::List(elements) => {
            let elements: Vec<Value> = elements.iter().map(data).collect();
            json!({ "list": elements })
        }
        Constant::Map(entries) => {
            let entries = entries.iter();
            let entries: Vec<Value> = entries
                .map(|(key, value)| json!([data(key), data(value)]))
                .collect();
            json!({ "map": entries })
        }
        Constant::Timestamp(_) | Constant::Failed(_) => {
            panic!("{constant:?} is no outcome; compare it in the example")
        }
    }
}
