//! What a sender is told: facts first, then status, body and words, all in one place.
//!
//! Input: an [`Answer`]. Output: an HTTP response as the OTLP specification wants it: success is an
//! export response (empty, or with a partial success), every error is a `google.rpc.Status`, both in
//! the encoding of the request.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::Full;

use crate::json::write_string;
use crate::otlp::{Malformed, write_varint};

/// Longest message to a sender: a developer reads it, a program does not.
const MAX_MESSAGE: usize = 1_024;

/// The encoding of a request, and so of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// `application/x-protobuf`.
    Protobuf,
    /// `application/json`.
    Json,
}

impl Encoding {
    fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Protobuf => "application/x-protobuf",
            Self::Json => "application/json",
        })
    }
}

/// Why a request was not taken. Nothing of it reached a sink, except for [`Refusal::Unavailable`].
#[derive(Debug)]
pub(crate) enum Refusal {
    /// No signal has this path.
    UnknownPath,
    /// The flow does nothing with this signal.
    UnconnectedSignal(&'static str),
    /// Only POST carries telemetry.
    Method,
    /// The content type is none of OTLP.
    ContentType,
    /// OTLP in JSON is not read yet.
    JsonNotSupported,
    /// The body is packed in a way that is not read.
    ContentEncoding,
    /// The body is longer than the limit, before or after decompression.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The body is labelled gzip or zstd and is none.
    CorruptPacking,
    /// The body is not an export request in the canonical reading.
    Malformed(Malformed),
    /// The body did not arrive in time.
    BodyTimeout,
    /// The connection broke before the body was complete.
    BodyLost,
    /// The source holds as many bytes as it may.
    Overloaded,
    /// The connection holds its share.
    ConnectionShare,
    /// The process is going down.
    ShuttingDown,
    /// Every record was refused for good.
    AllRejected {
        /// The reason, for a developer.
        message: String,
    },
    /// The flow lets fewer records pass at this time.
    OverQuota {
        /// The reason, for a developer.
        message: String,
        /// When to come back.
        retry_after: Duration,
    },
    /// A sink did not take its part; the same request may succeed later.
    Unavailable {
        /// The reason, for a developer.
        message: String,
        /// When to come back.
        retry_after: Duration,
    },
}

/// The answer to one request.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Everything was accepted, dropped on purpose, or there was nothing to do.
    Accepted,
    /// Some records were refused for good, the others accepted.
    Partial {
        /// How many were refused.
        rejected: u64,
        /// The reason, for a developer.
        message: String,
    },
    /// Nothing was accepted.
    Refused(Refusal),
}

/// Codes of `google.rpc.Status`.
#[derive(Clone, Copy)]
enum StatusNumber {
    InvalidArgument = 3,
    NotFound = 5,
    ResourceExhausted = 8,
    Unimplemented = 12,
    Unavailable = 14,
}

impl Refusal {
    fn status(&self) -> (StatusCode, StatusNumber) {
        use StatusNumber as Number;
        match self {
            Self::UnknownPath | Self::UnconnectedSignal(_) => {
                (StatusCode::NOT_FOUND, Number::NotFound)
            }
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, Number::Unimplemented),
            Self::ContentType | Self::JsonNotSupported | Self::ContentEncoding => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, Number::Unimplemented)
            }
            Self::TooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, Number::ResourceExhausted),
            Self::CorruptPacking
            | Self::Malformed(_)
            | Self::BodyLost
            | Self::AllRejected { .. } => (StatusCode::BAD_REQUEST, Number::InvalidArgument),
            Self::ConnectionShare | Self::OverQuota { .. } => {
                (StatusCode::TOO_MANY_REQUESTS, Number::ResourceExhausted)
            }
            // A slow network is no fault of the data. Exporters drop what is answered with 408.
            Self::BodyTimeout
            | Self::Overloaded
            | Self::ShuttingDown
            | Self::Unavailable { .. } => (StatusCode::SERVICE_UNAVAILABLE, Number::Unavailable),
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::BodyTimeout | Self::Overloaded | Self::ConnectionShare | Self::ShuttingDown => {
                Some(Duration::from_secs(1))
            }
            Self::OverQuota { retry_after, .. } | Self::Unavailable { retry_after, .. } => {
                Some(*retry_after)
            }
            _ => None,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::UnknownPath => "no such path; POST to /v1/logs, /v1/traces or /v1/metrics".into(),
            Self::UnconnectedSignal(signal) => format!("this flow does not take {signal}"),
            Self::Method => "use POST".into(),
            Self::ContentType => "the content type must be application/x-protobuf".into(),
            Self::JsonNotSupported => {
                "OTLP in JSON is not supported yet; send application/x-protobuf".into()
            }
            Self::ContentEncoding => "the content encoding must be identity, gzip or zstd".into(),
            Self::TooLarge { limit } => {
                format!("the body is longer than {limit} bytes, before or after decompression")
            }
            Self::CorruptPacking => "the body is not a complete stream of its content encoding, or its window is over 8 MiB".into(),
            Self::Malformed(malformed) => malformed.to_string(),
            Self::BodyTimeout => "the body did not arrive in time".into(),
            Self::BodyLost => "the body is not complete".into(),
            Self::Overloaded => "too many bytes are in flight; come back later".into(),
            Self::ConnectionShare => "too many bytes are in flight on this connection".into(),
            Self::ShuttingDown => "shutting down".into(),
            Self::AllRejected { message }
            | Self::OverQuota { message, .. }
            | Self::Unavailable { message, .. } => message.clone(),
        }
    }

    /// True when the rest of the body was not read, so that the connection cannot go on.
    pub(crate) fn leaves_body(&self) -> bool {
        matches!(self, Self::BodyTimeout | Self::BodyLost)
    }
}

impl Answer {
    /// The response in `encoding`.
    pub(crate) fn into_response(self, encoding: Encoding) -> Response<Full<Bytes>> {
        let refusal = match self {
            // Only requests in protobuf get this far.
            Self::Accepted => return response(Encoding::Protobuf, Bytes::new()),
            Self::Partial { rejected, message } => {
                return response(Encoding::Protobuf, partial_success(rejected, &message));
            }
            Self::Refused(refusal) => refusal,
        };
        let (status, number) = refusal.status();
        let body = status_body(encoding, number, &refusal.message());
        let mut response = response(encoding, body);
        *response.status_mut() = status;
        let headers = response.headers_mut();
        if let Some(after) = refusal.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(whole_seconds(after)));
        }
        if matches!(refusal, Refusal::Method) {
            headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        if refusal.leaves_body() {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// Whole seconds, rounded up, at least one: `Retry-After` knows nothing finer.
fn whole_seconds(duration: Duration) -> u64 {
    let rounded = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    rounded.max(1)
}

fn response(encoding: Encoding, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, encoding.content_type());
    response
}

/// An `Export…ServiceResponse` with a partial success; the fields of the three are the same.
fn partial_success(rejected: u64, message: &str) -> Bytes {
    let message = capped(message);
    let mut partial = Vec::with_capacity(message.len() + 16);
    write_number_field(&mut partial, 1, rejected);
    write_text_field(&mut partial, 2, message.as_bytes());
    let mut body = Vec::with_capacity(partial.len() + 8);
    write_text_field(&mut body, 1, &partial);
    body.into()
}

/// A `google.rpc.Status`.
fn status_body(encoding: Encoding, number: StatusNumber, message: &str) -> Bytes {
    let message = capped(message);
    let code = number as u64;
    match encoding {
        Encoding::Protobuf => {
            let mut body = Vec::with_capacity(message.len() + 8);
            write_number_field(&mut body, 1, code);
            write_text_field(&mut body, 2, message.as_bytes());
            body.into()
        }
        Encoding::Json => {
            let mut body = format!("{{\"code\":{code},\"message\":").into_bytes();
            write_string(&mut body, message.as_bytes());
            body.push(b'}');
            body.into()
        }
    }
}

fn write_number_field(buffer: &mut Vec<u8>, number: u64, value: u64) {
    write_varint(number << 3, buffer);
    write_varint(value, buffer);
}

fn write_text_field(buffer: &mut Vec<u8>, number: u64, value: &[u8]) {
    const LENGTH_DELIMITED: u64 = 2;
    write_varint((number << 3) | LENGTH_DELIMITED, buffer);
    write_varint(value.len() as u64, buffer);
    buffer.extend_from_slice(value);
}

/// The start of `message`, cut between characters.
fn capped(message: &str) -> &str {
    let mut end = message.len().min(MAX_MESSAGE);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    message.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_rounded_up() {
        assert_eq!(whole_seconds(Duration::ZERO), 1);
        assert_eq!(whole_seconds(Duration::from_millis(1_001)), 2);
        assert_eq!(whole_seconds(Duration::from_secs(3)), 3);
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let message = "é".repeat(MAX_MESSAGE);
        assert_eq!(capped(&message).len(), MAX_MESSAGE);
        assert_eq!(capped("x".repeat(3).as_str()), "xxx");
    }
}
