//! Workflow commands of GitHub Actions: the runner reads them from the log and marks the lines of a change.

use super::Place;
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;

/// Renders findings, one command a line.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    diagnostics
        .iter()
        .map(|diagnostic| command(diagnostic, sources) + "\n")
        .collect()
}

fn command(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let Place { file, start, end } = Place::of(diagnostic.primary.span, sources);
    let message = match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    format!(
        "::{} file={},line={},col={},endLine={},endColumn={},title={}::{}",
        diagnostic.severity,
        escape_property(file),
        start.line,
        start.column,
        end.line,
        end.column,
        diagnostic.code,
        escape_data(&message),
    )
}

/// The text of a command stands on one line.
fn escape_data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property ends at `,` or `:`.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::findings;
    use super::*;

    #[test]
    fn commands_are_escaped() {
        let (diagnostics, sources) = findings();
        insta::assert_snapshot!(render(&diagnostics, &sources), @r"
        ::error file=flows/bad%2C one.flow,line=2,col=27,endLine=2,endColumn=41,title=F0203::a log record has no field `severity_numbr`%0Ahelp: did you mean `severity_number`?
        ::warning file=flows/bad%2C one.flow,line=2,col=16,endLine=2,endColumn=22,title=W1001::this is 100%25 always true:%0Athere is nothing to filter
        ");
    }
}
