//! Every piece of work on both payloads: generated code, code by hand, prost, and a plain copy of the bytes.

use std::hint::black_box;

use anyhow::Result;
use criterion::{Criterion, Throughput};
use watershed_benches::works::{Input, Work};
use watershed_samples::Shape;

fn main() -> Result<()> {
    let mut criterion = Criterion::default().configure_from_args();
    for shape in [Shape::Lean, Shape::Rich] {
        let input = Input::generate(shape)?;
        for work in Work::ALL {
            work.verify(&input)?;
            bench(&mut criterion, work, &input);
        }
    }
    criterion.final_summary();
    Ok(())
}

fn bench(criterion: &mut Criterion, work: Work, input: &Input) {
    let mut group = criterion.benchmark_group(format!("{}/{}", work.name, input.shape.name()));
    group.throughput(Throughput::Elements(input.records as u64));
    group.bench_function("watershed", |bencher| bencher.iter(|| work.run(input)));
    group.bench_function("hand_written", |bencher| {
        bencher.iter(|| work.run_hand_written(input));
    });
    group.bench_function("prost", |bencher| bencher.iter(|| work.run_baseline(input)));
    let mut copy = vec![0_u8; input.bytes.len()];
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| {
            copy.copy_from_slice(black_box(&input.bytes));
            black_box(&mut copy);
        });
    });
    group.finish();
}
