//! What is known about a stream that a sink publishes into.
//!
//! Input: the name of a stream. Output: its subjects and its limit for a message, as the server told
//! them at start and, when a subject does not fit, again later. So a subject that no stream stores is
//! told from a stream that does not answer for a while.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use async_nats::RequestErrorKind;
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use super::NatsConnection;

/// How often the subjects of a stream are asked for again.
const REFRESH_PAUSE: Duration = Duration::from_secs(2);
/// The JetStream error code of a stream that does not exist.
const STREAM_NOT_FOUND: u64 = 10_059;

/// Why nothing is known about a stream.
#[derive(Debug)]
pub(crate) enum StreamFault {
    /// It does not exist.
    Missing,
    /// The server cannot be asked.
    Unknown(String),
}

#[derive(Deserialize)]
struct Info {
    #[serde(default)]
    config: Option<Config>,
    #[serde(default)]
    error: Option<super::Refusal>,
}

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default)]
    subjects: Vec<String>,
    #[serde(default)]
    max_msg_size: i64,
}

/// A stream that exists.
pub(crate) struct Stream {
    name: String,
    config: RwLock<Arc<Config>>,
    asked: Mutex<Asked>,
}

/// The last time that the server was asked for the stream.
struct Asked {
    at: Instant,
    /// Whether it said anything.
    answered: bool,
}

impl Stream {
    /// Asks the server for the stream `name`.
    pub(crate) async fn verify(
        connection: &NatsConnection,
        name: &str,
    ) -> Result<Self, StreamFault> {
        let config = ask(connection, name).await?;
        Ok(Self {
            name: name.to_owned(),
            config: RwLock::new(Arc::new(config)),
            asked: Mutex::new(Asked {
                at: Instant::now(),
                answered: true,
            }),
        })
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The subjects that it stores.
    pub(crate) fn subjects(&self) -> Vec<String> {
        self.config().subjects.clone()
    }

    /// The longest message that it stores, headers included.
    pub(crate) fn max_message_bytes(&self) -> usize {
        // No limit is written as -1.
        usize::try_from(self.config().max_msg_size)
            .ok()
            .filter(|limit| *limit > 0)
            .unwrap_or(usize::MAX)
    }

    /// True when some subject that begins with the whole tokens of `prefix` can be stored.
    pub(crate) fn may_store_prefix(&self, prefix: &str) -> bool {
        let whole_tokens = prefix.rsplit_once('.').map_or("", |(whole, _)| whole);
        let subjects = &self.config().subjects;
        whole_tokens.is_empty()
            || subjects
                .iter()
                .any(|pattern| overlaps(pattern, whole_tokens))
    }

    /// Whether the stream stores `subject`. Where it seems not to, the server is asked again, because
    /// subjects may be added to a stream while the flow runs; `None` when it says nothing until
    /// `deadline`.
    pub(crate) async fn stores(
        &self,
        connection: &NatsConnection,
        subject: &str,
        deadline: Instant,
    ) -> Option<bool> {
        if self.stores_now(subject) {
            return Some(true);
        }
        let refreshed = timeout_at(deadline, self.refresh(connection)).await;
        if self.stores_now(subject) {
            return Some(true);
        }
        refreshed.unwrap_or(false).then_some(false)
    }

    fn stores_now(&self, subject: &str) -> bool {
        self.config()
            .subjects
            .iter()
            .any(|pattern| matches(pattern, subject))
    }

    /// Asks for the subjects unless that was done a moment ago; false when the server said nothing.
    async fn refresh(&self, connection: &NatsConnection) -> bool {
        let mut asked = self.asked.lock().await;
        if asked.at.elapsed() < REFRESH_PAUSE {
            return asked.answered;
        }
        *asked = Asked {
            at: Instant::now(),
            answered: false,
        };
        // Without an answer the last known subjects stay.
        match ask(connection, &self.name).await {
            Ok(config) => {
                *self.config.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
                asked.answered = true;
            }
            Err(fault) => asked.answered = matches!(fault, StreamFault::Missing),
        }
        asked.answered
    }

    fn config(&self) -> Arc<Config> {
        Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn ask(connection: &NatsConnection, name: &str) -> Result<Config, StreamFault> {
    let answer = connection.ask(format!("$JS.API.STREAM.INFO.{name}")).await;
    let answer = answer.map_err(|error| match error.kind() {
        RequestErrorKind::NoResponders => StreamFault::Unknown("JetStream is not enabled".into()),
        _ => StreamFault::Unknown(error.to_string()),
    })?;
    let info: Info = serde_json::from_slice(&answer)
        .map_err(|error| StreamFault::Unknown(format!("the answer is not readable: {error}")))?;
    match (info.config, info.error) {
        (_, Some(error)) if error.code == STREAM_NOT_FOUND => Err(StreamFault::Missing),
        (_, Some(error)) => Err(StreamFault::Unknown(error.description)),
        (Some(config), None) => Ok(config),
        (None, None) => Err(StreamFault::Unknown(
            "the answer has no configuration".into(),
        )),
    }
}

/// True when the subject `pattern` of a stream stores `subject`.
fn matches(pattern: &str, subject: &str) -> bool {
    let mut subject_tokens = subject.split('.');
    for pattern_token in pattern.split('.') {
        match (pattern_token, subject_tokens.next()) {
            (_, None) => return false,
            (">", Some(_)) => return true,
            ("*", Some(_)) => {}
            (expected, Some(token)) if expected == token => {}
            _ => return false,
        }
    }
    subject_tokens.next().is_none()
}

/// True when a subject that begins with the tokens of `prefix` can match `pattern`.
fn overlaps(pattern: &str, prefix: &str) -> bool {
    let mut pattern_tokens = pattern.split('.');
    for token in prefix.split('.') {
        match pattern_tokens.next() {
            Some(">") => return true,
            Some("*") => {}
            Some(expected) if expected == token => {}
            _ => return false,
        }
    }
    // More tokens follow the prefix.
    pattern_tokens.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_match_as_the_server_matches_them() {
        for (pattern, subject) in [("team0.>", "team0.a.b"), ("*.x", "team0.x"), ("a.b", "a.b")] {
            assert!(matches(pattern, subject), "{pattern} {subject}");
        }
        for (pattern, subject) in [
            ("team0.>", "team0"),
            ("*.x", "a.b.x"),
            ("a.b", "a"),
            ("a.b", "a.b.c"),
        ] {
            assert!(!matches(pattern, subject), "{pattern} {subject}");
        }
    }

    #[test]
    fn a_constant_prefix_rules_streams_out() {
        assert!(overlaps("team0.>", "team0"));
        assert!(overlaps("*.*", "team0"));
        assert!(!overlaps("team1.>", "team0"));
        assert!(!overlaps("team0", "team0"), "something follows the prefix");
    }
}
