//! The short form of fuzzing: each target over its seeds, and over inputs that are made from them by chance.
//!
//! The same numbers come in every run. `WATERSHED_FUZZ_SEED` gives others, `WATERSHED_FUZZ_ROUNDS` more of them, and
//! `WATERSHED_FUZZ_INPUT` names a file to run alone. Inputs run in a thread with the stack that Rust gives a thread,
//! in a build without optimisation, so that an overflow is seen here before anywhere else.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what it saw, and stops at what should not be"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use watershed_compiler::cel::declarations;
use watershed_fuzz::mutate::Mutator;
use watershed_fuzz::{TARGETS, Target, dictionary, seeds, target_named};

/// What Rust gives a thread by default, in bytes.
const STACK: usize = 2 << 20;

/// Far more than any input needs in a debug build on a busy machine.
const LIMIT: Duration = Duration::from_secs(20);

/// The seed where no other is given.
const SEED: u64 = 17;

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().expect("a number"))
}

/// Runs a target over its seeds and `rounds` other inputs.
fn fuzz(name: &str, rounds: u64) {
    let target = target_named(name).expect("it is a target");
    let seed = number("WATERSHED_FUZZ_SEED").unwrap_or(SEED);
    let rounds = number("WATERSHED_FUZZ_ROUNDS").unwrap_or(rounds);
    println!("{name}: seed {seed}, {rounds} rounds");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
    let worker = thread::Builder::new().stack_size(STACK);
    let worker = worker.spawn({
        let file = file.clone();
        move || inputs(target, seed, rounds, &file)
    });
    if worker.expect("a thread").join().is_err() {
        panic!("{name} fails on the input in {}", file.display());
    }
}

fn inputs(target: &Target, seed: u64, rounds: u64, file: &Path) {
    if let Some(path) = env::var_os("WATERSHED_FUZZ_INPUT") {
        return run(
            target,
            &fs::read(PathBuf::from(path)).expect("a file"),
            file,
        );
    }
    let seeds = seeds::of(target).expect("seeds can be read");
    assert!(!seeds.is_empty(), "nothing to start from");
    for input in &seeds {
        run(target, input, file);
    }
    let mut mutator = Mutator::new(target, &seeds, seed);
    for _ in 0..rounds {
        run(target, &mutator.next_input(), file);
    }
}

/// Runs one input, which stands in `file` meanwhile: nothing else is left of it when the stack overflows.
fn run(target: &Target, input: &[u8], file: &Path) {
    fs::write(file, input).expect("a file");
    let start = Instant::now();
    (target.run)(input);
    let took = start.elapsed();
    assert!(took < LIMIT, "it takes {took:?}");
}

#[test]
fn parse() {
    fuzz("parse", 300);
}

#[test]
fn expression() {
    fuzz("expression", 500);
}

#[test]
fn program() {
    fuzz("program", 100);
}

#[test]
fn tokens() {
    fuzz("tokens", 150);
}

#[test]
fn format() {
    fuzz("format", 150);
}

#[test]
fn regex() {
    fuzz("regex", 1_000);
}

#[test]
fn values() {
    fuzz("values", 300);
}

#[test]
fn otlp() {
    fuzz("otlp", 1_500);
}

#[test]
fn topology() {
    fuzz("topology", 150);
}

#[test]
fn subject() {
    fuzz("subject", 1_500);
}

#[test]
fn dictionaries_are_those_of_libfuzzer() {
    for target in TARGETS {
        let is_plain = |byte: u8| byte == b'\n' || (b' '..=b'~').contains(&byte);
        assert!(target.dictionary.bytes().all(is_plain), "{}", target.name);
        let words = dictionary::words(target.dictionary);
        assert!(
            words.iter().all(|word| (1..=64).contains(&word.len())),
            "{}",
            target.name
        );
    }
}

#[test]
fn dictionaries_know_every_function_and_macro() {
    for target in TARGETS {
        assert!(
            !dictionary::words(target.dictionary).is_empty(),
            "{}",
            target.name
        );
    }
    let target = target_named("expression").expect("it is a target");
    let words = dictionary::words(target.dictionary);
    let functions = declarations::functions().map(|function| function.name);
    let macros = declarations::MACROS.iter().map(|one| one.name);
    let is_name = |name: &&str| name.starts_with(|first: char| first.is_ascii_alphabetic());
    for name in functions.chain(macros).filter(is_name) {
        assert!(
            words.iter().any(|word| word == name.as_bytes()),
            "{name} is missing"
        );
    }
}
