//! `docs/graphs.md` against the program: every command that the page names is run, and what it prints or writes must be
//! what is there.
//!
//! `WATERSHED_UPDATE_DOCS=1` writes the results into the page and beside it instead of comparing them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of the page.
struct Run {
    /// The arguments behind `flowc`.
    arguments: Vec<String>,
    /// The file that it writes; without one its output is in the page.
    out: Option<PathBuf>,
}

#[test]
fn the_pictures_are_those_that_the_page_says() {
    let page = fs::read_to_string(page()).unwrap();
    let runs: Vec<_> = commands(&page)
        .filter_map(|run| Some((run.out.clone()?, run)))
        .collect();
    assert!(runs.len() >= 3, "the page has its pictures");
    for (out, run) in runs {
        let fresh = tempfile::tempdir().unwrap();
        let written = fresh.path().join("picture");
        let position = run
            .arguments
            .iter()
            .position(|argument| argument == "--out")
            .unwrap();
        let mut arguments = run.arguments;
        *arguments.get_mut(position + 1).unwrap() = written.display().to_string();
        flowc(&arguments);
        let picture = fs::read_to_string(&written).unwrap();
        let path = root().join(&out);
        if is_update() {
            fs::write(&path, picture).unwrap();
        } else {
            let there = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                there == picture,
                "{} is out of date: {UPDATE}",
                out.display()
            );
        }
        assert!(
            page.contains(&format!(
                "]({})",
                out.strip_prefix("docs").unwrap().display()
            )),
            "the page shows {}",
            out.display()
        );
    }
}

#[test]
fn the_explanations_are_those_of_the_program() {
    let page = fs::read_to_string(page()).unwrap();
    let mut updated = page.clone();
    let runs: Vec<_> = commands(&page).filter(|run| run.out.is_none()).collect();
    assert!(!runs.is_empty(), "the page explains a flow");
    for run in runs {
        let command = format!("flowc {}\n```\n", run.arguments.join(" "));
        let at = updated.find(&command).unwrap() + command.len();
        let (before, behind) = updated.split_at(at);
        let (between, block) = behind
            .split_once("```text\n")
            .expect("the output follows its command");
        let (_, after) = block.split_once("```\n").expect("the output ends");
        let output = flowc(&run.arguments);
        updated = format!("{before}{between}```text\n{output}```\n{after}");
    }
    if is_update() {
        fs::write(self::page(), updated).unwrap();
    } else {
        assert!(page == updated, "docs/graphs.md is out of date: {UPDATE}");
    }
}

const UPDATE: &str = "run this test with WATERSHED_UPDATE_DOCS=1";

/// The commands of the page, in order.
fn commands(page: &str) -> impl Iterator<Item = Run> {
    let blocks = page.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines());
    lines.filter_map(|line| {
        let arguments: Vec<String> = line
            .strip_prefix("flowc ")?
            .split(' ')
            .map(str::to_owned)
            .collect();
        let out = arguments.iter().position(|argument| argument == "--out");
        let out = out.and_then(|at| arguments.get(at + 1)).map(PathBuf::from);
        Some(Run { arguments, out })
    })
}

/// What a command prints, run where the page says: at the root of the project.
fn flowc(arguments: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_flowc"))
        .current_dir(root())
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn is_update() -> bool {
    std::env::var_os("WATERSHED_UPDATE_DOCS").is_some()
}

fn page() -> PathBuf {
    root().join("docs/graphs.md")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
