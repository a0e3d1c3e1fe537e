//! Functions of lists, maps, optionals, types and networks.

use proc_macro2::TokenStream;
use quote::quote;

use crate::cel::declarations::Overload;
use crate::emit::cel::arguments::Arguments;
use crate::emit::cel::piece::{Form, Piece};

/// Functions of lists, maps, optionals, types and networks; `None` for every other overload.
pub(super) fn call(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    Some(match overload {
        O::ToDyn => arguments.piece(0).into_form(Form::Value),
        O::TypeOf => {
            let value = arguments.value(0);
            arguments.gives(Form::Type, quote!(cel::Value::type_of(#value)))
        }
        O::SizeList | O::ListSize => {
            let list = arguments.list(0);
            arguments.gives(Form::Int, quote!(cel::List::size(#list)))
        }
        O::SizeMap | O::MapSize => {
            let map = arguments.map(0);
            arguments.gives(Form::Int, quote!(cel::Map::size(#map)))
        }
        O::Distinct => of_list(arguments, &quote!(distinct)),
        O::ReverseList => of_list(arguments, &quote!(reverse)),
        O::Flatten => {
            let list = arguments.list(0);
            arguments.tries(Form::List, &quote!(cel::lists::flatten(#list, 1)))
        }
        O::FlattenDepth => {
            let (list, depth) = (arguments.list(0), arguments.int(1));
            arguments.tries(Form::List, &quote!(cel::lists::flatten(#list, #depth)))
        }
        O::Range => {
            let size = arguments.int(0);
            arguments.tries(Form::List, &quote!(cel::lists::range(#size)))
        }
        O::Slice => {
            let (list, start, end) = (arguments.list(0), arguments.int(1), arguments.int(2));
            arguments.tries(Form::List, &quote!(cel::lists::slice(#list, #start, #end)))
        }
        O::SortBool
        | O::SortInt
        | O::SortUint
        | O::SortDouble
        | O::SortString
        | O::SortBytes
        | O::SortTimestamp
        | O::SortDuration => {
            let list = arguments.list(0);
            arguments.tries(Form::List, &quote!(cel::lists::sort(#list)))
        }
        O::ListFirst => {
            let list = arguments.list(0);
            arguments.gives(Form::Optional, quote!(cel::lists::first(#list)))
        }
        O::ListLast => {
            let list = arguments.list(0);
            arguments.gives(Form::Optional, quote!(cel::lists::last(#list)))
        }
        _ => {
            return optional(overload, arguments)
                .or_else(|| total(overload, arguments))
                .or_else(|| network(overload, arguments));
        }
    })
}

fn of_list(arguments: &mut Arguments, function: &TokenStream) -> Piece {
    let list = arguments.list(0);
    arguments.gives(Form::List, quote!(cel::lists::#function(#list)))
}

fn optional(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    Some(match overload {
        O::OptionalOf => {
            let value = arguments.owned_value(0);
            arguments.gives(Form::Optional, quote!(cel::Optional::of(#value)))
        }
        O::OptionalOfNonZero => {
            let value = arguments.owned_value(0);
            arguments.gives(Form::Optional, quote!(cel::Optional::of_non_zero(#value)))
        }
        O::OptionalNone => Piece::new(Form::Optional, quote!(cel::Optional::none())),
        O::OptionalUnwrap | O::UnwrapOptionals => {
            let list = arguments.list(0);
            let tokens = quote!({
                let mut built = Vec::new();
                for optional in (#list).iter() { built.extend(optional.as_optional()?.get()); }
                cel::List::from(built)
            });
            Piece::new(Form::List, tokens).fallible(true).loose()
        }
        O::OptionalValue => {
            let optional = arguments.optional(0);
            arguments.tries(Form::Value, &quote!(cel::Optional::value(#optional)))
        }
        O::OptionalHasValue => {
            let optional = arguments.optional(0);
            arguments.gives(Form::Bool, quote!(cel::Optional::has_value(#optional)))
        }
        O::OptionalOr => {
            let (first, second) = (arguments.optional(0), arguments.optional(1));
            let second = quote!(|| Ok((#second).clone()));
            let tokens = quote!(cel::Optional::or((#first).clone(), #second));
            arguments.tries(Form::Optional, &tokens)
        }
        O::OptionalOrValue => {
            let (first, second) = (arguments.optional(0), arguments.owned_value(1));
            let tokens = quote!(cel::Optional::or_value(#first, || Ok(#second)));
            arguments.tries(Form::Value, &tokens)
        }
        _ => return None,
    })
}

/// Look-ups with a default for everything that is not a value of the type.
fn total(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    let (form, function) = match overload {
        O::OrString => (Form::Text, quote!(or_string)),
        O::OrInt => (Form::Int, quote!(or_int)),
        O::OrUint => (Form::Uint, quote!(or_uint)),
        O::OrDouble => (Form::Double, quote!(or_double)),
        O::OrBool => (Form::Bool, quote!(or_bool)),
        _ => return None,
    };
    let found = looked_up(arguments.piece(0));
    let mut second = Arguments::new(vec![arguments.piece(1)]);
    let default = match form {
        Form::Text if matches!(second.form(0), Form::Str | Form::Text) => {
            second.piece(0).into_form(Form::Text).tokens
        }
        Form::Text => {
            let text = second.text(0);
            quote!(cel::Str::from(String::from(#text)))
        }
        Form::Int => second.int(0),
        Form::Uint => second.uint(0),
        Form::Double => second.double(0),
        _ => second.bool(0),
    };
    Some(second.gives(form, quote!((#found).#function(#default))))
}

/// What a default stands behind: an optional, or a value of any type. One that fails is as one that is not there.
fn looked_up(piece: Piece) -> TokenStream {
    let (form, none) = if piece.form == Form::Optional {
        (Form::Optional, quote!(cel::Optional::none()))
    } else {
        (Form::Value, quote!(cel::Value::Null))
    };
    if !piece.fallible && piece.form == form {
        return piece.operand();
    }
    let fallible = piece.fallible;
    let tokens = piece.into_form(form).tokens;
    if fallible {
        quote!(cel::logic::attempt(|| Ok(#tokens)).unwrap_or(#none))
    } else {
        tokens
    }
}

fn network(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    Some(match overload {
        O::IpFamily => of_ip(arguments, Form::Int, &quote!(family)),
        O::IpIsLoopback => of_ip(arguments, Form::Bool, &quote!(is_loopback)),
        O::IpIsGlobalUnicast => of_ip(arguments, Form::Bool, &quote!(is_global_unicast)),
        O::IpIsLinkLocalMulticast => of_ip(arguments, Form::Bool, &quote!(is_link_local_multicast)),
        O::IpIsLinkLocalUnicast => of_ip(arguments, Form::Bool, &quote!(is_link_local_unicast)),
        O::IpIsUnspecified => of_ip(arguments, Form::Bool, &quote!(is_unspecified)),
        O::CidrIp => of_cidr(arguments, Form::Ip, &quote!(ip)),
        O::CidrMasked => of_cidr(arguments, Form::Cidr, &quote!(masked)),
        O::CidrPrefixLength => of_cidr(arguments, Form::Int, &quote!(prefix_length)),
        O::CidrContainsIp | O::CidrContainsIpString => {
            contains(arguments, Form::Ip, &quote!(contains_ip))
        }
        O::CidrContainsCidr | O::CidrContainsCidrString => {
            contains(arguments, Form::Cidr, &quote!(contains_cidr))
        }
        _ => return None,
    })
}

fn of_ip(arguments: &mut Arguments, form: Form, function: &TokenStream) -> Piece {
    let ip = arguments.ip(0);
    arguments.gives(form, quote!(cel::Ip::#function(#ip)))
}

fn of_cidr(arguments: &mut Arguments, form: Form, function: &TokenStream) -> Piece {
    let cidr = arguments.cidr(0);
    arguments.gives(form, quote!(cel::Cidr::#function(#cidr)))
}

/// Whether a range holds something, which may be a text that says it.
pub(in crate::emit::cel) fn contains(
    arguments: &mut Arguments,
    wanted: Form,
    function: &TokenStream,
) -> Piece {
    let cidr = arguments.cidr(0);
    if arguments.form(1) == wanted {
        let other = arguments.piece(1).tokens;
        return arguments.gives(Form::Bool, quote!(cel::Cidr::#function(#cidr, #other)));
    }
    let other = arguments.value(1);
    let tokens = quote!(cel::dynamic::#function(#cidr, #other));
    arguments.tries(Form::Bool, &tokens)
}
