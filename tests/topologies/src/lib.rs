//! Random topologies: chains, filters, routes, splits, fan-outs and batches over all three signals.
//!
//! The build script makes some from a seed and compiles each with every pass of the compiler and with only those that a
//! flow cannot be emitted without ([`COMPILED`]). The test makes the same ones again, sends the same requests through both
//! and through an interpreter, and looks at many more as plans.

use watershed::{Parts, Payload, Signal};

/// What a flow gives of a payload: the parts of each output, with the number of the sink that it belongs to.
pub type Run = fn(&Payload) -> Vec<(usize, Parts)>;

/// One topology, compiled in two ways.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    /// After every pass of the compiler.
    pub optimised: Run,
    /// As the text says it.
    pub naive: Run,
}

/// A compiled filter that keeps all of what the sampler makes.
#[derive(Clone, Copy, Debug)]
pub struct KeepAll {
    /// The signal that it filters.
    pub signal: Signal,
    /// What it asks.
    pub condition: &'static str,
    /// The flow.
    pub run: Run,
}

mod flows {
    //! The generated flows.
    #![allow(
        dead_code,
        unreachable_pub,
        unused_comparisons,
        unused_parens,
        unused_variables,
        unused_qualifications,
        clippy::all,
        reason = "generated code of random topologies, of which only the selection is run"
    )]

    use super::{KeepAll, Signal, Ways};

    include!(concat!(env!("OUT_DIR"), "/flows.rs"));
}

pub use flows::{COMPILED, KEEP_ALL, SEED};
