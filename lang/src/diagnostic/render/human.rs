//! For people: the source with the mistake underlined, as rustc shows it.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Fix, Label, Severity};
use crate::source::{SourceFile, SourceMap};
use crate::span::{FileId, Span};

/// Whether the text goes to a terminal that shows colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    #[default]
    Plain,
    /// With ANSI escape sequences.
    Coloured,
}

/// Renders findings one below the other, with an empty line between them.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let texts = diagnostics
        .iter()
        .map(|diagnostic| renderer.render(&report(diagnostic, sources)) + "\n");
    texts.collect::<Vec<_>>().join("\n")
}

/// The message with its source, and the help with its fix.
fn report<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(
        level
            .primary_title(&*diagnostic.message)
            .id(diagnostic.code.as_str()),
    );
    for snippet in snippets(diagnostic, sources) {
        group = group.element(snippet);
    }
    let mut groups = vec![group];
    let patch = diagnostic.fix.as_ref().and_then(|fix| patch(fix, sources));
    let help = diagnostic
        .help
        .as_deref()
        .or_else(|| patch.as_ref().map(|_| "change it like this"));
    if let Some(help) = help {
        let group = Group::with_title(Level::HELP.secondary_title(help));
        groups.push(match patch {
            Some(patch) => group.element(patch),
            None => group,
        });
    }
    groups
}

/// One snippet for each file that has a label; that of the primary label first.
fn snippets<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut files = vec![diagnostic.primary.span.file];
    for label in &diagnostic.secondary {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
        .into_iter()
        .filter_map(|file| snippet(file, diagnostic, sources))
        .collect()
}

fn snippet<'a>(
    file: FileId,
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
) -> Option<Snippet<'a, Annotation<'a>>> {
    let source = sources.get(file)?;
    let primary = std::iter::once((AnnotationKind::Primary, &diagnostic.primary));
    let others = diagnostic
        .secondary
        .iter()
        .map(|label| (AnnotationKind::Context, label));
    let labels: Vec<(AnnotationKind, &Label)> = primary
        .chain(others)
        .filter(|(_, label)| label.span.file == file)
        .collect();
    let window = Window::around(source, labels.iter().map(|(_, label)| label.span));
    let annotations = labels.into_iter().map(|(kind, label)| {
        let annotation = kind.span(window.range(label.span));
        if label.text.is_empty() {
            annotation
        } else {
            annotation.label(&*label.text)
        }
    });
    let snippet = Snippet::source(window.text)
        .line_start(window.line as usize)
        .path(source.path());
    Some(snippet.annotations(annotations.collect::<Vec<_>>()))
}

fn patch<'a>(fix: &'a Fix, sources: &'a SourceMap) -> Option<Snippet<'a, Patch<'a>>> {
    let source = sources.get(fix.span.file)?;
    let window = Window::around(source, [fix.span]);
    let snippet = Snippet::source(window.text)
        .line_start(window.line as usize)
        .path(source.path());
    Some(snippet.patch(Patch::new(window.range(fix.span), &*fix.replacement)))
}

/// The whole lines of a file that some spans lie on: the renderer looks at every line that it is given, so a large
/// file with many findings must not be given each time.
struct Window<'a> {
    text: &'a str,
    /// Where the text begins in the file (bytes).
    start: usize,
    /// The number of its first line.
    line: u32,
}

impl<'a> Window<'a> {
    fn around(source: &'a SourceFile, spans: impl IntoIterator<Item = Span>) -> Self {
        let text = source.text();
        let (mut first, mut last) = (text.len(), 0);
        for span in spans {
            first = first.min(span.start as usize);
            last = last.max(span.end as usize);
        }
        let first = floor_boundary(text, first);
        let last = floor_boundary(text, last.max(first));
        let start = text
            .get(..first)
            .and_then(|before| before.rfind('\n'))
            .map_or(0, |end| end + 1);
        let end = text
            .get(last..)
            .and_then(|behind| behind.find('\n'))
            .map_or(text.len(), |end| last + end);
        let line = source
            .line_column(u32::try_from(start).unwrap_or(u32::MAX))
            .line;
        Self {
            text: text.get(start..end).unwrap_or(""),
            start,
            line,
        }
    }

    /// A span as a range of the window's text, moved to whole characters inside it.
    fn range(&self, span: Span) -> Range<usize> {
        let inside =
            |offset: u32| floor_boundary(self.text, (offset as usize).saturating_sub(self.start));
        let (start, end) = (inside(span.start), inside(span.end));
        start..end.max(start)
    }
}

/// The last character boundary at `offset` or before, inside `text`.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::super::fixture::findings;
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn looks_like_rustc() {
        let (diagnostics, sources) = findings();
        insta::assert_snapshot!(render(&diagnostics, &sources, Style::Plain));
    }

    #[test]
    fn colours_are_escape_sequences() {
        let (diagnostics, sources) = findings();
        assert!(render(&diagnostics, &sources, Style::Coloured).contains("\u{1b}["));
        assert!(!render(&diagnostics, &sources, Style::Plain).contains('\u{1b}'));
    }

    #[test]
    fn spans_outside_the_text_do_no_harm() {
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("é.flow", "é"));
        for span in [
            Span::new(file, 1, 2),
            Span::new(file, 7, 3),
            Span::new(file, 2, 2),
            Span::new(FileId(9), 0, 1),
        ] {
            let found = Diagnostic::new(Code::UnknownName, "no such name", span).fix(span, "x");
            assert!(
                render(&[found], &sources, Style::Plain).starts_with("error[F0201]: no such name")
            );
        }
    }
}
