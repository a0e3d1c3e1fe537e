//! For people: the source with the mistake underlined, as rustc shows it.
//!
//! A report is bounded: it shows [`MOST_FINDINGS`] findings, and of long lines what stands around the mistakes.

mod excerpt;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Fix, Label, Severity};
use crate::source::SourceMap;
use crate::span::FileId;
use excerpt::Excerpt;

/// The most findings that one report shows; the other forms of output hold all of them.
pub const MOST_FINDINGS: usize = 100;

/// Whether the text goes to a terminal that shows colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    #[default]
    Plain,
    /// With ANSI escape sequences.
    Coloured,
}

/// Renders findings one below the other, with an empty line between them. Of more than [`MOST_FINDINGS`], that many
/// are shown, errors rather than warnings, and the others are counted.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let errors = diagnostics.iter().filter(|found| found.is_error()).count();
    let mut errors_left = errors.min(MOST_FINDINGS);
    let mut warnings_left = MOST_FINDINGS - errors_left;
    let mut texts: Vec<String> = Vec::new();
    for diagnostic in diagnostics {
        let left = if diagnostic.is_error() {
            &mut errors_left
        } else {
            &mut warnings_left
        };
        if *left > 0 {
            *left -= 1;
            texts.push(one(diagnostic, sources, &renderer) + "\n");
        }
    }
    let hidden = diagnostics.len() - texts.len();
    if hidden > 0 {
        let findings = if hidden == 1 { "finding" } else { "findings" };
        texts.push(format!("… and {hidden} more {findings}\n"));
    }
    texts.join("\n")
}

/// Renders one finding.
fn one(diagnostic: &Diagnostic, sources: &SourceMap, renderer: &Renderer) -> String {
    let text = renderer.render(&report(diagnostic, sources));
    // The renderer counts columns in the text that it is given, so in a line that is cut it counts wrong.
    match header(diagnostic, sources) {
        Some((counted, header)) => text.replacen(&counted, &header, 1),
        None => text,
    }
}

/// The place above a cut excerpt, as the renderer counts it and as it is.
fn header(diagnostic: &Diagnostic, sources: &SourceMap) -> Option<(String, String)> {
    let span = diagnostic.primary.span;
    let source = sources.get(span.file)?;
    let spans: Vec<_> = labels(diagnostic, span.file)
        .map(|(_, label)| label.span)
        .collect();
    let column = Excerpt::around(source, &spans).column(span.start)?;
    let line = source.line_column(span.start).line;
    let counted = format!("{}:{line}:{column}", source.path());
    Some((counted, sources.describe(span)))
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
    let labels: Vec<_> = labels(diagnostic, file).collect();
    let spans: Vec<_> = labels.iter().map(|(_, label)| label.span).collect();
    let excerpt = Excerpt::around(source, &spans);
    let annotations = labels.into_iter().map(|(kind, label)| {
        let annotation = kind.span(excerpt.range(label.span));
        if label.text.is_empty() {
            annotation
        } else {
            annotation.label(&*label.text)
        }
    });
    let annotations: Vec<_> = annotations.collect();
    let snippet = Snippet::source(excerpt.text)
        .line_start(excerpt.line as usize)
        .path(source.path());
    Some(snippet.annotations(annotations))
}

/// The labels that lie in a file; the primary one first.
fn labels(diagnostic: &Diagnostic, file: FileId) -> impl Iterator<Item = (AnnotationKind, &Label)> {
    let primary = std::iter::once((AnnotationKind::Primary, &diagnostic.primary));
    let others = diagnostic.secondary.iter();
    let others = others.map(|label| (AnnotationKind::Context, label));
    primary
        .chain(others)
        .filter(move |(_, label)| label.span.file == file)
}

fn patch<'a>(fix: &'a Fix, sources: &'a SourceMap) -> Option<Snippet<'a, Patch<'a>>> {
    let source = sources.get(fix.span.file)?;
    let excerpt = Excerpt::around(source, &[fix.span]);
    let patch = Patch::new(excerpt.range(fix.span), &*fix.replacement);
    let snippet = Snippet::source(excerpt.text)
        .line_start(excerpt.line as usize)
        .path(source.path());
    Some(snippet.patch(patch))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::findings;
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::SourceFile;
    use crate::span::Span;

    /// A file of one line and as many unknown fields on it, each with a fix.
    fn one_long_line(count: u32) -> (Vec<Diagnostic>, SourceMap) {
        const PIECE: &str = "ingest.logs -> filter(log.bdy == 1) -> out; ";
        let mut sources = SourceMap::new();
        let text = PIECE.repeat(count as usize);
        let file = sources.add(SourceFile::new("long.flow", text));
        let width = u32::try_from(PIECE.len()).unwrap();
        let found = (0..count).map(|index| {
            let span = Span::new(file, index * width + 26, index * width + 29);
            Diagnostic::new(Code::UnknownField, "no such field", span)
                .label("not a field")
                .fix(span, "body")
        });
        (found.collect(), sources)
    }

    #[test]
    fn a_mistake_in_a_long_line_is_shown_with_what_stands_around_it() {
        let (found, sources) = one_long_line(60);
        insta::assert_snapshot!(render(&found[40..41], &sources, Style::Plain));
        let coloured = render(&found[40..41], &sources, Style::Coloured);
        assert!(coloured.contains("long.flow:1:1787"), "{coloured}");
    }

    #[test]
    fn reports_do_not_grow_with_the_line_and_the_findings() {
        let size = |count| {
            let (found, sources) = one_long_line(count);
            render(&found, &sources, Style::Plain).len()
        };
        let (hundred, thousand) = (size(100), size(1_000));
        assert!(hundred < 100_000, "{hundred}");
        assert!(thousand < hundred + 1_000, "{thousand} and {hundred}");
    }

    #[test]
    fn errors_are_shown_rather_than_warnings() {
        let (mut found, sources) = one_long_line(150);
        for finding in &mut found[..149] {
            finding.severity = Severity::Warning;
        }
        let text = render(&found, &sources, Style::Plain);
        assert_eq!(text.matches("warning[").count(), MOST_FINDINGS - 1);
        assert_eq!(text.matches("error[").count(), 1);
        assert!(text.ends_with("\n\n… and 50 more findings\n"), "{text}");
    }

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
