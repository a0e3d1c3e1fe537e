//! The deepest flows that the parser allows, compiled with the stack that Rust gives a thread.
//!
//! Build scripts and tests run the compiler without optimisation in threads of any size. Whatever parses must compile
//! there, so no phase may recurse further than its frames allow.

#![expect(
    clippy::unwrap_used,
    reason = "a mistake of the test itself must stop it"
)]

use std::thread;

use watershed_compiler::driver::{CompileOptions, compile};
use watershed_lang::parse::{MAX_DEPTH, MAX_NESTING};
use watershed_lang::source::{SourceFile, SourceMap};

/// What Rust gives a thread by default, in bytes.
const STACK: usize = 2 << 20;

/// The brackets around a predicate: those of the stage.
const AROUND: usize = 1;

/// What else is deep in a comparison with a chain.
const AROUND_CHAIN: usize = 8;

/// What every predicate here is made of.
const LEAF: &str = "log.attributes['k'] == 'v'";

/// `open` and `close` around the leaf, as deep as the parser allows; each `open` has so many brackets.
fn nested(open: &str, brackets: usize, close: &str) -> String {
    let depth = (MAX_NESTING - AROUND - 1) / brackets;
    format!("{}{LEAF}{}", open.repeat(depth), close.repeat(depth))
}

/// Whether a filter with this predicate compiles in a small thread.
fn compiles(predicate: String) -> bool {
    let flow = format!(
        "source ingest = otlp; sink out = stdout; ingest.logs -> filter({predicate}) -> out;"
    );
    let compiler = thread::Builder::new().stack_size(STACK).spawn(move || {
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("deep.flow", flow));
        let compilation = compile(&sources, file, &CompileOptions::default());
        let errors = compilation
            .diagnostics
            .iter()
            .filter(|found| found.is_error());
        let errors: Vec<_> = errors.map(|found| found.message.clone()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        compilation.rendered.is_some()
    });
    compiler.unwrap().join().unwrap()
}

#[test]
fn brackets_as_deep_as_they_parse() {
    for (open, brackets, close) in [
        ("(", 1, ")"),
        ("!(", 1, ")"),
        ("(log.body == 'a' && ", 1, ")"),
        ("(log.body == 'a' || ", 1, ")"),
        ("(log.body == 'a' ? log.body == 'b' : ", 1, ")"),
        ("(log.body == 'a' && (log.body == 'b' || ", 2, "))"),
        ("(log.body == 'a' ? ", 1, " : log.body == 'b')"),
    ] {
        assert!(compiles(nested(open, brackets, close)), "{open}");
    }
}

#[test]
fn chains_as_long_as_they_parse() {
    let length = MAX_DEPTH as usize - AROUND_CHAIN;
    for link in [".a", "['a']"] {
        assert!(
            compiles(format!("log.body{} == 1", link.repeat(length))),
            "{link}"
        );
    }
    for link in [" && log.body != 'a'", " || log.body == 'a'"] {
        assert!(compiles(format!("{LEAF}{}", link.repeat(2_000))), "{link}");
    }
}
