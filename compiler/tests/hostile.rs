//! Programs that are built to exhaust something: each gets an answer, none exhausts the stack or the memory.

mod support;

use std::fmt::Write;

use watershed_compiler::driver::{CompileOptions, compile};
use watershed_lang::diagnostic::Code;
use watershed_lang::source::{SourceFile, SourceMap};

/// The codes of the errors in a text, each once.
fn errors(text: &str) -> Vec<Code> {
    let checked = support::checked("hostile.flow", text);
    let errors = checked.findings.iter().filter(|finding| finding.is_error());
    let mut codes: Vec<_> = errors.map(|finding| finding.code).collect();
    codes.sort();
    codes.dedup();
    codes
}

/// The Rust of a text without errors.
fn emitted(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("hostile.flow", text));
    let compilation = compile(&sources, file, &CompileOptions::default());
    assert!(!compilation.has_errors(), "{:?}", compilation.diagnostics);
    let rust = compilation.rendered.map(|rendered| rendered.text);
    assert!(rust.is_some(), "a flow without errors is rendered");
    rust.unwrap_or_default()
}

#[test]
fn long_chains_of_operators_are_refused_or_taken() {
    let sum = vec!["1"; 5_000].join(" + ");
    assert_eq!(errors(&format!("const _x = {sum};")), [Code::TooDeep]);
    let members = format!("log.body{}", ".a".repeat(5_000));
    assert_eq!(
        errors(&format!("predicate _x = {members} == 1;")),
        [Code::TooDeep]
    );
    let conjunction = vec!["log.severity_number > 1"; 5_000].join(" && ");
    assert_eq!(errors(&format!("predicate _x = {conjunction};")), []);
}

#[test]
fn long_chains_of_definitions_are_refused() {
    let mut text = "predicate _p0 = signal == \"logs\";\n".to_owned();
    for number in 1..5_000 {
        writeln!(text, "predicate _p{number} = !_p{};", number - 1)
            .expect("a string can be written");
    }
    assert_eq!(errors(&text), [Code::TooDeep]);
}

#[test]
fn constants_that_double_are_refused() {
    let mut text = "const _c0 = \"0123456789\";\n".to_owned();
    for number in 1..90 {
        writeln!(text, "const _c{number} = _c{0} + _c{0};", number - 1)
            .expect("a string can be written");
    }
    assert_eq!(errors(&text), [Code::ConstantFails]);
}

#[test]
fn predicates_that_double_are_taken() {
    let mut text =
        "source _in = otlp {};\nsink _out = stdout;\npredicate p0 = log.severity_number > 1;\n"
            .to_owned();
    for number in 1..90 {
        writeln!(text, "predicate p{number} = p{0} && !p{0};", number - 1)
            .expect("a string can be written");
    }
    text.push_str("_in.logs -> filter(p89) -> _out;\n");
    assert_eq!(errors(&text), []);
}

#[test]
fn many_items_are_checked_in_one_go() {
    let mut text = "source _in = otlp {};\nsink _out = stdout;\n".to_owned();
    for number in 0..2_000 {
        writeln!(
            text,
            "predicate p{number} = resource.attributes[\"team\"] == \"{number}\";"
        )
        .expect("a string");
        writeln!(text, "_in.logs -> filter(p{number}) -> _out;").expect("a string can be written");
    }
    assert_eq!(errors(&text), []);
}

#[test]
fn conditions_that_would_double_are_emitted_once() {
    type Wrap = fn(&str) -> String;
    let flow = |condition: &str| {
        format!(
            "source _in = otlp;\nsink _out = stdout;\n_in.logs -> filter({condition}) -> _out;\n"
        )
    };
    let nested = |first: &str, levels: usize, wrap: Wrap| {
        (0..levels).fold(first.to_owned(), |inner, _| wrap(&inner))
    };
    let chosen = |inner: &str| format!("({inner} ? log.flags == 2u : log.flags == 3u)");
    let compared = |inner: &str| format!("({inner} == (log.flags == 2u))");
    let texts = |inner: &str| format!("(log.attributes[\"x\"] == {inner} ? \"a\" : \"b\")");
    let cases: [(&str, Wrap, &str); 3] = [
        ("log.flags == 1u", chosen, ""),
        ("log.flags == 1u", compared, ""),
        ("\"c\"", texts, " == \"a\""),
    ];
    for (first, wrap, behind) in cases {
        for levels in [4, 40] {
            let condition = nested(first, levels, wrap) + behind;
            let rust = emitted(&flow(&condition));
            assert!(
                rust.len() < 20_000 + 1_000 * levels,
                "{levels}: {}",
                rust.len()
            );
        }
    }
}
