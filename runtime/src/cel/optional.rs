//! Values that may be absent.

use std::sync::Arc;

use super::{Error, Str, Value};

/// An optional value: `m[?"key"]`, `optional.of(x)`, `optional.none()`.
///
/// ```
/// use watershed::cel::{Error, Optional, Value};
///
/// let present = Optional::of(Value::from(42_i64));
/// assert_eq!(present.value(), Ok(Value::from(42_i64)));
/// assert_eq!(Optional::none().value(), Err(Error::NoValue));
/// assert_eq!(present.or_int(0), 42);
/// assert_eq!(present.or_string("no text").len(), 7);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Optional<'a>(Option<Arc<Value<'a>>>);

impl<'a> Optional<'a> {
    /// `optional.none()`
    pub const fn none() -> Self {
        Self(None)
    }

    /// `optional.of(value)`
    pub fn of(value: Value<'a>) -> Self {
        Self(Some(Arc::new(value)))
    }

    /// `optional.ofNonZeroValue(value)`: none for `null`, false, zero and what is empty.
    pub fn of_non_zero(value: Value<'a>) -> Self {
        if value.is_zero() {
            Self::none()
        } else {
            Self::of(value)
        }
    }

    /// `hasValue()`
    #[inline]
    pub const fn has_value(&self) -> bool {
        self.0.is_some()
    }

    /// The value, if there is one.
    pub fn get(&self) -> Option<Value<'a>> {
        self.0.as_deref().cloned()
    }

    /// The value, if there is one, without another reference to it.
    pub(super) fn as_ref(&self) -> Option<&Value<'a>> {
        self.0.as_deref()
    }

    /// `value()`
    pub fn value(&self) -> Result<Value<'a>, Error> {
        self.get().ok_or(Error::NoValue)
    }

    /// `or(other)`: `other` is evaluated only when this has no value.
    pub fn or(self, other: impl FnOnce() -> Result<Self, Error>) -> Result<Self, Error> {
        if self.has_value() { Ok(self) } else { other() }
    }

    /// `orValue(other)`: `other` is evaluated only when this has no value.
    pub fn or_value(
        &self,
        other: impl FnOnce() -> Result<Value<'a>, Error>,
    ) -> Result<Value<'a>, Error> {
        self.get().map_or_else(other, Ok)
    }

    /// `optMap(x, result)`
    pub fn map(
        &self,
        result: impl FnOnce(Value<'a>) -> Result<Value<'a>, Error>,
    ) -> Result<Self, Error> {
        self.get()
            .map_or(Ok(Self::none()), |value| result(value).map(Self::of))
    }

    /// `optFlatMap(x, result)`
    pub fn flat_map(
        &self,
        result: impl FnOnce(Value<'a>) -> Result<Self, Error>,
    ) -> Result<Self, Error> {
        self.get().map_or(Ok(Self::none()), result)
    }

    /// `orString(default)`: the string, or `default` when there is none or something else.
    pub fn or_string(&self, default: impl Into<Str<'a>>) -> Str<'a> {
        match self.as_ref() {
            Some(value) => value.or_string(default),
            None => default.into(),
        }
    }

    /// `orInt(default)`: the signed integer, or `default` when there is none or something else.
    pub fn or_int(&self, default: i64) -> i64 {
        self.as_ref().map_or(default, |value| value.or_int(default))
    }

    /// `orUint(default)`: the unsigned integer, or `default` when there is none or something else.
    pub fn or_uint(&self, default: u64) -> u64 {
        self.as_ref()
            .map_or(default, |value| value.or_uint(default))
    }

    /// `orDouble(default)`: the double, or `default` when there is none or something else.
    pub fn or_double(&self, default: f64) -> f64 {
        self.as_ref()
            .map_or(default, |value| value.or_double(default))
    }

    /// `orBool(default)`: the boolean, or `default` when there is none or something else.
    pub fn or_bool(&self, default: bool) -> bool {
        self.as_ref()
            .map_or(default, |value| value.or_bool(default))
    }
}

/// Defaults that make a value of unknown type total; one that is an optional is what stands in it.
impl<'a> Value<'a> {
    /// `orString(default)`: the string, or `default` for something else.
    pub fn or_string(&self, default: impl Into<Str<'a>>) -> Str<'a> {
        match self {
            Self::String(value) => value.clone(),
            Self::Optional(value) => value.or_string(default),
            _ => default.into(),
        }
    }

    /// `orInt(default)`: the signed integer, or `default` for something else.
    pub fn or_int(&self, default: i64) -> i64 {
        match self {
            Self::Optional(value) => value.or_int(default),
            value => value.as_int().unwrap_or(default),
        }
    }

    /// `orUint(default)`: the unsigned integer, or `default` for something else.
    pub fn or_uint(&self, default: u64) -> u64 {
        match self {
            Self::Optional(value) => value.or_uint(default),
            value => value.as_uint().unwrap_or(default),
        }
    }

    /// `orDouble(default)`: the double, or `default` for something else.
    pub fn or_double(&self, default: f64) -> f64 {
        match self {
            Self::Optional(value) => value.or_double(default),
            value => value.as_double().unwrap_or(default),
        }
    }

    /// `orBool(default)`: the boolean, or `default` for something else.
    pub fn or_bool(&self, default: bool) -> bool {
        match self {
            Self::Optional(value) => value.or_bool(default),
            value => value.as_bool().unwrap_or(default),
        }
    }
}

impl<'a> From<Option<Value<'a>>> for Optional<'a> {
    fn from(value: Option<Value<'a>>) -> Self {
        value.map_or(Self::none(), Self::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_values_are_none() {
        for zero in [
            Value::Null,
            Value::from(false),
            Value::from(0_u64),
            Value::from(-0.0),
            Value::from(""),
            Value::Optional(Optional::none()),
        ] {
            assert!(!Optional::of_non_zero(zero).has_value());
        }
        assert!(Optional::of_non_zero(Value::from(f64::NAN)).has_value());
        assert!(Optional::of(Value::Null).has_value());
    }

    #[test]
    fn the_other_side_is_evaluated_only_when_needed() {
        let fails = || Err(Error::DivisionByZero);
        let present = Optional::of(Value::from(1_i64));
        assert_eq!(present.or_value(fails), Ok(Value::from(1_i64)));
        assert!(present.clone().or(|| Err(Error::DivisionByZero)).is_ok());
        let none = Optional::none();
        assert_eq!(none.or_value(fails), Err(Error::DivisionByZero));
        assert!(!none.map(|_| Err(Error::NoSuchKey)).unwrap().has_value());
        assert_eq!(
            present.map(|_| Err(Error::NoSuchKey)).unwrap_err(),
            Error::NoSuchKey
        );
    }

    #[test]
    fn defaults_stand_in_for_other_types_too() {
        let text = Optional::of(Value::from("x"));
        assert_eq!(&*text.or_string("d"), "x");
        assert_eq!(text.or_int(7), 7);
        assert!(text.or_bool(true));
        assert_eq!(Optional::of(Value::from(2.5)).or_double(0.0), 2.5);
        assert_eq!(Optional::of(Value::from(2_u64)).or_uint(0), 2);
    }
}
