//! Operators and functions whose overload is found at run time.
//!
//! One function an operator or function that has more than one overload. A function with a single one needs no
//! dynamic form: `value.as_str()` and its kin give the argument, or [`Error::NoSuchOverload`](super::Error).

mod conversions;
mod functions;
mod look_up;
mod operators;

pub use conversions::{
    convert_bool, convert_bytes, convert_cidr, convert_double, convert_duration, convert_int,
    convert_ip, convert_string, convert_timestamp, convert_uint,
};
pub use functions::{TimePart, contains_cidr, contains_ip, reverse, size, time_part};
pub use look_up::{at, has, index, is_in, optional_index, optional_select, select};
pub use operators::{add, divide, multiply, negate, remainder, subtract};
