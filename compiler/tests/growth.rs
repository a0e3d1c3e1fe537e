//! Work that grows with the size of a flow, and not faster: counted in allocations and their bytes, which are the same on
//! every machine and in every run.
//!
//! What is copied or named once an arm more often than the flow has arms shows here; a comparison that allocates nothing
//! does not.

use std::fmt::Write;

use watershed_compiler::driver::{CompileOptions, compile};
use watershed_lang::source::{SourceFile, SourceMap};

/// The sizes that are compared: the second is twice the first.
const SMALL: usize = 200;
const LARGE: usize = 400;

/// What a compilation allocates.
#[derive(Clone, Copy, Debug)]
struct Work {
    allocations: u64,
    bytes: u64,
}

fn work(flow: &str) -> Work {
    let mut rendered = false;
    let counted = allocation_counter::measure(|| {
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("grows.flow", flow));
        let compilation = compile(&sources, file, &CompileOptions::default());
        rendered = compilation.rendered.is_some();
    });
    assert!(rendered, "the flow is whole:\n{flow:.2000}");
    Work {
        allocations: counted.count_total,
        bytes: counted.bytes_total,
    }
}

/// Twice the size is twice the work: a tenth more for tables that double, where the square would be four times.
fn grows_with(make: impl Fn(usize) -> String) {
    // What is made once in a process belongs to no size.
    work(&make(2));
    let (small, large) = (work(&make(SMALL)), work(&make(LARGE)));
    let both = format!("{small:?} for {SMALL}, {large:?} for {LARGE}");
    assert!(small.allocations > SMALL as u64, "{both}");
    assert!(large.allocations * 10 <= small.allocations * 22, "{both}");
    assert!(large.bytes * 10 <= small.bytes * 22, "{both}");
}

const HEAD: &str =
    "connection bus = nats { url: \"nats://127.0.0.1:4222\" };\nsource ingest = otlp {};\n";

/// A sink for each arm, with a subject of its own that the data has a part in.
fn sinks(count: usize) -> String {
    (0..count).fold(HEAD.to_owned(), |mut flow, number| {
        let subject =
            format!("\"team{number}.\" + resource.attributes[?\"name\"].orString(\"none\")");
        let _fits = writeln!(
            flow,
            "sink team{number} = nats {{ via: bus, stream: \"S\", subject: {subject} }};"
        );
        flow
    })
}

/// Arms of a `route` or a `split`, each with a condition made by `condition`.
fn arms(count: usize, condition: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut arms, number| {
        let _fits = writeln!(arms, "  {} => team{number},", condition(number));
        arms
    })
}

#[test]
fn arms_on_one_value_with_subjects() {
    grows_with(|count| {
        let arms = arms(count, |number| {
            format!("resource.attributes[\"team\"] == \"team-{number}\"")
        });
        let chain = format!("ingest.logs -> batch() -> route {{\n{arms}  else => team0,\n}};\n");
        sinks(count) + &chain
    });
}

#[test]
fn arms_of_a_split_with_subjects() {
    grows_with(|count| {
        let arms = arms(count, |number| {
            format!("resource.attributes[\"team-{number}\"] == \"yes\"")
        });
        let chain = format!("ingest.logs -> batch() -> split {{\n{arms}}};\n");
        sinks(count) + &chain
    });
}

#[test]
fn arms_of_a_route_on_values_of_their_own() {
    grows_with(|count| {
        let arms = arms(count, |number| {
            format!("log.attributes[\"key-{number}\"] == \"yes\"")
        });
        let chain = format!("ingest.logs -> batch() -> route {{\n{arms}  else => team0,\n}};\n");
        sinks(count) + &chain
    });
}

#[test]
fn chains_of_one_source() {
    grows_with(|count| {
        (0..count).fold(sinks(count), |mut flow, number| {
            let _fits = writeln!(
                flow,
                "ingest.logs -> filter(log.severity_number >= {number}) -> batch() -> team{number};"
            );
            flow
        })
    });
}
