//! Functions of timestamps and durations.

use proc_macro2::TokenStream;
use quote::quote;

use crate::cel::declarations::Overload;
use crate::cel::fold::Constant;
use crate::emit::cel::arguments::Arguments;
use crate::emit::cel::piece::{Form, Piece};

/// Functions of time; `None` for every other overload.
pub(super) fn call(
    overload: Overload,
    arguments: &mut Arguments,
    constants: &[Option<&Constant>],
) -> Option<Piece> {
    use Overload as O;
    if let Some(part) = timestamp_part(overload) {
        let time = arguments.timestamp(0);
        if arguments.len() == 1 {
            let tokens = quote!(cel::Timestamp::#part(#time, &cel::Zone::UTC));
            return Some(arguments.gives(Form::Int, tokens));
        }
        let zone = zone(arguments, constants);
        let tokens = quote!(cel::Timestamp::#part(#time, #zone));
        return Some(Piece::new(Form::Int, tokens).fallible(true));
    }
    Some(match overload {
        O::TimestampMilliseconds => {
            let time = arguments.timestamp(0);
            arguments.gives(Form::Int, quote!(cel::Timestamp::milliseconds(#time)))
        }
        O::TimestampMillisecondsIn => {
            let (time, zone) = (arguments.timestamp(0), zone(arguments, constants));
            let tokens = quote!({ let _: &cel::Zone = #zone; cel::Timestamp::milliseconds(#time) });
            Piece::new(Form::Int, tokens).fallible(true).loose()
        }
        O::DurationHours => duration_part(arguments, &quote!(hours)),
        O::DurationMinutes => duration_part(arguments, &quote!(minutes)),
        O::DurationSeconds => duration_part(arguments, &quote!(seconds)),
        O::DurationMilliseconds => duration_part(arguments, &quote!(milliseconds)),
        O::DurationToInt => duration_part(arguments, &quote!(nanoseconds)),
        O::TimestampToInt => {
            let time = arguments.timestamp(0);
            arguments.gives(Form::Int, quote!(cel::Timestamp::unix_seconds(#time)))
        }
        O::IntToTimestamp => {
            let seconds = arguments.int(0);
            let tokens = quote!(cel::Timestamp::from_unix_seconds(#seconds));
            arguments.tries(Form::Timestamp, &tokens)
        }
        O::TimestampToTimestamp => {
            let time = arguments.timestamp(0);
            arguments.operator(Form::Timestamp, time)
        }
        O::DurationToDuration => {
            let duration = arguments.duration(0);
            arguments.operator(Form::Duration, duration)
        }
        _ => return moved(overload, arguments),
    })
}

/// Sums and differences.
fn moved(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    let (form, function) = match overload {
        O::AddTimestampDuration | O::AddDurationTimestamp => {
            (Form::Timestamp, quote!(cel::Timestamp::plus))
        }
        O::SubtractTimestampDuration => (Form::Timestamp, quote!(cel::Timestamp::minus)),
        O::SubtractTimestampTimestamp => (Form::Duration, quote!(cel::Timestamp::since)),
        O::AddDurationDuration => (Form::Duration, quote!(cel::Duration::plus)),
        O::SubtractDurationDuration => (Form::Duration, quote!(cel::Duration::minus)),
        _ => return None,
    };
    let (left, right) = match overload {
        O::AddDurationTimestamp => (arguments.timestamp(1), arguments.duration(0)),
        O::SubtractTimestampTimestamp => (arguments.timestamp(0), arguments.timestamp(1)),
        O::AddDurationDuration | O::SubtractDurationDuration => {
            (arguments.duration(0), arguments.duration(1))
        }
        _ => (arguments.timestamp(0), arguments.duration(1)),
    };
    Some(arguments.tries(form, &quote!(#function(#left, #right))))
}

fn timestamp_part(overload: Overload) -> Option<TokenStream> {
    use Overload as O;
    Some(match overload {
        O::TimestampYear | O::TimestampYearIn => quote!(full_year),
        O::TimestampMonth | O::TimestampMonthIn => quote!(month),
        O::TimestampDayOfYear | O::TimestampDayOfYearIn => quote!(day_of_year),
        O::TimestampDayOfMonth | O::TimestampDayOfMonthIn => quote!(day_of_month),
        O::TimestampDate | O::TimestampDateIn => quote!(date),
        O::TimestampDayOfWeek | O::TimestampDayOfWeekIn => quote!(day_of_week),
        O::TimestampHours | O::TimestampHoursIn => quote!(hours),
        O::TimestampMinutes | O::TimestampMinutesIn => quote!(minutes),
        O::TimestampSeconds | O::TimestampSecondsIn => quote!(seconds),
        _ => return None,
    })
}

fn duration_part(arguments: &mut Arguments, part: &TokenStream) -> Piece {
    let duration = arguments.duration(0);
    arguments.gives(Form::Int, quote!(cel::Duration::#part(#duration)))
}

/// A `&cel::Zone`; one that is known by name is looked up once.
pub(in crate::emit::cel) fn zone(
    arguments: &mut Arguments,
    constants: &[Option<&Constant>],
) -> TokenStream {
    if let Some(Some(Constant::String(name))) = constants.get(1) {
        return quote!({
            static ZONE: LazyLock<Result<cel::Zone, cel::Error>> =
                LazyLock::new(|| cel::Zone::parse(#name));
            ZONE.as_ref().map_err(|error| *error)?
        });
    }
    let name = arguments.text(1);
    quote!(&cel::Zone::parse(#name)?)
}
