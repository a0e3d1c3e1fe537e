//! The oracle's eyes: records decoded with prost, as variables of the `cel` crate.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write};
use std::sync::Arc;

use cel::objects::{Key, Map};
use cel::{Context, Env, Program, Value};
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{Metric, metric::Data};
use opentelemetry_proto::tonic::resource::v1::Resource;

use crate::requests::Request;
use crate::topology::{Answer, Topology};

/// To which sinks each record of a request comes, by the number of the record; a sink stands twice where it comes twice.
pub type Deliveries = BTreeMap<u64, Vec<usize>>;

/// A record with what stands around it.
pub struct Record {
    /// Its number, by which it is found again in an output.
    pub number: u64,
    context: Context<'static, 'static>,
    text: String,
    /// Answers that were given before.
    known: std::cell::RefCell<HashMap<String, Answer>>,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Answers questions about records.
pub struct Interpreter {
    environment: Arc<Env>,
    programs: HashMap<String, Program>,
}

impl Default for Interpreter {
    fn default() -> Self {
        Self::new()
    }
}

impl Interpreter {
    /// An interpreter with the functions of CEL.
    pub fn new() -> Self {
        Self {
            environment: Arc::new(Env::stdlib()),
            programs: HashMap::new(),
        }
    }

    /// What an atom comes to for a record.
    pub fn answer(&mut self, atom: &str, record: &Record) -> Answer {
        if let Some(answer) = record.known.borrow().get(atom) {
            return *answer;
        }
        let answer = match self.value(atom, record) {
            Some(Value::Bool(true)) => Answer::True,
            Some(Value::Bool(false)) => Answer::False,
            _ => Answer::Error,
        };
        record.known.borrow_mut().insert(atom.to_owned(), answer);
        answer
    }

    /// The value of an expression; `None` for an error.
    pub fn value(&mut self, text: &str, record: &Record) -> Option<Value> {
        if !self.programs.contains_key(text) {
            let program = self.environment.compile(text);
            let program = program.unwrap_or_else(|error| panic!("`{text}` is not CEL: {error}"));
            self.programs.insert(text.to_owned(), program);
        }
        self.programs.get(text)?.execute(&record.context).ok()
    }

    /// Every record of a request, in order.
    pub fn records(&self, request: &Request) -> Vec<Record> {
        let mut records = Vec::new();
        match request {
            Request::Logs(request) => {
                for group in &request.resource_logs {
                    for scope in &group.scope_logs {
                        records.extend(scope.log_records.iter().map(|log| {
                            let own = map([
                                ("severity_number", Value::Int(log.severity_number.into())),
                                ("event_name", text(&log.event_name)),
                                ("body", any(log.body.as_ref())),
                                ("attributes", attributes(&log.attributes)),
                            ]);
                            let outer = (group.resource.as_ref(), scope.scope.as_ref());
                            self.record(log.observed_time_unix_nano, outer, vec![("log", own)])
                        }));
                    }
                }
            }
            Request::Traces(request) => {
                for group in &request.resource_spans {
                    for scope in &group.scope_spans {
                        records.extend(scope.spans.iter().map(|span| {
                            let own = map([
                                ("kind", Value::Int(span.kind.into())),
                                ("name", text(&span.name)),
                                ("trace_state", text(&span.trace_state)),
                                ("attributes", attributes(&span.attributes)),
                            ]);
                            let outer = (group.resource.as_ref(), scope.scope.as_ref());
                            self.record(span.start_time_unix_nano, outer, vec![("span", own)])
                        }));
                    }
                }
            }
            Request::Metrics(request) => {
                for group in &request.resource_metrics {
                    for scope in &group.scope_metrics {
                        for metric in &scope.metrics {
                            let outer = (group.resource.as_ref(), scope.scope.as_ref());
                            records.extend(points(metric).into_iter().map(|(number, own)| {
                                let own = map([("attributes", attributes(own))]);
                                let around = map([
                                    ("name", text(&metric.name)),
                                    ("unit", text(&metric.unit)),
                                    ("description", text(&metric.description)),
                                ]);
                                let own = vec![("metric", around), ("datapoint", own)];
                                self.record(number, outer, own)
                            }));
                        }
                    }
                }
            }
        }
        records
    }

    /// To which sinks a topology sends a record.
    pub fn deliveries(&mut self, topology: &Topology, record: &Record) -> Vec<usize> {
        topology.deliveries(&mut |atom| self.answer(atom, record))
    }

    fn record(
        &self,
        number: u64,
        (resource, scope): (Option<&Resource>, Option<&InstrumentationScope>),
        own: Vec<(&'static str, Value)>,
    ) -> Record {
        let resource = resource.map_or(&[][..], |resource| &resource.attributes);
        let scope = scope.cloned().unwrap_or_default();
        let mut variables = vec![
            ("resource", map([("attributes", attributes(resource))])),
            (
                "scope",
                map([
                    ("name", text(&scope.name)),
                    ("version", text(&scope.version)),
                    ("attributes", attributes(&scope.attributes)),
                ]),
            ),
        ];
        variables.extend(own);
        let mut context = Context::with_env(Arc::clone(&self.environment));
        let mut shown = format!("record {number}:");
        for (name, value) in variables {
            let _ = write!(shown, "\n  {name} = {value:?}");
            context.add_variable_from_value(name, value);
        }
        Record {
            number,
            context,
            text: shown,
            known: Default::default(),
        }
    }
}

/// The numbers and attributes of the points of a metric.
fn points(metric: &Metric) -> Vec<(u64, &[KeyValue])> {
    macro_rules! points {
        ($data:expr) => {{
            let points = $data.data_points.iter();
            points
                .map(|point| (point.time_unix_nano, point.attributes.as_slice()))
                .collect()
        }};
    }
    match &metric.data {
        None => Vec::new(),
        Some(Data::Gauge(data)) => points!(data),
        Some(Data::Sum(data)) => points!(data),
        Some(Data::Histogram(data)) => points!(data),
        Some(Data::ExponentialHistogram(data)) => points!(data),
        Some(Data::Summary(data)) => points!(data),
    }
}

/// Of equal keys the first wins.
fn attributes(attributes: &[KeyValue]) -> Value {
    let entries = attributes.iter().rev();
    entries_map(entries.map(|entry| (entry.key.clone(), any(entry.value.as_ref()))))
}

fn map<const N: usize>(fields: [(&str, Value); N]) -> Value {
    entries_map(
        fields
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value)),
    )
}

fn entries_map(entries: impl Iterator<Item = (String, Value)>) -> Value {
    let entries = entries.map(|(key, value)| (Key::String(Arc::new(key)), value));
    Value::Map(Map {
        map: Arc::new(entries.collect::<HashMap<_, _>>()),
    })
}

/// A value that is not set is null.
fn any(value: Option<&AnyValue>) -> Value {
    use any_value::Value as Any;
    match value.and_then(|value| value.value.as_ref()) {
        Some(Any::StringValue(value)) => text(value),
        Some(Any::BoolValue(value)) => Value::Bool(*value),
        Some(Any::IntValue(value)) => Value::Int(*value),
        Some(Any::DoubleValue(value)) => Value::Float(*value),
        _ => Value::Null,
    }
}

fn text(text: &str) -> Value {
    Value::String(Arc::new(text.to_owned()))
}
