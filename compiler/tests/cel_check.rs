//! The checker of expressions against the public conformance suite of CEL.
//!
//! The suite is data that stands beside the project, not in it: `cel-conformance.jsonl` in the directory that
//! `WATERSHED_CEL_DATA` names. Where it is missing the test says so and passes, except in continuous integration.
//!
//! Five things are compared for each case: the type with the one that the reference checker recorded, and the
//! overloads of every call; that what must
//! be refused is refused and what must be accepted is accepted; that an expression which fails at run time was not
//! called total; that a folded constant is the value that is expected.

#![expect(
    clippy::print_stdout,
    reason = "the scores are what the test is read for"
)]

mod cel_suite;

use std::collections::BTreeMap;

use cel_suite::{Case, Expected};
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::typed::{Callee, NodeKind};
use watershed_compiler::cel::{CheckError, Checked, Environment, Mode, Tree, check};
use watershed_lang::ast::Expr;
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

/// The least share of types that equal the recorded ones, in parts of a thousand.
const LEAST_TYPES: usize = 1_000;
/// The least share of cases whose overloads are the recorded ones, in parts of a thousand.
const LEAST_OVERLOADS: usize = 1_000;
/// The least share of cases that are refused or accepted as they must be, in parts of a thousand.
const LEAST_VERDICTS: usize = 1_000;

/// How many of how many cases did what they should.
#[derive(Clone, Copy, Default)]
struct Score {
    right: usize,
    all: usize,
}

impl Score {
    fn count(&mut self, right: bool) {
        self.all += 1;
        self.right += usize::from(right);
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.all += other.all;
    }

    /// Whether at least so many of a thousand are right.
    fn reaches(self, least: usize) -> bool {
        self.right * 1_000 >= self.all * least
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.right, self.all)
    }
}

/// The scores of one file of the suite.
#[derive(Clone, Copy, Default)]
struct Scores {
    types: Score,
    overloads: Score,
    verdicts: Score,
    totality: Score,
    constants: Score,
}

impl Scores {
    fn add(&mut self, other: Self) {
        self.types.add(other.types);
        self.overloads.add(other.overloads);
        self.verdicts.add(other.verdicts);
        self.totality.add(other.totality);
        self.constants.add(other.constants);
    }

    fn reach_the_floor(self) -> bool {
        self.types.reaches(LEAST_TYPES)
            && self.overloads.reaches(LEAST_OVERLOADS)
            && self.verdicts.reaches(LEAST_VERDICTS)
            && self.totality.reaches(1_000)
            && self.constants.reaches(1_000)
    }
}

impl std::fmt::Display for Scores {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            types,
            overloads,
            verdicts,
            totality,
            constants,
        } = self;
        write!(
            formatter,
            "types {types}, overloads {overloads}, verdicts {verdicts}, "
        )?;
        write!(formatter, "failures {totality}, constants {constants}")
    }
}

#[test]
fn the_suite_is_checked_as_the_reference_checks_it() {
    let Some(cases) = cel_suite::cases() else {
        assert!(
            !cel_suite::is_integration(),
            "continuous integration needs the data"
        );
        return;
    };
    let mut files: BTreeMap<String, Scores> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &cases {
        judge(
            case,
            files.entry(case.file.clone()).or_default(),
            &mut wrong,
        );
    }
    let mut total = Scores::default();
    for (file, scores) in &files {
        println!("{file}: {scores}");
        total.add(*scores);
    }
    println!("cel-check: {total}");
    assert!(total.reach_the_floor(), "{}", wrong.join("\n"));
}

/// Traps whose answer the reference implementations do not agree on: durations here end where 64 bits of nanoseconds
/// end.
const SPLIT_TRAPS: &[&str] = &["duration('315576000000s')"];

#[test]
fn the_traps_are_seen() {
    let Some(cases) = cel_suite::traps() else {
        assert!(
            !cel_suite::is_integration(),
            "continuous integration needs the data"
        );
        return;
    };
    let (mut scores, mut wrong) = (Scores::default(), Vec::new());
    for case in cases
        .iter()
        .filter(|case| !SPLIT_TRAPS.contains(&case.expression.as_str()))
    {
        judge(case, &mut scores, &mut wrong);
    }
    println!("cel-check traps: {scores}");
    assert!(scores.reach_the_floor(), "{}", wrong.join("\n"));
}

/// Counts what one case got right and says what it got wrong.
fn judge(case: &Case, scores: &mut Scores, wrong: &mut Vec<String>) {
    let mut diagnostics = Diagnostics::new();
    let expression = parse_expression(FileId(0), &case.expression, &mut diagnostics);
    let mode = if case.is_unchecked {
        Mode::Dynamic
    } else {
        Mode::Static
    };
    let checked = check(&expression, &case.environment, mode);
    let is_accepted = checked.errors.is_empty() && !diagnostics.has_errors();
    let mut note = |what: &str, found: &dyn std::fmt::Debug| {
        wrong.push(format!(
            "{}: {}: {what}: {found:?}",
            case.id, case.expression
        ));
    };
    if let Some(wanted) = &case.ty {
        let found = check(&expression, &case.environment, Mode::Static);
        if let Some(wanted) = &case.overloads {
            let overloads = overloads(&found.tree);
            scores.overloads.count(overloads == *wanted);
            if overloads != *wanted {
                note("overloads", &(wanted, overloads));
            }
        }
        let is_right = found.ty().to_string() == *wanted && found.errors.is_empty();
        scores.types.count(is_right);
        if !is_right {
            note(wanted, &(found.ty().to_string(), found.errors));
        }
    }
    if case.is_refused {
        let is_refused = diagnostics.has_errors() || is_refused(&expression, &case.environment);
        scores.verdicts.count(is_refused);
        if !is_refused {
            note("is not refused", &());
        }
    } else {
        // A literal regular expression that always fails at run time is refused before.
        let is_regex = |error: &CheckError| matches!(error, CheckError::InvalidRegex { .. });
        let fails_early =
            matches!(case.expected, Expected::Failure) && checked.errors.iter().all(is_regex);
        scores.verdicts.count(is_accepted || fails_early);
        if !(is_accepted || fails_early) {
            note("is refused", &(&checked.errors, &diagnostics));
        }
    }
    if is_accepted {
        judge_values(case, &checked, scores, &mut note);
    }
}

/// The overloads of a tree under the names of the reference, which has operators for calls here and there.
fn overloads(tree: &Tree) -> Vec<String> {
    let named = tree.nodes().flat_map(|(_, node)| match &node.kind {
        NodeKind::Call {
            callee: Callee::Language(overloads),
            ..
        } => {
            let mut names: Vec<&str> = overloads.iter().map(|overload| overload.name()).collect();
            names.sort_unstable();
            vec![names.join("|")]
        }
        NodeKind::And(operands) => vec!["logical_and".to_owned(); operands.len() - 1],
        NodeKind::Or(operands) => vec!["logical_or".to_owned(); operands.len() - 1],
        NodeKind::Conditional { arms, .. } => vec!["conditional".to_owned(); arms.len()],
        NodeKind::Block { .. } => vec!["cel_block_list".to_owned()],
        _ => Vec::new(),
    });
    let mut named: Vec<String> = named.collect();
    named.sort();
    named
}

fn is_refused(expression: &Expr, environment: &Environment) -> bool {
    !check(expression, environment, Mode::Static)
        .errors
        .is_empty()
}

fn judge_values(
    case: &Case,
    checked: &Checked,
    scores: &mut Scores,
    note: &mut impl FnMut(&str, &dyn std::fmt::Debug),
) {
    let root = checked.tree.root_node();
    if matches!(case.expected, Expected::Failure) {
        scores.totality.count(!root.fails.is_total());
        if root.fails.is_total() {
            note("is called total", &root.kind);
        }
    }
    let Some(constant) = &root.constant else {
        return;
    };
    let is_right = match (&case.expected, constant) {
        (Expected::Failure, Constant::Failed(_)) => true,
        (Expected::Value(wanted), found) => cel_suite::is_value(found, wanted),
        (Expected::Unknown, _) => return,
        (Expected::Failure | Expected::Error(_), _) => false,
    };
    scores.constants.count(is_right);
    if !is_right {
        note("is folded to", constant);
    }
}
