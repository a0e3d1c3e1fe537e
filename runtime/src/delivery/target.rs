//! Targets: what an event can be delivered to, and tuples of them.
//!
//! Input: the [`Parts`] that a walk selected for a target. Output: what the target did with them.
//! Everything is resolved at compile time: a stage names its targets in a tuple, and no call is
//! boxed or dynamic.

use std::future::Future;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::Instant;

use super::plan::Plan;
use super::{Event, Failure, Verdicts};
use crate::select::{Part, Parts};
use crate::telemetry::{EdgeOutcome, Node};

/// What a target did with the parts of one event.
#[derive(Debug, Default)]
pub struct Sent {
    /// The outcome for each contributor.
    pub verdicts: Verdicts,
    /// Records that were not delivered and may be tried again.
    pub failed_records: u64,
}

/// A batch or a sink.
pub trait Target: Send + Sync {
    /// Its place in the flow.
    fn node(&self) -> &Node;

    /// Fails at once when it makes no sense to offer anything now. Does no input or output, and changes
    /// nothing: another target may keep the event from going out.
    fn check(&self) -> Result<(), Failure>;

    /// Notes that the plan of an event with parts for it was approved: [`Target::send`] follows at once.
    fn begin(&self) {}

    /// The longest part that it takes, in bytes. Longer ones are cut at record borders.
    fn max_part_bytes(&self) -> usize {
        usize::MAX
    }

    /// Delivers `parts`, trying again until the deadline of `event`.
    fn send(&self, parts: Vec<Part>, event: &Event) -> impl Future<Output = Sent> + Send;

    /// Pairs the target with what a walk selected for it.
    fn receive(&self, parts: Parts) -> Delivery<'_, Self>
    where
        Self: Sized,
    {
        Delivery {
            target: self,
            parts: parts.parts,
            rejected: parts.rejected,
            outcome: EdgeOutcome::default(),
        }
    }
}

/// A target and its parts of one event.
pub struct Delivery<'t, T> {
    target: &'t T,
    pub(super) parts: Vec<Part>,
    rejected: Vec<crate::select::Rejection>,
    outcome: EdgeOutcome,
}

impl<T: Target> Delivery<'_, T> {
    fn count(&self, event: &Event, latency: Option<Duration>) {
        let edge = event.origin().edge(self.target.node());
        edge.record(self.outcome, latency);
    }
}

/// One delivery or a tuple of deliveries, possibly nested.
pub trait Deliveries: Send {
    /// Cuts parts, collects what is refused and checks circuits. Does no input or output.
    #[doc(hidden)]
    fn plan(&mut self, plan: &mut Plan<'_>);

    /// Counts the event as failed on every edge, because the plan does not go out.
    #[doc(hidden)]
    fn give_up(&mut self, event: &Event);

    /// Sends all at the same time and folds the outcomes.
    #[doc(hidden)]
    fn send(self, event: &Event) -> impl Future<Output = Verdicts> + Send;
}

impl<T: Target> Deliveries for Delivery<'_, T> {
    fn plan(&mut self, plan: &mut Plan<'_>) {
        self.outcome.received = plan.event().payload().records();
        self.outcome.rejected = plan.invalid();
        for rejection in std::mem::take(&mut self.rejected) {
            self.outcome.rejected += rejection.records.count();
            plan.reject(&rejection.records, rejection.reason);
        }
        plan.count_subjects(&self.parts);
        self.outcome.rejected += plan.fit(&mut self.parts, self.target.max_part_bytes());
        let records: u64 = self.parts.iter().map(|part| part.payload().records()).sum();
        self.outcome.selected = records.saturating_add(self.outcome.rejected);
        self.outcome.bytes = plan.measure(&self.parts);
        if !self.parts.is_empty()
            && let Err(failure) = self.target.check()
        {
            plan.refuse(&self.parts, &failure);
        }
    }

    fn give_up(&mut self, event: &Event) {
        let waiting = self.outcome.selected.saturating_sub(self.outcome.rejected);
        self.outcome.failed = waiting;
        self.count(event, None);
    }

    async fn send(mut self, event: &Event) -> Verdicts {
        if self.parts.is_empty() {
            self.count(event, None);
            return Verdicts::accepted();
        }
        let started = Instant::now();
        let parts = std::mem::take(&mut self.parts);
        self.target.begin();
        let sent = self.target.send(parts, event).await;
        self.outcome.failed = sent.failed_records;
        self.outcome.rejected += sent.verdicts.rejected().count();
        self.count(event, Some(started.elapsed()));
        sent.verdicts
    }
}

impl Deliveries for () {
    fn plan(&mut self, _plan: &mut Plan<'_>) {}

    fn give_up(&mut self, _event: &Event) {}

    async fn send(self, _event: &Event) -> Verdicts {
        Verdicts::accepted()
    }
}

/// Deliveries whose number the event decides.
impl<D: Deliveries> Deliveries for Vec<D> {
    fn plan(&mut self, plan: &mut Plan<'_>) {
        self.iter_mut().for_each(|one| one.plan(plan));
    }

    fn give_up(&mut self, event: &Event) {
        self.iter_mut().for_each(|one| one.give_up(event));
    }

    async fn send(self, event: &Event) -> Verdicts {
        let sending = self.into_iter().map(|one| one.send(event));
        let mut verdicts = Verdicts::accepted();
        for outcome in join_all(sending).await {
            verdicts.fold(outcome);
        }
        verdicts
    }
}

macro_rules! tuple_of_deliveries {
    ($($name:ident),+) => {
        impl<$($name: Deliveries),+> Deliveries for ($($name,)+) {
            fn plan(&mut self, plan: &mut Plan<'_>) {
                #[allow(non_snake_case, reason = "the type parameters name the fields")]
                let ($($name,)+) = self;
                $($name.plan(plan);)+
            }

            fn give_up(&mut self, event: &Event) {
                #[allow(non_snake_case, reason = "the type parameters name the fields")]
                let ($($name,)+) = self;
                $($name.give_up(event);)+
            }

            async fn send(self, event: &Event) -> Verdicts {
                #[allow(non_snake_case, reason = "the type parameters name the fields")]
                let ($($name,)+) = self;
                let outcomes = tokio::join!($($name.send(event)),+);
                #[allow(non_snake_case, reason = "the type parameters name the fields")]
                let ($($name,)+) = outcomes;
                let mut verdicts = Verdicts::accepted();
                $(verdicts.fold($name);)+
                verdicts
            }
        }
    };
}

tuple_of_deliveries!(A);
tuple_of_deliveries!(A, B);
tuple_of_deliveries!(A, B, C);
tuple_of_deliveries!(A, B, C, D);
tuple_of_deliveries!(A, B, C, D, E);
tuple_of_deliveries!(A, B, C, D, E, F);
tuple_of_deliveries!(A, B, C, D, E, F, G);
tuple_of_deliveries!(A, B, C, D, E, F, G, H);
tuple_of_deliveries!(A, B, C, D, E, F, G, H, I);
tuple_of_deliveries!(A, B, C, D, E, F, G, H, I, J);
tuple_of_deliveries!(A, B, C, D, E, F, G, H, I, J, K);
tuple_of_deliveries!(A, B, C, D, E, F, G, H, I, J, K, L);
