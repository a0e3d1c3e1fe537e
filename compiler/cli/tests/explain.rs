//! `flowc explain` as a process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::{Command, Output};

const FLOW: &str = "\
source ingest = otlp;
sink out = stdout;
const on = true;
predicate prod = resource.attributes[\"env\"] == \"prod\";
ingest.logs
  -> filter(prod && log.severity_number >= 9)
  -> split {
       !on && log.flags == 1u => out,
       log.flags == 2u => out,
     };
";

fn explain(what: &str) -> Output {
    explain_text("a.flow", FLOW, what)
}

/// Explains something in a folder that holds one flow and a table.
fn explain_text(file: &str, flow: &str, what: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(file), flow).unwrap();
    fs::write(folder.path().join("t.csv"), "name\nacme\nglobex\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_flowc"));
    command
        .current_dir(folder.path())
        .args(["explain", what])
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_flow_is_explained_by_levels_and_by_what_was_removed() {
    let output = explain("a.flow");
    assert_eq!(output.status.code(), Some(0), "warnings are no failure");
    let text = stdout(&output);
    for wanted in [
        "tested once a resource: prod",
        "tested once a record: log.severity_number >= 9",
        "tested once a record: log.flags == 2u",
        "prune_dead: ",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(
        !text.contains("tested once a record: log.flags == 1u"),
        "{text}"
    );
}

/// A flow with conditions of many parts, for every signal.
const DEEP: &str = "\
config limit: int = 9;
const off = false;
source ingest = otlp;
sink out = stdout;
sink other = file { path: \"other\" };
predicate prod = resource.attributes[\"env\"] == \"prod\";
predicate loud = prod && log.severity_number >= limit;
ingest.logs
  -> filter(off || !(loud ? scope.name == \"a\" : log.body == \"b\") || log.attributes[\"k\"] in [1, 2])
  -> batch(timeout: 1s)
  -> [filter(prod) -> out, other];
ingest.traces -> drop(span.duration > 2s || span.name == \"x\", on_error: drop) -> out;
ingest.metrics -> filter(metric.name == \"m\" && datapoint.flags == 1u) -> other;
";

#[test]
fn every_part_has_its_level_and_every_walk_says_what_it_reads() {
    let output = explain_text("deep.flow", DEEP, "deep.flow");
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn a_walk_that_decides_by_the_resource_reads_no_record() {
    let flow = "source ingest = otlp; sink out = stdout;\n\
        ingest.logs -> filter(resource.attributes[\"env\"] == \"prod\") -> out;\n";
    let text = stdout(&explain_text("a.flow", flow, "a.flow"));
    assert!(text.contains("no record is read"), "{text}");
    let flow = flow.replace("resource.attributes", "log.attributes");
    let text = stdout(&explain_text("a.flow", &flow, "a.flow"));
    assert!(!text.contains("no record is read"), "{text}");
    assert!(
        text.contains("reads of a log record: attributes \"env\""),
        "{text}"
    );
}

#[test]
fn names_that_double_with_each_definition_are_opened_once() {
    let mut flow =
        "source ingest = otlp; sink out = stdout;\npredicate p0 = log.flags == 1u;\n".to_owned();
    for at in 1..40 {
        let before = at - 1;
        flow += &format!("predicate p{at} = p{before} || !p{before};\n");
    }
    flow += "ingest.logs -> filter(p39) -> out;\n";
    let text = stdout(&explain_text("a.flow", &flow, "a.flow"));
    assert!(text.lines().count() < 400, "{}", text.lines().count());
}

#[test]
fn instances_are_explained_by_how_they_are_found() {
    let flow = "\
source ingest = otlp;
template link(tenant: string) {
  sink out = file { path: tenant };
  ingest.logs -> filter(resource.attributes[\"tenant\"] == tenant) -> out;
  ingest.traces -> filter(span.name.contains(tenant)) -> out;
}
for t in csv(\"t.csv\") { link(t.name); }
";
    let text = stdout(&explain_text("a.flow", flow, "a.flow"));
    for wanted in [
        "2 instances of `link` are found by one look-up of `tenant` at the level resource",
        "2 instances of `link` are tested one by one",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[test]
fn one_line_is_explained_alone() {
    let text = stdout(&explain("a.flow:9"));
    assert!(text.starts_with("a.flow:9:8  log.flags == 2u\n"), "{text}");
    assert!(!text.contains("prod"), "{text}");
    let nothing = explain("a.flow:1");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("nothing is decided on line 1"));
}

#[test]
fn a_code_is_explained_by_its_page() {
    let page = include_str!("../../../docs/diagnostics/F0304.md");
    assert_eq!(stdout(&explain("f0304")), page);
    let unknown = explain("F9999");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("there is no code F9999"));
}

/// A route with so many arms, each on an attribute of its own and to a sink of its own.
fn with_arms(count: usize) -> String {
    let sinks = (0..count).map(|arm| format!("sink s{arm} = file {{ path: \"s{arm}\" }};\n"));
    let arms = (0..count).map(|arm| format!("  log.attributes[\"k{arm}\"] == \"v\" => s{arm},\n"));
    format!(
        "source ingest = otlp;\n{}ingest.logs -> route {{\n{}  else => s0,\n}};\n",
        sinks.collect::<String>(),
        arms.collect::<String>()
    )
}

#[test]
fn of_hundreds_of_arms_the_first_are_told_on_lines_of_a_page() {
    let flow = with_arms(300);
    let text = stdout(&explain_text("a.flow", &flow, "a.flow"));
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(130), "{text}");
    assert!(text.contains("… and 289 more arms"), "{text}");
    assert!(text.lines().count() < 80, "{text}");
    assert!(text.contains("log.attributes[\"k11\"]"), "{text}");
    assert!(!text.contains("tested once a record: log.attributes[\"k12\"]"));

    // One of the others is told of where it is asked for: behind 300 sinks and the head of the route.
    let one = stdout(&explain_text("a.flow", &flow, "a.flow:502"));
    assert!(one.contains("log.attributes[\"k199\"]"), "{one}");
}
