//! Calls that only the run can tell apart: some argument has a type that is not known before.
//!
//! All overloads of such a call are of one function, so the first one names it.

use proc_macro2::TokenStream;
use quote::quote;

use super::arguments::Arguments;
use super::call::{
    self, Order, contains, equals, extreme_of_values, index, is_in, optional_index, order, zone,
};
use super::piece::{Form, Piece};
use crate::cel::declarations::Overload;
use crate::cel::fold::Constant;

/// The code of a call with several overloads; `None` when there is none.
pub(super) fn call(
    overloads: &[Overload],
    arguments: &mut Arguments,
    constants: &[Option<&Constant>],
) -> Option<Piece> {
    use Overload as O;
    let first = *overloads.first()?;
    if let Some(by) = Order::of(first) {
        return Some(order(arguments, by));
    }
    Some(match first {
        O::Equals => equals(arguments, false),
        O::NotEquals => equals(arguments, true),
        O::AddBytes
        | O::AddDouble
        | O::AddDurationDuration
        | O::AddDurationTimestamp
        | O::AddTimestampDuration
        | O::AddInt
        | O::AddList
        | O::AddString
        | O::AddUint => two(arguments, &quote!(cel::dynamic::add)),
        O::SubtractDouble
        | O::SubtractDurationDuration
        | O::SubtractInt
        | O::SubtractTimestampDuration
        | O::SubtractTimestampTimestamp
        | O::SubtractUint => two(arguments, &quote!(cel::dynamic::subtract)),
        O::MultiplyDouble | O::MultiplyInt | O::MultiplyUint => {
            two(arguments, &quote!(cel::dynamic::multiply))
        }
        O::DivideDouble | O::DivideInt | O::DivideUint => {
            two(arguments, &quote!(cel::dynamic::divide))
        }
        O::RemainderInt | O::RemainderUint => two(arguments, &quote!(cel::dynamic::remainder)),
        O::NegateDouble | O::NegateInt => {
            one(arguments, Form::Value, &quote!(cel::dynamic::negate))
        }
        O::IndexList | O::IndexMap => index(arguments),
        O::OptionalListIndex
        | O::OptionalMapIndex
        | O::ListOptionalIndex
        | O::OptionalListOptionalIndex
        | O::MapOptionalIndex
        | O::OptionalMapOptionalIndex => optional_index(arguments),
        O::InList | O::InMap => is_in(arguments, constants.get(1).copied().flatten()),
        O::SizeBytes
        | O::SizeList
        | O::SizeMap
        | O::SizeString
        | O::BytesSize
        | O::ListSize
        | O::MapSize
        | O::StringSize => one(arguments, Form::Int, &quote!(cel::dynamic::size)),
        O::ReverseString | O::ReverseList => {
            one(arguments, Form::Value, &quote!(cel::dynamic::reverse))
        }
        O::CidrContainsIp | O::CidrContainsIpString => {
            contains(arguments, Form::Ip, &quote!(contains_ip))
        }
        O::CidrContainsCidr | O::CidrContainsCidrString => {
            contains(arguments, Form::Cidr, &quote!(contains_cidr))
        }
        _ => {
            return converted(first, arguments)
                .or_else(|| number(overloads, arguments))
                .or_else(|| time_part(first, arguments, constants))
                .or_else(|| same_code(overloads, arguments, constants));
        }
    })
}

fn one(arguments: &mut Arguments, form: Form, function: &TokenStream) -> Piece {
    let value = arguments.value(0);
    arguments.tries(form, &quote!(#function(#value)))
}

fn two(arguments: &mut Arguments, function: &TokenStream) -> Piece {
    let (left, right) = (arguments.value(0), arguments.value(1));
    arguments.tries(Form::Value, &quote!(#function(#left, #right)))
}

/// Conversions, by the type that they are to.
fn converted(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    let (form, function) = match overload {
        O::BoolToBool | O::StringToBool => (Form::Bool, quote!(convert_bool)),
        O::BytesToBytes | O::StringToBytes => (Form::Bytes, quote!(convert_bytes)),
        O::DoubleToDouble | O::IntToDouble | O::StringToDouble | O::UintToDouble => {
            (Form::Double, quote!(convert_double))
        }
        O::DurationToDuration | O::StringToDuration => (Form::Duration, quote!(convert_duration)),
        O::DoubleToInt
        | O::DurationToInt
        | O::IntToInt
        | O::StringToInt
        | O::TimestampToInt
        | O::UintToInt => (Form::Int, quote!(convert_int)),
        O::BoolToString
        | O::BytesToString
        | O::DoubleToString
        | O::DurationToString
        | O::IntToString
        | O::StringToString
        | O::TimestampToString
        | O::UintToString
        | O::IpToString
        | O::CidrToString => (Form::Text, quote!(convert_string)),
        O::IntToTimestamp | O::StringToTimestamp | O::TimestampToTimestamp => {
            (Form::Timestamp, quote!(convert_timestamp))
        }
        O::DoubleToUint | O::IntToUint | O::StringToUint | O::UintToUint => {
            (Form::Uint, quote!(convert_uint))
        }
        O::StringToIp => (Form::Ip, quote!(convert_ip)),
        O::StringToCidr => (Form::Cidr, quote!(convert_cidr)),
        _ => return None,
    };
    Some(one(arguments, form, &quote!(cel::dynamic::#function)))
}

/// Functions of numbers of any kind.
fn number(overloads: &[Overload], arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    let name = overloads.first()?.name();
    for (prefix, function) in [
        ("math_@max", quote!(greatest)),
        ("math_@min", quote!(least)),
    ] {
        if name.starts_with(prefix) {
            return Some(extreme(overloads, arguments, &function));
        }
    }
    Some(match *overloads.first()? {
        O::AbsDouble | O::AbsInt | O::AbsUint => {
            one(arguments, Form::Value, &quote!(cel::math::abs))
        }
        O::SignDouble | O::SignInt | O::SignUint => {
            one(arguments, Form::Value, &quote!(cel::math::sign))
        }
        O::SqrtDouble | O::SqrtInt | O::SqrtUint => {
            one(arguments, Form::Double, &quote!(cel::math::sqrt))
        }
        O::BitNotInt | O::BitNotUint => one(arguments, Form::Value, &quote!(cel::math::bit_not)),
        O::BitAndInt | O::BitAndUint => bits(arguments, &quote!(&)),
        O::BitOrInt | O::BitOrUint => bits(arguments, &quote!(|)),
        O::BitXorInt | O::BitXorUint => bits(arguments, &quote!(^)),
        O::BitShiftLeftInt | O::BitShiftLeftUint => two(arguments, &quote!(cel::math::shift_left)),
        O::BitShiftRightInt | O::BitShiftRightUint => {
            two(arguments, &quote!(cel::math::shift_right))
        }
        _ => return None,
    })
}

fn bits(arguments: &mut Arguments, operator: &TokenStream) -> Piece {
    let (left, right) = (arguments.value(0), arguments.value(1));
    let function = quote!(|left, right| left #operator right);
    arguments.tries(
        Form::Value,
        &quote!(cel::math::bits(#left, #right, #function)),
    )
}

/// `math.greatest(x)` and its kin, where `x` may be a list of numbers or a number.
fn extreme(overloads: &[Overload], arguments: &mut Arguments, function: &TokenStream) -> Piece {
    let takes_list = overloads
        .iter()
        .any(|overload| overload.name().contains("_list_"));
    if arguments.len() > 1 || !takes_list {
        return extreme_of_values(arguments, function);
    }
    let value = arguments.value(0);
    let tokens = quote! {
        match #value {
            cel::Value::List(list) => cel::math::#function(list)?,
            number => cel::math::#function(&cel::List::from(vec![number.clone()]))?,
        }
    };
    Piece::new(Form::Value, tokens).fallible(true).loose()
}

/// Parts of what may be a timestamp or a duration.
fn time_part(
    overload: Overload,
    arguments: &mut Arguments,
    constants: &[Option<&Constant>],
) -> Option<Piece> {
    use Overload as O;
    let part = match overload {
        O::TimestampHours | O::TimestampHoursIn | O::DurationHours => quote!(Hours),
        O::TimestampMinutes | O::TimestampMinutesIn | O::DurationMinutes => quote!(Minutes),
        O::TimestampSeconds | O::TimestampSecondsIn | O::DurationSeconds => quote!(Seconds),
        O::TimestampMilliseconds | O::TimestampMillisecondsIn | O::DurationMilliseconds => {
            quote!(Milliseconds)
        }
        _ => return None,
    };
    let value = arguments.value(0);
    let zone = if arguments.len() > 1 {
        let zone = zone(arguments, constants);
        quote!(Some(#zone))
    } else {
        quote!(None)
    };
    let tokens = quote!(cel::dynamic::time_part(#value, cel::dynamic::TimePart::#part, #zone));
    Some(arguments.tries(Form::Int, &tokens))
}

/// Overloads for which the runtime has one function, such as `sort` for lists of anything that has an order.
fn same_code(
    overloads: &[Overload],
    arguments: &mut Arguments,
    constants: &[Option<&Constant>],
) -> Option<Piece> {
    let mut pieces = overloads
        .iter()
        .map(|overload| call::call(*overload, arguments, constants));
    let first = pieces.next()??;
    let text = first.tokens.to_string();
    pieces
        .all(|piece| piece.is_some_and(|piece| piece.tokens.to_string() == text))
        .then_some(first)
}
