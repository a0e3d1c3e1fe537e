//! Changes compared with decoding, changing the structs and encoding, over random requests of all signals.

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::Status;

use super::*;
use crate::otlp;
use crate::select::{Changes, RejectReason};

/// Sets `team`, which some messages have, and removes another attribute.
fn change(message: &mut Changes<'_>) {
    message.set_attribute("team", "new");
    message.remove_attribute("k");
    message.set_attribute("added", 7_i64);
}

/// The same on decoded attributes.
fn change_attributes(attributes: &mut Vec<KeyValue>) {
    set(attributes, "team", Value::StringValue("new".into()));
    attributes.retain(|attribute| attribute.key != "k");
    set(attributes, "added", Value::IntValue(7));
}

fn set(attributes: &mut Vec<KeyValue>, key: &str, value: Value) {
    let new = KeyValue {
        key: key.into(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    };
    let first = attributes.iter().position(|attribute| attribute.key == key);
    attributes.retain(|attribute| attribute.key != key);
    match first {
        // Those before the first had other keys, so its place stays.
        Some(first) => attributes.insert(first, new),
        None => attributes.push(new),
    }
}

fn change_resource(resource: &mut Option<Resource>) {
    change_attributes(&mut resource.get_or_insert_default().attributes);
}

fn change_scope(scope: &mut Option<InstrumentationScope>) {
    let scope = scope.get_or_insert_default();
    change_attributes(&mut scope.attributes);
    scope.name = "scope".into();
    scope.version = String::new();
}

fn scope_changes(scope: &mut Changes<'_>) {
    change(scope);
    scope.set_text(otlp::Scope::NAME, "scope");
    scope.remove(otlp::Scope::VERSION);
}

#[derive(Clone, Copy)]
struct Which {
    resource: bool,
    scope: bool,
    record: bool,
}

impl Which {
    fn random(random: &mut Random) -> Self {
        Self {
            resource: random.one_in(2),
            scope: random.one_in(2),
            record: random.one_in(2),
        }
    }
}

/// Keeps what `kept` says, whole groups and scopes where everything of them is kept, with the changes of `which`.
fn select_changed<'a>(
    payload: &'a Payload,
    kept: &[bool],
    which: Which,
    leaf: impl Fn(&mut Changes<'_>),
    whole: bool,
) -> Selection<'a> {
    let mut selection = Selection::new();
    let mut next = kept.iter().copied();
    for request in payload.requests() {
        for group in request.resources() {
            if which.resource {
                selection.change_resource(&group, change);
            }
            if whole && !which.scope && !which.record {
                selection.keep_all(&group);
                continue;
            }
            for scope in group.scopes() {
                if which.scope {
                    selection.change_scope(&scope, scope_changes);
                }
                if whole && !which.record {
                    selection.keep_scope(&scope);
                    continue;
                }
                for record in scope.records() {
                    keep_record(&mut selection, &record, &mut next, which.record, &leaf);
                }
            }
        }
    }
    selection
}

fn keep_record<'a>(
    selection: &mut Selection<'a>,
    record: &otlp::Record<'a>,
    next: &mut impl Iterator<Item = bool>,
    changed: bool,
    leaf: &impl Fn(&mut Changes<'_>),
) {
    if record.request().signal() == Signal::Metrics {
        for point in record.data_points() {
            match (next.next().unwrap(), changed) {
                (true, true) => selection.keep_changed_point(&point, leaf),
                (true, false) => selection.keep_point(&point),
                (false, _) => {}
            }
        }
        return;
    }
    match (next.next().unwrap(), changed) {
        (true, true) => selection.keep_changed(record, leaf),
        (true, false) => selection.keep(record),
        (false, _) => {}
    }
}

/// All records, or some of them.
fn some(random: &mut Random, payload: &Payload) -> (Vec<bool>, bool) {
    if random.one_in(3) {
        (vec![true; payload.records() as usize], true)
    } else {
        (decisions(random, payload), false)
    }
}

fn log_changes(log: &mut Changes<'_>) {
    change(log);
    log.set_enumeration(otlp::LogRecord::SEVERITY_NUMBER, 17);
    log.set_text(otlp::LogRecord::SEVERITY_TEXT, "");
    log.set_fixed64(otlp::LogRecord::TIME_UNIX_NANO, 5);
    log.set_fixed32(otlp::LogRecord::FLAGS, 1);
    log.set_any(otlp::LogRecord::BODY, 2.5);
    log.remove(otlp::LogRecord::EVENT_NAME);
}

#[test]
fn changed_logs_equal_changed_structs() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut request = random.logs();
        let payload = payload(Signal::Logs, &[request.encode_to_vec()]);
        let which = Which::random(random);
        let (kept, whole) = some(random, &payload);
        let mut next = kept.iter().copied();
        for group in &mut request.resource_logs {
            if which.resource {
                change_resource(&mut group.resource);
            }
            for scope in &mut group.scope_logs {
                if which.scope {
                    change_scope(&mut scope.scope);
                }
                scope.log_records.retain(|_| next.next().unwrap());
                for log in scope.log_records.iter_mut().filter(|_| which.record) {
                    change_attributes(&mut log.attributes);
                    log.severity_number = 17;
                    log.severity_text = String::new();
                    log.time_unix_nano = 5;
                    log.flags = 1;
                    let value = Some(Value::DoubleValue(2.5));
                    log.body = Some(AnyValue { value });
                    log.event_name = String::new();
                }
            }
            let scopes = &mut group.scope_logs;
            let keeps_empty = whole && !which.scope && !which.record;
            scopes.retain(|scope| keeps_empty || !scope.log_records.is_empty());
        }
        let groups = &mut request.resource_logs;
        groups.retain(|group| {
            let mut scopes = group.scope_logs.iter();
            scopes.any(|scope| !scope.log_records.is_empty())
        });
        let selection = select_changed(&payload, &kept, which, log_changes, whole);
        check_decoded(&selection.finish(), &request, seed);
    }
}

fn span_changes(span: &mut Changes<'_>) {
    change(span);
    span.set_text(otlp::Span::NAME, "span");
    span.set_unsigned(otlp::Span::DROPPED_EVENTS_COUNT, 3);
    span.inside(otlp::Span::STATUS, |status| {
        status.set_enumeration(otlp::Status::CODE, 2);
    });
}

#[test]
fn changed_spans_equal_changed_structs() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut request = random.traces();
        let payload = payload(Signal::Traces, &[request.encode_to_vec()]);
        let which = Which {
            record: true,
            ..Which::random(random)
        };
        let kept = decisions(random, &payload);
        let mut next = kept.iter().copied();
        for group in &mut request.resource_spans {
            if which.resource {
                change_resource(&mut group.resource);
            }
            for scope in &mut group.scope_spans {
                if which.scope {
                    change_scope(&mut scope.scope);
                }
                scope.spans.retain(|_| next.next().unwrap());
                for span in &mut scope.spans {
                    change_attributes(&mut span.attributes);
                    span.name = "span".into();
                    span.dropped_events_count = 3;
                    let status: &mut Status = span.status.get_or_insert_default();
                    status.code = 2;
                }
            }
        }
        prune_traces(&mut request);
        let parts = select_changed(&payload, &kept, which, span_changes, false).finish();
        check_decoded(&parts, &request, seed);
    }
}

/// The attributes of every point, and whether it is kept.
fn change_points(data: &mut Data, next: &mut impl Iterator<Item = bool>) -> usize {
    macro_rules! points {
        ($($kind:ident),*) => {
            match data {
                $(Data::$kind(data) => {
                    data.data_points.retain(|_| next.next().unwrap());
                    data.data_points
                        .iter_mut()
                        .for_each(|point| change_attributes(&mut point.attributes));
                    data.data_points.len()
                })*
            }
        };
    }
    points!(Gauge, Sum, Histogram, ExponentialHistogram, Summary)
}

#[test]
fn changed_metrics_equal_changed_structs() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut request = random.metrics();
        let payload = payload(Signal::Metrics, &[request.encode_to_vec()]);
        let kept = decisions(random, &payload);
        let mut selection = Selection::new();
        let mut next = kept.iter().copied();
        for group in payload.requests().flat_map(|request| request.resources()) {
            selection.change_resource(&group, change);
            for metric in group.records() {
                selection.change_metric(&metric, |metric| {
                    metric.set_text(otlp::Metric::NAME, "renamed");
                    metric.remove(otlp::Metric::UNIT);
                });
                keep_record(&mut selection, &metric, &mut next, true, &change);
            }
        }
        let mut next = kept.iter().copied();
        for group in &mut request.resource_metrics {
            change_resource(&mut group.resource);
            for scope in &mut group.scope_metrics {
                scope.metrics.retain_mut(|metric| {
                    metric.name = "renamed".into();
                    metric.unit = String::new();
                    let points = metric.data.as_mut();
                    points.is_some_and(|data| change_points(data, &mut next) > 0)
                });
            }
        }
        prune_metrics(&mut request);
        check_decoded(&selection.finish(), &request, seed);
    }
}

#[test]
fn a_metric_that_is_renamed_keeps_its_points() {
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let mut request = random.metrics();
        let payload = payload(Signal::Metrics, &[request.encode_to_vec()]);
        let mut selection = Selection::new();
        let groups = payload.requests().flat_map(|request| request.resources());
        for metric in groups.flat_map(|group| group.records()) {
            selection.change_metric(&metric, |metric| {
                metric.set_text(otlp::Metric::NAME, "renamed");
            });
            selection.keep(&metric);
        }
        let parts = selection.finish();
        let records: u64 = parts.records();
        assert_eq!(records, payload.records(), "seed {seed}");
        for group in &mut request.resource_metrics {
            for scope in &mut group.scope_metrics {
                scope.metrics.retain_mut(|metric| {
                    metric.name = "renamed".into();
                    let mut all = std::iter::repeat(true);
                    let mut copy = metric.data.clone();
                    copy.as_mut()
                        .is_some_and(|data| change_points(data, &mut all) > 0)
                });
            }
        }
        prune_metrics(&mut request);
        check_decoded(&parts, &request, seed);
    }
}

/// In any order of fields, with fields that no schema knows: what is not changed is there as it was sent.
#[test]
fn fields_that_no_schema_knows_survive_changes() {
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let request = tree(Signal::Logs, &random.logs().encode_to_vec());
        let disturbed = disturbed(&request, random, true);
        let payload = payload(Signal::Logs, &[disturbed]);
        if payload.records() == 0 {
            continue;
        }
        let which = Which::random(random);
        let kept = decisions(random, &payload);
        let changed = select_changed(&payload, &kept, which, change, false).finish();
        changed.parts.iter().for_each(check_pieces);
        // The same change once more changes nothing but the order of own fields, and neither does undoing it.
        let Some(part) = changed.parts.first() else {
            continue;
        };
        let all = vec![true; part.payload().records() as usize];
        let again = select_changed(part.payload(), &all, which, change, false).finish();
        let (once, twice) = (bytes(&changed), bytes(&again));
        assert_eq!(
            tree(Signal::Logs, &once).sorted(),
            tree(Signal::Logs, &twice).sorted(),
            "seed {seed}"
        );
        let unknown = |bytes: &[u8]| tree(Signal::Logs, bytes).unknown_fields();
        let plain = select(&payload, &kept);
        assert_eq!(unknown(&bytes(&plain)), unknown(&once), "seed {seed}");
    }
}

#[test]
fn refused_records_are_named_and_parts_are_cut_after_changes() {
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let requests = [random.logs().encode_to_vec(), random.logs().encode_to_vec()];
        let payload = payload(Signal::Logs, &requests);
        let kept = decisions(random, &payload);
        let which = Which::random(random);
        let plain = select(&payload, &kept);
        let changed = select_changed(&payload, &kept, which, log_changes, false).finish();
        let (Some(plain), Some(part)) = (plain.parts.first(), changed.parts.first()) else {
            assert_eq!(plain.parts.len(), changed.parts.len());
            continue;
        };
        assert_eq!(plain.reject(), part.reject(), "seed {seed}");
        let limit = part.len() / 2 + 40;
        let split = part.split(limit, u64::MAX).unwrap();
        let mut named = split.oversize.clone();
        for part in &split.parts {
            assert!(part.len() <= limit, "seed {seed}");
            check_pieces(part);
            named.merge(&part.reject());
        }
        assert_eq!(named, plain.reject(), "seed {seed}");
    }
}

#[test]
fn an_output_without_changes_is_not_touched() {
    let random = &mut Random::new(3);
    let payload = payload(Signal::Logs, &[random.logs().encode_to_vec()]);
    let mut selection = Selection::new();
    for group in payload.requests().flat_map(|request| request.resources()) {
        selection.change_resource(&group, |resource| resource.remove_attribute("never there"));
        selection.keep_all(&group);
    }
    let parts = selection.finish();
    assert_eq!(parts.parts[0].payload().copied_bytes(), 0);
}

#[test]
fn new_bytes_are_bounded() {
    let random = &mut Random::new(5);
    let payload = payload(Signal::Logs, &[random.logs().encode_to_vec()]);
    let long = "x".repeat(3 << 20);
    let mut selection = Selection::new();
    for record in payload
        .requests()
        .flat_map(|request| request.resources())
        .flat_map(|group| group.records())
    {
        selection.keep_changed(&record, |log| log.set_attribute("k", long.as_str()));
    }
    let parts = selection.finish();
    assert!(parts.parts.is_empty());
    assert_eq!(parts.rejected[0].reason, RejectReason::OutputTooLarge);
    assert_eq!(parts.rejected[0].records.count(), payload.records());
}
