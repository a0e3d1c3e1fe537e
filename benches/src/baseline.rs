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

/// Decodes, and does nothing with what it decoded.
pub fn decode(request: &[u8]) -> Result<ExportLogsServiceRequest, DecodeError> {
    ExportLogsServiceRequest::decode(request)
}

/// Keeps the records whose attribute `team` is `team-0`.
pub fn record_filter(request: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let mut request = decode(request)?;
    for group in &mut request.resource_logs {
        for scope in &mut group.scope_logs {
            scope.log_records.retain(is_first_team);
        }
        group
            .scope_logs
            .retain(|scope| !scope.log_records.is_empty());
    }
    request
        .resource_logs
        .retain(|group| !group.scope_logs.is_empty());
    Ok(request.encode_to_vec())
}

/// Keeps the resources whose `deployment.environment` is `prod`.
pub fn resource_filter(request: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let mut request = decode(request)?;
    request
        .resource_logs
        .retain(|group| resource_text(group, "deployment.environment") == Some("prod"));
    Ok(request.encode_to_vec())
}

/// The records of `team-0`, then those of everybody else.
pub fn two_way_split(request: &[u8]) -> Result<[Vec<u8>; 2], DecodeError> {
    let mut first = ExportLogsServiceRequest::default();
    let mut second = ExportLogsServiceRequest::default();
    for group in decode(request)?.resource_logs {
        let [yes, no] = split_group(group);
        first.resource_logs.extend(yes);
        second.resource_logs.extend(no);
    }
    Ok([first.encode_to_vec(), second.encode_to_vec()])
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

/// A group for each side of the split, `None` where a side has no record.
fn split_group(group: ResourceLogs) -> [Option<ResourceLogs>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for scope in group.scope_logs {
        let (first, second): (Vec<_>, Vec<_>) =
            scope.log_records.into_iter().partition(is_first_team);
        for (side, log_records) in sides.iter_mut().zip([first, second]) {
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

fn is_first_team(record: &LogRecord) -> bool {
    text_attribute(&record.attributes, "team") == Some("team-0")
}

fn resource_text<'a>(group: &'a ResourceLogs, key: &str) -> Option<&'a str> {
    text_attribute(&group.resource.as_ref()?.attributes, key)
}
