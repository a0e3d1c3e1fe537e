//! Requests in every form that has led readers of OTLP astray, each with what must become of it.
//!
//! A row is made for every signal and, where it is about attributes, for those of the resource, of the scope and of the
//! record. What is accepted is read as `prost` reads it. What is refused `prost` may accept: it merges what stands twice.

mod attributes;
mod envelopes;
mod records;
mod wire;

use wire::Schema;

use crate::topology::Signal;

/// A request with what must become of it.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is unusual about it, and where.
    pub name: String,
    /// The export request. Its records have numbers from 1.
    pub request: Vec<u8>,
    /// Whether a source takes it.
    pub accepted: bool,
}

/// What is unusual, with the bytes that are, and whether a source takes them.
type Case = (&'static str, Vec<u8>, bool);

/// Every row of a signal.
pub fn rows(signal: Signal) -> Vec<Row> {
    let schema = Schema::of(signal);
    let mut rows = Vec::new();
    let mut add = |name: String, request, accepted| {
        rows.push(Row {
            name,
            request,
            accepted,
        });
    };
    for (name, request, accepted) in envelopes::cases(schema) {
        add(name.to_owned(), request, accepted);
    }
    for (name, fields, accepted) in records::cases(signal) {
        add(name.to_owned(), schema.with_record(&fields), accepted);
    }
    if signal == Signal::Metrics {
        for (name, metric, accepted) in records::whole_metrics() {
            add(name.to_owned(), schema.with_whole(&metric), accepted);
        }
    }
    for (name, attribute, accepted) in attributes::cases() {
        add(
            format!("{name} of a resource"),
            schema.with_resource(&wire::field(1, &attribute)),
            accepted,
        );
        add(
            format!("{name} of a scope"),
            schema.with_scope(&wire::field(3, &attribute)),
            accepted,
        );
        add(
            format!("{name} of a record"),
            schema.with_point(&wire::field(schema.attributes, &attribute)),
            accepted,
        );
    }
    rows
}
