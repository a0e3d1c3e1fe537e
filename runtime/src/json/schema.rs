//! The names and types of all fields of the three export requests (opentelemetry-proto 1.9).

/// One message type: its fields in the order in which they are written.
pub(super) struct Message {
    pub(super) properties: &'static [Property],
}

/// One field of a message.
pub(super) struct Property {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) repeated: bool,
    /// Written even when it was not sent: some readers insist on it.
    pub(super) required: bool,
}

/// What a field holds, as far as its JSON form differs.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Bytes,
    /// A trace or span id: hex.
    Identifier,
    Boolean,
    /// `int32` and enumerations.
    Signed32,
    Zigzag32,
    Unsigned32,
    Signed64,
    /// A varint; may be packed.
    Unsigned64,
    /// Eight bytes; may be packed.
    FixedUnsigned64,
    Double,
    Message(&'static Message),
}

use Kind::{
    Boolean, Bytes, Double, FixedUnsigned64, Identifier, Signed32, Signed64, Text, Unsigned32,
    Unsigned64, Zigzag32,
};

const fn one(number: u32, name: &'static str, kind: Kind) -> Property {
    Property {
        number,
        name,
        kind,
        repeated: false,
        required: false,
    }
}

const fn many(number: u32, name: &'static str, kind: Kind) -> Property {
    Property {
        number,
        name,
        kind,
        repeated: true,
        required: false,
    }
}

/// A field that readers insist on.
const fn required(mut property: Property) -> Property {
    property.required = true;
    property
}

const fn message(properties: &'static [Property]) -> Message {
    Message { properties }
}

const fn nested(message: &'static Message) -> Kind {
    Kind::Message(message)
}

pub(super) static LOGS_REQUEST: Message =
    message(&[many(1, "resourceLogs", nested(&RESOURCE_LOGS))]);
pub(super) static METRICS_REQUEST: Message =
    message(&[many(1, "resourceMetrics", nested(&RESOURCE_METRICS))]);
pub(super) static TRACES_REQUEST: Message =
    message(&[many(1, "resourceSpans", nested(&RESOURCE_SPANS))]);

static RESOURCE_LOGS: Message = message(&[
    one(1, "resource", nested(&RESOURCE)),
    many(2, "scopeLogs", nested(&SCOPE_LOGS)),
    one(3, "schemaUrl", Text),
]);

static RESOURCE_METRICS: Message = message(&[
    one(1, "resource", nested(&RESOURCE)),
    many(2, "scopeMetrics", nested(&SCOPE_METRICS)),
    one(3, "schemaUrl", Text),
]);

static RESOURCE_SPANS: Message = message(&[
    one(1, "resource", nested(&RESOURCE)),
    many(2, "scopeSpans", nested(&SCOPE_SPANS)),
    one(3, "schemaUrl", Text),
]);

static SCOPE_LOGS: Message = message(&[
    one(1, "scope", nested(&SCOPE)),
    many(2, "logRecords", nested(&LOG_RECORD)),
    one(3, "schemaUrl", Text),
]);

static SCOPE_METRICS: Message = message(&[
    one(1, "scope", nested(&SCOPE)),
    many(2, "metrics", nested(&METRIC)),
    one(3, "schemaUrl", Text),
]);

static SCOPE_SPANS: Message = message(&[
    one(1, "scope", nested(&SCOPE)),
    many(2, "spans", nested(&SPAN)),
    one(3, "schemaUrl", Text),
]);

static RESOURCE: Message = message(&[
    many(1, "attributes", nested(&KEY_VALUE)),
    one(2, "droppedAttributesCount", Unsigned32),
    many(3, "entityRefs", nested(&ENTITY_REF)),
]);

static ENTITY_REF: Message = message(&[
    required(one(1, "schemaUrl", Text)),
    required(one(2, "type", Text)),
    required(many(3, "idKeys", Text)),
    required(many(4, "descriptionKeys", Text)),
]);

static SCOPE: Message = message(&[
    one(1, "name", Text),
    one(2, "version", Text),
    many(3, "attributes", nested(&KEY_VALUE)),
    one(4, "droppedAttributesCount", Unsigned32),
]);

static KEY_VALUE: Message = message(&[
    required(one(1, "key", Text)),
    one(2, "value", nested(&ANY_VALUE)),
    one(3, "keyStrindex", Signed32),
]);

static ANY_VALUE: Message = message(&[
    one(1, "stringValue", Text),
    one(2, "boolValue", Boolean),
    one(3, "intValue", Signed64),
    one(4, "doubleValue", Double),
    one(5, "arrayValue", nested(&ARRAY_VALUE)),
    one(6, "kvlistValue", nested(&KEY_VALUE_LIST)),
    one(7, "bytesValue", Bytes),
    one(8, "stringValueStrindex", Signed32),
]);

static ARRAY_VALUE: Message = message(&[required(many(1, "values", nested(&ANY_VALUE)))]);

static KEY_VALUE_LIST: Message = message(&[required(many(1, "values", nested(&KEY_VALUE)))]);

static LOG_RECORD: Message = message(&[
    one(1, "timeUnixNano", FixedUnsigned64),
    one(11, "observedTimeUnixNano", FixedUnsigned64),
    one(2, "severityNumber", Signed32),
    one(3, "severityText", Text),
    one(12, "eventName", Text),
    one(5, "body", nested(&ANY_VALUE)),
    many(6, "attributes", nested(&KEY_VALUE)),
    one(7, "droppedAttributesCount", Unsigned32),
    one(8, "flags", Unsigned32),
    one(9, "traceId", Identifier),
    one(10, "spanId", Identifier),
]);

static SPAN: Message = message(&[
    one(1, "traceId", Identifier),
    one(2, "spanId", Identifier),
    one(3, "traceState", Text),
    one(4, "parentSpanId", Identifier),
    one(16, "flags", Unsigned32),
    one(5, "name", Text),
    one(6, "kind", Signed32),
    one(7, "startTimeUnixNano", FixedUnsigned64),
    one(8, "endTimeUnixNano", FixedUnsigned64),
    many(9, "attributes", nested(&KEY_VALUE)),
    one(10, "droppedAttributesCount", Unsigned32),
    many(11, "events", nested(&SPAN_EVENT)),
    one(12, "droppedEventsCount", Unsigned32),
    many(13, "links", nested(&SPAN_LINK)),
    one(14, "droppedLinksCount", Unsigned32),
    one(15, "status", nested(&STATUS)),
]);

static SPAN_EVENT: Message = message(&[
    one(1, "timeUnixNano", FixedUnsigned64),
    one(2, "name", Text),
    many(3, "attributes", nested(&KEY_VALUE)),
    one(4, "droppedAttributesCount", Unsigned32),
]);

static SPAN_LINK: Message = message(&[
    one(1, "traceId", Identifier),
    one(2, "spanId", Identifier),
    one(3, "traceState", Text),
    many(4, "attributes", nested(&KEY_VALUE)),
    one(5, "droppedAttributesCount", Unsigned32),
    one(6, "flags", Unsigned32),
]);

static STATUS: Message = message(&[one(2, "message", Text), one(3, "code", Signed32)]);

static METRIC: Message = message(&[
    one(1, "name", Text),
    one(2, "description", Text),
    one(3, "unit", Text),
    one(5, "gauge", nested(&GAUGE)),
    one(7, "sum", nested(&SUM)),
    one(9, "histogram", nested(&HISTOGRAM)),
    one(10, "exponentialHistogram", nested(&EXPONENTIAL_HISTOGRAM)),
    one(11, "summary", nested(&SUMMARY)),
    many(12, "metadata", nested(&KEY_VALUE)),
]);

static GAUGE: Message = message(&[many(1, "dataPoints", nested(&NUMBER_POINT))]);

static SUM: Message = message(&[
    many(1, "dataPoints", nested(&NUMBER_POINT)),
    one(2, "aggregationTemporality", Signed32),
    one(3, "isMonotonic", Boolean),
]);

static HISTOGRAM: Message = message(&[
    many(1, "dataPoints", nested(&HISTOGRAM_POINT)),
    one(2, "aggregationTemporality", Signed32),
]);

static EXPONENTIAL_HISTOGRAM: Message = message(&[
    many(1, "dataPoints", nested(&EXPONENTIAL_POINT)),
    one(2, "aggregationTemporality", Signed32),
]);

static SUMMARY: Message = message(&[many(1, "dataPoints", nested(&SUMMARY_POINT))]);

static NUMBER_POINT: Message = message(&[
    many(7, "attributes", nested(&KEY_VALUE)),
    one(2, "startTimeUnixNano", FixedUnsigned64),
    one(3, "timeUnixNano", FixedUnsigned64),
    one(4, "asDouble", Double),
    one(6, "asInt", Signed64),
    many(5, "exemplars", nested(&EXEMPLAR)),
    one(8, "flags", Unsigned32),
]);

static HISTOGRAM_POINT: Message = message(&[
    many(9, "attributes", nested(&KEY_VALUE)),
    one(2, "startTimeUnixNano", FixedUnsigned64),
    one(3, "timeUnixNano", FixedUnsigned64),
    one(4, "count", FixedUnsigned64),
    one(5, "sum", Double),
    many(6, "bucketCounts", FixedUnsigned64),
    many(7, "explicitBounds", Double),
    many(8, "exemplars", nested(&EXEMPLAR)),
    one(10, "flags", Unsigned32),
    one(11, "min", Double),
    one(12, "max", Double),
]);

static EXPONENTIAL_POINT: Message = message(&[
    many(1, "attributes", nested(&KEY_VALUE)),
    one(2, "startTimeUnixNano", FixedUnsigned64),
    one(3, "timeUnixNano", FixedUnsigned64),
    one(4, "count", FixedUnsigned64),
    one(5, "sum", Double),
    one(6, "scale", Zigzag32),
    one(7, "zeroCount", FixedUnsigned64),
    one(8, "positive", nested(&BUCKETS)),
    one(9, "negative", nested(&BUCKETS)),
    one(10, "flags", Unsigned32),
    many(11, "exemplars", nested(&EXEMPLAR)),
    one(12, "min", Double),
    one(13, "max", Double),
    one(14, "zeroThreshold", Double),
]);

static BUCKETS: Message = message(&[
    one(1, "offset", Zigzag32),
    many(2, "bucketCounts", Unsigned64),
]);

static SUMMARY_POINT: Message = message(&[
    many(7, "attributes", nested(&KEY_VALUE)),
    one(2, "startTimeUnixNano", FixedUnsigned64),
    one(3, "timeUnixNano", FixedUnsigned64),
    one(4, "count", FixedUnsigned64),
    one(5, "sum", Double),
    many(6, "quantileValues", nested(&VALUE_AT_QUANTILE)),
    one(8, "flags", Unsigned32),
]);

static VALUE_AT_QUANTILE: Message = message(&[one(1, "quantile", Double), one(2, "value", Double)]);

static EXEMPLAR: Message = message(&[
    many(7, "filteredAttributes", nested(&KEY_VALUE)),
    one(2, "timeUnixNano", FixedUnsigned64),
    one(3, "asDouble", Double),
    one(6, "asInt", Signed64),
    one(4, "spanId", Identifier),
    one(5, "traceId", Identifier),
]);
