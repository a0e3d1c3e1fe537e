//! What the runtime reads in a payload, as lines of text: the one side of a comparison with [`crate::decoded`].

use watershed::Payload;
use watershed::generated::{AnyValue, Attributes, Record, Request, Signal};
use watershed::otlp::{PointView, RawField};

/// A line for each resource, scope, record and data point, in the order in which they are walked.
pub(crate) fn values(payload: &Payload) -> Vec<String> {
    let mut lines = Vec::new();
    for request in payload.requests() {
        read(&request, &mut lines);
    }
    lines
}

fn read(request: &Request<'_>, lines: &mut Vec<String>) {
    for group in request.resources() {
        let resource = group.resource();
        lines.push(format!("resource {}", attributes(resource.attributes())));
        for scope_group in group.scopes() {
            let scope = scope_group.scope();
            let (name, version) = (scope.name(), scope.version());
            let attributes = attributes(scope.attributes());
            lines.push(format!("scope {name:?} {version:?} {attributes}"));
            for record in scope_group.records() {
                match request.signal() {
                    Signal::Logs => lines.push(log(&record)),
                    Signal::Traces => lines.push(span(&record)),
                    Signal::Metrics => metric(&record, lines),
                }
            }
        }
    }
}

fn log(record: &Record<'_>) -> String {
    let log = record.log();
    let (mut severity, mut time, mut flags) = (0, 0, 0);
    let (mut text, mut event_name) = (String::new(), String::new());
    let (mut body, mut trace_id) = (String::from("null"), Vec::new());
    for field in log.fields() {
        match field.number() {
            1 => time = field.unsigned(),
            2 => severity = field.enumeration(),
            3 => text = field.text().to_str().into_owned(),
            5 => body = value(field.any_value()),
            8 => flags = field.unsigned32(),
            9 => trace_id = field.bytes().to_vec(),
            12 => event_name = field.text().to_str().into_owned(),
            _ => {}
        }
    }
    let attributes = attributes(log.attributes());
    format!(
        "log {time} {severity} {text:?} {body} {flags} {trace_id:?} {event_name:?} {attributes}"
    )
}

fn span(record: &Record<'_>) -> String {
    let span = record.span();
    let (mut kind, mut start, mut end) = (0, 0, 0);
    let (mut name, mut state) = (String::new(), String::new());
    let (mut span_id, mut status) = (Vec::new(), 0);
    for field in span.fields() {
        match field.number() {
            2 => span_id = field.bytes().to_vec(),
            3 => state = field.text().to_str().into_owned(),
            5 => name = field.text().to_str().into_owned(),
            6 => kind = field.enumeration(),
            7 => start = field.unsigned(),
            8 => end = field.unsigned(),
            15 => status = code(&field),
            _ => {}
        }
    }
    let attributes = attributes(span.attributes());
    format!("span {span_id:?} {state:?} {name:?} {kind} {start} {end} {status} {attributes}")
}

/// The code of a status.
fn code(status: &RawField<'_>) -> i64 {
    let code = status.message().first(3);
    code.map_or(0, |code| code.enumeration())
}

fn metric(record: &Record<'_>, lines: &mut Vec<String>) {
    let metric = record.metric();
    let (mut description, mut unit) = (String::new(), String::new());
    for field in metric.fields() {
        match field.number() {
            2 => description = field.text().to_str().into_owned(),
            3 => unit = field.text().to_str().into_owned(),
            _ => {}
        }
    }
    let (name, kind) = (metric.name(), metric.kind());
    lines.push(format!("metric {name:?} {kind:?} {description:?} {unit:?}"));
    lines.extend(record.data_points().map(|point| data_point(&point.point())));
}

fn data_point(point: &PointView<'_>) -> String {
    format!(
        "point {} {} {} {} {} {} {}",
        point.start_time_unix_nano(),
        point.time_unix_nano(),
        point.flags(),
        value(point.value()),
        value(point.count()),
        value(point.sum()),
        attributes(point.attributes())
    )
}

fn attributes(attributes: Attributes<'_>) -> String {
    let entry = |key: &[u8], any| format!("{:?}: {}", String::from_utf8_lossy(key), value(any));
    let entries = attributes.map(|attribute| entry(attribute.key(), attribute.value()));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn value(any: AnyValue<'_>) -> String {
    match any {
        AnyValue::Missing => "missing".to_owned(),
        AnyValue::Null => "null".to_owned(),
        AnyValue::Bool(value) => value.to_string(),
        AnyValue::Int(value) => value.to_string(),
        AnyValue::Uint(value) => format!("{value}u"),
        AnyValue::Double(value) => format!("{:#x}", value.to_bits()),
        AnyValue::Text(value) => format!("{value:?}"),
        AnyValue::Bytes(value) => format!("b{value:?}"),
        AnyValue::List(list) => {
            let values: Vec<_> = list.values().map(value).collect();
            format!("[{}]", values.join(", "))
        }
        AnyValue::Map(map) => {
            let entries = map.entries().map(|entry| {
                let key = String::from_utf8_lossy(entry.key());
                format!("{key:?}: {}", value(entry.value()))
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}
