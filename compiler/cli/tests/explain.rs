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
    explain_flow(FLOW, what)
}

fn explain_flow(flow: &str, what: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.flow"), flow).unwrap();
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
    let text = stdout(&explain_flow(flow, "a.flow"));
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
    assert!(text.starts_with("9:8  log.flags == 2u\n"), "{text}");
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
