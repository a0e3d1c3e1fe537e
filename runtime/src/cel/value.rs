//! The value whose type the checker does not know.

use super::{Bytes, Cidr, Duration, Error, Ip, List, Map, Optional, Str, Timestamp, Type};
use crate::value::{AnyValue, Text};

/// Any value of CEL.
///
/// Lists, maps, strings and bytes of a payload stay where they lie; what an expression builds is shared, so a clone
/// never copies contents. `==` is CEL's equality: numbers of different types are equal when they are the same
/// number, values of other different types are unequal, NaN equals nothing.
///
/// ```
/// use watershed::cel::{List, Value};
///
/// assert_eq!(Value::from(1_i64), Value::from(1.0));
/// assert_ne!(Value::from(1_i64), Value::from("1"));
/// let list = List::from(vec![Value::from(1_u64), Value::Null]);
/// assert_eq!(list.size(), 2);
/// ```
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A double.
    Double(f64),
    /// A string.
    String(Str<'a>),
    /// Bytes.
    Bytes(Bytes<'a>),
    /// A point in time.
    Timestamp(Timestamp),
    /// A span of time.
    Duration(Duration),
    /// A list.
    List(List<'a>),
    /// A map.
    Map(Map<'a>),
    /// A value that may be absent.
    Optional(Optional<'a>),
    /// A type.
    Type(Type),
    /// An IP address.
    Ip(Ip),
    /// A range of IP addresses.
    Cidr(Cidr),
}

/// The value as one static type: an error, [`Error::NoSuchOverload`], when it has another.
impl<'a> Value<'a> {
    /// The boolean. CEL has no truthiness: nothing else is one.
    #[inline]
    pub fn as_bool(&self) -> Result<bool, Error> {
        match self {
            Self::Bool(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The signed integer.
    #[inline]
    pub fn as_int(&self) -> Result<i64, Error> {
        match self {
            Self::Int(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The unsigned integer.
    #[inline]
    pub fn as_uint(&self) -> Result<u64, Error> {
        match self {
            Self::Uint(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The double.
    #[inline]
    pub fn as_double(&self) -> Result<f64, Error> {
        match self {
            Self::Double(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The string.
    #[inline]
    pub fn as_str(&self) -> Result<&str, Error> {
        match self {
            Self::String(value) => Ok(value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> Result<&[u8], Error> {
        match self {
            Self::Bytes(value) => Ok(value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The point in time.
    #[inline]
    pub fn as_timestamp(&self) -> Result<Timestamp, Error> {
        match self {
            Self::Timestamp(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The span of time.
    #[inline]
    pub fn as_duration(&self) -> Result<Duration, Error> {
        match self {
            Self::Duration(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The list.
    #[inline]
    pub fn as_list(&self) -> Result<&List<'a>, Error> {
        match self {
            Self::List(value) => Ok(value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The map.
    #[inline]
    pub fn as_map(&self) -> Result<&Map<'a>, Error> {
        match self {
            Self::Map(value) => Ok(value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The optional.
    #[inline]
    pub fn as_optional(&self) -> Result<&Optional<'a>, Error> {
        match self {
            Self::Optional(value) => Ok(value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The type.
    #[inline]
    pub fn as_type(&self) -> Result<Type, Error> {
        match self {
            Self::Type(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The IP address.
    #[inline]
    pub fn as_ip(&self) -> Result<Ip, Error> {
        match self {
            Self::Ip(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }

    /// The range of IP addresses.
    #[inline]
    pub fn as_cidr(&self) -> Result<Cidr, Error> {
        match self {
            Self::Cidr(value) => Ok(*value),
            _ => Err(Error::NoSuchOverload),
        }
    }
}

impl<'a> Value<'a> {
    /// A value that is there, read from a payload.
    pub(super) fn present(value: AnyValue<'a>) -> Self {
        Self::try_from(value).unwrap_or(Self::Null)
    }

    /// True for what protobuf takes as unset: `null`, false, zero, what is empty, a type never.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(value) => !value,
            Self::Int(value) => *value == 0,
            Self::Uint(value) => *value == 0,
            Self::Double(value) => *value == 0.0,
            Self::String(value) => value.is_empty(),
            Self::Bytes(value) => value.is_empty(),
            Self::Timestamp(value) => *value == Timestamp::UNIX_EPOCH,
            Self::Duration(value) => *value == Duration::ZERO,
            Self::List(value) => value.is_empty(),
            Self::Map(value) => value.is_empty(),
            Self::Optional(value) => !value.has_value(),
            Self::Type(_) | Self::Ip(_) | Self::Cidr(_) => false,
        }
    }
}

/// A missing value is [`Error::NoSuchKey`]; everything else is a value that stays where it lies.
impl<'a> TryFrom<AnyValue<'a>> for Value<'a> {
    type Error = Error;

    fn try_from(value: AnyValue<'a>) -> Result<Self, Error> {
        Ok(match value {
            AnyValue::Missing => return Err(Error::NoSuchKey),
            AnyValue::Null => Self::Null,
            AnyValue::Bool(value) => Self::Bool(value),
            AnyValue::Int(value) => Self::Int(value),
            AnyValue::Uint(value) => Self::Uint(value),
            AnyValue::Double(value) => Self::Double(value),
            AnyValue::Text(value) => Self::from(value),
            AnyValue::Bytes(value) => Self::Bytes(value.into()),
            AnyValue::List(value) => Self::List(value.into()),
            AnyValue::Map(value) => Self::Map(value.into()),
        })
    }
}

impl<'a> From<Text<'a>> for Value<'a> {
    fn from(value: Text<'a>) -> Self {
        Self::String(value.to_str().into())
    }
}

impl From<bool> for Value<'_> {
    #[inline]
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value<'_> {
    #[inline]
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u64> for Value<'_> {
    #[inline]
    fn from(value: u64) -> Self {
        Self::Uint(value)
    }
}

impl From<f64> for Value<'_> {
    #[inline]
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    #[inline]
    fn from(value: &'a str) -> Self {
        Self::String(value.into())
    }
}

impl From<String> for Value<'_> {
    fn from(value: String) -> Self {
        Self::String(value.into())
    }
}

impl<'a> From<std::borrow::Cow<'a, str>> for Value<'a> {
    fn from(value: std::borrow::Cow<'a, str>) -> Self {
        Self::String(value.into())
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    #[inline]
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(value.into())
    }
}

impl From<Vec<u8>> for Value<'_> {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value.into())
    }
}

macro_rules! from_variant {
    ($($variant:ident($of:ty)),* $(,)?) => {
        $(impl<'a> From<$of> for Value<'a> {
            #[inline]
            fn from(value: $of) -> Self {
                Self::$variant(value)
            }
        })*
    };
}

from_variant!(
    String(Str<'a>),
    Bytes(Bytes<'a>),
    Timestamp(Timestamp),
    Duration(Duration),
    List(List<'a>),
    Map(Map<'a>),
    Optional(Optional<'a>),
    Type(Type),
    Ip(Ip),
    Cidr(Cidr),
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_small_and_cross_threads() {
        fn crosses<T: Send + Sync>() {}
        crosses::<Value<'static>>();
        assert!(size_of::<Value<'_>>() <= 40);
    }

    #[test]
    fn missing_is_an_error_and_null_is_not() {
        let missing = Value::try_from(AnyValue::Missing);
        assert!(matches!(missing, Err(Error::NoSuchKey)));
        assert!(matches!(Value::try_from(AnyValue::Null), Ok(Value::Null)));
    }

    #[test]
    fn text_of_a_payload_is_borrowed() {
        let value = Value::try_from(AnyValue::from("x")).unwrap();
        assert!(matches!(value, Value::String(Str::Borrowed("x"))));
        assert_eq!(value.as_int(), Err(Error::NoSuchOverload));
    }

    #[test]
    fn a_static_value_serves_where_a_shorter_one_is_wanted() {
        fn shorten<'a>(value: Value<'static>, _: &'a str) -> Value<'a> {
            value
        }
        assert_eq!(shorten(Value::from("x"), "y"), Value::from("x"));
    }
}
