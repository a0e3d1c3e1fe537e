//! Finds the programs that tests start, and decides what happens when one is missing.

use std::env;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

/// The oldest nats-server that the tests use.
const OLDEST_NATS: (u32, u32) = (2, 12);

/// A nats-server: the one on `PATH` when it is new enough, else the one that `tools/setup.sh` installed.
///
/// `None` means that there is none and that the test is to be skipped. With `CI=true` that is an error.
pub fn nats_server() -> Result<Option<PathBuf>> {
    let candidates = [PathBuf::from("nats-server"), tool("nats/bin/nats-server")];
    let found = candidates
        .into_iter()
        .find(|program| nats_version(program).is_some_and(|version| version >= OLDEST_NATS));
    found_or_skip(found, "nats-server 2.12 or newer")
}

/// The Python of `.tools/python`, which has the OpenTelemetry SDK. `None` as for [`nats_server`].
pub fn python() -> Result<Option<PathBuf>> {
    let program = tool("python/bin/python");
    let works = succeeds(&program, ["-c", "import opentelemetry.sdk"]);
    found_or_skip(works.then_some(program), "the Python OpenTelemetry SDK")
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

fn tool(path: &str) -> PathBuf {
    workspace().join(".tools").join(path)
}

fn found_or_skip(found: Option<PathBuf>, what: &str) -> Result<Option<PathBuf>> {
    if found.is_none() {
        if env::var_os("CI").is_some_and(|value| value == "true") {
            bail!("{what} is missing; run tools/setup.sh");
        }
        // Written past the test runner's capture, so that a skipped test is seen.
        writeln!(
            std::io::stderr(),
            "SKIPPED: {what} is missing; run tools/setup.sh"
        )?;
    }
    Ok(found)
}

fn succeeds<I: AsRef<OsStr>>(program: &Path, arguments: impl IntoIterator<Item = I>) -> bool {
    Command::new(program)
        .args(arguments)
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Major and minor version of the nats-server `program`, `None` when it does not run.
fn nats_version(program: &Path) -> Option<(u32, u32)> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    parse_nats_version(&text)
}

fn parse_nats_version(text: &str) -> Option<(u32, u32)> {
    let (_, version) = text.trim().split_once(": v")?;
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_that_nats_server_prints() {
        assert_eq!(parse_nats_version("nats-server: v2.15.1\n"), Some((2, 15)));
        assert_eq!(parse_nats_version("nats-server: v2.9.10"), Some((2, 9)));
        assert_eq!(parse_nats_version("bash: nats-server: not found"), None);
    }
}
