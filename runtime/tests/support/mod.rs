//! What the tests of a running flow share: stages written by hand, a raw HTTP client, requests.
#![allow(dead_code, reason = "no test uses all of it")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "a helper of tests fails as a test does"
)]

pub(crate) mod flow;
pub(crate) mod http;
pub(crate) mod nats;
pub(crate) mod otlp;

use std::time::Duration;

use watershed::delivery::{Event, Stage, Target, Verdicts, deliver};
use watershed::generated::{Selection, SubjectSelection};

/// Everything to one target.
pub(crate) struct AllTo<T>(pub T);

impl<T: Target + 'static> Stage for AllTo<T> {
    async fn deliver(&self, event: Event) -> Verdicts {
        let mut all = Selection::new();
        for request in event.payload().requests() {
            all.keep_request(&request);
        }
        let all = all.finish();
        deliver(&event, (self.0.receive(all),)).await
    }
}

/// Everything to a target under the subject `<prefix>.<team>`.
pub(crate) struct ToSubject<T> {
    pub(crate) prefix: &'static str,
    pub(crate) target: T,
}

impl<T: Target + 'static> Stage for ToSubject<T> {
    async fn deliver(&self, event: Event) -> Verdicts {
        let mut all = SubjectSelection::new();
        select_by_team(&event, self.prefix, &mut all);
        let all = all.finish();
        deliver(&event, (self.target.receive(all),)).await
    }
}

/// Everything to both: the first without subjects, the second under `<prefix>.<team>`.
pub(crate) struct Both<A, B> {
    pub(crate) first: A,
    pub(crate) prefix: &'static str,
    pub(crate) second: B,
}

impl<A: Target + 'static, B: Target + 'static> Stage for Both<A, B> {
    async fn deliver(&self, event: Event) -> Verdicts {
        let mut plain = Selection::new();
        for request in event.payload().requests() {
            plain.keep_request(&request);
        }
        let mut by_team = SubjectSelection::new();
        select_by_team(&event, self.prefix, &mut by_team);
        let (plain, by_team) = (plain.finish(), by_team.finish());
        deliver(
            &event,
            (self.first.receive(plain), self.second.receive(by_team)),
        )
        .await
    }
}

fn select_by_team<'a>(event: &'a Event, prefix: &str, output: &mut SubjectSelection<'a>) {
    for request in event.payload().requests() {
        for group in request.resources() {
            let mut attributes = group.resource().attributes();
            let team = attributes.find(|attribute| attribute.key() == b"team");
            let team = team.and_then(|attribute| attribute.value().as_text());
            let subject = output.subject(|subject| {
                subject.literal(prefix);
                subject.literal(".");
                subject.token(team.map_or(&b"none"[..], |team| team.as_bytes()));
            });
            output.keep_all(subject, &group);
        }
    }
}

/// Waits until `condition` holds, for at most five seconds.
pub(crate) async fn eventually(what: &str, condition: impl AsyncFn() -> bool) {
    for _ in 0..500 {
        if condition().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} did not happen");
}
