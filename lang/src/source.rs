//! The files of one compilation, and the way from a byte offset to a line and a column.
//!
//! Columns count Unicode code points from 1; a byte order mark at the start of a file counts for nothing; both
//! `\n` and `\r\n` end a line.

use crate::span::{FileId, Span};

/// The text of one file and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    path: String,
    text: String,
    line_starts: Vec<u32>,
}

/// A place a person can find: 1-based line and column (in code points).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode code points, from 1.
    pub column: u32,
}

impl SourceFile {
    /// A file with the path that messages show and its text; a leading byte order mark is removed.
    #[must_use]
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let text = text
            .strip_prefix('\u{feff}')
            .map(str::to_owned)
            .unwrap_or(text);
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(at, _)| to_offset(at + 1)));
        Self {
            path: path.into(),
            text,
            line_starts,
        }
    }

    /// The path that messages show.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text, without a byte order mark. Every [`Span`] counts in it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text under `span`; empty when the span does not lie in this text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Line and column of a byte offset; offsets past the end count as the end.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self
            .line_starts
            .partition_point(|start| *start <= offset)
            .max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0) as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self
            .text
            .get(start..end)
            .map_or(0, |before| before.chars().count());
        LineColumn {
            line: to_offset(line),
            column: to_offset(column + 1),
        }
    }
}

/// All files of one compilation, by [`FileId`].
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and gives it the next id.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(to_offset(self.files.len() - 1))
    }

    /// The file with this id, if the map holds it.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Files in the order in which they were added, with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, file)| (FileId(to_offset(index)), file))
    }

    /// `path:line:column` of the start of a span, as messages and generated comments write it.
    #[must_use]
    pub fn describe(&self, span: Span) -> String {
        match self.get(span.file) {
            Some(file) => {
                let at = file.line_column(span.start);
                format!("{}:{}:{}", file.path(), at.line, at.column)
            }
            None => "<unknown>".to_owned(),
        }
    }
}

/// Offsets are `u32`: the parser refuses texts of 4 GiB or more long before this saturates.
fn to_offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_code_points_and_crlf_ends_a_line() {
        let file = SourceFile::new("a.flow", "\u{feff}é = 1;\r\n  b");
        assert_eq!(file.line_column(3), LineColumn { line: 1, column: 3 });
        assert_eq!(file.line_column(11), LineColumn { line: 2, column: 3 });
        assert_eq!(file.line_column(4_000), LineColumn { line: 2, column: 4 });
    }
}
