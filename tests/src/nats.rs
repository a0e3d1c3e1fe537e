//! A real nats-server with JetStream on a port and a folder of its own, and a reader of its streams.

use std::fs;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use async_nats::HeaderMap;
use async_nats::jetstream::{self, stream};
use serde_json::Value;
use tempfile::TempDir;

use crate::process::Process;
use crate::program;

/// How long a server may take until it accepts connections.
const START: Duration = Duration::from_secs(10);

/// A nats-server that lives as long as this value, with its JetStream store in a temporary folder.
#[derive(Debug)]
pub struct NatsServer {
    program: PathBuf,
    folder: TempDir,
    port: u16,
    process: Process,
}

impl NatsServer {
    /// Starts a server on a free loopback port, or returns `None` when there is none (see [`program::nats_server`]).
    pub fn start() -> Result<Option<Self>> {
        let Some(program) = program::nats_server()? else {
            return Ok(None);
        };
        let folder = tempfile::tempdir()?;
        let ports = folder.path().join("ports");
        fs::create_dir(&ports)?;
        let mut command = Self::command(&program, &folder, "-1");
        let process = Process::start(command.arg("--ports_file_dir").arg(&ports))?;
        let port = read_port(&ports)?;
        wait_for_port(port)?;
        Ok(Some(Self {
            program,
            folder,
            port,
            process,
        }))
    }

    /// Address for clients.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends the server at once (SIGKILL).
    pub fn kill(&mut self) -> Result<()> {
        self.process.kill()
    }

    /// Starts the server again after [`NatsServer::kill`], on the same port and the same store.
    pub fn restart(&mut self) -> Result<()> {
        let port = self.port.to_string();
        self.process = Process::start(&mut Self::command(&self.program, &self.folder, &port))?;
        wait_for_port(self.port)
    }

    /// The process, to pause and resume it.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// A JetStream client of this server.
    pub async fn client(&self) -> Result<jetstream::Context> {
        let client = async_nats::connect(self.url()).await?;
        Ok(jetstream::new(client))
    }

    /// Creates stream `name` in a file store with the subjects `name in lower case` + `.>`.
    pub async fn create_stream(&self, name: &str) -> Result<()> {
        let config = stream::Config {
            name: name.into(),
            subjects: vec![format!("{}.>", name.to_lowercase())],
            ..stream::Config::default()
        };
        self.client().await?.create_stream(config).await?;
        Ok(())
    }

    /// Every message of stream `name`, in order.
    pub async fn messages(&self, name: &str) -> Result<Vec<StoredMessage>> {
        let stream = self.client().await?.get_stream(name).await?;
        let state = stream.get_info().await?.state;
        let mut messages = Vec::new();
        if state.messages == 0 {
            return Ok(messages);
        }
        for sequence in state.first_sequence..=state.last_sequence {
            let message = stream.get_raw_message(sequence).await?;
            messages.push(StoredMessage {
                subject: message.subject.to_string(),
                headers: message.headers,
                payload: message.payload.to_vec(),
            });
        }
        Ok(messages)
    }

    fn command(program: &PathBuf, folder: &TempDir, port: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(["--addr", "127.0.0.1", "--port", port, "--jetstream"])
            .arg("--store_dir")
            .arg(folder.path().join("store"))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

/// A message as a stream holds it.
#[derive(Clone, Debug)]
pub struct StoredMessage {
    /// Where it was published.
    pub subject: String,
    /// Its headers, which may be empty.
    pub headers: HeaderMap,
    /// Its body.
    pub payload: Vec<u8>,
}

/// Reads the port that the server chose from the file it writes into `folder`.
fn read_port(folder: &PathBuf) -> Result<u16> {
    let deadline = Instant::now() + START;
    while Instant::now() < deadline {
        if let Some(entry) = fs::read_dir(folder)?.next() {
            let text = fs::read_to_string(entry?.path())?;
            if let Ok(ports) = serde_json::from_str::<Value>(&text) {
                return port_of(&ports);
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    bail!("nats-server did not tell its port within {START:?}")
}

fn port_of(ports: &Value) -> Result<u16> {
    let url = ports.pointer("/nats/0").and_then(Value::as_str);
    let (_, port) = url
        .and_then(|url| url.rsplit_once(':'))
        .with_context(|| format!("no port in {ports}"))?;
    Ok(port.parse()?)
}

fn wait_for_port(port: u16) -> Result<()> {
    let deadline = Instant::now() + START;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if Instant::now() > deadline {
            bail!("nats-server does not listen on port {port}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_killed_server_comes_back_with_its_streams() -> Result<()> {
        let Some(mut server) = NatsServer::start()? else {
            return Ok(());
        };
        server.create_stream("KEPT").await?;
        let client = server.client().await?;
        client.publish("kept.a.b", "first".into()).await?.await?;
        server.kill()?;
        server.restart()?;
        let messages = server.messages("KEPT").await?;
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0].subject, "kept.a.b");
        assert_eq!(messages[0].payload, b"first");
        Ok(())
    }
}
