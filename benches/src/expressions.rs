//! Predicates alone: the code that the compiler generates, beside a walk written by hand and the interpreter of the
//! `cel` crate.
//!
//! In: an export request of logs ([`records`]), encoded for the first two, decoded for the interpreter. Out: how
//! many records a predicate keeps, by each engine: [`Expression::verify`] checks that they agree. Why: what a
//! predicate costs is the difference between compiling it and interpreting it, and it shows only when the rest of the
//! work, such as the copy of what was kept, is left out.

pub mod interpreter;
pub mod native;
pub mod records;

use std::hint::black_box;

use anyhow::{Result, ensure};
use watershed::Selection;

use crate::flows;
use interpreter::Interpreter;
use records::Records;

/// A predicate that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// E1: an attribute of the record is one text. Keeps half of the records.
    AttributeEquals,
    /// E2: a number among the fields of the record and one among its attributes. Keeps three records in sixteen.
    SeverityAndStatus,
    /// E3: a prefix of an attribute of the resource, and a text that the body must not contain. Keeps half of the
    /// resources, and of those seven records in eight.
    ServiceAndBody,
    /// E3 with nothing decided once for several records: the resource is read again for each of them.
    ServiceAndBodyFlat,
}

impl Expression {
    /// Every expression.
    pub const ALL: [Self; 4] = [
        Self::AttributeEquals,
        Self::SeverityAndStatus,
        Self::ServiceAndBody,
        Self::ServiceAndBodyFlat,
    ];

    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::AttributeEquals => "attribute_equals",
            Self::SeverityAndStatus => "severity_and_status",
            Self::ServiceAndBody => "service_and_body",
            Self::ServiceAndBodyFlat => "service_and_body_flat",
        }
    }

    /// The predicate as its flow has it.
    pub fn text(self) -> &'static str {
        match self {
            Self::AttributeEquals => r#"log.attributes["team"] == "team-0""#,
            Self::SeverityAndStatus => {
                r#"log.severity_number >= 9 && log.attributes["http.status_code"] >= 500"#
            }
            Self::ServiceAndBody | Self::ServiceAndBodyFlat => {
                r#"resource.attributes["service.name"].startsWith("checkout") && !log.body.contains("healthz")"#
            }
        }
    }

    /// The same predicate over the variables of the interpreter's borrowed contexts. It is the cheapest form for the
    /// `cel` crate, which then looks nothing up that a context can hold as a variable.
    pub fn interpreted_text(self) -> &'static str {
        match self {
            Self::AttributeEquals => r#"team == "team-0""#,
            Self::SeverityAndStatus => {
                r#"severity_number >= 9 && attributes["http.status_code"] >= 500"#
            }
            Self::ServiceAndBody | Self::ServiceAndBodyFlat => {
                r#"resource["service.name"].startsWith("checkout") && !body.contains("healthz")"#
            }
        }
    }

    /// How many times cheaper the generated code must be than the interpreter with its contexts ready.
    pub fn target(self) -> f64 {
        match self {
            Self::AttributeEquals => 3.0,
            Self::SeverityAndStatus => 8.0,
            Self::ServiceAndBody | Self::ServiceAndBodyFlat => 10.0,
        }
    }

    /// Runs the generated walk up to what it marked. Nothing is copied out.
    pub fn select(self, records: &Records) -> Selection<'_> {
        match self {
            Self::AttributeEquals => flows::attribute_equals::select(&records.payload),
            Self::SeverityAndStatus => flows::severity_and_status::select(&records.payload),
            Self::ServiceAndBody => flows::service_and_body::select(&records.payload),
            Self::ServiceAndBodyFlat => flows::service_and_body::select_flat(&records.payload),
        }
    }

    /// What is timed of the generated walk: a selection is made, marked and dropped.
    pub fn run(self, records: &Records) {
        drop(black_box(self.select(black_box(records))));
    }

    /// Checks that every engine keeps the same number of records, and that it is neither none nor all of them.
    ///
    /// # Errors
    /// When two engines differ, or the predicate decides nothing.
    pub fn verify(self, records: &Records) -> Result<()> {
        let ours = self.select(records).finish().records();
        let native = native::count(self, &records.bytes);
        let interpreter = Interpreter::new(self)?;
        let interpreted = interpreter.count(&interpreter.borrowed_contexts(&records.decoded));
        let converted = interpreter.count_converting(&records.decoded);
        let name = self.name();
        ensure!(
            ours == native && ours == interpreted && ours == converted,
            "{name} keeps {ours} records, by hand {native}, interpreted {interpreted} and {converted}"
        );
        ensure!(
            (1..records.count as u64).contains(&ours),
            "{name} keeps {ours} of {} records",
            records.count
        );
        Ok(())
    }
}
