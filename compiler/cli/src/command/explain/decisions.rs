//! What the compiler decided about a flow: which test stands at which level, what the passes changed, and what each
//! walk reads.
//!
//! In: a compiled flow. Out: text, one paragraph a place of the flow. A test at the level of a resource is made once a
//! resource, and where it fails no record below is read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use watershed_compiler::driver::Compilation;
use watershed_compiler::hir::{Arm, Branch, ExprId, Program, StageKind, Step, StepKind};
use watershed_compiler::plan::{Guard, Plan, Tree};
use watershed_lang::source::SourceMap;
use watershed_lang::span::Span;

use super::hidden::{self, Hidden};
use super::walks;
use crate::graph::{how_often, wrap};
use crate::parts::{Part, Parts, on_one_line};

/// A place of the flow, ordered as in the text.
pub(super) type Place = (u32, u32);

/// Everything that was decided, or what was decided about one line; nothing for a flow with errors.
pub(super) fn decisions(
    compilation: &Compilation,
    sources: &SourceMap,
    line: Option<u32>,
) -> String {
    let (Some(plan), Some(program)) = (&compilation.plan, &compilation.program) else {
        return String::new();
    };
    let Some(parts) = Parts::of(compilation, sources) else {
        return String::new();
    };
    let mut collected = Collected {
        sources,
        paragraphs: BTreeMap::new(),
    };
    collected.tests(plan);
    collected.parts(program, parts);
    for change in compilation.log.changes() {
        collected.note(change.span, format!("{}: {}", change.pass, change.reason));
    }
    for walk in plan.all_walks() {
        let span = Span {
            end: walk.span.start,
            ..walk.span
        };
        collected.lines(span, &walks::title(plan, walk), walks::lines(walk));
    }
    let mut arms = Vec::new();
    if line.is_none() {
        hidden::of_program(program, &mut arms);
    }
    for hidden in &arms {
        collected.hide(hidden);
    }
    collected.text(line)
}

/// What is known, by place: paragraphs with a headline.
struct Collected<'a> {
    sources: &'a SourceMap,
    /// By place, by what is shown of the text there, and by where it ends.
    paragraphs: BTreeMap<(Place, String, u32), Vec<String>>,
}

impl Collected<'_> {
    fn tests(&mut self, plan: &Plan) {
        for walk in plan.all_walks() {
            self.tree(&walk.tree);
        }
        for subject in plan.sinks.values().filter_map(|sink| sink.subject.as_ref()) {
            self.note(
                subject.span,
                format!("subject written {}", how_often(subject.level)),
            );
        }
    }

    fn tree(&mut self, tree: &Tree) {
        for guard in tree.guards() {
            self.guard(guard);
        }
        if let Some(value) = tree.looks_at() {
            let often = how_often(value.level);
            self.note(value.span, format!("looked up in a table {often}"));
        }
        for child in tree.children() {
            self.tree(child);
        }
    }

    fn guard(&mut self, guard: &Guard) {
        if guard.tests.is_empty() {
            self.note(guard.span, "always passes".to_owned());
        }
        for test in &guard.tests {
            let condition = &test.condition;
            let text = on_one_line(self.sources, condition.span);
            self.note(
                guard.span,
                format!("tested {}: {text}", how_often(condition.level)),
            );
        }
    }

    /// The conditions of a program with the level of each part.
    fn parts(&mut self, program: &Program, parts: Parts<'_>) {
        for chain in &program.chains {
            for step in &chain.steps {
                self.step(program, parts, step);
            }
        }
    }

    fn step(&mut self, program: &Program, parts: Parts<'_>, step: &Step) {
        let mut stage = |kind: &StageKind| {
            if let StageKind::Filter(condition) | StageKind::Drop(condition) = kind {
                self.condition(parts, condition.value, step.span);
            }
        };
        match &step.kind {
            StepKind::Named(id) => stage(&program.stages.at(*id).stage.kind),
            StepKind::Stage(written) => stage(&written.kind),
            StepKind::FanOut(branches) => {
                for branch in branches {
                    self.branch(program, parts, branch);
                }
            }
            StepKind::Route(arms) | StepKind::Split(arms) => self.arms(program, parts, arms),
            StepKind::Sink(_) | StepKind::Error => {}
        }
    }

    fn arms(&mut self, program: &Program, parts: Parts<'_>, arms: &[Arm]) {
        for arm in arms {
            if let Some(condition) = arm.condition {
                self.condition(parts, condition, arm.head);
            }
            self.branch(program, parts, &arm.branch);
        }
    }

    fn branch(&mut self, program: &Program, parts: Parts<'_>, branch: &Branch) {
        for step in &branch.steps {
            self.step(program, parts, step);
        }
    }

    /// The parts of a condition; one that is evaluated whole has none.
    fn condition(&mut self, parts: Parts<'_>, condition: ExprId, at: Span) {
        let Some(whole) = parts
            .tree(condition)
            .filter(|whole| !whole.parts.is_empty())
        else {
            return;
        };
        let mut rows = Vec::new();
        flatten(&whole, 0, &mut rows);
        let width = rows.iter().map(|(text, _)| text.chars().count()).max();
        let width = width.unwrap_or(0).min(WIDEST);
        let headline = on_one_line(self.sources, at);
        let lines = rows.iter().map(|(text, part)| {
            let value = part
                .constant
                .map_or("", |value| if value { " = true" } else { " = false" });
            let place = self.sources.describe(part.span);
            format!("  {:<8}  {text:<width$}  {place}{value}", part.level.name())
        });
        let lines = ["parts, with the level of each:".to_owned()]
            .into_iter()
            .chain(lines);
        let lines = lines.collect();
        self.lines(at, &headline, lines);
    }

    fn note(&mut self, span: Span, note: String) {
        let headline = on_one_line(self.sources, span);
        self.lines(span, &headline, vec![note]);
    }

    /// Adds lines to the paragraph of a place. Walks that share a chain decide the same.
    fn lines(&mut self, span: Span, headline: &str, lines: Vec<String>) {
        let Some(file) = self.sources.get(span.file) else {
            return;
        };
        let at = file.line_column(span.start);
        let headline = shortened(headline, WIDTH);
        let headline = format!("{}  {headline}", self.sources.describe(span));
        let key = ((at.line, at.column), headline, span.end);
        let paragraph = self.paragraphs.entry(key).or_default();
        if !lines.iter().all(|line| paragraph.contains(line)) {
            paragraph.extend(lines);
        }
    }

    /// Takes out what stands at arms that are too many, and says how many they are.
    fn hide(&mut self, arms: &Hidden) {
        let Some(file) = self.sources.get(arms.span.file) else {
            return;
        };
        let place = |offset| {
            let at = file.line_column(offset);
            (at.line, at.column)
        };
        let (from, to) = (place(arms.span.start), place(arms.span.end));
        self.paragraphs
            .retain(|(at, _, _), _| *at < from || *at >= to);
        let headline = format!(
            "{}  … and {} more arms",
            self.sources.describe(arms.span),
            arms.count
        );
        let line = "`flowc explain FILE:LINE` says what was decided about one of them";
        let key = (from, headline, arms.span.end);
        self.paragraphs.insert(key, vec![line.to_owned()]);
    }

    fn text(&self, line: Option<u32>) -> String {
        let mut text = String::new();
        let wanted = self
            .paragraphs
            .iter()
            .filter(|(((at, _), _, _), _)| line.is_none_or(|line| line == *at));
        for ((_, headline, _), lines) in wanted {
            let _ = writeln!(text, "{headline}");
            for line in lines {
                // Tables have columns; everything else is a sentence.
                let is_table = line.starts_with(' ');
                let lines = if is_table {
                    vec![line.clone()]
                } else {
                    wrap(line, WIDTH, LINES)
                };
                for (position, line) in lines.iter().enumerate() {
                    let indent = if position == 0 { "    " } else { "      " };
                    let _ = writeln!(text, "{indent}{line}");
                }
            }
        }
        text
    }
}

/// How many characters of a text or a sentence stand on a line.
const WIDTH: usize = 100;

/// How many lines a sentence has at most.
const LINES: usize = 4;

/// The beginning of a text that is too long for a line.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width - 2).collect();
    format!("{} …", kept.trim_end())
}

/// The widest part that others are aligned with.
const WIDEST: usize = 60;

/// The parts of a condition, each behind what it is a part of and further to the right.
fn flatten<'p>(part: &'p Part, depth: usize, rows: &mut Vec<(String, &'p Part)>) {
    let text = shortened(&part.text, WIDTH);
    rows.push((format!("{}{text}", "  ".repeat(depth)), part));
    for below in &part.parts {
        flatten(below, depth + 1, rows);
    }
}
