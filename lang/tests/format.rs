//! The formatter: every case with its layout, and what holds for every text.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests may fail the test and say what they saw"
)]

#[path = "support/generate.rs"]
mod generate;
#[path = "support/shape.rs"]
mod shape;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use proptest::prelude::*;
use watershed_lang::fmt::format;
use watershed_lang::parse::{MAX_DEPTH, MAX_NESTING};
use watershed_lang::span::FileId;

/// The formatted text; the text must have no mistakes.
fn formatted(text: &str) -> String {
    format(FileId(0), text).unwrap_or_else(|found| {
        let messages: Vec<_> = found.iter().map(|found| found.message.clone()).collect();
        panic!("{messages:?} in\n{text}")
    })
}

/// Checks everything that must hold for a text without mistakes, and gives it formatted.
fn check(text: &str) -> String {
    let once = formatted(text);
    let about = format!("---- source\n{text}\n---- formatted\n{once}");
    let (before, after) = (shape::tree(text), shape::tree(&once));
    assert!(
        before == after,
        "{}\n{about}",
        difference(&format!("{before:#?}"), &format!("{after:#?}"))
    );
    assert_eq!(shape::comments(text), shape::comments(&once), "{about}");
    let twice = formatted(&once);
    assert!(
        once == twice,
        "{}\n{about}\n---- formatted again\n{twice}",
        difference(&once, &twice)
    );
    for line in once.lines() {
        assert!(
            !line.ends_with([' ', '\t']) || once.contains('"') || once.contains("/*"),
            "{line:?}\n{about}"
        );
    }
    assert!(
        !once.starts_with('\n')
            && !once.ends_with("\n\n")
            && (once.is_empty() || once.ends_with('\n')),
        "{about}"
    );
    once
}

/// The first lines in which two texts differ.
fn difference(before: &str, after: &str) -> String {
    let mut lines = before.lines().zip(after.lines());
    let first = lines.find(|(before, after)| before != after);
    format!("these lines differ: {first:?}")
}

/// Every `.flow` file of the repository, by its path.
fn flows() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if entry.file_type().unwrap().is_dir() && !name.starts_with('.') && name != "target" {
                folders.push(path);
            } else if name.ends_with(".flow") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text.trim_start_matches('\u{feff}').to_owned()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn cases_have_layouts() {
    insta::glob!("cases/fmt/*.flow", |path| {
        let text = fs::read_to_string(path).unwrap();
        let output = check(&text);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!("fmt", format!("---- source\n{text}---- formatted\n{output}"));
        });
    });
}

#[test]
fn only_fields_of_records_keep_backticks() {
    let keeps = |text: &str| {
        let tree = shape::tree(&check(text)).unwrap();
        shape::needs_backticks(&tree)
    };
    assert!(keeps("const a = [f(Quote{`a-b`: 1})];"));
    assert!(!keeps("const a = Quote{`ab`: m.`a-b`, b: has(m.`a-b`)};"));
}

#[test]
fn every_flow_of_the_repository_keeps_its_tree_and_comments() {
    let mut sound = 0;
    for (path, text) in flows() {
        if shape::tree(&text).is_ok() {
            check(&text);
            sound += 1;
        } else {
            assert!(format(FileId(0), &text).is_err(), "{}", path.display());
        }
    }
    assert!(sound >= 50, "{sound}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_files_keep_their_trees_and_comments(text in generate::program()) {
        prop_assume!(shape::tree(&text).is_ok());
        check(&text);
    }

    #[test]
    fn any_text_is_formatted_or_refused(text in "(?s).{0,200}") {
        if format(FileId(0), &text).is_ok() {
            check(&text);
        }
    }

    /// Texts that are nearly right, so that many of them are.
    #[test]
    fn generated_files_with_a_change(text in generate::program(), from in 0_usize..2_000, length in 0_usize..4, piece in "[ \n;,(){}\\[\\]`'\"/*a-]{0,2}") {
        let kept: Vec<char> = text.chars().collect();
        let from = from.min(kept.len());
        let behind = kept.get(from + length..).unwrap_or(&[]);
        let changed: String = kept[..from].iter().copied().chain(piece.chars()).chain(behind.iter().copied()).collect();
        if format(FileId(0), &changed).is_ok() {
            check(&changed);
        }
    }
}

#[test]
fn deep_and_long_texts_are_formatted() {
    let nested = |open: &str, inside: &str, close: &str, levels: usize| {
        format!("{}{inside}{}", open.repeat(levels), close.repeat(levels))
    };
    let half = MAX_NESTING / 2;
    for text in [
        format!("const a = {};", nested("(", "1", ")", MAX_NESTING)),
        format!("const a = {};", nested("[a, ", "1", "]", MAX_NESTING)),
        format!("const a = {};", nested("{1: f(a, ", "1", ")}", half)),
        format!("const a = {};", nested("(b || (c ? d : ", "1", "))", half)),
        format!(
            "const a = {};",
            nested("f(a, // c\n", "1", ")", MAX_NESTING)
        ),
        format!("a -> {};", nested("[b, ", "c", "]", MAX_NESTING)),
        format!(
            "a -> {};",
            nested("route { p => b -> ", "c", "}", MAX_NESTING)
        ),
        format!(
            "sink a = nats {{ o: {} }};",
            nested("{ b: c, o: ", "d", "}", MAX_NESTING - 1)
        ),
        format!("const a = {};", vec!["x"; 4_000].join(" && ")),
        format!("const a = {}x;", "p ? q : ".repeat(4_000)),
        format!("const a = [{}];", "1, ".repeat(4_000)),
        format!("const a = x{};", ".f(1)".repeat(MAX_DEPTH as usize - 1)),
        format!("a {};", "-> b ".repeat(2_000)),
        format!("a -> b;{}", " /* c */".repeat(2_000)),
        format!("a -> b;{}", "\n\n// c".repeat(2_000)),
        format!("const a = {}1;", "!".repeat(2_000)),
    ] {
        let start = Instant::now();
        let formatted = std::thread::spawn(move || check(&text)).join();
        let took = start.elapsed();
        let formatted = formatted.unwrap();
        let shown: String = formatted.chars().take(30).collect();
        println!("{took:>12.3?}: {shown:?}");
        assert!(took.as_secs() < 60, "{shown} took {took:?}");
    }
}

#[test]
fn two_thousand_items_take_no_time() {
    let item = "sink team0 = nats { via: bus, stream: \"TEAM0\", subject: \"team0.\" + resource.attributes[?\"service.name\"].orString(\"x\") }; // c\n";
    let text = item.repeat(2_000);
    let start = Instant::now();
    assert_eq!(formatted(&text).lines().count(), 10_000);
    let took = start.elapsed();
    println!("2,000 items: {took:?}");
    assert!(took.as_secs() < 30, "{took:?}");
}
