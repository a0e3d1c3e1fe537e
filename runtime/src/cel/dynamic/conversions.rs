//! Conversions: `int(x)`, `string(x)` and their kin.

use crate::cel::{Bytes, Cidr, Duration, Error, Ip, Str, Timestamp, Value, convert, number};

/// CEL `int(value)`: numbers, strings and timestamps.
pub fn convert_int(value: &Value<'_>) -> Result<i64, Error> {
    match value {
        Value::Int(value) => Ok(*value),
        Value::Uint(value) => convert::int_from_uint(*value),
        Value::Double(value) => convert::int_from_double(*value),
        Value::String(text) => convert::int_from_string(text),
        Value::Timestamp(time) => Ok(time.unix_seconds()),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `uint(value)`: numbers and strings.
pub fn convert_uint(value: &Value<'_>) -> Result<u64, Error> {
    match value {
        Value::Int(value) => convert::uint_from_int(*value),
        Value::Uint(value) => Ok(*value),
        Value::Double(value) => convert::uint_from_double(*value),
        Value::String(text) => convert::uint_from_string(text),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `double(value)`: numbers and strings.
pub fn convert_double(value: &Value<'_>) -> Result<f64, Error> {
    match value {
        Value::Int(value) => Ok(*value as f64),
        Value::Uint(value) => Ok(*value as f64),
        Value::Double(value) => Ok(*value),
        Value::String(text) => convert::double_from_string(text),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `string(value)`: everything but null, lists, maps, optionals and types.
///
/// ```
/// use watershed::cel::{Value, dynamic};
///
/// assert_eq!(&*dynamic::convert_string(&Value::from(503_i64)).unwrap(), "503");
/// assert!(dynamic::convert_string(&Value::Null).is_err());
/// ```
pub fn convert_string<'a>(value: &Value<'a>) -> Result<Str<'a>, Error> {
    Ok(match value {
        Value::Bool(true) => "true".into(),
        Value::Bool(false) => "false".into(),
        Value::Int(value) => value.to_string().into(),
        Value::Uint(value) => value.to_string().into(),
        Value::Double(value) => number::shortest(*value).into(),
        Value::String(text) => text.clone(),
        Value::Bytes(Bytes::Borrowed(bytes)) => convert::string_from_bytes(bytes)?.into(),
        Value::Bytes(bytes) => convert::string_from_bytes(bytes)?.to_owned().into(),
        Value::Timestamp(time) => time.to_string().into(),
        Value::Duration(duration) => duration.to_string().into(),
        Value::Ip(ip) => ip.to_string().into(),
        Value::Cidr(cidr) => cidr.to_string().into(),
        _ => return Err(Error::NoSuchOverload),
    })
}

/// CEL `bytes(value)`: strings, as UTF-8.
pub fn convert_bytes<'a>(value: &Value<'a>) -> Result<Bytes<'a>, Error> {
    match value {
        Value::Bytes(bytes) => Ok(bytes.clone()),
        Value::String(Str::Borrowed(text)) => Ok(text.as_bytes().into()),
        Value::String(text) => Ok(text.as_bytes().to_vec().into()),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `bool(value)`: strings.
pub fn convert_bool(value: &Value<'_>) -> Result<bool, Error> {
    match value {
        Value::Bool(value) => Ok(*value),
        Value::String(text) => convert::bool_from_string(text),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `timestamp(value)`: strings in RFC 3339 and seconds since 1970.
pub fn convert_timestamp(value: &Value<'_>) -> Result<Timestamp, Error> {
    match value {
        Value::Timestamp(time) => Ok(*time),
        Value::String(text) => Timestamp::parse(text),
        Value::Int(seconds) => Timestamp::from_unix_seconds(*seconds),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `duration(value)`: strings such as `1h30m`.
pub fn convert_duration(value: &Value<'_>) -> Result<Duration, Error> {
    match value {
        Value::Duration(duration) => Ok(*duration),
        Value::String(text) => Duration::parse(text),
        _ => Err(Error::NoSuchOverload),
    }
}

/// CEL `ip(value)`: strings.
pub fn convert_ip(value: &Value<'_>) -> Result<Ip, Error> {
    match value {
        Value::Ip(ip) => Ok(*ip),
        _ => Ip::parse(value.as_str()?),
    }
}

/// CEL `cidr(value)`: strings.
pub fn convert_cidr(value: &Value<'_>) -> Result<Cidr, Error> {
    match value {
        Value::Cidr(cidr) => Ok(*cidr),
        _ => Cidr::parse(value.as_str()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::Type;

    #[test]
    fn identities_hold() {
        let time = Timestamp::from_unix_seconds(1_000_000_000).unwrap();
        assert_eq!(convert_timestamp(&time.into()), Ok(time));
        assert_eq!(convert_duration(&Duration::ZERO.into()), Ok(Duration::ZERO));
        assert_eq!(convert_bool(&true.into()), Ok(true));
        assert_eq!(&*convert_bytes(&b"abc"[..].into()).unwrap(), b"abc");
        let ip = Ip::parse("::1").unwrap();
        assert_eq!(convert_ip(&ip.into()), Ok(ip));
    }

    #[test]
    fn overloads_are_found() {
        let time = Timestamp::parse("1969-12-31T23:59:59.5Z").unwrap();
        assert_eq!(convert_int(&time.into()), Ok(-1));
        assert_eq!(convert_int(&"500".into()), Ok(500));
        assert_eq!(convert_uint(&3.9.into()), Ok(3));
        assert_eq!(
            convert_double(&i64::MAX.into()),
            Ok(9_223_372_036_854_775_807.0)
        );
        let text = |value: Value<'static>| convert_string(&value).map(|text| text.to_string());
        assert_eq!(text(false.into()).unwrap(), "false");
        assert_eq!(text(1.0.into()).unwrap(), "1");
        assert_eq!(
            text(Duration::parse("1.5s").unwrap().into()).unwrap(),
            "1.5s"
        );
        assert_eq!(text(b"\xc3\xbf".to_vec().into()).unwrap(), "ÿ");
        assert!(text(b"\0\xff"[..].into()).is_err());
        assert_eq!(
            &*convert_bytes(&String::from("ÿ").into()).unwrap(),
            b"\xc3\xbf"
        );
        assert_eq!(
            convert_cidr(&"10.0.0.0/8".into()).unwrap().prefix_length(),
            8
        );
    }

    #[test]
    fn other_types_have_no_overload() {
        for value in [Value::Null, Value::Type(Type::Int)] {
            assert_eq!(convert_int(&value), Err(Error::NoSuchOverload));
            assert_eq!(convert_uint(&value), Err(Error::NoSuchOverload));
            assert_eq!(convert_double(&value), Err(Error::NoSuchOverload));
            assert!(convert_string(&value).is_err() && convert_bytes(&value).is_err());
            assert_eq!(convert_bool(&value), Err(Error::NoSuchOverload));
            assert_eq!(convert_timestamp(&value), Err(Error::NoSuchOverload));
            assert_eq!(convert_duration(&value), Err(Error::NoSuchOverload));
            assert_eq!(convert_ip(&value), Err(Error::NoSuchOverload));
        }
        assert_eq!(convert_int(&true.into()), Err(Error::NoSuchOverload));
    }
}
