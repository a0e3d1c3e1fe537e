//! `flowc fmt`: writes flows in their one layout.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use watershed_lang::fmt::format;
use watershed_lang::source::{SourceFile, SourceMap};

use crate::report::{self, Format};
use crate::{Outcome, flow};

/// Writes flows in their one layout.
#[derive(Debug, Args)]
#[command(after_help = "\
Two spaces a level, lines of 100 columns, one element a line where a list does not fit. Comments stay beside what
they were written beside, and of several empty lines one stays. The meaning of a flow never changes, and a formatted
flow is a valid body of `pipeline!`: 'text' becomes \"text\", m.`a-b` becomes m[\"a-b\"], and so on.

A file with mistakes of syntax is left as it is and its mistakes are shown.

Examples:
    flowc fmt                          every .flow file below this folder
    flowc fmt telemetry.flow flows/
    flowc fmt --check flows/           in CI: writes nothing, shows what would change
    flowc fmt - < telemetry.flow       from the standard input to the standard output, for editors")]
pub(crate) struct Fmt {
    /// Files, folders that are searched for `*.flow`, or `-` for the standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Writes nothing; names the files that are not formatted and where they differ first.
    #[arg(long)]
    check: bool,
}

impl Fmt {
    /// Formats every flow, and shows the mistakes of those that cannot be formatted.
    pub(crate) fn run(self) -> Result<Outcome> {
        if self.paths.iter().any(|path| path.as_os_str() == "-") {
            ensure!(
                self.paths.len() == 1,
                "`-` stands alone: the standard input is one flow"
            );
            return self.standard_input();
        }
        let mut outcome = Outcome::Clean;
        for path in flow::find(&self.paths)? {
            let text = flow::read(&path)?;
            let name = path.display().to_string();
            let Some(formatted) = Self::format(&name, &text) else {
                outcome = Outcome::Findings;
                continue;
            };
            if formatted == text {
                continue;
            }
            if self.check {
                report::print(&difference(&name, &text, &formatted))?;
                outcome = Outcome::Findings;
            } else {
                replace(&path, &formatted).with_context(|| format!("{name} cannot be written"))?;
            }
        }
        Ok(outcome)
    }

    /// Reads one flow and writes it formatted, or says whether it is.
    fn standard_input(&self) -> Result<Outcome> {
        const NAME: &str = "<stdin>";
        let mut text = String::new();
        io::stdin()
            .read_to_string(&mut text)
            .context("the standard input cannot be read")?;
        let Some(formatted) = Self::format(NAME, &text) else {
            return Ok(Outcome::Findings);
        };
        if !self.check {
            report::print(&formatted)?;
        } else if formatted != text {
            report::print(&difference(NAME, &text, &formatted))?;
            return Ok(Outcome::Findings);
        }
        Ok(Outcome::Clean)
    }

    /// The formatted text, or nothing after showing why there is none.
    fn format(name: &str, text: &str) -> Option<String> {
        let mut sources = SourceMap::new();
        let id = sources.add(SourceFile::new(name, text));
        let text = sources.get(id).map_or("", SourceFile::text);
        match format(id, text) {
            Ok(formatted) => Some(formatted),
            Err(found) => {
                report::tell(&found.into_sorted(), &sources, Format::Human);
                None
            }
        }
    }
}

/// `file:line: not formatted` with the line as it is and as it would be.
fn difference(name: &str, text: &str, formatted: &str) -> String {
    let current: Vec<_> = text.split('\n').collect();
    let wanted: Vec<_> = formatted.split('\n').collect();
    let same = current
        .iter()
        .zip(&wanted)
        .take_while(|(current, wanted)| current == wanted)
        .count();
    let shown = |sign: char, lines: &[&str]| {
        lines
            .get(same)
            .map_or_else(String::new, |line| format!("  {sign} {}\n", visible(line)))
    };
    format!(
        "{name}:{}: not formatted\n{}{}",
        same + 1,
        shown('-', &current),
        shown('+', &wanted)
    )
}

/// A line with its carriage returns and other signs that cannot be seen as escapes.
fn visible(line: &str) -> String {
    let signs = line.chars().map(|next| match next {
        '\u{feff}' => "\\u{feff}".to_owned(),
        _ if next.is_control() => next.escape_debug().to_string(),
        _ => next.to_string(),
    });
    signs.collect()
}

/// Puts a text in place of a file at once: whoever reads the file, and whatever interrupts this, sees the old text or
/// the new one. A link stays a link, and the file keeps its permissions.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = write_new(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, fs::metadata(&path)?.permissions()))
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // What went wrong is said; that the rest cannot be removed either adds nothing.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
