//! A real nats-server with JetStream, and what its streams hold.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use async_nats::{Client, Message};
use tempfile::TempDir;

/// A server in a directory of its own; it is killed when the test ends.
pub(crate) struct Server {
    program: PathBuf,
    directory: TempDir,
    port: u16,
    process: Child,
}

/// The program, or `None` when there is none. In CI (`CI=true`) that is a failure.
fn program() -> Option<PathBuf> {
    let named = std::env::var_os("WATERSHED_NATS_SERVER").map(PathBuf::from);
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/nats/bin/nats-server");
    let found = named.unwrap_or(installed);
    if found.is_file() {
        return Some(found);
    }
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "no nats-server at {}: run tools/setup",
        found.display()
    );
    eprintln!("SKIPPED: no nats-server at {}", found.display());
    None
}

impl Server {
    /// Starts a server with `config` added to its configuration; `None` when there is no program.
    pub(crate) async fn start(config: &str) -> Option<Self> {
        let program = program()?;
        let directory = tempfile::tempdir().expect("a directory");
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let store = directory.path().join("store");
        let text = format!(
            "listen: 127.0.0.1:{port}\njetstream {{ store_dir: \"{}\" }}\n{config}\n",
            store.display()
        );
        std::fs::write(directory.path().join("server.conf"), text).expect("written");
        let process = launch(&program, directory.path());
        let server = Self {
            program,
            directory,
            port,
            process,
        };
        server.client().await;
        Some(server)
    }

    /// Where clients connect.
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("ended");
    }

    /// SIGSTOP: the server keeps its connections and says nothing.
    pub(crate) fn freeze(&self) {
        let process = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(process, rustix::process::Signal::STOP).expect("stopped");
    }

    /// Starts again on the same port and store.
    pub(crate) fn restart(&mut self) {
        self.process = launch(&self.program, self.directory.path());
    }

    /// A client, as soon as the server and JetStream answer.
    pub(crate) async fn client(&self) -> Client {
        for _ in 0..500 {
            if let Ok(client) = async_nats::connect(self.url()).await
                && client.request("$JS.API.INFO", "".into()).await.is_ok()
            {
                return client;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the server does not answer");
    }

    /// Makes stream `name` for `subjects`, with more `settings` such as `,"max_msgs":1`.
    pub(crate) async fn stream(&self, name: &str, subjects: &str, settings: &str) {
        let config = format!(
            r#"{{"name":"{name}","subjects":["{subjects}"],"retention":"limits","max_consumers":-1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"storage":"file","discard":"new","num_replicas":1{settings}}}"#
        );
        let client = self.client().await;
        let answer = client
            .request(format!("$JS.API.STREAM.CREATE.{name}"), config.into())
            .await;
        let answer = answer.expect("an answer").payload;
        let answer: serde_json::Value = serde_json::from_slice(&answer).expect("JSON");
        assert!(answer.get("error").is_none(), "{answer}");
    }

    /// Every message in stream `name`, in order.
    pub(crate) async fn messages(&self, name: &str) -> Vec<Stored> {
        let client = self.client().await;
        let info = client
            .request(format!("$JS.API.STREAM.INFO.{name}"), "".into())
            .await;
        let info: serde_json::Value =
            serde_json::from_slice(&info.expect("an answer").payload).expect("JSON");
        let last = info["state"]["last_seq"].as_u64().expect("a number");
        let mut messages = Vec::new();
        for sequence in 1..=last {
            let ask = format!("{{\"seq\":{sequence}}}");
            let got = client
                .request(format!("$JS.API.STREAM.MSG.GET.{name}"), ask.into())
                .await;
            messages.push(Stored::read(&got.expect("an answer")));
        }
        messages
    }
}

fn launch(program: &Path, directory: &Path) -> Child {
    Command::new(program)
        .arg("-c")
        .arg(directory.join("server.conf"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts")
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be dead already.
        let _ended = self.process.kill();
        let _reaped = self.process.wait();
    }
}

/// A message of a stream.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) subject: String,
    pub(crate) headers: String,
    pub(crate) payload: Vec<u8>,
}

impl Stored {
    fn read(answer: &Message) -> Self {
        use base64::Engine;
        use base64::engine::general_purpose::STANDARD;

        let answer: serde_json::Value = serde_json::from_slice(&answer.payload).expect("JSON");
        let message = &answer["message"];
        let decode = |name: &str| {
            let text = message[name].as_str().unwrap_or_default();
            STANDARD.decode(text).expect("base64")
        };
        Self {
            subject: message["subject"].as_str().expect("a subject").to_owned(),
            headers: String::from_utf8(decode("hdrs")).expect("headers"),
            payload: decode("data"),
        }
    }
}
