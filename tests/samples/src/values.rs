//! Short forms for the values and attributes of OTLP messages.

use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value::Value};

/// A string value.
pub fn text(value: impl Into<String>) -> Value {
    Value::StringValue(value.into())
}

/// An attribute.
pub fn attribute(key: &str, value: Value) -> KeyValue {
    KeyValue {
        key: key.into(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}
