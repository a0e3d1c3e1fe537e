//! Functions of texts and bytes, and what is made of texts.

use proc_macro2::TokenStream;
use quote::quote;

use crate::cel::declarations::Overload;
use crate::emit::cel::arguments::Arguments;
use crate::emit::cel::piece::{Form, Piece};

/// Functions of texts; `None` for every other overload.
pub(super) fn call(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    Some(match overload {
        O::SizeString | O::StringSize => {
            let text = arguments.text(0);
            arguments.gives(Form::Int, quote!(cel::strings::size(#text)))
        }
        O::SizeBytes | O::BytesSize => {
            let bytes = arguments.bytes(0);
            let tokens = quote!(i64::try_from((#bytes).len()).unwrap_or(i64::MAX));
            arguments.gives(Form::Int, tokens)
        }
        O::Contains => two(arguments, &quote!(cel::strings::contains)),
        O::StartsWith => two(arguments, &quote!(str::starts_with)),
        O::EndsWith => two(arguments, &quote!(str::ends_with)),
        O::Matches | O::MatchesMember => {
            let (text, pattern) = (arguments.text(0), arguments.text(1));
            let tokens = quote!(cel::pattern::matches(#text, #pattern));
            arguments.tries(Form::Bool, &tokens)
        }
        O::IndexOf => position(arguments, &quote!(index_of)),
        O::LastIndexOf => position(arguments, &quote!(last_index_of)),
        O::IndexOfFrom => position(arguments, &quote!(index_of_from)),
        O::LastIndexOfTo => position(arguments, &quote!(last_index_of_from)),
        O::Split | O::SplitTimes => split(arguments),
        O::Join => {
            let list = arguments.list(0);
            arguments.tries(Form::Text, &quote!(cel::strings::join(#list, "")))
        }
        O::JoinWith => {
            let (list, separator) = (arguments.list(0), arguments.text(1));
            arguments.tries(Form::Text, &quote!(cel::strings::join(#list, #separator)))
        }
        O::Format => {
            let (template, list) = (arguments.text(0), arguments.list(1));
            arguments.tries(Form::Text, &quote!(cel::format::format(#template, #list)))
        }
        O::Base64Decode => {
            let text = arguments.text(0);
            let tokens = quote!(cel::encoders::base64_decode(#text));
            arguments.tries(Form::Bytes, &tokens)
        }
        O::Base64Encode => {
            let bytes = arguments.bytes(0);
            let tokens = quote!(cel::encoders::base64_encode(#bytes));
            arguments.gives(Form::Text, tokens)
        }
        _ => return made(overload, arguments).or_else(|| converted(overload, arguments)),
    })
}

/// Texts that are cut out of a text or made of it.
fn made(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    if !matches!(
        overload,
        O::CharAt
            | O::Substring
            | O::SubstringTo
            | O::Trim
            | O::LowerAscii
            | O::UpperAscii
            | O::Replace
            | O::ReplaceTimes
            | O::ReverseString
            | O::Quote
    ) {
        return None;
    }
    let text = arguments.text(0);
    Some(match overload {
        O::CharAt => {
            let at = arguments.int(1);
            arguments.cut(true, quote!(cel::strings::char_at(#text, #at)))
        }
        O::Substring => {
            let start = arguments.int(1);
            arguments.cut(true, quote!(cel::strings::substring(#text, #start)))
        }
        O::SubstringTo => {
            let (start, end) = (arguments.int(1), arguments.int(2));
            let tokens = quote!(cel::strings::substring_between(#text, #start, #end));
            arguments.cut(true, tokens)
        }
        O::Trim => arguments.cut(false, quote!(cel::strings::trim(#text))),
        O::LowerAscii => arguments.changed(quote!(cel::strings::lower_ascii(#text))),
        O::UpperAscii => arguments.changed(quote!(cel::strings::upper_ascii(#text))),
        O::Replace => {
            let (old, new) = (arguments.text(1), arguments.text(2));
            arguments.changed(quote!(cel::strings::replace(#text, #old, #new)))
        }
        O::ReplaceTimes => {
            let (old, new, times) = (arguments.text(1), arguments.text(2), arguments.int(3));
            let tokens = quote!(cel::strings::replace_limited(#text, #old, #new, #times));
            arguments.changed(tokens)
        }
        O::ReverseString => arguments.gives(Form::Text, quote!(cel::strings::reverse(#text))),
        O::Quote => arguments.gives(Form::Text, quote!(cel::strings::quote(#text))),
        _ => return None,
    })
}

/// Conversions to and from texts.
fn converted(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    Some(match overload {
        O::StringToString | O::BytesToBytes => {
            let piece = arguments.piece(0);
            let form = if overload == O::StringToString {
                Form::Str
            } else {
                Form::Slice
            };
            if piece.form.join(form) == Form::Value {
                let function = if form == Form::Str {
                    quote!(convert_string)
                } else {
                    quote!(convert_bytes)
                };
                let value = arguments.value(0);
                let joined = form.join(if form == Form::Str {
                    Form::Text
                } else {
                    Form::Bytes
                });
                return Some(arguments.tries(joined, &quote!(cel::dynamic::#function(#value))));
            }
            piece
        }
        O::StringToBytes => {
            let is_data = arguments.form(0) == Form::Str;
            let text = arguments.text(0);
            if is_data {
                arguments.gives(Form::Slice, quote!(str::as_bytes(#text)))
            } else {
                arguments.gives(Form::Bytes, quote!(str::as_bytes(#text).to_vec()))
            }
        }
        O::BytesToString => {
            let is_data = arguments.form(0) == Form::Slice;
            let bytes = arguments.bytes(0);
            let text = quote!(cel::convert::string_from_bytes(#bytes)?);
            let piece = if is_data {
                Piece::new(Form::Str, text)
            } else {
                Piece::new(Form::Text, quote!(String::from(#text)))
            };
            piece.fallible(true)
        }
        O::DoubleToString => {
            let number = arguments.double(0);
            arguments.gives(Form::Text, quote!(cel::number::shortest(#number)))
        }
        O::BoolToString => shown(arguments, Arguments::bool),
        O::IntToString => shown(arguments, Arguments::int),
        O::UintToString => shown(arguments, Arguments::uint),
        O::DurationToString => shown(arguments, Arguments::duration),
        O::TimestampToString => shown(arguments, Arguments::timestamp),
        O::IpToString => shown(arguments, Arguments::ip),
        O::CidrToString => shown(arguments, Arguments::cidr),
        O::StringToBool => parsed(
            arguments,
            Form::Bool,
            &quote!(cel::convert::bool_from_string),
        ),
        O::StringToInt => parsed(arguments, Form::Int, &quote!(cel::convert::int_from_string)),
        O::StringToUint => parsed(
            arguments,
            Form::Uint,
            &quote!(cel::convert::uint_from_string),
        ),
        O::StringToDouble => parsed(
            arguments,
            Form::Double,
            &quote!(cel::convert::double_from_string),
        ),
        O::StringToDuration => parsed(arguments, Form::Duration, &quote!(cel::Duration::parse)),
        O::StringToTimestamp => parsed(arguments, Form::Timestamp, &quote!(cel::Timestamp::parse)),
        O::StringToIp => parsed(arguments, Form::Ip, &quote!(cel::Ip::parse)),
        O::StringToCidr => parsed(arguments, Form::Cidr, &quote!(cel::Cidr::parse)),
        O::IpIsCanonical => parsed(arguments, Form::Bool, &quote!(cel::Ip::is_canonical)),
        O::IsIp => {
            let text = arguments.text(0);
            arguments.gives(Form::Bool, quote!(cel::Ip::is_valid(#text)))
        }
        O::IsCidr => {
            let text = arguments.text(0);
            arguments.gives(Form::Bool, quote!(cel::Cidr::is_valid(#text)))
        }
        _ => return None,
    })
}

fn two(arguments: &mut Arguments, function: &TokenStream) -> Piece {
    let (text, other) = (arguments.text(0), arguments.text(1));
    arguments.gives(Form::Bool, quote!(#function(#text, #other)))
}

/// Where a text stands in another; with a third argument the search has a border and can fail.
fn position(arguments: &mut Arguments, function: &TokenStream) -> Piece {
    let (text, other) = (arguments.text(0), arguments.text(1));
    if arguments.len() == 2 {
        return arguments.gives(Form::Int, quote!(cel::strings::#function(#text, #other)));
    }
    let border = arguments.int(2);
    let tokens = quote!(cel::strings::#function(#text, #other, #border));
    arguments.tries(Form::Int, &tokens)
}

fn split(arguments: &mut Arguments) -> Piece {
    let is_data = arguments.form(0) == Form::Str;
    let (text, separator) = (arguments.text(0), arguments.text(1));
    let parts = if arguments.len() == 2 {
        quote!(cel::strings::split(#text, #separator))
    } else {
        let times = arguments.int(2);
        quote!(cel::strings::split_limited(#text, #separator, #times))
    };
    let parts = if is_data {
        parts
    } else {
        quote!(cel::strings::built(&#parts))
    };
    arguments.gives(Form::List, parts)
}

/// The text of a value that Rust shows as CEL does.
fn shown(arguments: &mut Arguments, value: fn(&mut Arguments, usize) -> TokenStream) -> Piece {
    let value = value(arguments, 0);
    arguments.gives(Form::Text, quote!(ToString::to_string(&(#value))))
}

/// What a text stands for.
fn parsed(arguments: &mut Arguments, form: Form, function: &TokenStream) -> Piece {
    let text = arguments.text(0);
    arguments.tries(form, &quote!(#function(#text)))
}
