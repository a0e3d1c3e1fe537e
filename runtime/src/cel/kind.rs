//! Types as values: what `type(x)` gives.

use std::fmt;

use super::Value;

/// The type of a value. Lists, maps and optionals do not tell what they hold.
///
/// ```
/// use watershed::cel::{Type, Value};
///
/// assert_eq!(Value::from(1_u64).type_of(), Type::Uint);
/// assert_eq!(Type::Timestamp.name(), "google.protobuf.Timestamp");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `null_type`
    Null,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `double`
    Double,
    /// `string`
    String,
    /// `bytes`
    Bytes,
    /// `google.protobuf.Timestamp`
    Timestamp,
    /// `google.protobuf.Duration`
    Duration,
    /// `list`
    List,
    /// `map`
    Map,
    /// `optional_type`
    Optional,
    /// `type`
    Type,
    /// `net.IP`
    Ip,
    /// `net.CIDR`
    Cidr,
}

impl Type {
    /// The name CEL gives the type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Duration => "google.protobuf.Duration",
            Self::List => "list",
            Self::Map => "map",
            Self::Optional => "optional_type",
            Self::Type => "type",
            Self::Ip => "net.IP",
            Self::Cidr => "net.CIDR",
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Value<'_> {
    /// CEL `type(value)`.
    pub fn type_of(&self) -> Type {
        match self {
            Self::Null => Type::Null,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Uint(_) => Type::Uint,
            Self::Double(_) => Type::Double,
            Self::String(_) => Type::String,
            Self::Bytes(_) => Type::Bytes,
            Self::Timestamp(_) => Type::Timestamp,
            Self::Duration(_) => Type::Duration,
            Self::List(_) => Type::List,
            Self::Map(_) => Type::Map,
            Self::Optional(_) => Type::Optional,
            Self::Type(_) => Type::Type,
            Self::Ip(_) => Type::Ip,
            Self::Cidr(_) => Type::Cidr,
        }
    }
}
