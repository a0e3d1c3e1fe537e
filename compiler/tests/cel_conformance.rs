//! The public conformance suite of CEL, compiled to Rust and run.
//!
//! The suite is data that stands beside the project, not in it: `cel-conformance.jsonl` and `cel-traps.jsonl` in the
//! directory that `WATERSHED_CEL_DATA` names; one of them is enough. Where both are missing the test says so and runs
//! the examples of the language reference alone, except in continuous integration, where it fails.
//!
//! Every case is checked and emitted as a flow's expressions are, once with what the checker has folded and once with
//! everything left to the run; truth values also by polarity, which must agree with the value. All the functions are
//! one crate, which is built and run once.

#![expect(
    clippy::print_stdout,
    reason = "the scores are what the test is read for"
)]

mod cel_page;
mod cel_program;
mod cel_suite;

use std::collections::BTreeMap;
use std::process::ExitCode;

use cel_page::EXAMPLES;
use cel_program::{Program, shown};
use cel_suite::{Case, Expected, TRAPS};
use watershed_compiler::cel::{CheckError, Checked, Mode, check};
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

/// The least share of cases that pass, in parts of a thousand.
const LEAST_CASES: usize = 990;

/// Traps whose answer the reference implementations do not agree on: durations here end where 64 bits of nanoseconds
/// end, and how many digits the fraction of a second has as text is free.
const SPLIT_TRAPS: &[&str] = &[
    "duration('315576000000s')",
    "string(timestamp('2009-02-13T23:31:30.50Z'))",
];

/// What becomes of a case.
enum Plan {
    /// It is known without running it.
    Known(Verdict),
    /// The functions that evaluate it.
    Run(Vec<usize>),
}

/// What a case came to.
enum Verdict {
    Passed,
    Failed(String),
    Unsupported(String),
}

#[derive(Clone, Copy, Default)]
struct Score {
    passed: usize,
    failed: usize,
    unsupported: usize,
}

impl std::fmt::Display for Score {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            passed,
            failed,
            unsupported,
        } = self;
        write!(
            formatter,
            "{passed} passed, {failed} failed, {unsupported} unsupported"
        )
    }
}

/// The name of the only test here, for programs that list tests and choose among them.
const NAME: &str = "the_suite_is_compiled_and_gives_the_right_values";

/// Options of a test program that have a value behind them.
const WITH_VALUE: &[&str] = &["--color", "--format", "--logfile", "--test-threads", "-Z"];

/// Runs the test, unless the arguments of a test program ask for a list or for another one.
fn main() -> ExitCode {
    let (mut is_listed, mut is_left_out, mut names) = (false, false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--list" => is_listed = true,
            "--ignored" => is_left_out = true,
            "--skip" => is_left_out |= arguments.next().is_some_and(|name| NAME.contains(&name)),
            option if WITH_VALUE.contains(&option) => drop(arguments.next()),
            option if option.starts_with('-') => {}
            _ => names.push(argument),
        }
    }
    let is_chosen = names.is_empty() || names.iter().any(|name| NAME.contains(name));
    match (is_listed, is_chosen && !is_left_out) {
        (true, true) => println!("{NAME}: test"),
        (false, true) => return run_the_suite(),
        (_, false) => {}
    }
    ExitCode::SUCCESS
}

fn run_the_suite() -> ExitCode {
    let mut cases = cel_suite::cases_and_traps();
    cases.retain(|case| !SPLIT_TRAPS.contains(&case.expression.as_str()));
    cases.extend(cel_page::cases());
    let mut program = Program::new();
    let plans: Vec<Plan> = cases.iter().map(|case| plan(case, &mut program)).collect();
    let outcomes = program.run();
    let mut files: BTreeMap<&str, Score> = BTreeMap::new();
    for (case, plan) in cases.iter().zip(plans) {
        let score = files.entry(case.file.as_str()).or_default();
        let note = match verdict(case, plan, &outcomes) {
            Verdict::Passed => {
                score.passed += 1;
                continue;
            }
            Verdict::Failed(why) => {
                score.failed += 1;
                why
            }
            Verdict::Unsupported(why) => {
                score.unsupported += 1;
                format!("unsupported: {why}")
            }
        };
        println!("{}: {}: {note}", case.id, case.expression);
    }
    report(&files)
}

/// Prints the scores, the whole last, and compares with the floors.
fn report(files: &BTreeMap<&str, Score>) -> ExitCode {
    let mut total = Score::default();
    let mut mistakes = Vec::new();
    for (file, score) in files {
        println!("{file}: {score}");
        let is_perfect = score.failed + score.unsupported == 0;
        if *file == EXAMPLES {
            mistakes.extend((!is_perfect).then_some("an example of the reference is wrong"));
            continue;
        }
        total.passed += score.passed;
        total.failed += score.failed;
        total.unsupported += score.unsupported;
        let is_trapped = *file == TRAPS && !is_perfect;
        mistakes.extend(is_trapped.then_some("a trap was stepped into"));
    }
    let all = total.passed + total.failed + total.unsupported;
    let is_low = total.passed * 1_000 < all * LEAST_CASES;
    mistakes.extend(is_low.then_some("too few cases pass"));
    for mistake in &mistakes {
        println!("{mistake}");
    }
    println!("cel-conformance: {total}");
    if mistakes.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Checks and emits a case.
fn plan(case: &Case, program: &mut Program) -> Plan {
    let mut diagnostics = Diagnostics::new();
    let expression = parse_expression(FileId(0), &case.expression, &mut diagnostics);
    let checked = |mode| check(&expression, &case.environment, mode);
    if case.is_refused && !diagnostics.has_errors() && checked(Mode::Static).errors.is_empty() {
        return Plan::Known(Verdict::Failed("is not refused".to_owned()));
    }
    if case.is_refused && !case.is_unchecked {
        return Plan::Known(Verdict::Passed);
    }
    if diagnostics.has_errors() {
        let is_wanted = case.is_refused || matches!(case.expected, Expected::Failure);
        return Plan::Known(if is_wanted {
            Verdict::Passed
        } else {
            Verdict::Unsupported(format!("{diagnostics:?}"))
        });
    }
    let mode = if case.is_unchecked {
        Mode::Dynamic
    } else {
        Mode::Static
    };
    run(case, &checked(mode), program)
}

fn run(case: &Case, checked: &Checked, program: &mut Program) -> Plan {
    // A literal regular expression that always fails at run time is refused before.
    let is_regex = |error: &CheckError| matches!(error, CheckError::InvalidRegex { .. });
    if !checked.errors.is_empty() {
        let fails = matches!(case.expected, Expected::Failure);
        return Plan::Known(if fails && checked.errors.iter().all(is_regex) {
            Verdict::Passed
        } else {
            Verdict::Unsupported(format!("{:?}", checked.errors))
        });
    }
    if matches!(case.expected, Expected::Unknown) {
        // Only the check is of interest.
        return Plan::Known(Verdict::Passed);
    }
    let functions = [true, false].map(|constants| program.add(case, &checked.tree, constants));
    match functions.into_iter().collect() {
        Ok(numbers) => Plan::Run(numbers),
        Err(unsupported) => Plan::Known(Verdict::Unsupported(unsupported.to_string())),
    }
}

fn verdict(case: &Case, plan: Plan, outcomes: &BTreeMap<usize, String>) -> Verdict {
    let numbers = match plan {
        Plan::Known(verdict) => return verdict,
        Plan::Run(numbers) => numbers,
    };
    for number in numbers {
        let found = outcomes.get(&number).map_or("nothing", String::as_str);
        let (is_right, wanted) = match &case.expected {
            Expected::Value(value) => {
                let wanted = shown(value);
                (wanted == found, wanted)
            }
            Expected::Failure => (
                found.starts_with("error ") && !found.contains(" but "),
                "an error".to_owned(),
            ),
            Expected::Error(code) => (found == format!("error {code}"), format!("error {code}")),
            Expected::Unknown => (true, String::new()),
        };
        if !is_right {
            return Verdict::Failed(format!("{found} instead of {wanted}"));
        }
    }
    Verdict::Passed
}
