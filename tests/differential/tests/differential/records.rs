//! Random export requests of logs.
//!
//! They have what senders send and what they should not: keys that stand twice, values of the wrong type, null and unset
//! values, unset messages, nested lists and maps, NaN. `observed_time_unix_nano` is the number of a record, by which it
//! is found again in an output.

use fastrand::Rng;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{
    AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList, any_value::Value,
};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::resource::v1::Resource;
use watershed_samples::text;

use watershed_differential::pools;

/// How deep lists and maps nest in a value.
const MAX_NESTING: u32 = 3;

/// Makes requests.
#[derive(Debug)]
pub(crate) struct Records {
    random: Rng,
    next: u64,
}

impl Records {
    /// Requests that depend on `seed` and on nothing else.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            next: 0,
        }
    }

    /// A request of about `records` records: at least as many, under several resources and scopes.
    pub(crate) fn request(&mut self, records: u64) -> ExportLogsServiceRequest {
        let end = self.next + records;
        let mut request = ExportLogsServiceRequest::default();
        while self.next < end {
            request.resource_logs.push(self.resource_logs());
        }
        request
    }

    fn resource_logs(&mut self) -> ResourceLogs {
        let resource = (!self.one_in(8)).then(|| Resource {
            attributes: self.attributes(),
            dropped_attributes_count: self.small(),
            ..Resource::default()
        });
        let scopes = self.random.usize(1..=3);
        ResourceLogs {
            resource,
            scope_logs: (0..scopes).map(|_| self.scope_logs()).collect(),
            ..ResourceLogs::default()
        }
    }

    fn scope_logs(&mut self) -> ScopeLogs {
        let scope = (!self.one_in(5)).then(|| InstrumentationScope {
            name: self.text(),
            version: self.text(),
            attributes: self.attributes(),
            dropped_attributes_count: self.small(),
        });
        let records = self.random.usize(1..=4);
        ScopeLogs {
            scope,
            log_records: (0..records).map(|_| self.log_record()).collect(),
            ..ScopeLogs::default()
        }
    }

    fn log_record(&mut self) -> LogRecord {
        let number = self.next;
        self.next += 1;
        let body = match self.random.u32(0..8) {
            0 => None,
            1 => Some(AnyValue { value: None }),
            2..5 => Some(any(self.map(MAX_NESTING))),
            5 => Some(any(self.list(MAX_NESTING))),
            _ => Some(self.any_value(MAX_NESTING)),
        };
        LogRecord {
            time_unix_nano: self.pick(pools::UINTS),
            observed_time_unix_nano: number,
            severity_number: self.pick(&[0, 1, 5, 9, 13, 17, 17, 24, -1, i32::MAX, i32::MIN]),
            severity_text: self.text(),
            body,
            attributes: self.attributes(),
            dropped_attributes_count: self.small(),
            flags: self.pick(&[0, 1, 255, u32::MAX]),
            trace_id: self.pick(&[b"".as_slice(), pools::TRACE_ID]).to_vec(),
            span_id: self.pick(&[b"".as_slice(), pools::SPAN_ID]).to_vec(),
            event_name: self.text(),
        }
    }

    /// Most keys, some of them twice.
    fn attributes(&mut self) -> Vec<KeyValue> {
        let mut attributes = self.entries(MAX_NESTING);
        self.random.shuffle(&mut attributes);
        attributes
    }

    fn entries(&mut self, nesting: u32) -> Vec<KeyValue> {
        let mut entries = Vec::new();
        for key in pools::KEYS {
            if *key == "absent" || self.one_in(3) {
                continue;
            }
            entries.push(self.entry(key, nesting));
            if self.one_in(10) {
                entries.push(self.entry(key, nesting));
            }
        }
        entries
    }

    /// A value that is mostly of the type of its key's name.
    fn entry(&mut self, key: &str, nesting: u32) -> KeyValue {
        let value = match key {
            _ if self.one_in(4) => self.any_value(nesting),
            "n" | "http.status_code" => any(self.number()),
            "flag" => any(Value::BoolValue(self.random.bool())),
            "list" => any(self.list(nesting)),
            "map" => any(self.map(nesting)),
            "a" | "b" => any(text(self.text())),
            _ => self.any_value(nesting),
        };
        KeyValue {
            key: key.to_owned(),
            value: (!self.one_in(30)).then_some(value),
            ..KeyValue::default()
        }
    }

    fn any_value(&mut self, nesting: u32) -> AnyValue {
        any(match self.random.u32(0..20) {
            0..6 => text(self.text()),
            6..11 => self.number(),
            11..13 => Value::BoolValue(self.random.bool()),
            13 => Value::BytesValue(self.pick(pools::BYTES).to_vec()),
            14 | 15 => return AnyValue { value: None },
            16 | 17 => self.list(nesting),
            _ => self.map(nesting),
        })
    }

    fn number(&mut self) -> Value {
        match self.random.u32(0..20) {
            0..12 => Value::IntValue(self.pick(pools::INTS)),
            12..19 => Value::DoubleValue(self.pick(pools::DOUBLES)),
            _ => Value::DoubleValue(self.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY])),
        }
    }

    fn list(&mut self, nesting: u32) -> Value {
        let count = if nesting == 0 {
            0
        } else {
            self.random.usize(0..=4)
        };
        let values = match self.random.u32(0..3) {
            0 => (0..count).map(|_| any(self.number())).collect(),
            1 => (0..count).map(|_| any(text(self.text()))).collect(),
            _ => (0..count)
                .map(|_| self.any_value(nesting.saturating_sub(1)))
                .collect(),
        };
        Value::ArrayValue(ArrayValue { values })
    }

    fn map(&mut self, nesting: u32) -> Value {
        let values = if nesting == 0 {
            Vec::new()
        } else {
            self.entries(nesting - 1)
        };
        Value::KvlistValue(KeyValueList { values })
    }

    fn text(&mut self) -> String {
        self.pick(pools::TEXTS).to_owned()
    }

    fn small(&mut self) -> u32 {
        self.pick(&[0, 0, 1, 3, 17, u32::MAX])
    }

    fn pick<T: Copy + Default>(&mut self, choices: &[T]) -> T {
        self.random.choice(choices).copied().unwrap_or_default()
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.random.u32(..chances) == 0
    }
}

fn any(value: Value) -> AnyValue {
    AnyValue { value: Some(value) }
}
