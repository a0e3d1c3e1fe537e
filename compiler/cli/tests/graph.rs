//! `flowc graph` as a process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const FLOW: &str = "\
source ingest = otlp;
sink out = stdout;
ingest.logs -> filter(log.severity_number >= 9) -> out;
";

fn graph(folder: &Path, flow: &str, arguments: &[&str]) -> Output {
    fs::write(folder.join("a.flow"), flow).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_flowc"));
    command.current_dir(folder).args(["graph", "a.flow"]);
    command.args(arguments).output().unwrap()
}

#[test]
fn every_form_goes_to_the_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for (form, begins) in [
        ("svg", "<svg "),
        ("mermaid", "flowchart "),
        ("dot", "digraph "),
        ("json", "{"),
    ] {
        for stage in ["program", "plan"] {
            let arguments = ["--format", form, "--stage", stage];
            let output = graph(folder.path(), FLOW, &arguments);
            assert_eq!(output.status.code(), Some(0));
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(text.starts_with(begins), "{form}: {text}");
            assert!(
                text.contains("ingest") && text.contains("log.severity_number"),
                "{text}"
            );
        }
    }
}

#[test]
fn a_picture_goes_where_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let output = graph(folder.path(), FLOW, &["--out", "a.svg"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    let written = fs::read(folder.path().join("a.svg")).unwrap();
    assert_eq!(written, graph(folder.path(), FLOW, &[]).stdout);
    let nowhere = graph(folder.path(), FLOW, &["--out", "no/such/folder/a.svg"]);
    assert_eq!(nowhere.status.code(), Some(2));
}

#[test]
fn a_flow_with_errors_has_findings_and_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = FLOW.replace("severity_number", "severity_numbr");
    let output = graph(folder.path(), &wrong, &["--out", "a.svg"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("severity_numbr"));
    assert!(!folder.path().join("a.svg").exists());
}

#[test]
fn a_picture_of_hundreds_of_arms_shows_the_first_and_data_show_all() {
    let folder = tempfile::tempdir().unwrap();
    let arms = (0..300).map(|arm| format!("log.attributes[\"k{arm}\"] == \"v\" => out,"));
    let flow = format!(
        "source ingest = otlp;\nsink out = stdout;\nsink other = file {{ path: \"o\" }};\n\
         ingest.logs -> route {{ {} else => other }};\n",
        arms.collect::<String>()
    );
    let written = |arguments: &[&str]| {
        let output = graph(folder.path(), &flow, arguments);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    for form in ["svg", "mermaid", "dot"] {
        let text = written(&["--format", form]);
        assert!(text.contains("… and 289 more"), "{form}: {text}");
        assert!(text.contains("k11") && !text.contains("k12"), "{form}");
    }
    assert!(written(&["--format", "mermaid", "--all"]).contains("k299"));
    assert!(written(&["--format", "json"]).contains("k299"));
}
