//! Values that are known at build time.

use super::types::{Failure, Type};

/// The value of a constant expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `42`; sizes too, in bytes.
    Int(i64),
    /// `42u`
    Uint(u64),
    /// `4.2`
    Double(f64),
    /// Text.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Nanoseconds.
    Duration(i64),
    /// A list.
    List(Vec<Constant>),
    /// An expression that always fails, and why. The checker reports it, so no later phase meets one.
    Failed(Failure),
}

impl Constant {
    /// The text, when it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The type of the value; of a list, the type that all elements share.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self {
            Self::Null => Type::Null,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Uint(_) => Type::Uint,
            Self::Double(_) => Type::Double,
            Self::String(_) => Type::String,
            Self::Bytes(_) => Type::Bytes,
            Self::Duration(_) => Type::Duration,
            Self::List(elements) => {
                let mut types = elements.iter().map(Self::ty);
                let first = types.next().unwrap_or(Type::Dyn);
                let same = types.all(|ty| ty == first);
                Type::List(Box::new(if same { first } else { Type::Dyn }))
            }
            Self::Failed(_) => Type::Error,
        }
    }
}
