//! The oracle: an interpreter of CEL over the decoded messages.

use std::collections::HashMap;
use std::sync::Arc;

use cel::objects::{Key, Map};
use cel::{Context, Env, Program, Value};
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value};
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::resource::v1::Resource;
use watershed_differential::pools;

use crate::Answer;

/// A record with what stands around it.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Case {
    pub(crate) resource: Resource,
    pub(crate) scope: InstrumentationScope,
    pub(crate) log: LogRecord,
}

/// The programs of all predicates.
pub(crate) struct Oracle {
    environment: Arc<Env>,
    programs: Vec<Program>,
    /// The value of `config patience`.
    patience: Value,
}

impl Oracle {
    pub(crate) fn new(texts: impl Iterator<Item = &'static str>) -> Self {
        let mut environment = Env::stdlib();
        environment
            .add_extension(cel::extensions::strings)
            .expect("the extension is added once");
        let programs = texts
            .map(|text| match environment.compile(text) {
                Ok(program) => program,
                Err(error) => panic!("the oracle does not read `{text}`: {error}"),
            })
            .collect();
        let environment = Arc::new(environment);
        let patience = environment
            .compile(&format!("duration('{}s')", pools::PATIENCE))
            .expect("a duration")
            .execute(&Context::with_env(Arc::clone(&environment)))
            .expect("a duration");
        Self {
            environment,
            programs,
            patience,
        }
    }

    /// The answer to every predicate for one record.
    pub(crate) fn answers(&self, case: &Case) -> Vec<Answer> {
        let mut context = Context::with_env(Arc::clone(&self.environment));
        let variables = [
            ("signal", text("logs")),
            ("resource", resource(&case.resource)),
            ("scope", scope(&case.scope)),
            ("log", log(&case.log)),
            ("limit", Value::Int(pools::LIMIT)),
            ("ratio", Value::Float(pools::RATIO)),
            ("word", text(pools::WORD)),
            ("enabled", Value::Bool(pools::ENABLED)),
            ("patience", self.patience.clone()),
        ];
        for (name, value) in variables {
            context.add_variable_from_value(name, value);
        }
        self.programs
            .iter()
            .map(|program| match program.execute(&context) {
                Ok(Value::Bool(true)) => Answer::True,
                Ok(Value::Bool(false)) => Answer::False,
                _ => Answer::Error,
            })
            .collect()
    }
}

fn resource(resource: &Resource) -> Value {
    record([
        ("attributes", attributes(&resource.attributes)),
        (
            "dropped_attributes_count",
            resource.dropped_attributes_count.into(),
        ),
    ])
}

fn scope(scope: &InstrumentationScope) -> Value {
    record([
        ("name", text(&scope.name)),
        ("version", text(&scope.version)),
        ("attributes", attributes(&scope.attributes)),
        (
            "dropped_attributes_count",
            scope.dropped_attributes_count.into(),
        ),
    ])
}

fn log(log: &LogRecord) -> Value {
    record([
        ("time_unix_nano", log.time_unix_nano.into()),
        (
            "observed_time_unix_nano",
            log.observed_time_unix_nano.into(),
        ),
        ("severity_number", log.severity_number.into()),
        ("severity_text", text(&log.severity_text)),
        ("body", any(log.body.as_ref())),
        ("attributes", attributes(&log.attributes)),
        (
            "dropped_attributes_count",
            log.dropped_attributes_count.into(),
        ),
        ("flags", log.flags.into()),
        ("trace_id", bytes(&log.trace_id)),
        ("span_id", bytes(&log.span_id)),
        ("event_name", text(&log.event_name)),
    ])
}

fn record<const N: usize>(fields: [(&str, Value); N]) -> Value {
    map(fields.map(|(name, value)| (name.to_owned(), value)))
}

/// Of equal keys the first wins.
fn attributes(attributes: &[KeyValue]) -> Value {
    let entries = attributes.iter().rev();
    map(entries.map(|entry| (entry.key.clone(), any(entry.value.as_ref()))))
}

fn map(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    let entries = entries
        .into_iter()
        .map(|(key, value)| (Key::String(Arc::new(key)), value));
    Value::Map(Map {
        map: Arc::new(entries.collect::<HashMap<_, _>>()),
    })
}

/// A value that is not set is null.
fn any(value: Option<&AnyValue>) -> Value {
    use any_value::Value as Any;
    match value.and_then(|value| value.value.as_ref()) {
        None | Some(Any::StringValueStrindex(_)) => Value::Null,
        Some(Any::StringValue(value)) => text(value),
        Some(Any::BoolValue(value)) => Value::Bool(*value),
        Some(Any::IntValue(value)) => Value::Int(*value),
        Some(Any::DoubleValue(value)) => Value::Float(*value),
        Some(Any::BytesValue(value)) => bytes(value),
        Some(Any::ArrayValue(list)) => {
            let values = list.values.iter().map(|value| any(Some(value)));
            Value::List(Arc::new(values.collect()))
        }
        Some(Any::KvlistValue(entries)) => attributes(&entries.values),
    }
}

fn text(text: &str) -> Value {
    Value::String(Arc::new(text.to_owned()))
}

fn bytes(bytes: &[u8]) -> Value {
    Value::Bytes(Arc::new(bytes.to_vec()))
}
