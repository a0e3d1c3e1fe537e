//! Delivery: from an event to the verdict of every sink that it reaches.
//!
//! Input: an [`Event`] and, from the walk of a [`Stage`], the [`Parts`](crate::Parts) of each
//! target. Output: [`Verdicts`], one per contributor of the event, on which the source builds its
//! answer. The order of steps is what keeps data safe: every target is planned before anything goes
//! out, so an event with a dead sink or too many outputs is answered with nothing published.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::time::Instant;

use crate::payload::{Payload, Signal};
use crate::source::admission::Charge;
pub use crate::telemetry::Node;

#[cfg(panic = "abort")]
compile_error!("watershed catches panics per event; remove `panic = \"abort\"` from the profile");

pub(crate) mod backoff;
pub(crate) mod circuit;
mod plan;
mod quota;
mod refused;
mod target;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod verdict;

pub use plan::deliver;
pub use quota::Quota;
pub use refused::Refused;
pub use target::{Deliveries, Delivery, Sent, Target};
pub use verdict::{Failure, FailureReason, RefusalReason, Verdict, Verdicts};

/// What the compiler generates for everything between a source or a batch and the next targets.
pub trait Stage: Send + Sync + 'static {
    /// False when nothing of the flow takes this signal; the source refuses it at the door.
    const CONNECTED: bool = true;

    /// Walks `event`, hands each target its parts ([`deliver`]) and returns what became of them.
    fn deliver(&self, event: Event) -> impl Future<Output = Verdicts> + Send;
}

/// The stage of a signal that no chain takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unconnected;

impl Stage for Unconnected {
    const CONNECTED: bool = false;

    async fn deliver(&self, _event: Event) -> Verdicts {
        Verdicts::accepted()
    }
}

/// One request, or the merged requests of a batch, on its way through the flow.
pub struct Event {
    payload: Payload,
    deadline: Instant,
    origin: Node,
    /// Pays for the bytes of the payload until the event is finished and no batch holds them any more.
    charge: Option<Arc<Charge>>,
    contributors: u32,
}

impl Event {
    /// An event of one contributor that starts at `origin` and must be finished by `deadline`.
    pub(crate) fn new(
        payload: Payload,
        deadline: Instant,
        origin: Node,
        charge: Option<Arc<Charge>>,
    ) -> Self {
        Self {
            payload,
            deadline,
            origin,
            charge,
            contributors: 1,
        }
    }

    /// The same event with the pieces of `contributors` senders.
    pub(crate) fn with_contributors(mut self, contributors: u32) -> Self {
        self.contributors = contributors;
        self
    }

    /// The export requests of the event.
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// `logs`, `metrics` or `traces`.
    pub fn signal(&self) -> Signal {
        self.payload.signal()
    }

    /// When the event must be finished: later, its sender has given up.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// How many senders' requests it holds; pieces name them from 0.
    pub fn contributors(&self) -> u32 {
        self.contributors
    }

    /// Where the event started: the start of its edges.
    pub(crate) fn origin(&self) -> &Node {
        &self.origin
    }

    /// What pays for the bytes of the payload, for whoever may hold them longer than the event lives.
    pub(crate) fn charge(&self) -> Option<Arc<Charge>> {
        self.charge.clone()
    }

    /// Pays for `bytes` of output as long as the result lives.
    pub(crate) fn charge_output(&self, bytes: u64) -> Option<Charge> {
        self.charge.as_ref().map(|charge| charge.output(bytes))
    }
}

/// Delivers `event` through `stage`. A panic in generated or user code fails this event only: it is
/// caught, counted and told as a failure that may be tried again.
pub(crate) async fn run<S: Stage>(stage: &S, event: Event) -> Verdicts {
    let (origin, contributors) = (event.origin.clone(), event.contributors);
    // The event is consumed and stages hold no state of their own, so nothing half-changed is left.
    let outcome = AssertUnwindSafe(stage.deliver(event)).catch_unwind().await;
    outcome.unwrap_or_else(|_| {
        origin.telemetry().panics().inc();
        tracing::error!(node = origin.name(), "an event ended in a panic");
        Verdicts::failed(
            contributors,
            &Failure::new(&origin, FailureReason::Panicked),
        )
    })
}
