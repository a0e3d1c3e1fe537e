//! Log records.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value::Value};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};

use crate::{Sampler, Shape, attribute, text};

/// Severities that appear equally often: DEBUG, INFO, WARN, ERROR.
const SEVERITIES: [(i32, &str); 4] = [(5, "DEBUG"), (9, "INFO"), (13, "WARN"), (17, "ERROR")];

impl Sampler {
    /// An export request of logs.
    pub fn logs(&mut self) -> ExportLogsServiceRequest {
        let resource_logs = (0..self.resources)
            .map(|index| ResourceLogs {
                resource: Some(Self::resource(index)),
                scope_logs: vec![ScopeLogs {
                    scope: Some(Self::scope()),
                    log_records: self.log_records(self.records_of(index)),
                    ..ScopeLogs::default()
                }],
                ..ResourceLogs::default()
            })
            .collect();
        ExportLogsServiceRequest { resource_logs }
    }

    fn log_records(&mut self, records: usize) -> Vec<LogRecord> {
        let teams = self.teams(records);
        teams
            .into_iter()
            .map(|team| self.log_record(team))
            .collect()
    }

    fn log_record(&mut self, team: &str) -> LogRecord {
        let sequence = self.next_sequence();
        let (severity_number, severity_text) = self.random.choice(SEVERITIES).unwrap_or_default();
        let mut record = LogRecord {
            time_unix_nano: Self::time(sequence),
            observed_time_unix_nano: Self::time(sequence) + 250_000,
            severity_number,
            body: Some(AnyValue {
                value: Some(text(self.body(sequence))),
            }),
            attributes: self.log_attributes(),
            ..LogRecord::default()
        };
        if self.shape == Shape::Rich {
            record.severity_text = severity_text.into();
            record.trace_id = self.identifier(16);
            record.span_id = self.identifier(8);
        }
        record.attributes.push(attribute("team", text(team)));
        record
    }

    /// 40 bytes, or 80 for rich records; the number in it tells the records apart.
    fn body(&self, sequence: u64) -> String {
        match self.shape {
            Shape::Lean => format!("order {sequence:010} was accepted by the shop"),
            Shape::Rich => format!(
                "order {sequence:010} was accepted by the shop and handed over to the depot for packing"
            ),
        }
        .chars()
        .take(if self.shape == Shape::Lean { 40 } else { 80 })
        .collect()
    }

    fn log_attributes(&mut self) -> Vec<KeyValue> {
        let route = format!("/orders/{}", self.random.u8(0..10));
        let mut attributes = vec![attribute("http.route", text(route))];
        if self.shape == Shape::Rich {
            let status = self.random.choice([200, 201, 404, 500]).unwrap_or(200);
            let customer = format!("customer-{:06}", self.random.u32(0..1_000_000));
            attributes.extend([
                attribute("http.request.method", text("POST")),
                attribute("http.response.status_code", Value::IntValue(status)),
                attribute("duration.seconds", Value::DoubleValue(self.random.f64())),
                attribute("customer.id", text(customer)),
                attribute("cache.hit", Value::BoolValue(self.random.bool())),
                attribute("thread.name", text("pool-3")),
            ]);
        }
        attributes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;

    /// Lengths of the two payloads whose costs are published; ours must stay within one percent of them.
    #[test]
    fn thousand_records_have_the_published_size() {
        for (shape, published) in [(Shape::Lean, 112_685_f64), (Shape::Rich, 359_151_f64)] {
            let length = Sampler::new(1).shape(shape).logs().encoded_len() as f64;
            assert!(
                (length / published - 1.0).abs() < 0.01,
                "{} has {length} bytes, published are {published}",
                shape.name()
            );
        }
    }

    #[test]
    fn half_of_the_records_of_each_resource_belong_to_each_team() {
        for logs in Sampler::new(3).logs().resource_logs {
            let first = logs.scope_logs[0]
                .log_records
                .iter()
                .filter(|record| {
                    record.attributes.last() == Some(&attribute("team", text("team-0")))
                })
                .count();
            assert_eq!(first, 50);
        }
    }

    #[test]
    fn records_are_spread_over_the_resources() {
        let request = Sampler::new(3).records(7).resources(3).logs();
        let counts: Vec<_> = request
            .resource_logs
            .iter()
            .map(|logs| logs.scope_logs[0].log_records.len())
            .collect();
        assert_eq!(counts, [3, 2, 2]);
    }
}
