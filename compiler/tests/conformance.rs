//! The checker and its evaluation of constants against the public conformance suite of CEL.
//!
//! An expression that the checker takes as a constant must have the value that the suite gives; one that it refuses
//! may be refused for any reason, because much of CEL is not compiled yet. The suite is data that stands beside the
//! project, not in it. Where it is missing the test says so and passes, except in continuous integration.

mod support;

use std::path::Path;

use serde_json::Value;
use watershed_compiler::check::Constant;

/// How many expressions of the suite must be taken as constants. It may only grow.
const WANTED: usize = 377;

#[test]
#[allow(clippy::print_stdout, reason = "a test that is skipped says so")]
fn constants_have_the_values_of_the_suite() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/cel-conformance.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert_ne!(
            std::env::var("CI").as_deref(),
            Ok("true"),
            "{} is needed in CI",
            path.display()
        );
        println!("skipped: {} is not there", path.display());
        return;
    };
    let tests: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut taken = 0;
    let mut wrong = Vec::new();
    for test in &tests {
        let expression = test["expr"].as_str().unwrap();
        let Some(found) = constant(expression) else {
            continue;
        };
        taken += 1;
        if !agrees(&test["expect"], &found) {
            wrong.push(format!(
                "{expression} is {found:?} and should be {}",
                test["expect"]
            ));
        }
    }
    println!("{taken} of {} expressions are constants", tests.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(taken >= WANTED, "only {taken} expressions are constants");
}

/// The value of an expression that the checker takes as a constant.
fn constant(expression: &str) -> Option<Constant> {
    let checked = support::checked("a.flow", &format!("const _x = {expression};"));
    if checked.findings.iter().any(|finding| finding.is_error()) {
        return None;
    }
    let (_, item) = checked.program.consts.iter().next()?;
    checked.types.constant(item.value).cloned()
}

/// Whether a value of the suite is this constant.
fn agrees(expected: &Value, found: &Constant) -> bool {
    if expected.is_null() {
        // The suite gives no value: it only asks for a type.
        return true;
    }
    let Some((kind, value)) = expected.as_object().and_then(|object| object.iter().next()) else {
        return false;
    };
    let text = value.as_str().unwrap_or_default();
    match (kind.as_str(), found) {
        ("null", Constant::Null) => true,
        ("bool", Constant::Bool(found)) => value.as_bool() == Some(*found),
        ("int", Constant::Int(found)) => text.parse() == Ok(*found),
        ("uint", Constant::Uint(found)) => text.parse() == Ok(*found),
        ("double", Constant::Double(found)) => text
            .parse::<f64>()
            .is_ok_and(|value| value == *found || value.is_nan() && found.is_nan()),
        ("string", Constant::String(found)) => text == found,
        ("bytes", Constant::Bytes(found)) => text == base64(found),
        ("list", Constant::List(found)) => {
            let elements = value.as_array().map(Vec::as_slice).unwrap_or_default();
            elements.len() == found.len()
                && elements
                    .iter()
                    .zip(found)
                    .all(|(value, found)| agrees(value, found))
        }
        _ => false,
    }
}

/// Base64 with padding, as the suite writes bytes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .enumerate()
            .map(|(at, byte)| u32::from(*byte) << (16 - 8 * at))
            .sum::<u32>();
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            let digit = if digit <= group.len() {
                DIGITS.chars().nth(value as usize)
            } else {
                Some('=')
            };
            text.extend(digit);
        }
    }
    text
}
