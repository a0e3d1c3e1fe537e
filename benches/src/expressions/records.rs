//! The log records that the predicates are measured over: encoded, validated and decoded.

use anyhow::{Context, Result};
use bytes::Bytes;
use fastrand::Rng;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, any_value::Value};
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message;
use watershed::{Payload, Piece, Signal};
use watershed_samples::{Sampler, Shape, attribute, text};

/// A request in the forms that the engines start from.
#[derive(Clone, Debug)]
pub struct Records {
    /// Log records in the request.
    pub count: usize,
    /// The encoded request.
    pub bytes: Bytes,
    /// The same request, validated, as an event carries it.
    pub payload: Payload,
    /// The same request, decoded.
    pub decoded: ExportLogsServiceRequest,
}

impl Records {
    /// A request of `count` lean records over ten resources. Each has a severity, a body of 40 bytes and the attributes `http.route`,
    /// `http.status_code` (an integer, one in four is 500) and `team`; one body in eight is that of a health check.
    /// The `service.name` of every second resource starts with `checkout`.
    ///
    /// # Errors
    /// When the request is malformed, which would be a mistake in the generator.
    pub fn generate(count: usize) -> Result<Self> {
        let mut decoded = Sampler::new(20_260_102)
            .shape(Shape::Lean)
            .records(count)
            .logs();
        let mut random = Rng::with_seed(20_260_103);
        for (index, group) in decoded.resource_logs.iter_mut().enumerate() {
            if index % 2 == 0 {
                group.resource.iter_mut().for_each(name_checkout);
            }
            let scopes = &mut group.scope_logs;
            for record in scopes.iter_mut().flat_map(|scope| &mut scope.log_records) {
                complete(record, &mut random);
            }
        }
        let bytes = Bytes::from(decoded.encode_to_vec());
        let piece = Piece::validate(Signal::Logs, bytes.clone())
            .ok()
            .context("the generated request is malformed")?;
        Ok(Self {
            count,
            bytes,
            payload: piece.into(),
            decoded,
        })
    }
}

/// Replaces the name of the service, which is the first attribute.
fn name_checkout(resource: &mut Resource) {
    if let Some(first) = resource.attributes.first_mut() {
        *first = attribute("service.name", text("checkout-1"));
    }
}

/// Adds the status in front of the last attribute, and makes one record in eight a health check.
fn complete(record: &mut LogRecord, random: &mut Rng) {
    let status = random.choice([200, 201, 404, 500]).unwrap_or(200);
    let last = record.attributes.len().saturating_sub(1);
    record
        .attributes
        .insert(last, attribute("http.status_code", Value::IntValue(status)));
    if random.u8(0..8) == 0 {
        record.body = Some(AnyValue {
            value: Some(text("GET /healthz was answered by the shop ok")),
        });
    }
}
