//! The measured work does what it says, and does not allocate for every record.

use allocation_counter::measure;
use anyhow::Result;
use watershed_benches::works::{Input, Work};
use watershed_samples::Shape;

#[test]
fn both_sides_of_every_work_give_the_same_bytes() -> Result<()> {
    for shape in [Shape::Lean, Shape::Rich] {
        let input = Input::generate(shape)?;
        for work in Work::ALL {
            work.verify(&input)?;
        }
    }
    Ok(())
}

/// Allocations belong to events, not to records: ten times the records cost a few doublings of buffers more.
#[test]
fn allocations_do_not_grow_with_the_records() -> Result<()> {
    let few = Input::with_records(Shape::Lean, 1_000)?;
    let many = Input::with_records(Shape::Lean, 10_000)?;
    for work in Work::ALL {
        let few = measure(|| work.run(&few)).count_total;
        let many = measure(|| work.run(&many)).count_total;
        assert!(
            many <= few + 8,
            "{}: {few} allocations for 1,000 records, {many} for 10,000",
            work.name()
        );
    }
    Ok(())
}

/// The counter itself works: the baseline allocates for every record.
#[test]
fn the_baseline_allocates_for_every_record() -> Result<()> {
    let input = Input::generate(Shape::Lean)?;
    let count = measure(|| Work::RecordFilter.run_baseline(&input)).count_total;
    assert!(count > 4_000, "{count} allocations");
    Ok(())
}
