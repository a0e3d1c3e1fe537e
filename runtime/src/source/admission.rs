//! Admission: how many bytes a source holds for events that are not finished.
//!
//! Input: bytes as they arrive (after decompression) and bytes that outputs copy. Output: leave to
//! hold them, or [`Overload`]. Every byte is charged before it is kept, so memory stays bounded
//! whatever senders do, and one connection cannot take what belongs to all.
//!
//! Outputs are charged without leave: an admitted event must be able to finish, and its outputs are
//! bounded by the limits of an event. They keep the next request out until they are released.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a request waits for room before it is told to come back later. Batches are flushed at
/// once meanwhile, so room usually appears.
const PATIENCE: Duration = Duration::from_millis(100);

/// Why bytes may not be held now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overload {
    /// The bound of the source is reached.
    Source,
    /// The connection holds its share already.
    Connection,
}

/// Tells batches that a source is full, so that they flush instead of waiting for more.
#[derive(Clone, Default)]
pub(crate) struct Pressure {
    full: Arc<Notify>,
}

impl Pressure {
    /// Wakes every batch that waits now.
    pub(crate) fn raise(&self) {
        self.full.notify_waiters();
    }

    /// Waits for the next [`Pressure::raise`].
    pub(crate) async fn raised(&self) {
        self.full.notified().await;
    }
}

/// The bytes that one source may hold. Clones share the bound.
#[derive(Clone)]
pub(crate) struct Admission {
    shared: Arc<Shared>,
}

struct Shared {
    capacity: u64,
    used: AtomicU64,
    gauge: Gauge,
    released: Notify,
    pressure: Pressure,
}

impl Admission {
    /// A bound of `capacity` bytes that is shown in `gauge`.
    pub(crate) fn new(capacity: u64, gauge: Gauge, pressure: Pressure) -> Self {
        Self {
            shared: Arc::new(Shared {
                capacity,
                used: AtomicU64::new(0),
                gauge,
                released: Notify::new(),
                pressure,
            }),
        }
    }

    /// The bound in bytes: what can never be admitted is larger than this.
    pub(crate) fn capacity(&self) -> u64 {
        self.shared.capacity
    }

    /// The account of a new connection.
    pub(crate) fn connection(&self) -> ConnectionShare {
        ConnectionShare {
            used: Arc::new(AtomicU64::new(0)),
            limit: self.shared.capacity / 2,
        }
    }

    /// An empty charge, to be grown as bytes arrive.
    pub(crate) fn charge(&self, connection: Option<&ConnectionShare>) -> Charge {
        Charge {
            admission: self.clone(),
            connection: connection.cloned(),
            bytes: 0,
            parts: Vec::new(),
        }
    }

    fn try_take(&self, bytes: u64) -> bool {
        let fits = |used: u64| {
            let total = used.checked_add(bytes)?;
            (total <= self.shared.capacity).then_some(total)
        };
        let taken = self
            .shared
            .used
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, fits);
        if taken.is_ok() {
            self.show(bytes, Gauge::inc_by);
        }
        taken.is_ok()
    }

    fn take(&self, bytes: u64) {
        self.shared.used.fetch_add(bytes, Ordering::AcqRel);
        self.show(bytes, Gauge::inc_by);
    }

    fn release(&self, bytes: u64) {
        self.shared.used.fetch_sub(bytes, Ordering::AcqRel);
        self.show(bytes, Gauge::dec_by);
        self.shared.released.notify_waiters();
    }

    fn show(&self, bytes: u64, change: impl Fn(&Gauge, i64) -> i64) {
        change(&self.shared.gauge, i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    async fn wait_and_take(&self, bytes: u64) -> bool {
        let until = Instant::now() + PATIENCE;
        self.shared.pressure.raise();
        loop {
            let released = self.shared.released.notified();
            if self.try_take(bytes) {
                return true;
            }
            if tokio::time::timeout_at(until, released).await.is_err() {
                return self.try_take(bytes);
            }
        }
    }
}

/// What one connection holds. A single request may take all that the source has left; further ones
/// on the same connection may not take it past half of the bound.
#[derive(Clone)]
pub(crate) struct ConnectionShare {
    used: Arc<AtomicU64>,
    limit: u64,
}

/// Bytes that are held. They are released when the charge is dropped.
pub(crate) struct Charge {
    admission: Admission,
    connection: Option<ConnectionShare>,
    bytes: u64,
    /// Charges that are kept as long as this one: of what was merged.
    parts: Vec<Arc<Charge>>,
}

impl Charge {
    /// Takes `bytes` more, waiting a moment for room. Nothing is had at once, however full the source is.
    pub(crate) async fn grow(&mut self, bytes: u64) -> Result<(), Overload> {
        if bytes == 0 {
            return Ok(());
        }
        if let Some(connection) = &self.connection {
            let others = connection
                .used
                .load(Ordering::Acquire)
                .saturating_sub(self.bytes);
            let total = others.saturating_add(self.bytes).saturating_add(bytes);
            if others > 0 && total > connection.limit {
                return Err(Overload::Connection);
            }
        }
        if !self.admission.try_take(bytes) && !self.admission.wait_and_take(bytes).await {
            return Err(Overload::Source);
        }
        self.add(bytes);
        Ok(())
    }

    /// Gives `bytes` back, or all that there is of fewer.
    pub(crate) fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        if bytes == 0 {
            return;
        }
        self.bytes -= bytes;
        if let Some(connection) = &self.connection {
            connection.used.fetch_sub(bytes, Ordering::AcqRel);
        }
        self.admission.release(bytes);
    }

    /// A charge on the same bound for `bytes` of output, taken without leave.
    pub(crate) fn output(&self, bytes: u64) -> Charge {
        self.admission.take(bytes);
        Charge {
            admission: self.admission.clone(),
            connection: None,
            bytes,
            parts: Vec::new(),
        }
    }

    /// One charge that keeps all of these: what was merged is paid for until nobody holds any of it. Outputs of the
    /// whole are charged where the first is.
    pub(crate) fn together(charges: impl IntoIterator<Item = Arc<Self>>) -> Option<Arc<Self>> {
        let mut parts: Vec<Arc<Self>> = Vec::new();
        for charge in charges {
            // What came in one entry is paid for by one charge, and stands together.
            if !parts.last().is_some_and(|last| Arc::ptr_eq(last, &charge)) {
                parts.push(charge);
            }
        }
        if parts.len() < 2 {
            return parts.pop();
        }
        let mut whole = parts.first()?.admission.charge(None);
        whole.parts = parts;
        Some(Arc::new(whole))
    }

    /// How many bytes it could take more if nothing else were held.
    pub(crate) fn room(&self) -> u64 {
        self.admission.capacity().saturating_sub(self.bytes)
    }

    fn add(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        if let Some(connection) = &self.connection {
            connection.used.fetch_add(bytes, Ordering::AcqRel);
        }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            connection.used.fetch_sub(self.bytes, Ordering::AcqRel);
        }
        if self.bytes > 0 {
            self.admission.release(self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(capacity: u64) -> (Admission, Pressure) {
        let pressure = Pressure::default();
        let admission = Admission::new(capacity, Gauge::default(), pressure.clone());
        (admission, pressure)
    }

    #[tokio::test(start_paused = true)]
    async fn the_bound_holds_and_a_dropped_charge_makes_room() {
        let (admission, _) = admission(100);
        let mut first = admission.charge(None);
        assert_eq!(first.grow(80).await, Ok(()));
        let mut second = admission.charge(None);
        assert_eq!(second.grow(21).await, Err(Overload::Source));
        assert_eq!(second.grow(20).await, Ok(()));
        drop(first);
        assert_eq!(second.grow(80).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_more_is_had_of_a_source_that_outputs_have_overfilled() {
        let (admission, _) = admission(100);
        let mut charge = admission.charge(None);
        assert_eq!(charge.grow(60).await, Ok(()));
        let output = charge.output(50);
        assert_eq!(charge.grow(0).await, Ok(()));
        assert_eq!(charge.grow(1).await, Err(Overload::Source));
        charge.shrink(20);
        assert_eq!(charge.grow(10).await, Ok(()));
        drop(output);
        charge.shrink(1_000);
        assert_eq!(admission.charge(None).grow(100).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_source_raises_pressure_and_waits_for_room() {
        let (admission, pressure) = admission(100);
        let mut first = admission.charge(None);
        assert_eq!(first.grow(100).await, Ok(()));
        let flush = tokio::spawn(async move {
            pressure.raised().await;
            drop(first);
        });
        tokio::task::yield_now().await;
        let mut second = admission.charge(None);
        assert_eq!(second.grow(100).await, Ok(()));
        flush.await.expect("the flush ran");
    }

    #[tokio::test(start_paused = true)]
    async fn one_request_may_take_all_but_a_connection_only_half() {
        let (admission, _) = admission(100);
        let connection = admission.connection();
        let mut large = admission.charge(Some(&connection));
        assert_eq!(large.grow(90).await, Ok(()));
        let mut second = admission.charge(Some(&connection));
        assert_eq!(second.grow(5).await, Err(Overload::Connection));
        drop(large);
        assert_eq!(second.grow(50).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_merged_holds_the_charges_of_all_of_its_parts() {
        let gauge = Gauge::default();
        let admission = Admission::new(100, gauge.clone(), Pressure::default());
        let mut charges = Vec::new();
        for bytes in [10, 20, 30] {
            let mut charge = admission.charge(None);
            assert_eq!(charge.grow(bytes).await, Ok(()));
            charges.push(Arc::new(charge));
        }
        let [first, second, third] = &charges[..] else {
            panic!("three charges");
        };
        let twice = [first, first, second, second].map(Arc::clone);
        let merged = Charge::together(twice).expect("a charge");
        assert_eq!(merged.parts.len(), 2);
        let nested = Charge::together([merged, Arc::clone(third)]).expect("a charge");
        let output = nested.output(5);
        let alone = Charge::together([Arc::clone(third)]).expect("a charge");
        assert!(Arc::ptr_eq(&alone, third));
        drop((alone, charges));
        assert_eq!(gauge.get(), 65);
        drop(nested);
        assert_eq!(gauge.get(), 5);
        drop(output);
        assert_eq!(gauge.get(), 0);
        assert!(Charge::together([]).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn outputs_are_charged_even_when_the_source_is_full() {
        let (admission, _) = admission(100);
        let mut input = admission.charge(None);
        assert_eq!(input.grow(100).await, Ok(()));
        let output = input.output(50);
        drop(input);
        let mut next = admission.charge(None);
        assert_eq!(next.grow(51).await, Err(Overload::Source));
        drop(output);
        assert_eq!(next.grow(51).await, Ok(()));
    }
}
