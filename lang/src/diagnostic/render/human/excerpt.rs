//! The part of a file that a finding shows.
//!
//! In: a file and the spans that are of interest. Out: the lines that they lie on, long lines cut to what stands
//! around the ends of the spans. So a report on a file of one endless line is as short, and made as fast, as one on
//! a file of short lines.

use std::borrow::Cow;
use std::ops::Range;

use crate::source::SourceFile;
use crate::span::Span;

/// Lines that are longer are cut, in bytes.
const LONGEST_LINE: usize = 400;

/// How much of a cut line stays on both sides of each end of a span, in bytes.
const KEPT: usize = 60;

/// What stands in place of what was cut out.
const ELLIPSIS: &str = "…";

/// Some lines of a file, without what is cut out of them.
pub(super) struct Excerpt<'a> {
    /// The text to show.
    pub(super) text: Cow<'a, str>,
    /// The number of its first line, from 1.
    pub(super) line: u32,
    /// Where the first line begins in the file, in bytes.
    start: usize,
    /// What was cut out, in the order of the text, as offsets from `start`.
    cuts: Vec<Range<usize>>,
}

impl<'a> Excerpt<'a> {
    /// The whole lines from the first to the last span, long ones cut.
    pub(super) fn around(source: &'a SourceFile, spans: &[Span]) -> Self {
        let text = source.text();
        let starts = spans.iter().map(|span| span.start as usize);
        let ends = spans.iter().map(|span| span.end as usize);
        let first = floor_boundary(text, starts.min().unwrap_or(text.len()));
        let last = floor_boundary(text, ends.max().unwrap_or(0).max(first));
        let before = text.get(..first).and_then(|before| before.rfind('\n'));
        let start = before.map_or(0, |end| end + 1);
        let behind = text.get(last..).and_then(|behind| behind.find('\n'));
        let end = behind.map_or(text.len(), |end| last + end);
        let whole = text.get(start..end).unwrap_or("");
        let line = source.line_column(u32::try_from(start).unwrap_or(u32::MAX));
        let cuts = cuts(whole, start, spans);
        Self {
            text: without(whole, &cuts),
            line: line.line,
            start,
            cuts,
        }
    }

    /// A span as a range of the text, moved to whole characters inside it.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let (start, end) = (self.offset(span.start), self.offset(span.end));
        start..end.max(start)
    }

    /// The column that `offset`, a place in the file, has in the text, from 1; `None` when nothing is cut out and it
    /// is the one in the file.
    pub(super) fn column(&self, offset: u32) -> Option<usize> {
        let before = self.text.get(..self.offset(offset))?;
        let line = before.rsplit('\n').next().unwrap_or(before);
        (!self.cuts.is_empty()).then(|| line.chars().count() + 1)
    }

    /// The place in the text of a place in the file.
    fn offset(&self, offset: u32) -> usize {
        let offset = (offset as usize).saturating_sub(self.start);
        let before = self.cuts.iter().filter(|cut| cut.end <= offset);
        let cut_out: usize = before.map(|cut| cut.len() - ELLIPSIS.len()).sum();
        floor_boundary(&self.text, offset - cut_out)
    }
}

/// What to cut out of the long lines of `whole`, which begins at `start` in its file.
fn cuts(whole: &str, start: usize, spans: &[Span]) -> Vec<Range<usize>> {
    let ends = spans.iter().flat_map(|span| [span.start, span.end]);
    let ends = ends.map(|end| (end as usize).saturating_sub(start));
    let mut kept: Vec<_> = ends
        .map(|end| end.saturating_sub(KEPT)..end.saturating_add(KEPT))
        .collect();
    kept.sort_by_key(|range| range.start);
    let mut cuts = Vec::new();
    let mut begins = 0;
    for line in whole.split('\n') {
        let end = begins + line.len();
        if line.len() > LONGEST_LINE {
            cut_line(whole, begins..end, &kept, &mut cuts);
        }
        begins = end + 1;
    }
    cuts
}

/// Cuts out of one line what lies in no range of `kept`, which are sorted. Its first bytes stay where nothing does.
fn cut_line(whole: &str, line: Range<usize>, kept: &[Range<usize>], cuts: &mut Vec<Range<usize>>) {
    let touches = |range: &&Range<usize>| range.start <= line.end && range.end >= line.start;
    let mut here: Vec<_> = kept.iter().filter(touches).cloned().collect();
    if here.is_empty() {
        here.push(line.start..line.start + KEPT);
    }
    here.push(line.end..line.end);
    let mut from = line.start;
    for range in here {
        let cut = floor_boundary(whole, from)..floor_boundary(whole, range.start.min(line.end));
        if cut.start < cut.end && cut.len() > ELLIPSIS.len() {
            cuts.push(cut);
        }
        from = from.max(range.end.min(line.end));
    }
}

/// The text with an ellipsis in place of each cut.
fn without<'a>(whole: &'a str, cuts: &[Range<usize>]) -> Cow<'a, str> {
    if cuts.is_empty() {
        return Cow::Borrowed(whole);
    }
    let mut text = String::new();
    let mut from = 0;
    for cut in cuts {
        text.push_str(whole.get(from..cut.start).unwrap_or(""));
        text.push_str(ELLIPSIS);
        from = cut.end;
    }
    text.push_str(whole.get(from..).unwrap_or(""));
    Cow::Owned(text)
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
    use super::*;
    use crate::span::FileId;

    /// The place of `needle` in the file.
    fn span(source: &SourceFile, needle: &str) -> Span {
        let start = source.text().find(needle).unwrap();
        let offset = |at: usize| u32::try_from(at).unwrap();
        Span::new(FileId(0), offset(start), offset(start + needle.len()))
    }

    #[test]
    fn short_lines_stay() {
        let source = SourceFile::new("a.flow", "one\ntwo three\nfour");
        let span = span(&source, "three");
        let excerpt = Excerpt::around(&source, &[span]);
        assert_eq!((&*excerpt.text, excerpt.line), ("two three", 2));
        assert_eq!(excerpt.range(span), 4..9);
        assert_eq!(excerpt.column(span.start), None);
    }

    #[test]
    fn long_lines_are_cut_around_every_span() {
        let gap = "é".repeat(2_000);
        let text = format!("first\n{gap}here{gap}there{gap}\nlast");
        let source = SourceFile::new("a.flow", text);
        let (here, there) = (span(&source, "here"), span(&source, "there"));
        let excerpt = Excerpt::around(&source, &[there, here]);
        assert!(excerpt.text.len() < 5 * KEPT, "{}", excerpt.text);
        assert_eq!(excerpt.text.matches(ELLIPSIS).count(), 3);
        assert_eq!(&excerpt.text[excerpt.range(here)], "here");
        assert_eq!(&excerpt.text[excerpt.range(there)], "there");
        assert_eq!(excerpt.column(here.start), Some(KEPT / 2 + 2));
    }

    #[test]
    fn a_long_span_loses_its_middle() {
        let text = format!("a{}z", "-".repeat(5_000));
        let source = SourceFile::new("a.flow", text);
        let whole = Span::new(FileId(0), 0, 5_002);
        let excerpt = Excerpt::around(&source, &[whole]);
        assert_eq!(excerpt.text.len(), 2 * KEPT + ELLIPSIS.len());
        assert_eq!(excerpt.range(whole), 0..excerpt.text.len());
    }

    #[test]
    fn long_lines_between_the_ends_of_a_span_keep_their_beginning() {
        let short = "-".repeat(LONGEST_LINE);
        let text = format!("{short}\nb{}\n{short}", "-".repeat(5_000));
        let source = SourceFile::new("a.flow", &*text);
        let whole = Span::new(FileId(0), 0, u32::try_from(text.len()).unwrap());
        let lines = Excerpt::around(&source, &[whole]);
        let lines: Vec<_> = lines.text.lines().collect();
        assert_eq!((lines[0], lines[2]), (&*short, &*short));
        assert!(lines[1].starts_with("b--") && lines[1].ends_with(ELLIPSIS));
        assert_eq!(lines[1].len(), KEPT + ELLIPSIS.len());
    }
}
