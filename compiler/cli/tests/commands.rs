//! `flowc` as a process: exit codes, streams and formats.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

const CLEAN: &str = "config url: string = \"x\";\nsource ingest = otlp;\nsink out = file { path: url };\ningest.logs -> out;\n";
const BROKEN: &str = "source ingest = otlp;\nsink out = stdout;\ningest.logs -> filter(log.severity_numbr >= 9) -> out;\n";
const DOUBTFUL: &str =
    "source ingest = otlp;\nsink out = stdout;\nsink idle = stdout;\ningest.logs -> out;\n";

/// A folder with the three flows.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("clean.flow", CLEAN),
        ("broken.flow", BROKEN),
        ("doubtful.flow", DOUBTFUL),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn flowc(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flowc"));
    command
        .current_dir(folder)
        .env("WATERSHED_CACHE", folder.join("cache"))
        .args(arguments)
        .output()
        .unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_exit_code_says_what_was_found() {
    let folder = folder();
    let check = |arguments: &[&str]| code(&flowc(folder.path(), &[&["check"], arguments].concat()));
    assert_eq!(check(&["clean.flow"]), 0);
    assert_eq!(check(&["broken.flow"]), 1);
    assert_eq!(check(&["."]), 1);
    assert_eq!(check(&["doubtful.flow"]), 0);
    assert_eq!(check(&["doubtful.flow", "--deny", "warnings"]), 1);
    assert_eq!(check(&["clean.flow", "--deny", "warnings"]), 0);
    assert_eq!(check(&[]), 2);
    assert_eq!(check(&["missing.flow"]), 2);
    assert_eq!(check(&["clean.flow", "--format", "xml"]), 2);
}

#[test]
fn findings_go_to_the_standard_output_without_colours() {
    let folder = folder();
    let output = flowc(folder.path(), &["check", "broken.flow"]);
    let text = stdout(&output);
    assert!(
        text.contains("error[F0203]") && text.contains("broken.flow:3:27"),
        "{text}"
    );
    assert!(
        text.contains("severity_number") && !text.contains('\u{1b}'),
        "{text}"
    );
    assert_eq!(stderr(&output).trim(), "1 error");
}

#[test]
fn every_format_holds_the_finding() {
    let folder = folder();
    let check = |format| {
        stdout(&flowc(
            folder.path(),
            &["check", "broken.flow", "--format", format],
        ))
    };
    let sarif: serde_json::Value = serde_json::from_str(&check("sarif")).unwrap();
    assert!(sarif.to_string().contains("F0203"), "{sarif}");
    assert!(
        check("github").starts_with("::error "),
        "{}",
        check("github")
    );
}

#[test]
fn json_is_one_object_a_line() {
    let folder = folder();
    let output = flowc(folder.path(), &["check", ".", "--format", "json"]);
    let lines = stdout(&output);
    let objects: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let codes: Vec<_> = objects.iter().map(|object| &object["code"]).collect();
    assert_eq!(codes, ["F0203", "W1005"], "{lines}");
}

#[test]
fn reports_for_people_are_bounded_and_those_for_programs_complete() {
    let folder = folder();
    let chain = "ingest.logs -> filter(log.severity_numbr >= 9) -> out; ";
    let declarations = "source ingest = otlp;\nsink out = stdout;\n";
    let text = declarations.to_owned() + &chain.repeat(300);
    fs::write(folder.path().join("long.flow"), text).unwrap();
    let check = |format| flowc(folder.path(), &["check", "long.flow", "--format", format]);
    let human = check("human");
    let text = stdout(&human);
    assert_eq!(text.matches("error[F0203]").count(), 100);
    assert!(text.ends_with("… and 200 more findings\n") && text.len() < 100_000);
    assert_eq!(stderr(&human).trim(), "300 errors");
    assert_eq!(stdout(&check("json")).lines().count(), 300);
    assert_eq!(stdout(&check("github")).lines().count(), 300);
    assert_eq!(stdout(&check("sarif")).matches("\"F0203\"").count(), 301);
}

#[test]
fn what_a_phase_made_stands_alone_on_the_standard_output() {
    let folder = folder();
    let arguments = [
        &["check", "doubtful.flow", "--emit", "rust"][..],
        &["emit", "rust", "doubtful.flow"],
    ];
    for arguments in arguments {
        let output = flowc(folder.path(), arguments);
        assert_eq!(code(&output), 0);
        let (rust, findings) = (stdout(&output), stderr(&output));
        assert!(
            !rust.contains("W1005") && rust.trim_end().ends_with('}'),
            "{rust}"
        );
        assert!(findings.contains("warning[W1005]"), "{findings}");
    }
}

#[test]
fn build_writes_what_check_compares() {
    let folder = folder();
    let build = |more: &[&str]| {
        flowc(
            folder.path(),
            &[&["build", "clean.flow", "--out", "src"], more].concat(),
        )
    };
    assert_eq!(code(&build(&["--check"])), 1);
    assert_eq!(code(&build(&[])), 0);
    assert_eq!(code(&build(&["--check"])), 0);
    let generated = folder.path().join("src/clean.rs");
    let text = fs::read_to_string(&generated).unwrap();
    assert!(
        text.starts_with("// Generated by flowc ") && text.contains("pub struct Flow"),
        "{text}"
    );
    assert!(folder.path().join("src/clean.rs.map.json").is_file());
    fs::write(
        folder.path().join("clean.flow"),
        CLEAN.replace("out", "rest"),
    )
    .unwrap();
    let stale = build(&["--check"]);
    assert_eq!(code(&stale), 1);
    assert!(
        stderr(&stale).contains("is not current"),
        "{}",
        stderr(&stale)
    );
    assert_eq!(fs::read_to_string(&generated).unwrap(), text);
}

#[test]
fn nothing_is_built_of_a_flow_with_errors() {
    let folder = folder();
    for arguments in [
        &["build", "broken.flow", "--out", "src"][..],
        &["run", "broken.flow"],
    ] {
        let output = flowc(folder.path(), arguments);
        assert_eq!(code(&output), 1);
        assert!(
            stderr(&output).contains("error[F0203]"),
            "{}",
            stderr(&output)
        );
    }
    assert!(!folder.path().join("src").exists() && !folder.path().join("cache").exists());
}

#[test]
fn run_refuses_a_setting_that_the_flow_does_not_declare() {
    let folder = folder();
    let output = flowc(folder.path(), &["run", "clean.flow", "--set", "ulr=y"]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("no config `ulr`; it declares url"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        code(&flowc(
            folder.path(),
            &["run", "clean.flow", "--set", "url"]
        )),
        2
    );
}

#[test]
fn every_phase_can_be_shown() {
    let folder = folder();
    for phase in ["ast", "hir", "types", "plan=0", "plan", "rust"] {
        let output = flowc(folder.path(), &["check", "clean.flow", "--emit", phase]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(
            stdout(&output).contains("url"),
            "{phase}: {}",
            stdout(&output)
        );
        assert_eq!(
            stdout(&flowc(folder.path(), &["emit", phase, "clean.flow"])),
            stdout(&output)
        );
    }
}

#[test]
fn help_shows_examples() {
    let folder = folder();
    for arguments in [
        &["--help"][..],
        &["check", "--help"],
        &["fmt", "--help"],
        &["build", "--help"],
        &["run", "--help"],
    ] {
        let output = flowc(folder.path(), arguments);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("Examples:"), "{}", stdout(&output));
    }
}

/// Conditions of thousands of operands and arms, as programs write them, in a debug build with the stack of a thread.
#[cfg(unix)]
#[test]
fn long_conditions_take_little_time_and_stack() {
    let operands: Vec<_> = (0..5_000)
        .map(|index| format!("log.body == \"b{index}\""))
        .collect();
    let arms: String = (0..3_000)
        .map(|index| format!("log.severity_number == {index} ? \"a{index}\" : "))
        .collect();
    let folder = folder();
    for condition in [operands.join(" || "), format!("({arms}\"z\") == \"a5\"")] {
        let text = CLEAN.replace("logs ->", &format!("logs -> filter({condition}) ->"));
        fs::write(folder.path().join("long.flow"), text).unwrap();
        for command in ["check", "fmt"] {
            let start = Instant::now();
            let output = Command::new("sh")
                .args(["-c", "ulimit -s 2048 && exec \"$0\" \"$@\" long.flow"])
                .args([env!("CARGO_BIN_EXE_flowc"), command])
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
            let took = start.elapsed();
            assert!(took.as_secs() < 20, "{command} took {took:?}");
        }
    }
}
