//! Times the baseline of one piece of work with mimalloc: `baseline-mimalloc record_filter lean` prints nanoseconds a
//! record.
//!
//! A program of its own, because a process has one global allocator. `watershed-benches ratios` runs it.

use std::io::{self, Write};

use anyhow::{Context, Result};
use watershed_benches::measure::interleaved;
use watershed_benches::works::{Input, Work};
use watershed_samples::Shape;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (work, shape) = (arguments.next(), arguments.next());
    let work = work
        .and_then(|name| Work::named(&name))
        .context("the first argument names no work")?;
    let shape = [Shape::Lean, Shape::Rich]
        .into_iter()
        .find(|known| shape.as_deref() == Some(known.name()))
        .context("the second argument names no payload")?;
    let input = Input::generate(shape)?;
    let [baseline] = interleaved(&mut [&mut || work.run_baseline(&input)]);
    writeln!(io::stdout(), "{}", baseline.least / input.records as f64)?;
    Ok(())
}
