//! Random conditions in compiled flows: one side of the differential test.
//!
//! The build script writes flows from a seed and compiles each in two ways ([`FLOWS`]). The test makes export requests from
//! the same seed, runs both over the same bytes and compares them with an interpreter of CEL.

pub mod pools;

use watershed::{ConfigError, Parts, Payload};

/// What a flow gives of a payload: two outputs for each of its predicates.
pub type Run = fn(&Payload) -> Result<Vec<[Parts; 2]>, ConfigError>;

/// One flow, compiled in two ways.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    /// After every pass of the compiler: parts of conditions are tested at their own level.
    pub optimised: Run,
    /// Without passes: each condition is tested whole, for every record.
    pub flat: Run,
}

/// A random predicate.
#[derive(Clone, Copy, Debug)]
pub struct Predicate {
    /// The position of its flow in [`FLOWS`].
    pub flow: usize,
    /// Its text in the flow.
    pub text: &'static str,
    /// The text that means the same to the oracle.
    pub oracle: &'static str,
    /// Whether its two outputs are "not false" and "not true", and not "true" and "false".
    pub keeps_errors: bool,
    /// Whether it orders values that may be doubles.
    pub orders_doubles: bool,
    /// Whether it computes doubles.
    pub computes_doubles: bool,
    /// Whether it makes text of values that may be doubles.
    pub writes_doubles: bool,
}

mod flows {
    //! The generated flows.
    #![allow(
        dead_code,
        unreachable_pub,
        unused_comparisons,
        unused_parens,
        unused_qualifications,
        clippy::all,
        reason = "generated code of random conditions, of which only the selection is run"
    )]

    use super::{Predicate, Ways};

    include!(concat!(env!("OUT_DIR"), "/flows.rs"));
}

pub use flows::{FLOWS, PREDICATES, SEED};
