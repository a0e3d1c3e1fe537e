//! The one canonical reading of OTLP: what is refused so that nobody can hide a field from a predicate
//! or spoil a message into which others' records are merged (delivery rules, section 4).
//!
//! Input is a whole export request, output what the walk counted. `schema` holds the message types as
//! tables, `walk` applies them (`shortcut` is its fast way through plain attributes), `fault` names what can be wrong.

mod duplicates;
mod fault;
mod schema;
mod shortcut;
mod walk;

#[cfg(test)]
mod tests;

use smallvec::SmallVec;

pub use fault::{Fault, Malformed};

use crate::payload::{Layout, Signal};
use walk::Walk;

/// What one walk over a request finds out.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Log records, spans or data points.
    pub(crate) records: u32,
    /// The same of each resource group.
    pub(crate) group_records: SmallVec<[u32; 6]>,
    /// Attribute keys that stood before in their list.
    pub(crate) duplicate_attributes: u32,
    /// The order of fields.
    pub(crate) layout: Layout,
}

/// Checks that `request` is an export request of `signal` in its canonical reading, and counts.
///
/// # Errors
/// The first offence, with its offset.
pub(crate) fn validate(signal: Signal, request: &[u8]) -> Result<Counts, Malformed> {
    if u32::try_from(request.len()).is_err() {
        return Err(Malformed {
            offset: u32::MAX as usize,
            fault: Fault::TooLarge,
        });
    }
    let message = match signal {
        Signal::Logs => &schema::LOGS_REQUEST,
        Signal::Metrics => &schema::METRICS_REQUEST,
        Signal::Traces => &schema::TRACES_REQUEST,
    };
    let mut walk = Walk::new(request);
    walk.request(message)?;
    Ok(walk.counts)
}
