//! The measured work does what it says, and does not allocate for every record.

use allocation_counter::measure;
use anyhow::Result;
use bytes::Bytes;
use prost::Message;
use watershed_benches::hand_written;
use watershed_benches::works::{Input, Work};
use watershed_samples::{Sampler, Shape};

#[test]
fn all_sides_of_every_work_give_the_same_bytes() -> Result<()> {
    for shape in [Shape::Lean, Shape::Rich] {
        let input = Input::generate(shape)?;
        for work in Work::ALL {
            work.verify(&input)?;
        }
    }
    Ok(())
}

/// What was written by hand is a fair limit only when it does the same on data that is not as expected: every byte of a
/// request is changed in several ways.
#[test]
fn what_is_written_by_hand_agrees_on_changed_requests() -> Result<()> {
    let mut sampler = Sampler::new(7).shape(Shape::Rich).resources(2).records(3);
    let request = sampler.logs().encode_to_vec();
    let (mut accepted, mut refused) = (0, 0);
    for at in 0..request.len() {
        for change in [0x01, 0x08, 0x80] {
            let mut bytes = request.clone();
            bytes[at] ^= change;
            let bytes = Bytes::from(bytes);
            let by_hand = hand_written::validate(&bytes);
            let Ok(input) = Input::of(Shape::Rich, 3, bytes) else {
                assert_eq!(by_hand, None, "byte {at} ^ {change:#x}");
                refused += 1;
                continue;
            };
            assert_eq!(
                by_hand,
                Some(input.payload.records()),
                "byte {at} ^ {change:#x}"
            );
            // By hand, subjects are not escaped.
            for work in Work::ALL
                .into_iter()
                .filter(|work| work.name != "subject_routing")
            {
                assert!(
                    work.agrees(&input),
                    "{}: byte {at} ^ {change:#x}",
                    work.name
                );
            }
            accepted += 1;
        }
    }
    assert!(
        accepted > 500 && refused > 500,
        "{accepted} accepted, {refused} refused"
    );
    Ok(())
}

/// Allocations belong to events and their outputs, not to records: ten times the records cost a few doublings of
/// buffers more, of which every output has one or two.
#[test]
fn allocations_do_not_grow_with_the_records() -> Result<()> {
    let few = Input::with_records(Shape::Lean, 1_000)?;
    let many = Input::with_records(Shape::Lean, 10_000)?;
    for work in Work::ALL {
        let few = measure(|| work.run(&few)).count_total;
        let many = measure(|| work.run(&many)).count_total;
        assert!(
            many <= few + few / 2 + 8,
            "{}: {few} allocations for 1,000 records, {many} for 10,000",
            work.name
        );
    }
    Ok(())
}

/// The counter itself works: the baseline allocates for every record.
#[test]
fn the_baseline_allocates_for_every_record() -> Result<()> {
    let input = Input::generate(Shape::Lean)?;
    let count = measure(|| Work::RECORD_FILTER.run_baseline(&input)).count_total;
    assert!(count > 4_000, "{count} allocations");
    Ok(())
}
