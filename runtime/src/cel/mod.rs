//! The values and functions of CEL for generated code.
//!
//! Where the checker knows a type, generated code uses Rust's own (`bool`, `i64`, `u64`, `f64`, `&str`, `&[u8]`) and
//! the typed functions here, one an overload. Where it does not, the value is a [`Value`], and [`dynamic`] finds the
//! overload at run time. What can fail gives [`Error`]; nothing panics, and memory is allocated only for what an
//! expression builds.
//!
//! ```
//! use watershed::cel::{Error, Value, arithmetic, dynamic, strings};
//!
//! // 'stream.' + name.lowerAscii(), with a string that the checker knows
//! let subject = strings::concat("stream.", &strings::lower_ascii("Orders"));
//! assert_eq!(subject, "stream.orders");
//! // count + 1, with an int that the checker knows
//! assert_eq!(arithmetic::add_int(41, 1), Ok(42));
//! // d["n"] + 1, with a value that it does not
//! let sum = dynamic::add(&Value::from(41_u64), &Value::from(1_i64));
//! assert_eq!(sum, Err(Error::NoSuchOverload));
//! ```

#[cfg(test)]
mod allocations;
pub mod arithmetic;
pub mod compare;
pub mod convert;
mod duration;
pub mod dynamic;
pub mod encoders;
mod error;
pub mod format;
mod kind;
mod list;
pub mod lists;
pub mod logic;
mod map;
pub mod math;
mod network;
pub mod number;
mod optional;
pub mod pattern;
#[cfg(test)]
mod properties;
mod rfc3339;
mod shared;
pub mod strings;
mod timestamp;
mod value;
mod zone;

pub use duration::Duration;
pub use error::Error;
pub use kind::Type;
pub use list::List;
pub use map::{Key, Map, MapBuilder};
pub use network::{Cidr, Ip};
pub use optional::Optional;
pub use shared::{Bytes, Shared, Str};
pub use timestamp::Timestamp;
pub use value::Value;
pub use zone::Zone;
