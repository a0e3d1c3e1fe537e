//! NATS: the one place that knows the client library.
//!
//! Input: connection options. Output: a [`NatsConnection`] that every node with the same
//! `connection` shares. Publishing into JetStream goes through our own table of acknowledgements
//! ([`acks`]): one wildcard inbox for all of them, so that a lost acknowledgement leaks nothing and a
//! lost connection fails everything that waits at once.

use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event as ClientEvent, HeaderMap};
use bytes::Bytes;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::error::StartError;

mod acks;
mod stream;

use acks::AckTable;
pub(crate) use acks::{Answer, Refusal};
pub(crate) use stream::{Stream, StreamFault};

/// Notices a half-dead server in two of these.
const PING_INTERVAL: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// Reconnecting: the pause before the next attempt lies between these.
const RECONNECT_SHORTEST: Duration = Duration::from_millis(50);
const RECONNECT_LONGEST: Duration = Duration::from_millis(400);
/// Events of the client may get lost, so its state is looked at as often as this while it is down.
const STATE_POLL: Duration = Duration::from_millis(100);

/// How to reach NATS.
#[derive(Clone, Debug)]
pub struct NatsConnectionOptions {
    /// `nats://host:port`, or several with commas between; `tls://` for TLS.
    pub url: String,
}

impl Default for NatsConnectionOptions {
    fn default() -> Self {
        Self {
            url: "nats://127.0.0.1:4222".into(),
        }
    }
}

/// A connection to NATS. Clones are the same connection.
#[derive(Clone)]
pub struct NatsConnection {
    shared: Arc<Shared>,
}

struct Shared {
    client: Client,
    /// URL without credentials, for messages.
    url: String,
    acks: Arc<AckTable>,
    /// Changes whenever the client reports that it is connected or not.
    changes: watch::Receiver<u64>,
    reader: JoinHandle<()>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl NatsConnection {
    /// Connects; fails when no server can be reached.
    pub(crate) async fn connect(
        node: &str,
        flow: &str,
        options: &NatsConnectionOptions,
    ) -> Result<Self, StartError> {
        let url = without_credentials(&options.url);
        let fail = |reason: String| StartError::Connect {
            node: node.to_owned(),
            url: url.clone(),
            reason,
        };
        let acks = Arc::new(AckTable::default());
        let (changed, changes) = watch::channel(0);
        let servers: Vec<&str> = options.url.split(',').map(str::trim).collect();
        let client = client_options(node, flow, Arc::clone(&acks), changed)
            .connect(servers)
            .await
            .map_err(|error| fail(error.to_string()))?;
        let inbox = client.new_inbox();
        let subscription = client
            .subscribe(format!("{inbox}.*"))
            .await
            .map_err(|error| fail(error.to_string()))?;
        let reader = acks.listen(inbox, subscription);
        // The inbox must be known to the server before the first message asks for an answer to it.
        client
            .flush()
            .await
            .map_err(|error| fail(error.to_string()))?;
        let shared = Shared {
            client,
            url,
            acks,
            changes,
            reader,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// The URL without credentials.
    pub(crate) fn url(&self) -> &str {
        &self.shared.url
    }

    /// True while the client has a server.
    pub(crate) fn is_connected(&self) -> bool {
        self.shared.client.connection_state() == State::Connected
    }

    /// Waits for a server, at most until `deadline`; tells whether there is one.
    pub(crate) async fn connected(&self, deadline: Instant) -> bool {
        let mut changes = self.shared.changes.clone();
        while !self.is_connected() {
            if Instant::now() >= deadline {
                return false;
            }
            let next_look = deadline.min(Instant::now() + STATE_POLL);
            let changed = tokio::time::timeout_at(next_look, changes.changed()).await;
            if let Ok(Err(_closed)) = changed {
                // The client has ended and will not come back by itself.
                tokio::time::sleep_until(next_look).await;
            }
        }
        true
    }

    /// The longest message that the server takes, headers included.
    pub(crate) fn max_payload(&self) -> usize {
        self.shared.client.max_payload()
    }

    /// Publishes into JetStream and waits for the answer, at most until `deadline`.
    pub(crate) async fn publish(
        &self,
        subject: &str,
        headers: HeaderMap,
        payload: Bytes,
        deadline: Instant,
    ) -> Answer {
        let pending = self.shared.acks.register();
        let published = self.shared.client.publish_with_reply_and_headers(
            subject.to_owned(),
            pending.reply_subject(),
            headers,
            payload,
        );
        match tokio::time::timeout_at(deadline, published).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Answer::NotSent(error.to_string()),
            Err(_elapsed) => return Answer::Lost,
        }
        pending.answer(deadline).await
    }

    /// Asks the JetStream API and returns its answer in JSON.
    pub(crate) async fn ask(&self, subject: String) -> Result<Bytes, async_nats::RequestError> {
        let answer = self.shared.client.request(subject, Bytes::new()).await?;
        Ok(answer.payload)
    }

    /// Sends what the client still holds, at most until `deadline`; tells whether it did.
    pub(crate) async fn close(&self, deadline: Instant) -> bool {
        let flushed = tokio::time::timeout_at(deadline, self.shared.client.flush()).await;
        let drained = tokio::time::timeout_at(deadline, self.shared.client.drain()).await;
        matches!((flushed, drained), (Ok(Ok(())), Ok(Ok(()))))
    }
}

fn client_options(
    node: &str,
    flow: &str,
    acks: Arc<AckTable>,
    changed: watch::Sender<u64>,
) -> ConnectOptions {
    let node = node.to_owned();
    ConnectOptions::new()
        .name(format!("watershed {flow}"))
        .ping_interval(PING_INTERVAL)
        .connection_timeout(CONNECT_TIMEOUT)
        .request_timeout(Some(REQUEST_TIMEOUT))
        .reconnect_delay_callback(|attempts| {
            let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
            let step = RECONNECT_SHORTEST
                .saturating_mul(attempts)
                .min(RECONNECT_LONGEST);
            step.mul_f64(0.75 + fastrand::f64() / 2.0)
        })
        .event_callback(move |event| {
            react(&node, &event, &acks);
            changed.send_modify(|count| *count = count.wrapping_add(1));
            std::future::ready(())
        })
}

fn react(node: &str, event: &ClientEvent, acks: &AckTable) {
    match event {
        ClientEvent::Disconnected => {
            // What was under way is gone, written or not: only an acknowledgement counts.
            let lost = acks.lose_all();
            tracing::warn!(connection = node, lost, "disconnected from NATS");
        }
        ClientEvent::Connected => tracing::info!(connection = node, "connected to NATS"),
        ClientEvent::ServerError(error) => {
            tracing::error!(connection = node, error = %error, "the NATS server reports an error");
        }
        other => tracing::info!(connection = node, event = %other, "NATS connection"),
    }
}

/// `url` without user, password or token.
fn without_credentials(url: &str) -> String {
    let strip = |server: &str| -> String {
        let (scheme, rest) = server.split_once("://").unwrap_or(("nats", server));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        format!("{scheme}://{host}")
    };
    let servers: Vec<String> = url.split(',').map(|server| strip(server.trim())).collect();
    servers.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_never_shown() {
        assert_eq!(
            without_credentials("nats://user:p@ss@host:4222"),
            "nats://host:4222"
        );
        assert_eq!(
            without_credentials("host:1, tls://token@b:2"),
            "nats://host:1,tls://b:2"
        );
    }
}
