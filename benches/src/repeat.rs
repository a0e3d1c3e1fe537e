//! `watershed-benches repeat`: one side of one piece of work a number of times, and nothing else, for programs that
//! count instructions.

use anyhow::Result;
use clap::ValueEnum;
use watershed_samples::Shape;

use crate::works::{Input, Work};

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// The generated code.
    Ours,
    /// The walk by hand.
    HandWritten,
    /// prost.
    Baseline,
}

/// Does `work` on one payload `times` times.
///
/// # Errors
/// When the payload cannot be made.
pub fn repeat(work: Work, shape: Shape, side: Side, times: u32) -> Result<()> {
    let input = Input::generate(shape)?;
    for _ in 0..times {
        match side {
            Side::Ours => work.run(&input),
            Side::HandWritten => work.run_hand_written(&input),
            Side::Baseline => work.run_baseline(&input),
        }
    }
    Ok(())
}
