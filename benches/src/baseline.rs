//! The same work as the flows of this package, done the usual way: decode the request into structs with prost, keep
//! what the predicate wants, encode.
//!
//! In: an encoded export request of logs. Out: encoded export requests. Written as a careful person would: records
//! and resources are moved, never cloned, unless two outputs need the same resource.

use std::collections::BTreeMap;

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use prost::{DecodeError, Message};
use watershed_samples::text_attribute;

use crate::table::{OUTPUTS, Table};

/// Decodes, and does nothing with what it decoded.
pub fn decode(request: &[u8]) -> Result<ExportLogsServiceRequest, DecodeError> {
    ExportLogsServiceRequest::decode(request)
}

/// Keeps the records whose attribute `team` is `team-0`.
pub fn record_filter(request: &[u8]) -> Result<Vec<u8>, DecodeError> {
    filter(request, |_| true, is_first_team)
}

/// Keeps the resources whose `deployment.environment` is `prod`.
pub fn resource_filter(request: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let mut request = decode(request)?;
    request.resource_logs.retain(is_production);
    Ok(request.encode_to_vec())
}

/// Keeps the records of `team-0` whose resource is `prod`.
pub fn and_filter(request: &[u8]) -> Result<Vec<u8>, DecodeError> {
    filter(request, is_production, is_first_team)
}

/// Keeps the records whose attribute `team` starts with `team-`.
pub fn keep_all(request: &[u8]) -> Result<Vec<u8>, DecodeError> {
    filter(
        request,
        |_| true,
        |record| {
            text_attribute(&record.attributes, "team").is_some_and(|team| team.starts_with("team-"))
        },
    )
}

/// Keeps the records that both conditions hold for.
fn filter(
    request: &[u8],
    resource_holds: impl Fn(&ResourceLogs) -> bool,
    record_holds: impl Fn(&LogRecord) -> bool,
) -> Result<Vec<u8>, DecodeError> {
    let mut request = decode(request)?;
    request.resource_logs.retain_mut(|group| {
        if !resource_holds(group) {
            return false;
        }
        group.scope_logs.retain_mut(|scope| {
            scope.log_records.retain(&record_holds);
            !scope.log_records.is_empty()
        });
        !group.scope_logs.is_empty()
    });
    Ok(request.encode_to_vec())
}

/// The records of `team-0`, then those of everybody else.
pub fn two_way_split(request: &[u8]) -> Result<[Vec<u8>; 2], DecodeError> {
    split_records(request, |record| usize::from(!is_first_team(record)))
}

/// Each record to the output that `table` has for its `http.route`.
pub fn route(table: &Table, request: &[u8]) -> Result<[Vec<u8>; OUTPUTS], DecodeError> {
    split_records(request, |record| {
        let route = text_attribute(&record.attributes, "http.route");
        table.output(route.map(str::as_bytes))
    })
}

/// Each resource to the output that `table` has for its `service.name`.
pub fn service_route(table: &Table, request: &[u8]) -> Result<[Vec<u8>; OUTPUTS], DecodeError> {
    let mut outputs = [const { Vec::new() }; OUTPUTS];
    for group in decode(request)?.resource_logs {
        let service = resource_text(&group, "service.name");
        if let Some(output) = outputs.get_mut(table.output(service.map(str::as_bytes))) {
            output.push(group);
        }
    }
    Ok(outputs.map(encode))
}

/// One output for each number that `output` gives.
fn split_records<const N: usize>(
    request: &[u8],
    output: impl Fn(&LogRecord) -> usize,
) -> Result<[Vec<u8>; N], DecodeError> {
    let mut outputs = [const { Vec::new() }; N];
    for group in decode(request)?.resource_logs {
        let sides: [_; N] = split_group(group, &output);
        for (output, side) in outputs.iter_mut().zip(sides) {
            output.extend(side);
        }
    }
    Ok(outputs.map(encode))
}

fn encode(resource_logs: Vec<ResourceLogs>) -> Vec<u8> {
    ExportLogsServiceRequest { resource_logs }.encode_to_vec()
}

/// One request for each `service.name`, by subject.
pub fn subject_routing(request: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, DecodeError> {
    let mut outputs: BTreeMap<String, ExportLogsServiceRequest> = BTreeMap::new();
    for group in decode(request)?.resource_logs {
        let service = resource_text(&group, "service.name").unwrap_or("unknown");
        let subject = format!("services.{service}");
        outputs
            .entry(subject)
            .or_default()
            .resource_logs
            .push(group);
    }
    Ok(outputs
        .into_iter()
        .map(|(subject, request)| (subject, request.encode_to_vec()))
        .collect())
}

/// A group for each output, `None` where an output has no record.
fn split_group<const N: usize>(
    group: ResourceLogs,
    output: impl Fn(&LogRecord) -> usize,
) -> [Option<ResourceLogs>; N] {
    let mut sides = [const { Vec::new() }; N];
    for scope in group.scope_logs {
        let mut records = [const { Vec::new() }; N];
        for record in scope.log_records {
            if let Some(records) = records.get_mut(output(&record)) {
                records.push(record);
            }
        }
        for (side, log_records) in sides.iter_mut().zip(records) {
            if !log_records.is_empty() {
                side.push(ScopeLogs {
                    scope: scope.scope.clone(),
                    log_records,
                    schema_url: scope.schema_url.clone(),
                });
            }
        }
    }
    sides.map(|scope_logs| {
        (!scope_logs.is_empty()).then(|| ResourceLogs {
            resource: group.resource.clone(),
            scope_logs,
            schema_url: group.schema_url.clone(),
        })
    })
}

fn is_production(group: &ResourceLogs) -> bool {
    resource_text(group, "deployment.environment") == Some("prod")
}

fn is_first_team(record: &LogRecord) -> bool {
    text_attribute(&record.attributes, "team") == Some("team-0")
}

fn resource_text<'a>(group: &'a ResourceLogs, key: &str) -> Option<&'a str> {
    text_attribute(&group.resource.as_ref()?.attributes, key)
}
