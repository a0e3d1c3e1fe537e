//! `string.format(list)`: texts with clauses such as `%s` and `%.3f`.

use super::{Error, List, Map, Type, Value, convert, number};

/// How deep values may nest inside of an argument.
const MAX_DEPTH: usize = 128;

/// How many digits behind the point a clause may ask for.
pub const MAX_PRECISION: usize = 1_000;

const DEFAULT_PRECISION: usize = 6;

/// CEL `template.format(arguments)`: the clauses are `%s %d %f %e %b %o %x %X` and `%%`; `%f` and `%e` take a
/// precision, which the others ignore. Arguments beyond the clauses do not count.
///
/// ```
/// use watershed::cel::{List, Value, format};
///
/// let arguments = List::from(vec![Value::from("disk"), Value::from(0.9375)]);
/// assert_eq!(format::format("%s is %.1f full", &arguments).unwrap(), "disk is 0.9 full");
/// ```
pub fn format(template: &str, arguments: &List<'_>) -> Result<String, Error> {
    let mut written = String::with_capacity(template.len());
    let mut arguments = (0_i64..).zip(arguments.iter());
    let mut count = 0;
    let mut rest = template;
    while let Some((plain, clause)) = rest.split_once('%') {
        written.push_str(plain);
        let (clause, after) = Clause::parse(clause)?;
        rest = after;
        if clause.verb == '%' {
            written.push('%');
            continue;
        }
        let missing = Error::MissingFormatArgument { index: count };
        let (index, argument) = arguments.next().ok_or(missing)?;
        count = index + 1;
        clause.write(&argument, &mut written)?;
    }
    written.push_str(rest);
    Ok(written)
}

/// What stands behind a percent sign.
#[derive(Clone, Copy)]
struct Clause {
    precision: Option<usize>,
    verb: char,
}

impl Clause {
    /// The clause at the start of `text`, and what follows.
    fn parse(text: &str) -> Result<(Self, &str), Error> {
        let (precision, text) = match text.strip_prefix('.') {
            Some(text) => {
                let end = text.find(|character: char| !character.is_ascii_digit());
                let (digits, text) = text.split_at(end.ok_or(Error::InvalidFormatClause)?);
                let precision = digits
                    .parse()
                    .ok()
                    .filter(|digits| *digits <= MAX_PRECISION);
                (Some(precision.ok_or(Error::InvalidFormatClause)?), text)
            }
            None => (None, text),
        };
        let mut characters = text.chars();
        let verb = characters.next().ok_or(Error::InvalidFormatClause)?;
        let known = match verb {
            's' | 'd' | 'f' | 'e' | 'b' | 'o' | 'x' | 'X' => true,
            '%' => precision.is_none(),
            _ => false,
        };
        if known {
            Ok((Self { precision, verb }, characters.as_str()))
        } else {
            Err(Error::InvalidFormatClause)
        }
    }

    fn write(self, argument: &Value<'_>, written: &mut String) -> Result<(), Error> {
        let refused = || Error::InvalidFormatArgument {
            clause: self.verb,
            given: argument.type_of(),
        };
        let precision = self.precision.unwrap_or(DEFAULT_PRECISION);
        let text = match self.verb {
            's' => return write_value(argument, written, MAX_DEPTH),
            'd' => decimal(argument),
            'f' => as_number(argument).map(|double| number::fixed(double, precision)),
            'e' => as_number(argument).map(|double| number::scientific(double, precision)),
            'b' => match argument {
                Value::Bool(truth) => Some(u8::from(*truth).to_string()),
                _ => integer(argument, |digits| format!("{digits:b}")),
            },
            'o' => integer(argument, |digits| format!("{digits:o}")),
            'x' => hexadecimal(argument, |byte| format!("{byte:02x}"))
                .or_else(|| integer(argument, |digits| format!("{digits:x}"))),
            _ => hexadecimal(argument, |byte| format!("{byte:02X}"))
                .or_else(|| integer(argument, |digits| format!("{digits:X}"))),
        };
        written.push_str(&text.ok_or_else(refused)?);
        Ok(())
    }
}

fn decimal(argument: &Value<'_>) -> Option<String> {
    match argument {
        Value::Int(value) => Some(value.to_string()),
        Value::Uint(value) => Some(value.to_string()),
        Value::Double(value) => Some(number::plain(*value)),
        _ => None,
    }
}

fn as_number(argument: &Value<'_>) -> Option<f64> {
    match argument {
        Value::Int(value) => Some(*value as f64),
        Value::Uint(value) => Some(*value as f64),
        Value::Double(value) => Some(*value),
        _ => None,
    }
}

/// The digits of an integer's magnitude behind its sign.
fn integer(argument: &Value<'_>, digits: impl Fn(u64) -> String) -> Option<String> {
    match argument {
        Value::Int(value) if *value < 0 => Some(format!("-{}", digits(value.unsigned_abs()))),
        Value::Int(value) => Some(digits(value.unsigned_abs())),
        Value::Uint(value) => Some(digits(*value)),
        _ => None,
    }
}

fn hexadecimal(argument: &Value<'_>, digits: impl Fn(u8) -> String) -> Option<String> {
    match argument {
        Value::String(text) => Some(text.bytes().map(digits).collect()),
        Value::Bytes(bytes) => Some(bytes.iter().copied().map(digits).collect()),
        _ => None,
    }
}

/// `%s`
fn write_value(value: &Value<'_>, written: &mut String, depth: usize) -> Result<(), Error> {
    let depth = depth.checked_sub(1).ok_or(Error::TooLarge)?;
    match value {
        Value::Null => written.push_str("null"),
        Value::Bool(value) => written.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => written.push_str(&value.to_string()),
        Value::Uint(value) => written.push_str(&value.to_string()),
        Value::Double(value) => written.push_str(&number::plain(*value)),
        Value::String(value) => written.push_str(value),
        Value::Bytes(value) => written.push_str(convert::string_from_bytes(value)?),
        Value::Timestamp(value) => written.push_str(&value.to_string()),
        Value::Duration(value) => written.push_str(&value.to_string()),
        Value::Type(value) => written.push_str(value.name()),
        Value::Ip(value) => written.push_str(&value.to_string()),
        Value::Cidr(value) => written.push_str(&value.to_string()),
        Value::List(list) => return write_list(list, written, depth),
        Value::Map(map) => return write_map(map, written, depth),
        Value::Optional(_) => {
            return Err(Error::InvalidFormatArgument {
                clause: 's',
                given: Type::Optional,
            });
        }
    }
    Ok(())
}

fn write_list(list: &List<'_>, written: &mut String, depth: usize) -> Result<(), Error> {
    written.push('[');
    for (index, element) in list.iter().enumerate() {
        if index > 0 {
            written.push_str(", ");
        }
        write_value(&element, written, depth)?;
    }
    written.push(']');
    Ok(())
}

/// Entries stand in the order of their keys as text.
fn write_map(map: &Map<'_>, written: &mut String, depth: usize) -> Result<(), Error> {
    let mut entries = Vec::new();
    for (key, value) in map.entries() {
        let mut text = String::new();
        write_value(&key.into(), &mut text, depth)?;
        entries.push((text, value));
    }
    entries.sort_by(|(left, _), (right, _)| left.cmp(right));
    written.push('{');
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            written.push_str(", ");
        }
        written.push_str(key);
        written.push_str(": ");
        write_value(value, written, depth)?;
    }
    written.push('}');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::{Duration, Timestamp};

    fn one(template: &str, argument: impl Into<Value<'static>>) -> Result<String, Error> {
        format(template, &List::from(vec![argument.into()]))
    }

    #[test]
    fn clauses_write_what_they_take() {
        assert_eq!(one("%d", -5_i64).unwrap(), "-5");
        assert_eq!(one("%d", f64::NAN).unwrap(), "NaN");
        assert_eq!(one("%f", 2_i64).unwrap(), "2.000000");
        assert_eq!(one("%.3f", 1.2345).unwrap(), "1.234");
        assert_eq!(one("%e", 3_u64).unwrap(), "3.000000e+00");
        assert_eq!(one("%e", f64::NEG_INFINITY).unwrap(), "-Infinity");
        assert_eq!(one("%b", true).unwrap(), "1");
        assert_eq!(one("%b", -5_i64).unwrap(), "-101");
        assert_eq!(one("%o", 65_535_u64).unwrap(), "177777");
        assert_eq!(one("%x", 30_i64).unwrap(), "1e");
        assert_eq!(one("%X", i64::MIN).unwrap(), "-8000000000000000");
        assert_eq!(
            one("%x", "Hello world!").unwrap(),
            "48656c6c6f20776f726c6421"
        );
        assert_eq!(one("%X", &b"\xffo"[..]).unwrap(), "FF6F");
        assert_eq!(one("%%%s%%", "text").unwrap(), "%text%");
        assert_eq!(one("no substitution", 1_i64).unwrap(), "no substitution");
    }

    #[test]
    fn strings_of_every_type() {
        assert_eq!(one("%s", 1.0).unwrap(), "1");
        assert_eq!(one("%s", Value::Null).unwrap(), "null");
        assert_eq!(one("%s", &b"xyz"[..]).unwrap(), "xyz");
        assert!(one("%s", &b"\xff"[..]).is_err());
        assert_eq!(one("%.2s", 1.5).unwrap(), "1.5");
        assert_eq!(one("%s", Type::String).unwrap(), "string");
        assert_eq!(
            one("%s", Duration::parse("1h45m47s").unwrap()).unwrap(),
            "6347s"
        );
        let time = Timestamp::parse("2009-11-10T23:00:00Z").unwrap();
        assert_eq!(one("%s", time).unwrap(), "2009-11-10T23:00:00Z");
        let list = List::from(vec![
            6_i64.into(),
            4.2.into(),
            "a string".into(),
            f64::INFINITY.into(),
        ]);
        assert_eq!(one("%s", list).unwrap(), "[6, 4.2, a string, Infinity]");
        let map = Map::new([
            ("strKey".into(), "x".into()),
            (6_i64.into(), Duration::parse("422s").unwrap().into()),
            (true.into(), 42_i64.into()),
        ]);
        assert_eq!(
            one("%s", map.unwrap()).unwrap(),
            "{6: 422s, strKey: x, true: 42}"
        );
    }

    #[test]
    fn clauses_refuse_other_types() {
        for (clause, argument) in [
            ('d', Value::from(Duration::ZERO)),
            ('d', "1".into()),
            ('x', 0.5.into()),
            ('e', Value::Null),
            ('f', Value::Null),
            ('b', Value::Null),
            ('o', true.into()),
            ('X', true.into()),
        ] {
            let given = argument.type_of();
            let refused = Err(Error::InvalidFormatArgument { clause, given });
            assert_eq!(one(&format!("%{clause}"), argument), refused);
        }
    }

    #[test]
    fn templates_can_be_wrong() {
        for template in [
            "%a", "%E", "%", "50%", "%.f", "%.3", "%.2%", "%.1001f", "%5d", "%é",
        ] {
            assert_eq!(
                one(template, 0.5),
                Err(Error::InvalidFormatClause),
                "{template}"
            );
        }
        assert_eq!(
            one("%d %d %d", 0_i64),
            Err(Error::MissingFormatArgument { index: 1 })
        );
    }

    #[test]
    fn depth_is_bounded() {
        let mut value = Value::from(1_i64);
        for _ in 0..MAX_DEPTH {
            value = List::from(vec![value]).into();
        }
        assert_eq!(one("%s", value), Err(Error::TooLarge));
    }
}
