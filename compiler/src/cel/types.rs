//! The types of CEL, and how they are written.
//!
//! In: nothing. Out: [`Type`], which every other part of the front end speaks. A type is `dyn` where only the run
//! will tell; the checker is gradual there and nowhere else.

use std::fmt;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// What a mistake has been reported for; it goes with everything.
    Error,
    /// Known only when the value is read.
    Dyn,
    /// `null` alone.
    Null,
    /// `true`, `false`.
    Bool,
    /// 64-bit signed.
    Int,
    /// 64-bit unsigned.
    Uint,
    /// 64-bit floating point.
    Double,
    /// Text.
    String,
    /// Bytes.
    Bytes,
    /// A moment between the years 1 and 9999, to the nanosecond.
    Timestamp,
    /// A length of time, to the nanosecond.
    Duration,
    /// An IP address (`net.IP`).
    Ip,
    /// A range of IP addresses (`net.CIDR`).
    Cidr,
    /// A list of elements of one type.
    List(Box<Self>),
    /// A map from keys to values.
    Map(Box<Self>, Box<Self>),
    /// A value that may be absent.
    Optional(Box<Self>),
    /// The type of a type; of `type` itself there is nothing more to say.
    Type(Option<Box<Self>>),
    /// A record with known fields, by its name in the environment.
    Record(String),
    /// A type that only functions of the environment make and take.
    Opaque {
        /// Its name.
        name: String,
        /// What it is parameterised with.
        parameters: Vec<Self>,
    },
    /// A type parameter of a function's signature, by its name.
    Parameter(String),
    /// A type that is still to be found. None is left in a checked tree.
    Variable(u32),
}

impl Type {
    /// `list(element)`
    #[must_use]
    pub fn list(element: Self) -> Self {
        Self::List(Box::new(element))
    }

    /// `map(key, value)`
    #[must_use]
    pub fn map(key: Self, value: Self) -> Self {
        Self::Map(Box::new(key), Box::new(value))
    }

    /// `optional_type(value)`
    #[must_use]
    pub fn optional(value: Self) -> Self {
        Self::Optional(Box::new(value))
    }

    /// `type(of)`
    #[must_use]
    pub fn type_of(of: Self) -> Self {
        Self::Type(Some(Box::new(of)))
    }

    /// Whether any value may come out of it, or nothing more can be said.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }

    /// Whether it is a number.
    #[must_use]
    pub const fn is_numeric(&self) -> bool {
        matches!(self, Self::Int | Self::Uint | Self::Double)
    }

    /// The types that this one is made of, in the order in which they are written.
    #[must_use]
    pub fn parameters(&self) -> Vec<&Self> {
        match self {
            Self::List(element) | Self::Optional(element) => vec![element],
            Self::Map(key, value) => vec![key, value],
            Self::Type(of) => of.as_deref().into_iter().collect(),
            Self::Opaque { parameters, .. } => parameters.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The same type with other parameters: `change` is asked for each.
    #[must_use]
    pub fn map_parameters(&self, mut change: impl FnMut(&Self) -> Self) -> Self {
        match self {
            Self::List(element) => Self::list(change(element)),
            Self::Optional(value) => Self::optional(change(value)),
            Self::Map(key, value) => {
                let key = change(key);
                Self::map(key, change(value))
            }
            Self::Type(Some(of)) => Self::type_of(change(of)),
            Self::Opaque { name, parameters } => Self::Opaque {
                name: name.clone(),
                parameters: parameters.iter().map(change).collect(),
            },
            other => other.clone(),
        }
    }

    /// The name of a type without parts; `None` for one with parts.
    const fn simple_name(&self) -> Option<&'static str> {
        Some(match self {
            Self::Error => "!error!",
            Self::Dyn => "dyn",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::Ip => "net.IP",
            Self::Cidr => "net.CIDR",
            Self::Type(None) => "type",
            _ => return None,
        })
    }
}

/// The notation of the reference implementation: `map(string, list(int))`, `optional_type(dyn)`.
///
/// ```
/// use watershed_compiler::cel::types::Type;
///
/// let ty = Type::map(Type::String, Type::optional(Type::Int));
/// assert_eq!(ty.to_string(), "map(string, optional_type(int))");
/// ```
impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.simple_name() {
            return formatter.write_str(name);
        }
        match self {
            Self::Record(name) | Self::Parameter(name) => return formatter.write_str(name),
            Self::Variable(number) => return write!(formatter, "_{number}"),
            _ => {}
        }
        let head = match self {
            Self::List(_) => "list",
            Self::Map(..) => "map",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Opaque { name, .. } => name.as_str(),
            _ => "",
        };
        formatter.write_str(head)?;
        let parameters = self.parameters();
        for (position, parameter) in parameters.iter().enumerate() {
            let before = if position == 0 { "(" } else { ", " };
            write!(formatter, "{before}{parameter}")?;
        }
        if parameters.is_empty() {
            Ok(())
        } else {
            formatter.write_str(")")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_the_reference_writes_them() {
        let tuple = Type::Opaque {
            name: "tuple".to_owned(),
            parameters: vec![Type::Int, Type::Dyn],
        };
        assert_eq!(tuple.to_string(), "tuple(int, dyn)");
        assert_eq!(Type::type_of(Type::Type(None)).to_string(), "type(type)");
        assert_eq!(
            Type::list(Type::list(Type::Dyn)).to_string(),
            "list(list(dyn))"
        );
        assert_eq!(Type::Ip.to_string(), "net.IP");
    }
}
