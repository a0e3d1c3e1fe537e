//! The demo runs to its counts.

use std::process::Command;

use anyhow::Result;

#[test]
fn every_sink_of_the_demo_holds_what_it_should() -> Result<()> {
    let output = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .arg("--demo")
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for sink in ["errors", "archive", "failed-spans", "team0-spans", "counts"] {
        let line = text
            .lines()
            .find(|line| line.starts_with(sink))
            .unwrap_or_default();
        let numbers: Vec<u64> = line
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        assert!(
            numbers.len() == 2 && numbers[0] == numbers[1] && numbers[0] > 0,
            "{sink}: {text}"
        );
    }
    Ok(())
}

#[test]
fn an_unknown_argument_is_refused() -> Result<()> {
    let output = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .arg("--dmeo")
        .output()?;
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr)?.contains("usage"));
    Ok(())
}
