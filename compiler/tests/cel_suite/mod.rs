//! The cases of the conformance suite: reading them, their environments and their values.

#![allow(dead_code, reason = "each test program uses a part of it")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "data that are not what they should be must stop the test"
)]

use std::path::{Path, PathBuf};

use serde_json::Value;
use watershed_compiler::cel::environment::{
    CustomFunction, CustomOverload, Environment, FunctionId, Variable, VariableId,
};
use watershed_compiler::cel::failure::{Fails, Failure};
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::types::Type;
use watershed_compiler::level::Level;

/// One case of the suite.
pub(crate) struct Case {
    /// Its name.
    pub(crate) id: String,
    /// The file of the suite that it comes from.
    pub(crate) file: String,
    /// The expression.
    pub(crate) expression: String,
    /// What is declared around it.
    pub(crate) environment: Environment,
    /// The type that the reference checker found.
    pub(crate) ty: Option<String>,
    /// The overloads that the reference checker found, sorted; `None` where it has expanded a macro.
    pub(crate) overloads: Option<Vec<String>>,
    /// Whether a checker must refuse it.
    pub(crate) is_refused: bool,
    /// Whether it is meant to run without having been checked.
    pub(crate) is_unchecked: bool,
    /// The values of variables, as the data write them.
    pub(crate) bindings: serde_json::Map<String, Value>,
    /// What its evaluation gives.
    pub(crate) expected: Expected,
}

/// What an evaluation gives.
pub(crate) enum Expected {
    /// This value, as the data write it.
    Value(Value),
    /// No value.
    Failure,
    /// No value, for the reason with this code.
    Error(String),
    /// The data do not say.
    Unknown,
}

/// The file under which traps are counted.
pub(crate) const TRAPS: &str = "traps";

/// The cases; `None`, with a word about it, when the data are not there.
pub(crate) fn cases() -> Option<Vec<Case>> {
    Some(read("cel-conformance.jsonl")?.iter().map(case).collect())
}

/// The traps; `None`, with a word about it, when the data are not there. What a checker refuses is meant to run
/// without having been checked, with the answer that the reference gives then.
pub(crate) fn traps() -> Option<Vec<Case>> {
    Some(read("cel-traps.jsonl")?.iter().map(trap).collect())
}

/// Cases and traps, as far as they are there. Continuous integration needs something.
pub(crate) fn cases_and_traps() -> Vec<Case> {
    let (cases, traps) = (cases(), traps());
    assert!(
        cases.is_some() || traps.is_some() || !is_integration(),
        "{} has no data, which continuous integration needs",
        directory().display()
    );
    let mut all = cases.unwrap_or_default();
    all.extend(traps.unwrap_or_default());
    all
}

/// Whether this is continuous integration.
pub(crate) fn is_integration() -> bool {
    std::env::var("CI").as_deref() == Ok("true")
}

fn trap(data: &Value) -> Case {
    let checked = &data["cel_cpp_checked"];
    let is_refused = checked["stage"] == "check";
    let answer = if is_refused {
        &data["cel_cpp_unchecked"]
    } else {
        checked
    };
    Case {
        file: TRAPS.to_owned(),
        is_refused,
        is_unchecked: is_refused,
        expected: expected(answer),
        ..case(data)
    }
}

/// The lines of a file of the suite.
fn read(name: &str) -> Option<Vec<Value>> {
    let path = directory().join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return None;
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Some(
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

fn expected(answer: &Value) -> Expected {
    match answer {
        Value::Null => Expected::Unknown,
        answer if answer.get("error").is_some() => Expected::Failure,
        answer => Expected::Value(answer.clone()),
    }
}

/// The overloads of a checked tree as the reference prints it: `)~type^overload|overload` behind each call. Macros
/// are expanded there, and an even number of minus signs is taken out by its parser.
fn overloads(printed: &str) -> Option<Vec<String>> {
    if printed.contains("__comprehension__") || !printed.contains('(') {
        return None;
    }
    let is_name = |character: char| character.is_alphanumeric() || "_@|".contains(character);
    let mut found: Vec<String> = printed
        .match_indices('^')
        .filter_map(|(at, _)| {
            let (call, ty) = printed[..at].rsplit_once('~')?;
            let names = &printed[at + 1..];
            let end = names
                .find(|character| !is_name(character))
                .unwrap_or(names.len());
            (call.ends_with(')') && !ty.contains('"')).then(|| names[..end].to_owned())
        })
        .collect();
    found.sort();
    Some(found)
}

fn directory() -> PathBuf {
    match std::env::var_os("WATERSHED_CEL_DATA") {
        Some(directory) => directory.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
    }
}

fn case(data: &Value) -> Case {
    let text = |key: &str| data[key].as_str().unwrap_or_default().to_owned();
    Case {
        id: text("id"),
        file: text("file"),
        expression: text("expr"),
        environment: environment(data),
        ty: data["go_type"].as_str().map(str::to_owned),
        overloads: match data["go_checked_ast"].as_str() {
            Some(printed) if environment(data).functions.is_empty() => overloads(printed),
            _ => None,
        },
        is_refused: data["static"] == "reject",
        is_unchecked: data["disable_check"] == true,
        bindings: data["bindings"].as_object().unwrap().clone(),
        expected: expected(&data["expect"]),
    }
}

/// Declared variables and functions; what is bound without having been declared is `dyn`.
fn environment(data: &Value) -> Environment {
    let mut environment = Environment {
        container: data["container"].as_str().unwrap_or_default().to_owned(),
        ..Environment::default()
    };
    for declaration in data["type_env"].as_array().unwrap() {
        match declaration["function"].as_str() {
            Some(name) => {
                let overloads = declaration["overloads"].as_array().unwrap();
                let overloads = overloads
                    .iter()
                    .enumerate()
                    .map(|(number, data)| overload(number, data))
                    .collect();
                environment
                    .functions
                    .insert(name.to_owned(), CustomFunction { overloads });
            }
            None => declare(
                &mut environment,
                declaration["name"].as_str().unwrap(),
                declaration["type"].as_str().unwrap(),
            ),
        }
    }
    for name in data["bindings"].as_object().unwrap().keys() {
        if !environment.variables.contains_key(name) {
            declare(&mut environment, name, "dyn");
        }
    }
    environment
}

fn declare(environment: &mut Environment, name: &str, ty: &str) {
    declare_variable(environment, name, parse_type(ty));
}

/// Declares a variable under the next free number.
pub(crate) fn declare_variable(environment: &mut Environment, name: &str, ty: Type) {
    let id = VariableId(u32::try_from(environment.variables.len()).unwrap());
    environment
        .variables
        .insert(name.to_owned(), Variable::new(id, ty, Level::Record));
}

fn overload(number: usize, data: &Value) -> CustomOverload {
    CustomOverload {
        id: FunctionId(u32::try_from(number).unwrap()),
        member: data["member"] == true,
        parameters: data["params"]
            .as_array()
            .unwrap()
            .iter()
            .map(|ty| parse_type(ty.as_str().unwrap()))
            .collect(),
        result: parse_type(data["result"].as_str().unwrap()),
        fails: Fails::because(Failure::Elsewhere),
    }
}

/// A type as the data write it: `map(string, tuple(T, int))`.
fn parse_type(text: &str) -> Type {
    let (name, parameters) = match text.split_once('(') {
        Some((name, rest)) => (name, split(rest.strip_suffix(')').unwrap())),
        None => (text, Vec::new()),
    };
    let mut parameters: Vec<Type> = parameters.into_iter().map(parse_type).collect();
    match (name, parameters.len()) {
        ("null", 0) => Type::Null,
        ("bool", 0) => Type::Bool,
        ("int", 0) => Type::Int,
        ("uint", 0) => Type::Uint,
        ("double", 0) => Type::Double,
        ("string", 0) => Type::String,
        ("bytes", 0) => Type::Bytes,
        ("dyn", 0) => Type::Dyn,
        ("timestamp" | "google.protobuf.Timestamp", 0) => Type::Timestamp,
        ("duration" | "google.protobuf.Duration", 0) => Type::Duration,
        ("list", 1) => Type::list(parameters.remove(0)),
        ("optional_type", 1) => Type::optional(parameters.remove(0)),
        ("type", 1) => Type::type_of(parameters.remove(0)),
        ("map", 2) => Type::map(parameters.remove(0), parameters.remove(0)),
        (name, 0) if name.len() == 1 => Type::Parameter(name.to_owned()),
        (name, _) => Type::Opaque {
            name: name.to_owned(),
            parameters,
        },
    }
}

/// Parts between commas that stand in no parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|character| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        character == ',' && depth == 0
    });
    parts.map(str::trim).collect()
}

/// Whether a constant is the value that the data write.
pub(crate) fn is_value(constant: &Constant, value: &Value) -> bool {
    let Some((kind, value)) = value.as_object().and_then(|object| object.iter().next()) else {
        return false;
    };
    let text = value.as_str().unwrap_or_default();
    match (constant, kind.as_str()) {
        (Constant::Null, "null") => true,
        (Constant::Bool(found), "bool") => value == found,
        (Constant::Int(found), "int") => text == found.to_string(),
        (Constant::Uint(found), "uint") => text == found.to_string(),
        (Constant::Double(found), "double") => is_double(*found, text),
        (Constant::String(found), "string") => text == found,
        (Constant::Bytes(found), "bytes") => text == base64(found),
        (Constant::List(found), "list") => {
            let wanted = value.as_array().unwrap();
            wanted.len() == found.len()
                && found
                    .iter()
                    .zip(wanted)
                    .all(|(found, wanted)| is_value(found, wanted))
        }
        (Constant::Map(found), "map") => {
            let wanted = value.as_array().unwrap();
            let is_wanted = |(key, value): &(Constant, Constant)| {
                wanted
                    .iter()
                    .any(|entry| is_value(key, &entry[0]) && is_value(value, &entry[1]))
            };
            wanted.len() == found.len() && found.iter().all(is_wanted)
        }
        _ => false,
    }
}

/// The same double, to the sign of zero.
fn is_double(found: f64, wanted: &str) -> bool {
    let wanted: f64 = wanted.parse().unwrap();
    found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan()
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| {
            bits << 8 | group.get(at).map_or(0, |byte| usize::from(*byte))
        });
        for digit in 0..4 {
            let index = bits >> (18 - 6 * digit) & 63;
            text.push(if digit <= group.len() {
                char::from(DIGITS[index])
            } else {
                '='
            });
        }
    }
    text
}
