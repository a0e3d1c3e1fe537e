//! What a piece of work gives, in the form in which each side makes it, and the form in which sides are compared.
//!
//! The first is timed, so it holds what the side has in its hands at the end. The second is bytes by name.

use std::collections::BTreeMap;

use bytes::Bytes;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use prost::Message;
use watershed::{Part, Parts, Piece};

/// Encoded requests by the number of their sink or by their subject; those without a record are not there.
pub type Outputs = BTreeMap<String, Vec<u8>>;

/// The end of a piece of work.
#[derive(Debug)]
pub enum Product {
    /// From generated code: what each sink gets, in the order of the flow.
    Sinks(Vec<Parts>),
    /// From generated code: what the only sink gets, by subject.
    Subjects(Parts),
    /// From prost or by hand: one encoded request for each sink.
    Requests(Vec<Bytes>),
    /// From prost or by hand: encoded requests with their subjects.
    Named(Vec<(String, Bytes)>),
    /// A request that our validation accepted.
    Validated(Piece),
    /// A request that prost could decode.
    Decoded(ExportLogsServiceRequest),
    /// A request that was checked by hand: its records and itself.
    Checked(u64, Bytes),
}

impl Product {
    /// The bytes by name.
    pub fn outputs(self) -> Outputs {
        match self {
            Self::Sinks(sinks) => numbered(sinks.iter().map(|parts| parts.parts.iter())),
            Self::Subjects(parts) => named(parts.parts.iter().map(|part| {
                let subject = part.subject().map(ToString::to_string).unwrap_or_default();
                (subject, joined([part]))
            })),
            Self::Requests(requests) => {
                let requests = requests.into_iter().map(Vec::from);
                named(numbers().zip(requests))
            }
            Self::Named(requests) => {
                let requests = requests.into_iter();
                named(requests.map(|(subject, request)| (subject, request.into())))
            }
            Self::Validated(piece) => counted(piece.records(), piece.bytes().to_vec()),
            Self::Decoded(request) => counted(count(&request), request.encode_to_vec()),
            Self::Checked(records, bytes) => counted(records, bytes.to_vec()),
        }
    }
}

/// Names for the sinks of a flow.
fn numbers() -> impl Iterator<Item = String> {
    (0..).map(|number: usize| number.to_string())
}

fn numbered<'a>(sinks: impl Iterator<Item = impl Iterator<Item = &'a Part>>) -> Outputs {
    named(numbers().zip(sinks.map(joined)))
}

fn named(outputs: impl Iterator<Item = (String, Vec<u8>)>) -> Outputs {
    outputs.filter(|(_, bytes)| !bytes.is_empty()).collect()
}

/// One request under the number of its records: sides that count differently differ.
fn counted(records: u64, bytes: Vec<u8>) -> Outputs {
    Outputs::from([(format!("{records} records"), bytes)])
}

fn count(request: &ExportLogsServiceRequest) -> u64 {
    let scopes = request
        .resource_logs
        .iter()
        .flat_map(|group| &group.scope_logs);
    scopes.map(|scope| scope.log_records.len() as u64).sum()
}

/// The bytes of all parts, one after another.
fn joined<'a>(parts: impl IntoIterator<Item = &'a Part>) -> Vec<u8> {
    let pieces = parts.into_iter().flat_map(|part| part.payload().pieces());
    pieces.flat_map(|piece| piece.bytes().to_vec()).collect()
}
