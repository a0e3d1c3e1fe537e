//! Texts that try to make the parser overflow its stack, loop, or take quadratic or exponential time.
//!
//! Every text is parsed in a thread with the stack that Rust gives a thread by default (2 MiB), in a debug build.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests may fail the test and say what they saw"
)]

use std::time::{Duration, Instant};

use watershed_lang::ast::File;
use watershed_lang::diagnostic::render::human::{Style, render};
use watershed_lang::diagnostic::{Diagnostic, Diagnostics};
use watershed_lang::parse::{MAX_DEPTH, MAX_NESTING, parse};
use watershed_lang::source::{SourceFile, SourceMap};

/// How long the longest texts of repeated pieces are, in bytes.
const LENGTH: usize = 100_000;

/// Far more than a linear parser needs in a debug build on a busy machine, far less than a quadratic one takes.
const LIMIT: Duration = Duration::from_secs(60);

fn parse_text(text: &str) -> (File, Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::new();
    let id = sources.add(SourceFile::new("hostile.flow", text));
    let mut diagnostics = Diagnostics::new();
    let file = parse(id, text, &mut diagnostics);
    (file, diagnostics.into_sorted(), sources)
}

/// Parses, renders and drops a text in a thread of its own.
fn survive(text: String) -> usize {
    let shown: String = text.chars().take(40).collect();
    let start = Instant::now();
    let worker = std::thread::spawn(move || {
        let (file, found, sources) = parse_text(&text);
        let shown = found.get(..found.len().min(20)).unwrap();
        let _ = render(shown, &sources, Style::Plain);
        drop(file);
        found.len()
    });
    let found = worker.join().unwrap_or_else(|_| panic!("{shown} panicked"));
    let took = start.elapsed();
    println!("{took:>12.3?} {found:>7} findings: {shown:?}");
    assert!(took < LIMIT, "{shown} took {took:?}");
    found
}

#[test]
fn repeated_tokens() {
    let pieces = [
        "(",
        "[",
        "{",
        ")",
        "]",
        "}",
        "!",
        "-",
        "a.",
        "a+",
        "a?b:",
        "a&&",
        "a||",
        "//",
        "/*",
        "*/",
        "\"",
        "'",
        "`",
        "\\",
        ";",
        ",",
        "->",
        "=>",
        "a ",
        "a -> ",
        "a[",
        "a(",
        "{a:",
        "[?",
        ".?a",
        "f(x, ",
        "r\"",
        "r#\"",
        "\"\"\"",
        "“",
        "#",
        "a = ",
        "sink a = ",
        "sink a = file { ",
        "a -> route { p => ",
        "a -> [",
        "({;",
        "(;",
        "a == ",
        "1 ",
        "1.",
        "0x",
        "?",
        ":",
        "///",
        "/// d\n",
        "\n",
        "\r\n",
        "é",
        "\u{0}",
        "-!",
        "in ",
        "not ",
        "a and ",
        "x{",
        "a.b{c:",
        "/* */ ",
    ];
    for piece in pieces {
        let repeated = |length: usize| piece.repeat(length / piece.len());
        for before in ["", "const a = ", "a -> filter(", "sink a = file { b: "] {
            survive(format!("{before}{}", repeated(LENGTH / 10)));
        }
    }
}

#[test]
fn long_repeated_tokens() {
    for piece in [
        "(", "[", "{", "}", "!", "-", "a.", "a+", "a?b:", "a&&", "//", "/*", "\"", "a -> ", "({;",
    ] {
        survive(format!("const a = {}", piece.repeat(LENGTH / piece.len())));
    }
}

#[test]
fn nested_blocks_that_go_wrong_inside() {
    // Each level could be tried in several ways; none of them may be tried again for each level around it.
    for depth in [20, 60, MAX_NESTING - 2] {
        let options = format!(
            "sink a = nats {}{{ x y }}{};",
            "{ o: ".repeat(depth),
            "}".repeat(depth)
        );
        assert!(survive(options) > 0);
        let routes = format!(
            "a -> {}x y z{};",
            "route { p => ".repeat(depth),
            ", else }".repeat(depth)
        );
        assert!(survive(routes) > 0);
        let lists = format!(
            "const a = {}1 2{};",
            "[{a: (".repeat(depth / 3),
            ")}]".repeat(depth / 3)
        );
        assert!(survive(lists) > 0);
        let fans = format!("a -> {}5{};", "[b, ".repeat(depth), "]".repeat(depth));
        assert!(survive(fans) > 0);
    }
}

#[test]
fn the_deepest_brackets_that_are_allowed() {
    let (open, close) = ("(".repeat(MAX_NESTING), ")".repeat(MAX_NESTING));
    assert_eq!(survive(format!("const a = {open}1{close};")), 0);
    let (open, close) = ("[".repeat(MAX_NESTING), "]".repeat(MAX_NESTING));
    assert_eq!(survive(format!("const a = {open}1{close};")), 0);
    let half = MAX_NESTING / 2;
    assert_eq!(
        survive(format!(
            "const a = {}1{};",
            "{1: f(".repeat(half),
            ")}".repeat(half)
        )),
        0
    );
    assert_eq!(
        survive(format!(
            "a -> {}b{};",
            "[".repeat(MAX_NESTING),
            "]".repeat(MAX_NESTING)
        )),
        0
    );
    assert_eq!(
        survive(format!(
            "a -> {}b{};",
            "route { else => ".repeat(MAX_NESTING),
            "}".repeat(MAX_NESTING)
        )),
        0
    );
    let comments = format!(
        "{}{}a -> b;",
        "/*".repeat(MAX_NESTING),
        "*/".repeat(MAX_NESTING)
    );
    assert_eq!(survive(comments), 0);
}

#[test]
fn long_lists_are_flat_and_long_chains_are_refused() {
    for operator in [" && ", " || "] {
        assert_eq!(
            survive(format!("const a = {};", vec!["x"; 20_000].join(operator))),
            0
        );
    }
    assert_eq!(
        survive(format!("const a = {}x;", "p ? q : ".repeat(20_000))),
        0
    );
    assert_eq!(survive(format!("const a = [{}];", "1, ".repeat(20_000))), 0);
    let allowed = MAX_DEPTH as usize;
    for operator in ["+", " == ", "."] {
        assert_eq!(
            survive(format!("const a = {};", vec!["x"; allowed].join(operator))),
            0
        );
        assert_eq!(
            survive(format!(
                "const a = {};",
                vec!["x"; allowed + 1].join(operator)
            )),
            1
        );
        assert!(survive(format!("const a = {};", vec!["x"; 50_000].join(operator))) > 0);
    }
}

#[test]
fn chains_and_brackets_together_stay_within_the_depth() {
    let level = format!("(x{}", ".a".repeat(250));
    let text = format!(
        "const a = {}y{};",
        level.repeat(90).replace("(x", "f(x"),
        ")".repeat(90)
    );
    survive(text);
    let links = ".a".repeat(200);
    let text = format!(
        "const a = {}x{};",
        "(".repeat(90),
        format!("{links})").repeat(90)
    );
    assert!(survive(text) > 0);
}

#[test]
fn two_thousand_items() {
    let item = "sink team0 = nats { via: bus, stream: \"TEAM0\", subject: \"team0.\" + resource.attributes[?\"service.name\"].orString(\"x\") };\n";
    assert_eq!(survive(item.repeat(2_000)), 0);
}
