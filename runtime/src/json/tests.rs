//! The JSON form reads back as the same request, and differs from other writers where it must.

use bytes::Bytes;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use serde::de::DeserializeOwned;

use super::{write_request, write_string};
use crate::otlp::Fields;
use crate::payload::{Piece, Signal};
use crate::testing::Random;

fn json(signal: Signal, request: &impl Message) -> String {
    let bytes = Bytes::from(request.encode_to_vec());
    let piece = Piece::validate(signal, bytes).expect("a valid request");
    let mut text = Vec::new();
    write_request(&mut text, signal, Fields::new(piece.bytes()));
    String::from_utf8(text).expect("UTF-8")
}

/// Replaces infinity, which the reader of the oracle does not know, by a number.
fn finite<T: Message + Default>(request: &T) -> T {
    let infinity = f64::INFINITY.to_le_bytes();
    let mut bytes = request.encode_to_vec();
    while let Some(at) = bytes.windows(8).position(|window| window == infinity) {
        bytes[at..at + 8].copy_from_slice(&2.5f64.to_le_bytes());
    }
    T::decode(bytes.as_slice()).expect("a request")
}

fn reads_back<T>(signal: Signal, request: &T)
where
    T: Message + Default + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let request = finite(request);
    let text = json(signal, &request);
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(read, request, "{text}");
    assert!(!text.contains("null") && !text.contains('\n'), "{text}");
}

#[test]
fn random_requests_read_back_as_they_were() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        reads_back::<ExportLogsServiceRequest>(Signal::Logs, &random.logs());
        reads_back::<ExportTraceServiceRequest>(Signal::Traces, &random.traces());
        reads_back::<ExportMetricsServiceRequest>(Signal::Metrics, &random.metrics());
    }
}

/// A request whose log record has the body with the fields `body`.
fn with_body(body: &[u8]) -> String {
    let nest = |field: u8, inner: &[u8]| {
        let mut outer = vec![field << 3 | 2, u8::try_from(inner.len()).expect("short")];
        outer.extend_from_slice(inner);
        outer
    };
    let request = nest(1, &nest(2, &nest(2, &nest(5, body))));
    let piece = Piece::validate(Signal::Logs, Bytes::from(request)).expect("a valid request");
    let mut text = Vec::new();
    write_request(&mut text, Signal::Logs, Fields::new(piece.bytes()));
    let text = String::from_utf8(text).expect("UTF-8");
    let start = text.find("\"body\":").expect("a body") + "\"body\":".len();
    text[start..].trim_end_matches("}]}]}]}").to_owned()
}

#[test]
fn values_that_json_has_no_number_for_have_names() {
    let double = |value: f64| {
        let mut body = vec![4 << 3 | 1];
        body.extend(value.to_le_bytes());
        with_body(&body)
    };
    assert_eq!(double(f64::NAN), r#"{"doubleValue":"NaN"}"#);
    assert_eq!(double(f64::INFINITY), r#"{"doubleValue":"Infinity"}"#);
    assert_eq!(double(f64::NEG_INFINITY), r#"{"doubleValue":"-Infinity"}"#);
    assert_eq!(double(1e300), r#"{"doubleValue":1e300}"#);
}

#[test]
fn an_empty_value_is_an_empty_object_and_integers_are_strings() {
    assert_eq!(with_body(&[]), "{}");
    assert_eq!(with_body(&[3 << 3, 7]), r#"{"intValue":"7"}"#);
    assert_eq!(
        with_body(&[7 << 3 | 2, 2, 0xff, 0x00]),
        r#"{"bytesValue":"/wA="}"#
    );
}

#[test]
fn strings_are_escaped_where_json_wants_it() {
    let mut text = Vec::new();
    write_string(&mut text, "a\"b\\c\nd\u{1}é".as_bytes());
    assert_eq!(
        String::from_utf8(text).expect("UTF-8"),
        r#""a\"b\\c\nd\u0001é""#
    );
}
