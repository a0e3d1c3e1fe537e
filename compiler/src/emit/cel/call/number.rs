//! Functions of numbers, and conversions between them.

use proc_macro2::TokenStream;
use quote::quote;

use crate::cel::declarations::Overload;
use crate::emit::cel::arguments::Arguments;
use crate::emit::cel::piece::{Form, Piece};

/// Functions of numbers; `None` for every other overload.
pub(super) fn call(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    Some(match overload {
        O::Ceil => plain(arguments, &quote!(f64::ceil)),
        O::Floor => plain(arguments, &quote!(f64::floor)),
        O::Round => plain(arguments, &quote!(cel::math::round)),
        O::Trunc => plain(arguments, &quote!(f64::trunc)),
        O::SqrtDouble => plain(arguments, &quote!(f64::sqrt)),
        O::AbsDouble => plain(arguments, &quote!(f64::abs)),
        O::SignDouble => plain(arguments, &quote!(cel::math::sign_double)),
        O::IsInf => test(arguments, &quote!(f64::is_infinite)),
        O::IsNan => test(arguments, &quote!(f64::is_nan)),
        O::IsFinite => test(arguments, &quote!(f64::is_finite)),
        O::SqrtInt | O::SqrtUint => {
            let value = arguments.value(0);
            arguments.tries(Form::Double, &quote!(cel::math::sqrt(#value)))
        }
        O::AbsInt => {
            let number = arguments.int(0);
            arguments.tries(Form::Int, &quote!(cel::math::abs_int(#number)))
        }
        O::AbsUint | O::UintToUint => {
            let number = arguments.uint(0);
            arguments.operator(Form::Uint, number)
        }
        O::SignInt => {
            let number = arguments.int(0);
            arguments.gives(Form::Int, quote!(i64::signum(#number)))
        }
        O::SignUint => {
            let number = arguments.uint(0);
            arguments.gives(Form::Uint, quote!(cel::math::sign_uint(#number)))
        }
        _ => {
            return bits(overload, arguments)
                .or_else(|| extreme(overload, arguments))
                .or_else(|| converted(overload, arguments));
        }
    })
}

fn plain(arguments: &mut Arguments, function: &TokenStream) -> Piece {
    let number = arguments.double(0);
    arguments.gives(Form::Double, quote!(#function(#number)))
}

fn test(arguments: &mut Arguments, function: &TokenStream) -> Piece {
    let number = arguments.double(0);
    arguments.gives(Form::Bool, quote!(#function(#number)))
}

/// An operand of an operator of Rust.
fn integer(arguments: &mut Arguments, at: usize, form: Form) -> TokenStream {
    if arguments.form(at) == form {
        return arguments.piece(at).operand();
    }
    match form {
        Form::Int => arguments.int(at),
        _ => arguments.uint(at),
    }
}

fn bits(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    let form = match overload {
        O::BitAndInt
        | O::BitOrInt
        | O::BitXorInt
        | O::BitNotInt
        | O::BitShiftLeftInt
        | O::BitShiftRightInt => Form::Int,
        O::BitAndUint
        | O::BitOrUint
        | O::BitXorUint
        | O::BitNotUint
        | O::BitShiftLeftUint
        | O::BitShiftRightUint => Form::Uint,
        _ => return None,
    };
    let left = integer(arguments, 0, form);
    let shift = match overload {
        O::BitShiftLeftInt => quote!(shift_left_int),
        O::BitShiftLeftUint => quote!(shift_left_uint),
        O::BitShiftRightInt => quote!(shift_right_int),
        O::BitShiftRightUint => quote!(shift_right_uint),
        O::BitNotInt | O::BitNotUint => {
            return Some(arguments.operator(form, quote!(!#left)));
        }
        _ => {
            let right = integer(arguments, 1, form);
            let tokens = match overload {
                O::BitAndInt | O::BitAndUint => quote!(#left & #right),
                O::BitOrInt | O::BitOrUint => quote!(#left | #right),
                _ => quote!(#left ^ #right),
            };
            return Some(arguments.operator(form, tokens));
        }
    };
    let offset = arguments.int(1);
    Some(arguments.tries(form, &quote!(cel::math::#shift(#left, #offset))))
}

/// `math.greatest`, `math.least`: of one number the number, of several of any kind the first that is the most.
fn extreme(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    let name = overload.name();
    let function = if name.starts_with("math_@max") {
        quote!(greatest)
    } else if name.starts_with("math_@min") {
        quote!(least)
    } else {
        return None;
    };
    let of_one = match overload {
        O::GreatestDouble | O::LeastDouble => Some((Form::Double, arguments.double(0))),
        O::GreatestInt | O::LeastInt => Some((Form::Int, arguments.int(0))),
        O::GreatestUint | O::LeastUint => Some((Form::Uint, arguments.uint(0))),
        _ => None,
    };
    if let Some((form, number)) = of_one {
        return Some(arguments.operator(form, number));
    }
    let is_list = matches!(
        overload,
        O::GreatestListDouble
            | O::GreatestListInt
            | O::GreatestListUint
            | O::LeastListDouble
            | O::LeastListInt
            | O::LeastListUint
    );
    Some(if is_list {
        let list = arguments.list(0);
        arguments.tries(Form::Value, &quote!(cel::math::#function(#list)))
    } else {
        extreme_of_values(arguments, &function)
    })
}

/// The most of two or more numbers that stand side by side.
pub(in crate::emit::cel) fn extreme_of_values(
    arguments: &mut Arguments,
    function: &TokenStream,
) -> Piece {
    let values: Vec<_> = (0..arguments.len())
        .map(|at| arguments.owned_value(at))
        .collect();
    let tokens = quote!(cel::math::#function(&cel::List::from(Vec::from([#(#values),*]))));
    arguments.tries(Form::Value, &tokens)
}

fn converted(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    Some(match overload {
        O::BoolToBool => {
            let value = arguments.bool(0);
            arguments.operator(Form::Bool, value)
        }
        O::DoubleToDouble => {
            let number = arguments.double(0);
            arguments.operator(Form::Double, number)
        }
        O::IntToInt => {
            let number = arguments.int(0);
            arguments.operator(Form::Int, number)
        }
        O::IntToDouble => {
            let number = integer(arguments, 0, Form::Int);
            arguments.operator(Form::Double, quote!(#number as f64))
        }
        O::UintToDouble => {
            let number = integer(arguments, 0, Form::Uint);
            arguments.operator(Form::Double, quote!(#number as f64))
        }
        O::DoubleToInt => {
            let number = arguments.double(0);
            arguments.tries(Form::Int, &quote!(cel::convert::int_from_double(#number)))
        }
        O::UintToInt => {
            let number = arguments.uint(0);
            arguments.tries(Form::Int, &quote!(cel::convert::int_from_uint(#number)))
        }
        O::DoubleToUint => {
            let number = arguments.double(0);
            arguments.tries(Form::Uint, &quote!(cel::convert::uint_from_double(#number)))
        }
        O::IntToUint => {
            let number = arguments.int(0);
            arguments.tries(Form::Uint, &quote!(cel::convert::uint_from_int(#number)))
        }
        _ => return None,
    })
}
