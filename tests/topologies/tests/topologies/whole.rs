//! What is kept whole is handed on untouched: the same bytes at the same address, and nothing is allocated for a record.

use allocation_counter::measure;
use prost::Message;
use watershed::{Payload, Piece, Signal};
use watershed_samples::{Sampler, Shape};
use watershed_topologies::{KEEP_ALL, KeepAll};

/// A request of two senders, of so many records each.
fn payload(signal: Signal, records: usize) -> Payload {
    let mut sampler = Sampler::new(3).shape(Shape::Rich).records(records);
    let mut payload = Payload::new(signal);
    for contributor in 0..2 {
        let request = match signal {
            Signal::Logs => sampler.logs().encode_to_vec(),
            Signal::Traces => sampler.traces().encode_to_vec(),
            Signal::Metrics => sampler.metrics().encode_to_vec(),
        };
        let piece = Piece::validate(signal, request.into()).unwrap();
        payload.push(piece.with_contributor(contributor)).unwrap();
    }
    payload
}

#[test]
fn what_is_kept_whole_is_not_copied() {
    for KeepAll {
        signal,
        condition,
        run,
    } in KEEP_ALL
    {
        let sent = payload(*signal, 100);
        let outputs = run(&sent);
        let [(0, parts)] = outputs.as_slice() else {
            panic!("{condition}: {outputs:?}");
        };
        assert_eq!(parts.records(), sent.records(), "{condition}");
        let pieces = parts.parts.iter().flat_map(|part| part.payload().pieces());
        let places = |piece: &Piece| (piece.bytes().as_ptr(), piece.bytes().len());
        let arrived: Vec<_> = pieces.map(places).collect();
        let expected: Vec<_> = sent.pieces().iter().map(places).collect();
        assert_eq!(arrived, expected, "{condition}");
    }
    assert_eq!(KEEP_ALL.len(), 9);
}

#[test]
fn nothing_is_allocated_for_a_record() {
    for keep_all in KEEP_ALL {
        let allocations = |records| {
            let sent = payload(keep_all.signal, records);
            measure(|| drop((keep_all.run)(&sent))).count_total
        };
        // What is made once for the whole process does not count.
        allocations(1);
        let (few, many) = (allocations(100), allocations(10_000));
        assert!(few > 0, "the counter does not count");
        assert_eq!(few, many, "{}", keep_all.condition);
    }
}
