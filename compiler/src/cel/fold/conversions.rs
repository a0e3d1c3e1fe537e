//! Conversions of constants, as far as no run-time library is needed.

use super::{Constant, time};
use crate::cel::declarations::Overload as O;
use crate::cel::failure::Failure;

/// The value of a conversion; `None` when it is not known here.
pub(super) fn convert(overload: O, arg: &Constant) -> Option<Constant> {
    use Constant::{Bool, Bytes, Double, Duration, Int, String, Timestamp, Uint};
    Some(match (overload, arg) {
        (
            O::BoolToBool
            | O::BytesToBytes
            | O::DoubleToDouble
            | O::DurationToDuration
            | O::IntToInt
            | O::StringToString
            | O::TimestampToTimestamp
            | O::UintToUint,
            same,
        ) => same.clone(),
        (O::StringToBytes, String(text)) => Bytes(text.clone().into_bytes()),
        (O::BytesToString, Bytes(bytes)) => {
            std::str::from_utf8(bytes).map_or(CONVERSION, |text| String(text.to_owned()))
        }
        (O::DoubleToString, Double(value)) => String(shortest(*value)),
        (O::BoolToString, Bool(value)) => String(value.to_string()),
        (O::IntToString, Int(value)) => String(value.to_string()),
        (O::UintToString, Uint(value)) => String(value.to_string()),
        (O::IntToUint, Int(value)) => u64::try_from(*value).map_or(OVERFLOW, Uint),
        (O::UintToInt, Uint(value)) => i64::try_from(*value).map_or(OVERFLOW, Int),
        (O::IntToDouble, Int(value)) => Double(nearest(i128::from(*value))),
        (O::UintToDouble, Uint(value)) => Double(nearest(i128::from(*value))),
        (O::DoubleToInt, Double(value)) => double_to_int(*value),
        (O::DoubleToUint, Double(value)) => double_to_uint(*value),
        (O::StringToInt, String(text)) => {
            return whole(text).map(|text| text.parse().map_or(CONVERSION, Int));
        }
        (O::StringToUint, String(text)) => {
            return whole(text).map(|text| text.parse().map_or(CONVERSION, Uint));
        }
        (O::StringToBool, String(text)) => return truth(text),
        (O::StringToDuration, String(text)) => {
            time::parse_duration(text).map_or(CONVERSION, Duration)
        }
        (O::StringToTimestamp, String(text)) => {
            time::moment(text).map_or(CONVERSION, time::timestamp)
        }
        (O::IntToTimestamp, Int(seconds)) => time::timestamp(i128::from(*seconds) * time::SECOND),
        (O::TimestampToInt, Timestamp(moment)) => {
            i64::try_from(moment.div_euclid(time::SECOND)).map_or(OVERFLOW, Int)
        }
        _ => return None,
    })
}

const CONVERSION: Constant = Constant::Failed(Failure::Conversion);
const OVERFLOW: Constant = Constant::Failed(Failure::Overflow);

#[expect(
    clippy::cast_precision_loss,
    reason = "the conversion is to the nearest double"
)]
fn nearest(value: i128) -> f64 {
    value as f64
}

/// Cut towards zero; the bounds themselves are refused, as in the reference implementations.
fn double_to_int(value: f64) -> Constant {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if value > -LIMIT && value < LIMIT {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is cut towards zero and fits"
        )]
        return Constant::Int(value as i64);
    }
    OVERFLOW
}

/// Cut towards zero.
fn double_to_uint(value: f64) -> Constant {
    const LIMIT: f64 = 18_446_744_073_709_551_616.0;
    if (0.0..LIMIT).contains(&value) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is cut towards zero and fits"
        )]
        return Constant::Uint(value as u64);
    }
    OVERFLOW
}

/// The shortest text that reads back as the same double. Exponents below -4 and from 6 on are written out, with a
/// sign and at least two digits.
fn shortest(value: f64) -> String {
    let magnitude = value.abs();
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let text = if magnitude == 0.0 || value.is_nan() || (1e-4..1e6).contains(&magnitude) {
        return value.to_string();
    } else {
        format!("{value:e}")
    };
    match text.split_once('e') {
        Some((digits, exponent)) => match exponent.strip_prefix('-') {
            Some(exponent) => format!("{digits}e-{exponent:0>2}"),
            None => format!("{digits}e+{exponent:0>2}"),
        },
        None => text,
    }
}

/// The text when it has the form that parses everywhere, or certainly nowhere; a `+` is left to the run.
fn whole(text: &str) -> Option<&str> {
    (!text.starts_with('+')).then_some(text)
}

/// The spellings that every implementation reads, and what none does.
fn truth(text: &str) -> Option<Constant> {
    match text {
        "true" | "True" | "TRUE" | "t" | "1" => Some(Constant::Bool(true)),
        "false" | "False" | "FALSE" | "f" | "0" => Some(Constant::Bool(false)),
        "T" | "F" => None,
        _ => Some(CONVERSION),
    }
}
