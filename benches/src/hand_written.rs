//! The measured work written by hand over the raw bytes of a request: the limit that generated code is held against.
//!
//! It shares no code with the runtime and uses no `unsafe`. It trusts a request that was validated, as generated code
//! does: a walk leaves a message as soon as it knows enough, takes the first of several equal keys, and sees to
//! everything that the canonical reading allows (own fields of envelopes in any place, padded lengths, a key behind
//! its value). Neighbouring ranges become one, the output is sized before it is written, and each byte is copied once.
//!
//! What it leaves out is what a program with one task needs not: who sent which record, naming of refused
//! records, limits of the output, escapes in subjects.

mod filters;
mod kept;
mod routes;
mod validate;
mod wire;

pub use filters::{and_filter, keep_all, record_filter, resource_filter};
pub use routes::{route, service_route, subject_routing, two_way_split};
pub use validate::validate;
