//! A file holds whole requests only, whatever happened to it before.

use std::fs;
use std::path::{Path, PathBuf};

use super::AppendFile;
use crate::delivery::testing::logs;
use crate::payload::Payload;
use crate::sink::FileFormat;

fn path(name: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    (directory, path)
}

fn payload(body: &str) -> Payload {
    logs("a", &[body]).into()
}

fn append(path: &Path, format: FileFormat, body: &str) {
    let mut file = AppendFile::open(path, format).expect("a file");
    file.append(&[payload(body)], format, true)
        .expect("written");
}

#[test]
fn a_torn_line_is_cut_off_when_the_file_is_opened() {
    let (_directory, path) = path("logs.jsonl");
    append(&path, FileFormat::OtlpJson, "1");
    let whole = fs::read(&path).expect("content");
    let mut torn = whole.clone();
    torn.extend_from_slice(b"{\"resourceLogs\":[{\"resou");
    fs::write(&path, torn).expect("written");
    append(&path, FileFormat::OtlpJson, "1");
    let content = fs::read(&path).expect("content");
    assert_eq!(content, [whole.clone(), whole].concat());
}

#[test]
fn a_torn_message_is_cut_off_when_the_file_is_opened() {
    let (_directory, path) = path("logs.binpb");
    append(&path, FileFormat::OtlpProtobuf, "1");
    let whole = fs::read(&path).expect("content");
    for cut in 1..whole.len() {
        let mut torn = whole.clone();
        torn.extend_from_slice(&whole[..cut]);
        fs::write(&path, torn).expect("written");
        append(&path, FileFormat::OtlpProtobuf, "1");
        let content = fs::read(&path).expect("content");
        assert_eq!(content, [whole.clone(), whole.clone()].concat());
    }
}

#[test]
fn a_file_that_was_emptied_under_way_goes_on_at_its_start() {
    let (_directory, path) = path("logs.jsonl");
    let format = FileFormat::OtlpJson;
    let mut file = AppendFile::open(&path, format).expect("a file");
    file.append(&[payload("1")], format, false)
        .expect("written");
    let line = fs::read(&path).expect("content");
    fs::write(&path, b"").expect("emptied");
    file.append(&[payload("1"), payload("1")], format, false)
        .expect("written");
    let content = fs::read(&path).expect("content");
    assert_eq!(content, [line.clone(), line].concat());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_nothing_behind() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let mut file = AppendFile {
        file: full.expect("a full device"),
        good_length: 0,
        torn: false,
    };
    let written = file.append(&[payload("1")], FileFormat::OtlpJson, false);
    let error = written.expect_err("the disk is full");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(file.good_length, 0);
}

#[test]
fn a_file_has_one_writer_at_a_time() {
    let (_directory, path) = path("logs.jsonl");
    let first = AppendFile::open(&path, FileFormat::OtlpJson).expect("a file");
    let second = AppendFile::open(&path, FileFormat::OtlpJson).map(|_| ());
    let error = second.expect_err("the file is taken");
    assert_eq!(error.kind(), std::io::ErrorKind::ResourceBusy);
    drop(first);
    append(&path, FileFormat::OtlpJson, "1");
}
