//! The demo runs to its counts on a real nats-server.

use std::process::Command;

use anyhow::Result;
use watershed_tests::nats::NatsServer;

#[test]
fn every_subject_of_the_demo_holds_what_it_should() -> Result<()> {
    let Some(server) = NatsServer::start()? else {
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_nats-split"));
    command
        .arg("--demo")
        .env("WATERSHED_NATS_URL", server.url())
        .current_dir(folder.path());
    let output = command.output()?;
    let text = String::from_utf8(output.stdout)?;
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("team0.service-"))
            .count(),
        5,
        "{text}"
    );
    assert!(folder.path().join("rest/logs.jsonl").is_file());
    Ok(())
}
