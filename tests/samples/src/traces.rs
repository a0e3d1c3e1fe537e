//! Spans.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::span::{Event, SpanKind};
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span, Status};

use crate::{Sampler, Shape, attribute, text};

impl Sampler {
    /// An export request of spans: five spans a trace; every tenth span failed.
    pub fn traces(&mut self) -> ExportTraceServiceRequest {
        let resource_spans = (0..self.resources)
            .map(|index| ResourceSpans {
                resource: Some(Self::resource(index)),
                scope_spans: vec![ScopeSpans {
                    scope: Some(Self::scope()),
                    spans: self.spans(self.records_of(index)),
                    ..ScopeSpans::default()
                }],
                ..ResourceSpans::default()
            })
            .collect();
        ExportTraceServiceRequest { resource_spans }
    }

    fn spans(&mut self, records: usize) -> Vec<Span> {
        let teams = self.teams(records);
        let mut trace_id = self.identifier(16);
        let mut parent = Vec::new();
        let mut spans = Vec::with_capacity(records);
        for (index, team) in teams.into_iter().enumerate() {
            if index % 5 == 0 {
                trace_id = self.identifier(16);
                parent = Vec::new();
            }
            let span = self.span(team, trace_id.clone(), parent);
            parent = span.span_id.clone();
            spans.push(span);
        }
        spans
    }

    fn span(&mut self, team: &str, trace_id: Vec<u8>, parent_span_id: Vec<u8>) -> Span {
        let sequence = self.next_sequence();
        let start = Self::time(sequence);
        let kind = if parent_span_id.is_empty() {
            SpanKind::Server
        } else {
            SpanKind::Internal
        };
        let mut span = Span {
            trace_id,
            span_id: self.identifier(8),
            parent_span_id,
            name: format!("GET /orders/{}", self.random.u8(0..10)),
            kind: kind.into(),
            start_time_unix_nano: start,
            end_time_unix_nano: start + self.random.u64(1_000..2_000_000_000),
            attributes: vec![
                attribute("order.number", Value::IntValue(sequence.cast_signed())),
                attribute("team", text(team)),
            ],
            ..Span::default()
        };
        if sequence.is_multiple_of(10) {
            span.status = Some(Status {
                code: 2,
                message: "deadline exceeded".into(),
            });
        }
        if self.shape == Shape::Rich {
            span.events.push(Event {
                time_unix_nano: start + 500,
                name: "cache.miss".into(),
                attributes: vec![attribute("cache.key", text(format!("order-{sequence}")))],
                ..Event::default()
            });
        }
        span
    }
}
