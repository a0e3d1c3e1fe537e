//! The table of acknowledgements that a connection waits for.
//!
//! Input: messages that arrive at `<inbox>.<number>`. Output: for each published message, what the
//! server says, or [`Answer::Lost`]. An entry leaves the table when its answer comes or when nobody
//! waits any more, so nothing leaks; a late answer finds no entry and is ignored.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_nats::{Message, StatusCode, Subscriber};
use futures_util::StreamExt;
use serde::Deserialize;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// What became of a published message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A stream has stored it.
    Stored {
        /// The stream.
        stream: String,
    },
    /// No stream listens to its subject now.
    NoResponders,
    /// The stream refuses it.
    Refused(Refusal),
    /// No answer came in time, or the connection was lost: it may be stored or not.
    Lost,
    /// The client did not take it.
    NotSent(String),
}

/// An error of the JetStream API.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Refusal {
    /// The JetStream error code.
    #[serde(default, rename = "err_code")]
    pub(crate) code: u64,
    /// The words of the server.
    #[serde(default)]
    pub(crate) description: String,
}

impl Refusal {
    /// True when the same message will never be stored: it is too long (10054), its header is
    /// (10097), the stream is sealed (10109) or it is not the stream that was expected (10060).
    /// Everything else, such as a full stream (10077), may pass.
    pub(crate) fn is_permanent(&self) -> bool {
        matches!(self.code, 10_054 | 10_060 | 10_097 | 10_109)
    }
}

#[derive(Deserialize)]
struct PublishAck<'a> {
    #[serde(borrow, default)]
    stream: Option<Cow<'a, str>>,
    #[serde(default)]
    error: Option<Refusal>,
}

/// The answers that are waited for, by number.
#[derive(Default)]
pub(crate) struct AckTable {
    waiting: Mutex<Waiting>,
    inbox: OnceLock<String>,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    senders: HashMap<u64, oneshot::Sender<Answer>>,
}

impl AckTable {
    /// Starts to read the answers that arrive in `subscription`, whose subjects begin with `inbox`.
    pub(super) fn listen(
        self: &Arc<Self>,
        inbox: String,
        mut subscription: Subscriber,
    ) -> JoinHandle<()> {
        // The table is listened to once, when its connection is made.
        let _already_set = self.inbox.set(inbox);
        let table = Arc::clone(self);
        tokio::spawn(async move {
            while let Some(message) = subscription.next().await {
                table.settle(&message);
            }
            table.lose_all();
        })
    }

    /// Makes an entry for a message that is about to be published.
    pub(super) fn register(self: &Arc<Self>) -> Pending {
        let (sender, receiver) = oneshot::channel();
        let mut waiting = self.waiting();
        let number = waiting.next;
        waiting.next = number.wrapping_add(1);
        waiting.senders.insert(number, sender);
        drop(waiting);
        Pending {
            table: Arc::clone(self),
            number,
            receiver: Some(receiver),
        }
    }

    /// Tells everyone who waits that the answer is lost; returns how many those were.
    pub(super) fn lose_all(&self) -> usize {
        let senders = std::mem::take(&mut self.waiting().senders);
        // Dropping a sender is the news.
        senders.len()
    }

    fn settle(&self, message: &Message) {
        let number = message
            .subject
            .rsplit('.')
            .next()
            .and_then(|token| token.parse().ok());
        let sender = number.and_then(|number: u64| self.waiting().senders.remove(&number));
        if let Some(sender) = sender {
            // Whoever waited may have given up.
            let _gone = sender.send(read(message));
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(message: &Message) -> Answer {
    if message.status == Some(StatusCode::NO_RESPONDERS) {
        return Answer::NoResponders;
    }
    match serde_json::from_slice::<PublishAck<'_>>(&message.payload) {
        Ok(PublishAck {
            error: Some(refusal),
            ..
        }) => Answer::Refused(refusal),
        Ok(PublishAck {
            stream: Some(stream),
            ..
        }) => Answer::Stored {
            stream: stream.into_owned(),
        },
        // Someone who is no stream has answered, so nothing is stored.
        Ok(_) | Err(_) => Answer::NoResponders,
    }
}

/// One answer that is waited for. Dropping it takes the entry out of the table.
pub(super) struct Pending {
    table: Arc<AckTable>,
    number: u64,
    receiver: Option<oneshot::Receiver<Answer>>,
}

impl Pending {
    /// Where the answer is to be sent.
    pub(super) fn reply_subject(&self) -> String {
        let inbox = self.table.inbox.get().map_or("", String::as_str);
        format!("{inbox}.{}", self.number)
    }

    /// Waits for the answer, at most until `deadline`.
    pub(super) async fn answer(mut self, deadline: Instant) -> Answer {
        let Some(receiver) = self.receiver.take() else {
            return Answer::Lost;
        };
        match tokio::time::timeout_at(deadline, receiver).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => Answer::Lost,
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.table.waiting().senders.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use std::time::Duration;

    use super::*;

    fn message(subject: &str, payload: &'static str, status: Option<StatusCode>) -> Message {
        Message {
            subject: subject.into(),
            reply: None,
            payload: Bytes::from_static(payload.as_bytes()),
            headers: None,
            status,
            description: None,
            length: payload.len(),
        }
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(1)
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_reaches_the_one_that_waits_for_it() {
        let table = Arc::new(AckTable::default());
        let (first, second) = (table.register(), table.register());
        table.settle(&message("_INBOX.x.1", r#"{"stream":"T","seq":7}"#, None));
        let full =
            r#"{"error":{"code":503,"err_code":10077,"description":"full"},"stream":"T","seq":0}"#;
        table.settle(&message("_INBOX.x.0", full, None));
        assert_eq!(
            second.answer(soon()).await,
            Answer::Stored { stream: "T".into() }
        );
        let Answer::Refused(refusal) = first.answer(soon()).await else {
            panic!("the first message is refused");
        };
        assert_eq!((refusal.code, refusal.is_permanent()), (10_077, false));
        assert!(table.waiting().senders.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_lost_connection_fails_all_at_once_and_nothing_leaks() {
        let table = Arc::new(AckTable::default());
        let (lost, late, given_up) = (table.register(), table.register(), table.register());
        drop(given_up);
        assert_eq!(table.lose_all(), 2);
        assert_eq!(lost.answer(soon()).await, Answer::Lost);
        table.settle(&message("_INBOX.x.1", r#"{"stream":"T","seq":7}"#, None));
        assert_eq!(late.answer(soon()).await, Answer::Lost);
        let silent = table.register();
        assert_eq!(silent.answer(soon()).await, Answer::Lost);
        assert!(table.waiting().senders.is_empty());
    }

    #[test]
    fn no_responders_and_strange_answers_mean_that_nothing_is_stored() {
        let none = message("_INBOX.x.0", "", Some(StatusCode::NO_RESPONDERS));
        assert_eq!(read(&none), Answer::NoResponders);
        assert_eq!(
            read(&message("_INBOX.x.0", "thanks!", None)),
            Answer::NoResponders
        );
        assert_eq!(
            read(&message("_INBOX.x.0", "{}", None)),
            Answer::NoResponders
        );
    }
}
