//! One line a finding: `path:line:column: warning[W1001]: text`, as editors and build logs like it.

use super::Place;
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;

/// Renders findings, one a line.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    diagnostics
        .iter()
        .map(|diagnostic| line(diagnostic, sources) + "\n")
        .collect()
}

/// Renders one finding without a line end.
#[must_use]
pub fn line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let Place { file, start, .. } = Place::of(diagnostic.primary.span, sources);
    let message = diagnostic
        .message
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    format!(
        "{file}:{}:{}: {}[{}]: {message}",
        start.line, start.column, diagnostic.severity, diagnostic.code
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture::findings;
    use super::*;

    #[test]
    fn a_finding_is_a_line() {
        let (diagnostics, sources) = findings();
        insta::assert_snapshot!(render(&diagnostics, &sources), @r"
        flows/bad, one.flow:2:27: error[F0203]: a log record has no field `severity_numbr`
        flows/bad, one.flow:2:16: warning[W1001]: this is 100% always true: there is nothing to filter
        ");
    }
}
