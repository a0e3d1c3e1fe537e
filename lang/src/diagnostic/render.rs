//! Makes text of [`Diagnostic`](super::Diagnostic)s, one file for each form of output.
//!
//! All forms take findings in the order in which they are to appear and count lines and columns (in code points)
//! from 1. None of them ends a program, prints or looks at a terminal.

pub mod github;
pub mod human;
pub mod json;
pub mod sarif;
pub mod short;

use serde::Serialize;

use crate::source::{LineColumn, SourceFile, SourceMap};
use crate::span::Span;

/// One end of a place, as tools want it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Position {
    line: u32,
    column: u32,
    /// Bytes from the start of the text, a byte order mark left out.
    offset: u32,
}

impl Position {
    fn of(file: &SourceFile, offset: u32) -> Self {
        let LineColumn { line, column } = file.line_column(offset);
        Self {
            line,
            column,
            offset,
        }
    }
}

/// Where a finding stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Place<'a> {
    file: &'a str,
    start: Position,
    /// Behind the last character.
    end: Position,
}

impl<'a> Place<'a> {
    /// The place of a span; a file that the map does not hold is called `<unknown>`.
    fn of(span: Span, sources: &'a SourceMap) -> Self {
        match sources.get(span.file) {
            Some(file) => Self {
                file: file.path(),
                start: Position::of(file, span.start),
                end: Position::of(file, span.end),
            },
            None => {
                let nowhere = Position {
                    line: 1,
                    column: 1,
                    offset: 0,
                };
                Self {
                    file: "<unknown>",
                    start: nowhere,
                    end: nowhere,
                }
            }
        }
    }
}

/// Findings and files for the tests of the renderers.
#[cfg(test)]
mod fixture {
    use super::*;
    use crate::diagnostic::{Code, Diagnostic};

    /// An error with everything that a finding can have, and a warning with nothing but a place.
    pub(super) fn findings() -> (Vec<Diagnostic>, SourceMap) {
        let mut sources = SourceMap::new();
        let text = "// é\ningest.logs -> filter(log.severity_numbr >= 9) -> out;\n";
        let file = sources.add(SourceFile::new("flows/bad, one.flow", text));
        let at = |needle: &str| {
            let start = u32::try_from(text.find(needle).unwrap()).unwrap();
            Span::new(file, start, start + u32::try_from(needle.len()).unwrap())
        };
        let field = Diagnostic::new(
            Code::UnknownField,
            "a log record has no field `severity_numbr`",
            at("severity_numbr"),
        )
        .label("not a field of `log`")
        .also(at("ingest.logs"), "this carries logs")
        .help("did you mean `severity_number`?")
        .fix(at("severity_numbr"), "severity_number");
        let unused = Diagnostic::new(
            Code::AlwaysTrue,
            "this is 100% always true:\nthere is nothing to filter",
            at("filter"),
        );
        (vec![field, unused], sources)
    }
}
