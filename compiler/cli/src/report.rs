//! Shows findings in the form that was asked for.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use clap::ValueEnum;
use watershed_lang::diagnostic::Diagnostic;
use watershed_lang::diagnostic::render::{github, human, json, sarif};
use watershed_lang::source::SourceMap;

use crate::say;

/// The forms of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The source with the mistake underlined, for the first hundred findings.
    #[default]
    Human,
    /// One JSON object a line, one line a finding.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of a GitHub workflow.
    Github,
}

/// Findings as text.
pub(crate) fn render(
    findings: &[Diagnostic],
    sources: &SourceMap,
    format: Format,
    coloured: bool,
) -> String {
    let style = if coloured {
        human::Style::Coloured
    } else {
        human::Style::Plain
    };
    match format {
        Format::Human => human::render(findings, sources, style),
        Format::Json => json::render(findings, sources),
        Format::Sarif => sarif::render(findings, sources),
        Format::Github => github::render(findings, sources),
    }
}

/// Writes a result to the standard output. A reader that has gone away, such as `head`, is no mistake.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Shows findings on the standard error, for commands whose result is something else.
pub(crate) fn tell(findings: &[Diagnostic], sources: &SourceMap, format: Format) {
    let coloured = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if !findings.is_empty() {
        say(render(findings, sources, format, coloured).trim_end());
    }
}

/// `1 error and 2 warnings`, or nothing for nothing.
pub(crate) fn summary(findings: &[Diagnostic]) -> Option<String> {
    let errors = findings.iter().filter(|found| found.is_error()).count();
    let warnings = findings.len() - errors;
    let count = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    };
    match (count(errors, "error"), count(warnings, "warning")) {
        (Some(errors), Some(warnings)) => Some(format!("{errors} and {warnings}")),
        (errors, warnings) => errors.or(warnings),
    }
}
