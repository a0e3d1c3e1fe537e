//! The predicates in the interpreter of the `cel` crate, over decoded records.
//!
//! The environment with the standard functions is made once and shared, since making it costs more than everything
//! else. A context is built in two ways.
//!
//! * *Converted* from the crate's `Value`, which is the interface that its documentation shows. Its variables are the
//!   maps `log` and `resource`, and the predicate is the text of the flow, letter for letter.
//! * *Borrowed*: made of the crate's own types over the texts of the decoded record, as little work as the crate allows.
//!   Its variables are what the predicates look up, `team`, `severity_number`, `body`, `attributes` and `resource` (the
//!   attributes of the resource), so that the evaluation is as cheap as it can be as well.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use cel::common::types::{CelInt, CelMap, CelMapKey, CelNull, CelString};
use cel::common::value::Val;
use cel::{Context, Env, Program, Value as CelValue};
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value::Value};
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::resource::v1::Resource;

use super::Expression;

/// A predicate, parsed, with the environment that its contexts share.
pub struct Interpreter {
    /// The predicate over the variables of borrowed contexts.
    short: Program,
    /// The predicate over the variables of converted contexts.
    full: Program,
    environment: Arc<Env>,
}

/// A record as its predicate sees it.
#[derive(Clone, Copy)]
struct Row<'r> {
    resource: Option<&'r Resource>,
    record: &'r LogRecord,
}

impl Interpreter {
    /// Parses a predicate.
    ///
    /// # Errors
    /// When the crate does not accept it.
    pub fn new(expression: Expression) -> Result<Self> {
        let environment = Arc::new(Env::stdlib());
        let parse = |text| {
            let program = environment.compile(text).ok();
            program.with_context(|| format!("{text} does not parse"))
        };
        Ok(Self {
            short: parse(expression.interpreted_text())?,
            full: parse(expression.text())?,
            environment,
        })
    }

    /// A context for every record, which borrows its texts.
    pub fn borrowed_contexts<'r>(
        &self,
        request: &'r ExportLogsServiceRequest,
    ) -> Vec<Context<'r, 'r>> {
        rows(request).map(|row| self.borrowed(row)).collect()
    }

    /// How many of these contexts the predicate is true in. An error keeps nothing, as in a filter.
    pub fn count(&self, borrowed_contexts: &[Context<'_, '_>]) -> u64 {
        let contexts = borrowed_contexts.iter();
        contexts.map(|context| holds(&self.short, context)).sum()
    }

    /// [`count`](Self::count), with each context built where it is needed and dropped again.
    pub fn count_borrowing(&self, request: &ExportLogsServiceRequest) -> u64 {
        rows(request)
            .map(|row| holds(&self.short, &self.borrowed(row)))
            .sum()
    }

    /// The same over converted contexts, each built where it is needed and dropped again.
    pub fn count_converting(&self, request: &ExportLogsServiceRequest) -> u64 {
        rows(request)
            .map(|row| holds(&self.full, &self.converted(row)))
            .sum()
    }

    fn borrowed<'r>(&self, row: Row<'r>) -> Context<'r, 'r> {
        let mut context = Context::with_env(Arc::clone(&self.environment));
        let Row { resource, record } = row;
        if let Some(team) = record.attributes.iter().find(|one| one.key == "team") {
            context.add_variable_as_val("team", borrowed_value(team.value.as_ref()));
        }
        let severity = CelInt::from(i64::from(record.severity_number));
        context.add_variable_as_val("severity_number", Box::new(severity));
        context.add_variable_as_val("body", borrowed_value(record.body.as_ref()));
        context.add_variable_as_val("attributes", borrowed_map(&record.attributes));
        let resource = resource.map_or(&[][..], |resource| &resource.attributes);
        context.add_variable_as_val("resource", borrowed_map(resource));
        context
    }

    fn converted(&self, row: Row<'_>) -> Context<'static, 'static> {
        let mut context = Context::with_env(Arc::clone(&self.environment));
        let Row { resource, record } = row;
        let log = HashMap::from([
            ("severity_number", i64::from(record.severity_number).into()),
            ("body", converted_value(record.body.as_ref())),
            ("attributes", converted_map(&record.attributes)),
        ]);
        context.add_variable_from_value("log", log);
        let attributes = resource.map_or(&[][..], |resource| &resource.attributes);
        let resource = HashMap::from([("attributes", converted_map(attributes))]);
        context.add_variable_from_value("resource", resource);
        context
    }
}

/// 1 where the predicate is true.
fn holds(program: &Program, context: &Context<'_, '_>) -> u64 {
    u64::from(program.execute(context) == Ok(CelValue::Bool(true)))
}

/// Every record with its resource.
fn rows(request: &ExportLogsServiceRequest) -> impl Iterator<Item = Row<'_>> {
    request.resource_logs.iter().flat_map(|group| {
        let records = group.scope_logs.iter().flat_map(|scope| &scope.log_records);
        records.map(|record| Row {
            resource: group.resource.as_ref(),
            record,
        })
    })
}

/// The records hold texts and integers; whatever else would read as null.
fn borrowed_value(value: Option<&AnyValue>) -> Box<dyn Val + '_> {
    match value.and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => Box::new(CelString::from(text.as_str())),
        Some(Value::IntValue(number)) => Box::new(CelInt::from(*number)),
        _ => Box::new(CelNull),
    }
}

fn borrowed_map(attributes: &[KeyValue]) -> Box<dyn Val + '_> {
    let entries = attributes.iter().map(|attribute| {
        let key = CelMapKey::from(attribute.key.as_str());
        (key, borrowed_value(attribute.value.as_ref()))
    });
    Box::new(CelMap::from(entries.collect::<HashMap<_, _>>()))
}

/// [`borrowed_value`] with a copy of the text.
fn converted_value(value: Option<&AnyValue>) -> CelValue {
    match value.and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => CelValue::from(text.as_str()),
        Some(Value::IntValue(number)) => CelValue::Int(*number),
        _ => CelValue::Null,
    }
}

fn converted_map(attributes: &[KeyValue]) -> CelValue {
    let entries = attributes.iter().map(|attribute| {
        let value = converted_value(attribute.value.as_ref());
        (attribute.key.as_str(), value)
    });
    entries.collect::<HashMap<_, _>>().into()
}
