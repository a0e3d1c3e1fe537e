//! Every fault with its offset, and the agreement with prost on whatever is accepted.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use prost::Message;

use super::{Counts, Fault, Malformed, validate};
use crate::payload::Signal;
use crate::testing::Random;

/// A length-delimited field of less than 128 bytes.
fn field(number: u8, payload: &[u8]) -> Vec<u8> {
    assert!(payload.len() < 128);
    [&[number << 3 | 2, payload.len() as u8], payload].concat()
}

/// A request whose only record is `record`; its bytes start at offset 6.
fn with_record(record: &[u8]) -> Vec<u8> {
    field(1, &field(2, &field(2, record)))
}

fn logs(request: &[u8]) -> Result<Counts, Malformed> {
    validate(Signal::Logs, request)
}

/// Checks that `request` is refused for `fault` at `offset`.
#[track_caller]
fn refused(signal: Signal, request: &[u8], offset: usize, fault: Fault) {
    let result = validate(signal, request).map(|counts| counts.records);
    assert_eq!(result, Err(Malformed { offset, fault }));
}

#[test]
fn what_is_not_well_formed_is_refused_where_it_stands() {
    let cases: &[(&[u8], usize, Fault)] = &[
        (&[0x80], 0, Fault::Truncated),
        (&[0x0a], 1, Fault::Truncated),
        (&[0x0a, 0x80], 1, Fault::Truncated),
        (&[0x0a, 1], 1, Fault::LengthPastEnd),
        (
            &[
                0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
            ],
            1,
            Fault::LengthPastEnd,
        ),
        (
            &[
                0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2,
            ],
            1,
            Fault::VarintTooLong,
        ),
        (
            &[
                0x78, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0,
            ],
            1,
            Fault::VarintTooLong,
        ),
        (&[0x0a, 0, 0x8a, 0x00, 0], 2, Fault::TagTooLong),
        (&[0xfa, 0xff, 0xff, 0xff, 0x1f, 0], 0, Fault::TagTooLong),
        (&[0x02, 0], 0, Fault::FieldNumberZero),
        (&[0x00, 0], 0, Fault::FieldNumberZero),
        (&[0x0b, 0x0c], 0, Fault::WireTypeUnknown),
        (&[0x0c], 0, Fault::WireTypeUnknown),
        (&[0x0e], 0, Fault::WireTypeUnknown),
        (&[0x7f], 0, Fault::WireTypeUnknown),
        (&[0x7b, 0x7c], 0, Fault::WireTypeUnknown),
        (&[0x08, 0], 0, Fault::WireTypeWrong),
        (&[0x79, 0, 0, 0], 0, Fault::Truncated),
        (&[0x7d, 0, 0, 0], 0, Fault::Truncated),
    ];
    for (request, offset, fault) in cases {
        for signal in [Signal::Logs, Signal::Metrics, Signal::Traces] {
            refused(signal, request, *offset, *fault);
        }
    }
}

#[test]
fn what_is_not_canonical_in_a_record_is_refused() {
    let cases: &[(&[u8], usize, Fault)] = &[
        (&[0x10, 1, 0x10, 1], 8, Fault::FieldRepeated),
        (&[0x2a, 0, 0x2a, 0], 8, Fault::FieldRepeated),
        (&[0x0a, 0], 6, Fault::WireTypeWrong),
        (&[0x12, 1, 9], 6, Fault::WireTypeWrong),
        (&[0x09, 0, 0, 0, 0, 0, 0, 0], 6, Fault::Truncated),
        (&[0x10, 0x80], 7, Fault::Truncated),
        (&[0x1a, 3, b'a', 0xff, b'b'], 9, Fault::InvalidUtf8),
        (&[0x1a, 2, 0xc3, 0x28], 8, Fault::InvalidUtf8),
        (&[0x1a, 3, 0xed, 0xa0, 0x80], 8, Fault::InvalidUtf8),
        (&[0x4a, 1, 0], 6, Fault::TraceIdLength),
        (&[0x52, 7, 1, 2, 3, 4, 5, 6, 7], 6, Fault::SpanIdLength),
        (&[0x2a, 4, 0x10, 1, 0x18, 1], 10, Fault::OneofRepeated),
        (&[0x2a, 4, 0x10, 1, 0x10, 1], 10, Fault::OneofRepeated),
        (&[0x2a, 3, 0x0a, 2, b'a'], 9, Fault::LengthPastEnd),
        (&[0x32, 4, 0x0a, 0, 0x0a, 0], 10, Fault::FieldRepeated),
        (&[0x32, 4, 0x12, 0, 0x12, 0], 10, Fault::FieldRepeated),
        (&[0x32, 3, 0x0a, 1, 0xff], 10, Fault::InvalidUtf8),
        (&[0x32, 5, 0x12, 3, 0x0a, 1, 0xff], 12, Fault::InvalidUtf8),
    ];
    for (record, offset, fault) in cases {
        refused(Signal::Logs, &with_record(record), *offset, *fault);
    }
}

#[test]
fn envelopes_are_held_to_the_same_rules() {
    let resource_twice = field(1, &[0x0a, 0, 0x0a, 0]);
    refused(Signal::Traces, &resource_twice, 4, Fault::FieldRepeated);
    let schema_twice = field(1, &field(2, &[0x1a, 0, 0x1a, 0]));
    refused(Signal::Metrics, &schema_twice, 6, Fault::FieldRepeated);
    let two_kinds = with_record(&[0x2a, 0, 0x3a, 0]);
    refused(Signal::Metrics, &two_kinds, 8, Fault::OneofRepeated);
    let odd_bounds = with_record(&field(9, &field(1, &[0x32, 7, 0, 0, 0, 0, 0, 0, 0])));
    refused(Signal::Metrics, &odd_bounds, 10, Fault::PackedLength);
}

#[test]
fn what_encoders_may_do_is_accepted() {
    let cases: &[&[u8]] = &[
        &[],
        // A padded length.
        &[0x0a, 0x80, 0x80, 0x00],
        // Unknown fields of every wire type, with long tags.
        &[
            0xf8, 0x7f, 1, 0xf9, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0xfa, 0x7f, 1, 9, 0xfd, 0x7f, 0, 0,
            0, 0,
        ],
        // The highest field number.
        &[0xfa, 0xff, 0xff, 0xff, 0x0f, 0],
    ];
    for request in cases {
        assert!(logs(request).is_ok(), "{request:?}");
    }
    let records: &[&[u8]] = &[
        // A negative enumeration has ten bytes.
        &[
            0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
        ],
        // A value before its key, a key without a value, an empty value, repeated attributes.
        &[
            0x32, 6, 0x12, 2, 0x10, 1, 0x0a, 0, 0x32, 2, 0x0a, 0, 0x32, 2, 0x12, 0,
        ],
        // Empty ids.
        &[0x4a, 0, 0x52, 0],
    ];
    for record in records {
        assert_eq!(logs(&with_record(record)).unwrap().records, 1, "{record:?}");
    }
}

#[test]
fn repeated_scalars_may_be_packed_or_not() {
    let eight = [0; 8];
    let packed = field(6, &[0; 16]);
    let single = [&[0x31], &eight[..], &[0x31], &eight[..], &packed].concat();
    let buckets = field(8, &[0x10, 5, 0x12, 2, 1, 0x7f, 0x10, 6]);
    assert!(validate(Signal::Metrics, &with_record(&field(9, &field(1, &single)))).is_ok());
    assert!(
        validate(
            Signal::Metrics,
            &with_record(&field(10, &field(1, &buckets)))
        )
        .is_ok()
    );
    let cut = field(8, &[0x12, 2, 1, 0xff]);
    let cut = with_record(&field(10, &field(1, &cut)));
    refused(Signal::Metrics, &cut, 15, Fault::Truncated);
}

/// A value inside `depth` array values.
fn nested_arrays(depth: usize) -> Vec<u8> {
    let mut value = vec![0x10, 1];
    for _ in 0..depth {
        for number in [1, 5] {
            let mut outer = vec![number << 3 | 2];
            prost::encoding::encode_varint(value.len() as u64, &mut outer);
            outer.extend(&value);
            value = outer;
        }
    }
    value
}

/// The logs request with `body` as body of any length.
fn with_long_body(body: Vec<u8>) -> Vec<u8> {
    [5, 2, 2, 1].iter().fold(body, |payload, number| {
        let mut outer = vec![number << 3 | 2];
        prost::encoding::encode_varint(payload.len() as u64, &mut outer);
        [outer, payload].concat()
    })
}

#[test]
fn nesting_is_bounded_where_prost_bounds_it() {
    // Resource group, scope group, record and body are depth 1 to 4; every array adds two.
    for arrays in 0..60 {
        let request = with_long_body(nested_arrays(arrays));
        let accepted = logs(&request).is_ok();
        assert_eq!(accepted, 4 + 2 * arrays <= 100, "{arrays}");
        assert_eq!(
            accepted,
            ExportLogsServiceRequest::decode(&request[..]).is_ok(),
            "{arrays}"
        );
    }
    let deep = with_long_body(nested_arrays(5_000));
    assert_eq!(logs(&deep).unwrap_err().fault, Fault::TooDeep);
}

#[test]
fn duplicate_keys_and_layout_are_noted() {
    let key = |key: &[u8]| field(6, &field(1, key));
    let record = [key(b"a"), key(b"b"), key(b"a"), key(b"a")].concat();
    assert_eq!(logs(&with_record(&record)).unwrap().duplicate_attributes, 2);
    assert_eq!(
        logs(&with_record(&key(b"a"))).unwrap().duplicate_attributes,
        0
    );
    let twice = [with_record(&key(b"a")), with_record(&key(b"a"))].concat();
    assert_eq!(logs(&twice).unwrap().duplicate_attributes, 0);

    let unknown = [0x78, 1];
    let plain = with_record(&[]);
    assert!(!logs(&plain).unwrap().layout.unknown_top_level);
    assert!(
        logs(&[&plain[..], &unknown].concat())
            .unwrap()
            .layout
            .unknown_top_level
    );
    assert!(
        !logs(&[&plain[..], &unknown].concat())
            .unwrap()
            .layout
            .interleaved
    );
    assert!(
        logs(&[&plain[..], &unknown, &plain].concat())
            .unwrap()
            .layout
            .interleaved
    );

    let resource_last = field(1, &[field(2, &field(2, &[])), field(1, &[])].concat());
    assert!(!logs(&resource_last).unwrap().layout.interleaved);
    assert!(logs(&resource_last).unwrap().layout.trailing);
    let resource_between = field(
        1,
        &[
            field(2, &field(2, &[])),
            field(1, &[]),
            field(2, &field(2, &[])),
        ]
        .concat(),
    );
    let counts = logs(&resource_between).unwrap();
    assert!(counts.layout.interleaved && !counts.layout.unknown_top_level);
    assert_eq!(
        (counts.records, counts.group_records.as_slice()),
        (2, &[2][..])
    );
}

#[test]
fn the_words_name_fault_and_place() {
    let error = logs(&[0x0a, 5]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a field reaches past the end of its message at byte 1"
    );
    assert_eq!(error.fault.code(), "length_past_end");
}

/// Decodes with prost: the records of each resource group.
fn prost_counts(signal: Signal, request: &[u8]) -> Option<Vec<usize>> {
    let points = |data: Option<Data>| match data {
        None => 0,
        Some(Data::Gauge(data)) => data.data_points.len(),
        Some(Data::Sum(data)) => data.data_points.len(),
        Some(Data::Histogram(data)) => data.data_points.len(),
        Some(Data::ExponentialHistogram(data)) => data.data_points.len(),
        Some(Data::Summary(data)) => data.data_points.len(),
    };
    Some(match signal {
        Signal::Logs => ExportLogsServiceRequest::decode(request)
            .ok()?
            .resource_logs
            .into_iter()
            .map(|group| {
                group
                    .scope_logs
                    .iter()
                    .map(|scope| scope.log_records.len())
                    .sum()
            })
            .collect(),
        Signal::Traces => ExportTraceServiceRequest::decode(request)
            .ok()?
            .resource_spans
            .into_iter()
            .map(|group| {
                group
                    .scope_spans
                    .iter()
                    .map(|scope| scope.spans.len())
                    .sum()
            })
            .collect(),
        Signal::Metrics => ExportMetricsServiceRequest::decode(request)
            .ok()?
            .resource_metrics
            .into_iter()
            .map(|group| {
                let metrics = group
                    .scope_metrics
                    .into_iter()
                    .flat_map(|scope| scope.metrics);
                metrics.map(|metric| points(metric.data)).sum()
            })
            .collect(),
    })
}

/// Checks that prost reads what was accepted, with the same counts.
fn check_agreement(signal: Signal, request: &[u8], counts: &Counts) {
    let groups: Vec<_> = counts
        .group_records
        .iter()
        .map(|count| *count as usize)
        .collect();
    assert_eq!(
        prost_counts(signal, request).as_ref(),
        Some(&groups),
        "{request:02x?}"
    );
    assert_eq!(counts.records as usize, groups.iter().sum::<usize>());
}

fn encoded(random: &mut Random, signal: Signal) -> Vec<u8> {
    match signal {
        Signal::Logs => random.logs().encode_to_vec(),
        Signal::Metrics => random.metrics().encode_to_vec(),
        Signal::Traces => random.traces().encode_to_vec(),
    }
}

#[test]
fn everything_that_prost_encodes_is_accepted() {
    for seed in 0..500 {
        for signal in [Signal::Logs, Signal::Metrics, Signal::Traces] {
            let request = encoded(&mut Random::new(seed), signal);
            let counts = validate(signal, &request).unwrap();
            assert!(!counts.layout.interleaved && !counts.layout.unknown_top_level);
            check_agreement(signal, &request, &counts);
        }
    }
}

#[test]
fn changed_bytes_are_refused_or_read_the_same_by_prost() {
    let mut accepted = 0;
    for seed in 0..1500 {
        for signal in [Signal::Logs, Signal::Metrics, Signal::Traces] {
            let random = &mut Random::new(seed);
            let mut request = encoded(random, signal);
            for _ in 0..1 + random.below(3) {
                if request.is_empty() {
                    break;
                }
                let at = random.below(request.len());
                match random.below(4) {
                    0 => request[at] = random.number() as u8,
                    1 => request[at] ^= 1 << random.below(8),
                    2 => drop(request.remove(at)),
                    _ => request.insert(at, random.number() as u8),
                }
            }
            if let Ok(counts) = validate(signal, &request) {
                check_agreement(signal, &request, &counts);
                accepted += 1;
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

#[test]
fn every_cut_is_refused_or_read_the_same_by_prost() {
    for seed in 0..20 {
        for signal in [Signal::Logs, Signal::Metrics, Signal::Traces] {
            let request = encoded(&mut Random::new(seed), signal);
            for length in 0..request.len() {
                match validate(signal, &request[..length]) {
                    Ok(counts) => check_agreement(signal, &request[..length], &counts),
                    Err(error) => assert!(error.offset <= length),
                }
            }
        }
    }
}

#[test]
fn own_fields_behind_a_first_child_are_noted_at_every_level() {
    let unknown = [0x78, 1];
    let with = |payload: &[u8]| [payload, &unknown].concat();
    let is_trailing = |signal, request: &[u8]| validate(signal, request).unwrap().layout.trailing;
    // Two data points of a gauge in a metric, from the inside out.
    let gauge = [field(1, &[]), field(1, &[])].concat();
    let around = |gauge: &[u8]| field(5, gauge);
    let metric = |data: &[u8]| field(2, data);
    let scope = |metrics: &[u8]| field(2, metrics);
    let group = |scopes: &[u8]| field(1, scopes);
    let plain = group(&scope(&metric(&around(&gauge))));
    assert!(!is_trailing(Signal::Metrics, &plain));
    for trailing in [
        with(&plain),
        group(&with(&scope(&metric(&around(&gauge))))),
        group(&scope(&with(&metric(&around(&gauge))))),
        group(&scope(&metric(&with(&around(&gauge))))),
        group(&scope(&metric(&around(&with(&gauge))))),
    ] {
        assert!(is_trailing(Signal::Metrics, &trailing), "{trailing:x?}");
    }
    let logs = group(&scope(&field(2, &[])));
    assert!(!is_trailing(Signal::Logs, &logs));
    assert!(is_trailing(Signal::Logs, &with(&logs)));
    // In front of the first child they are found anyway.
    let front = group(&[&field(1, &[])[..], &scope(&field(2, &[]))].concat());
    assert!(!is_trailing(Signal::Logs, &front));
}
