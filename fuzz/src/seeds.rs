//! Seeds: inputs that make sense, from which others are made.
//!
//! They are the flows of the repository, the examples of the language reference, telemetry in usual and unusual
//! forms, and the files of `fuzz/seeds`: `<target>.txt` has seeds with empty lines between them, each file in the folder
//! `<target>` is one. An input that a target once failed on is kept there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use prost::Message;
use watershed_compiler::cel::declarations;
use watershed_model::requests::Requests;
use watershed_model::rows::rows;
use watershed_model::topology::Signal;
use watershed_samples::{Sampler, Shape};

use crate::Target;

/// The seeds of a target, the same in every run.
///
/// # Errors
///
/// When a folder of the repository cannot be read.
pub fn of(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let mut seeds = match target.name {
        "parse" | "program" | "tokens" | "format" => flows()?,
        "expression" => examples(),
        "otlp" => requests(&[]),
        "topology" => requests(&[1, 2, 3, 4]),
        _ => Vec::new(),
    };
    let folder = repository().join("fuzz/seeds");
    let list = folder.join(target.name).with_extension("txt");
    if list.exists() {
        let list = fs::read_to_string(list)?;
        let entries = list.split("\n\n").map(|seed| seed.trim_matches('\n'));
        seeds.extend(entries.map(|seed| seed.as_bytes().to_vec()));
    }
    let folder = folder.join(target.name);
    if folder.exists() {
        for file in files(&folder)? {
            seeds.push(fs::read(file)?);
        }
    }
    Ok(seeds)
}

fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// Every flow of the repository, right or wrong.
fn flows() -> io::Result<Vec<Vec<u8>>> {
    let mut flows = Vec::new();
    for folder in [
        "benches",
        "compiler/tests",
        "examples",
        "lang/tests",
        "tests/flows",
    ] {
        let mut files = files(&repository().join(folder))?;
        files.retain(|file| {
            file.extension()
                .is_some_and(|extension| extension == "flow")
        });
        for file in files {
            flows.push(fs::read(file)?);
        }
    }
    Ok(flows)
}

/// The files below a folder, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        entries.push(entry?.path());
    }
    entries.sort();
    let mut all = Vec::new();
    for path in entries {
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    Ok(all)
}

/// The examples of every function and macro.
fn examples() -> Vec<Vec<u8>> {
    let macros = declarations::MACROS.iter().map(|one| one.example);
    let functions = declarations::functions().map(|function| function.example);
    functions
        .chain(macros)
        .map(|example| example.as_bytes().to_vec())
        .collect()
}

/// Requests of each signal, plain and unusual ones, behind the byte that names it and `head`.
fn requests(head: &[u8]) -> Vec<Vec<u8>> {
    let mut requests = Vec::new();
    let mut add = |signal: usize, request: &[u8]| {
        requests.push([&[signal as u8], head, request].concat());
    };
    for (seed, shape) in [(1, Shape::Lean), (2, Shape::Rich)] {
        for records in [0, 1, 5] {
            let mut sampler = Sampler::new(seed)
                .shape(shape)
                .records(records)
                .resources(2);
            add(0, &sampler.logs().encode_to_vec());
            add(1, &sampler.traces().encode_to_vec());
            add(2, &sampler.metrics().encode_to_vec());
        }
    }
    let mut random = Requests::new(1);
    for (number, signal) in Signal::ALL.into_iter().enumerate() {
        for records in [1, 5, 20] {
            add(number, &random.request(signal, records).encode());
        }
        for row in rows(signal) {
            add(number, &row.request);
        }
    }
    requests
}
