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

/// The first attribute named `key`, when it is a string.
///
/// ```
/// use watershed_samples::{attribute, text, text_attribute};
///
/// let attributes = [attribute("team", text("team-0"))];
/// assert_eq!(text_attribute(&attributes, "team"), Some("team-0"));
/// assert_eq!(text_attribute(&attributes, "host.name"), None);
/// ```
pub fn text_attribute<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a str> {
    let attribute = attributes.iter().find(|attribute| attribute.key == key)?;
    match attribute.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text),
        _ => None,
    }
}
