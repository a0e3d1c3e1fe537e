//! `flowc fmt` as a process: what it writes, what it leaves alone and how it ends.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const UNTIDY: &str =
    "source ingest=otlp;\n\n\n\nsink out = file{ path:'x' } // here\n;\ningest.logs->out;";
const TIDY: &str =
    "source ingest = otlp;\n\nsink out = file { path: \"x\" }; // here\ningest.logs -> out;\n";
const WRONG: &str = "sink out = file { path: 'x' ;\n";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Runs `flowc fmt` in a folder: exit code, standard output and standard error.
fn fmt(folder: &Path, arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flowc"))
        .current_dir(folder)
        .arg("fmt")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may end before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn the_current_folder_is_formatted_when_no_path_is_named() {
    let folder = folder(&[
        ("a.flow", UNTIDY),
        ("deep/b.flow", UNTIDY),
        ("c.txt", UNTIDY),
    ]);
    assert_eq!(fmt(folder.path(), &[], "").0, 0);
    let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("a.flow"), TIDY);
    assert_eq!(read("deep/b.flow"), TIDY);
    assert_eq!(read("c.txt"), UNTIDY);
    let names = fs::read_dir(folder.path()).unwrap();
    assert_eq!(names.count(), 3, "something was left behind");
}

#[test]
fn a_formatted_file_is_not_written() {
    let folder = folder(&[("a.flow", TIDY)]);
    let path = folder.path().join("a.flow");
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(
        fmt(folder.path(), &["a.flow"], ""),
        (0, String::new(), String::new())
    );
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    assert_eq!(
        fmt(folder.path(), &["--check"], ""),
        (0, String::new(), String::new())
    );
}

#[test]
fn check_names_what_differs_and_changes_nothing() {
    let folder = folder(&[("a.flow", TIDY), ("b.flow", UNTIDY)]);
    let (code, out, _) = fmt(folder.path(), &["--check", "."], "");
    assert_eq!(code, 1);
    let expected =
        "./b.flow:1: not formatted\n  - source ingest=otlp;\n  + source ingest = otlp;\n";
    assert_eq!(out, expected);
    assert_eq!(
        fs::read_to_string(folder.path().join("b.flow")).unwrap(),
        UNTIDY
    );
}

#[test]
fn check_shows_differences_that_cannot_be_seen() {
    let folder = folder(&[
        ("crlf.flow", "source a = otlp;\r\n"),
        ("end.flow", "source a = otlp;"),
        ("bom.flow", "\u{feff}source a = otlp;\n"),
    ]);
    let (code, out, _) = fmt(
        folder.path(),
        &["--check", "crlf.flow", "end.flow", "bom.flow"],
        "",
    );
    assert_eq!(code, 1);
    assert!(out.contains("- source a = otlp;\\r\n"), "{out}");
    assert!(out.contains("end.flow:2: not formatted"), "{out}");
    assert!(out.contains("\\u{feff}source"), "{out}");
}

#[test]
fn a_file_with_mistakes_is_left_alone_and_others_are_not() {
    let folder = folder(&[("a.flow", WRONG), ("b.flow", UNTIDY)]);
    for arguments in [&["--check"][..], &[]] {
        let (code, _, errors) = fmt(folder.path(), arguments, "");
        assert_eq!(code, 1);
        assert!(
            errors.contains("error[F01") && errors.contains("a.flow:1:"),
            "{errors}"
        );
    }
    assert_eq!(
        fs::read_to_string(folder.path().join("a.flow")).unwrap(),
        WRONG
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("b.flow")).unwrap(),
        TIDY
    );
}

#[test]
fn the_standard_input_goes_to_the_standard_output() {
    let folder = folder(&[]);
    assert_eq!(
        fmt(folder.path(), &["-"], UNTIDY),
        (0, TIDY.to_owned(), String::new())
    );
    assert_eq!(
        fmt(folder.path(), &["--check", "-"], TIDY),
        (0, String::new(), String::new())
    );
    let (code, out, _) = fmt(folder.path(), &["--check", "-"], UNTIDY);
    assert!(
        code == 1 && out.starts_with("<stdin>:1: not formatted"),
        "{out}"
    );
    let (code, out, errors) = fmt(folder.path(), &["-"], WRONG);
    assert!(
        code == 1 && out.is_empty() && errors.contains("<stdin>:1:"),
        "{out}{errors}"
    );
    assert_eq!(fmt(folder.path(), &["-", "a.flow"], TIDY).0, 2);
}

#[test]
fn what_cannot_be_read_is_wrong_usage() {
    let folder = folder(&[]);
    assert_eq!(fmt(folder.path(), &["missing.flow"], "").0, 2);
    assert_eq!(fmt(folder.path(), &["."], "").0, 2);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder(&[("real.flow", UNTIDY)]);
    let (real, link) = (
        folder.path().join("real.flow"),
        folder.path().join("link.flow"),
    );
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    assert_eq!(fmt(folder.path(), &["link.flow"], "").0, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), TIDY);
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o640
    );
}
