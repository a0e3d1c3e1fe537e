//! What the compiler decided about a flow: which test stands at which level, and what the passes changed.
//!
//! In: a compiled flow. Out: text, one paragraph a place of the flow. A test at the level of a resource is made once a
//! resource, and where it fails no record below is read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use watershed_compiler::level::Level;
use watershed_compiler::plan::{Guard, Plan, PlanLog, Tree};
use watershed_lang::source::SourceMap;
use watershed_lang::span::Span;

/// A place: line and column of the flow.
type Place = (u32, u32);

/// Everything that was decided, or what was decided about one line.
pub(super) fn decisions(
    plan: &Plan,
    log: &PlanLog,
    sources: &SourceMap,
    line: Option<u32>,
) -> String {
    let mut collected = Collected {
        sources,
        notes: BTreeMap::new(),
    };
    for walk in plan.all_walks() {
        collected.tree(&walk.tree);
    }
    for sink in plan.sinks.values() {
        if let Some(subject) = &sink.subject {
            let text = format!("subject written {}", once(subject.level));
            collected.note(subject.span, text);
        }
    }
    for change in log.changes() {
        collected.note(change.span, format!("{}: {}", change.pass, change.reason));
    }
    collected.text(line)
}

struct Collected<'a> {
    sources: &'a SourceMap,
    /// What is known of each place: the text there, then its notes.
    notes: BTreeMap<Place, (String, Vec<String>)>,
}

impl Collected<'_> {
    fn tree(&mut self, tree: &Tree) {
        for guard in tree.guards() {
            self.guard(guard);
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
            let text = self.slice(condition.span);
            self.note(
                guard.span,
                format!("tested {}: {text}", once(condition.level)),
            );
        }
    }

    fn note(&mut self, span: Span, note: String) {
        let Some(file) = self.sources.get(span.file) else {
            return;
        };
        let place = file.line_column(span.start);
        let text = self.slice(span);
        let entry = self
            .notes
            .entry((place.line, place.column))
            .or_insert_with(|| (text, Vec::new()));
        // Walks that share a chain decide the same.
        if !entry.1.contains(&note) {
            entry.1.push(note);
        }
    }

    /// The text at a place, on one line.
    fn slice(&self, span: Span) -> String {
        let text = self
            .sources
            .get(span.file)
            .map_or("", |file| file.slice(span));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn text(&self, line: Option<u32>) -> String {
        let mut text = String::new();
        let wanted = self
            .notes
            .iter()
            .filter(|((at, _), _)| line.is_none_or(|line| line == *at));
        for ((line, column), (what, notes)) in wanted {
            let _ = writeln!(text, "{line}:{column}  {what}");
            for note in notes {
                let _ = writeln!(text, "    {note}");
            }
        }
        text
    }
}

/// How often something of a level is evaluated.
const fn once(level: Level) -> &'static str {
    match level {
        Level::Const => "at build time",
        Level::Config => "with the configuration",
        Level::Instance => "once an instance",
        Level::Payload => "once a request",
        Level::Resource => "once a resource",
        Level::Scope => "once a scope",
        Level::Metric => "once a metric",
        Level::Record => "once a record",
    }
}
