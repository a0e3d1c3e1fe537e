//! Operators, equality, order and look-ups.

use proc_macro2::TokenStream;
use quote::quote;

use crate::cel::declarations::Overload;
use crate::cel::fold::Constant;
use crate::emit::cel::arguments::Arguments;
use crate::emit::cel::constant;
use crate::emit::cel::piece::{Form, Piece};

/// How many constants `in` tells apart by a `match`; more are looked for in a list.
const MAX_CASES: usize = 4_096;

/// Two operands of one unboxed form that Rust compares as CEL does; `None` when one is boxed or they differ.
fn plain(arguments: &mut Arguments) -> Option<(TokenStream, TokenStream)> {
    let both = arguments.form(0).join(arguments.form(1));
    if matches!(both, Form::Value | Form::List | Form::Map | Form::Optional) {
        return None;
    }
    let mut operand = |at| match arguments.form(at) {
        Form::Text => arguments.text(at),
        Form::Bytes => arguments.bytes(at),
        _ => arguments.piece(at).operand(),
    };
    Some((operand(0), operand(1)))
}

/// `==`, and `!=` when `negated`: never an error.
pub(in crate::emit::cel) fn equals(arguments: &mut Arguments, negated: bool) -> Piece {
    let (left, right) =
        plain(arguments).unwrap_or_else(|| (arguments.compared(0), arguments.compared(1)));
    let tokens = if negated {
        quote!(#left != #right)
    } else {
        quote!(#left == #right)
    };
    arguments.operator(Form::Bool, tokens)
}

/// `<`, `<=`, `>`, `>=`
pub(in crate::emit::cel) fn order(arguments: &mut Arguments, by: Order) -> Piece {
    if let Some((left, right)) = plain(arguments)
        .filter(|_| !matches!(arguments.form(0), Form::Type | Form::Ip | Form::Cidr))
    {
        let tokens = match by {
            Order::Less => quote!(#left < #right),
            Order::LessEqual => quote!(#left <= #right),
            Order::Greater => quote!(#left > #right),
            Order::GreaterEqual => quote!(#left >= #right),
        };
        return arguments.operator(Form::Bool, tokens);
    }
    let (left, right) = (arguments.value(0), arguments.value(1));
    let function = match by {
        Order::Less => quote!(less),
        Order::LessEqual => quote!(less_equal),
        Order::Greater => quote!(greater),
        Order::GreaterEqual => quote!(greater_equal),
    };
    arguments.tries(Form::Bool, &quote!(cel::compare::#function(#left, #right)))
}

/// A relation of order.
#[derive(Clone, Copy)]
pub(in crate::emit::cel) enum Order {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Order {
    /// The relation that an overload is for.
    pub(in crate::emit::cel) const fn of(overload: Overload) -> Option<Self> {
        use Overload as O;
        Some(match overload {
            O::LessBool
            | O::LessInt
            | O::LessUint
            | O::LessDouble
            | O::LessString
            | O::LessBytes
            | O::LessTimestamp
            | O::LessDuration => Self::Less,
            O::LessEqualsBool
            | O::LessEqualsInt
            | O::LessEqualsUint
            | O::LessEqualsDouble
            | O::LessEqualsString
            | O::LessEqualsBytes
            | O::LessEqualsTimestamp
            | O::LessEqualsDuration => Self::LessEqual,
            O::GreaterBool
            | O::GreaterInt
            | O::GreaterUint
            | O::GreaterDouble
            | O::GreaterString
            | O::GreaterBytes
            | O::GreaterTimestamp
            | O::GreaterDuration => Self::Greater,
            O::GreaterEqualsBool
            | O::GreaterEqualsInt
            | O::GreaterEqualsUint
            | O::GreaterEqualsDouble
            | O::GreaterEqualsString
            | O::GreaterEqualsBytes
            | O::GreaterEqualsTimestamp
            | O::GreaterEqualsDuration => Self::GreaterEqual,
            _ => return None,
        })
    }
}

/// `container[index]`
pub(in crate::emit::cel) fn index(arguments: &mut Arguments) -> Piece {
    let receiver = arguments.piece(0).operand();
    match (arguments.form(0), arguments.form(1)) {
        (Form::List, Form::Int) | (Form::Map, Form::Bool | Form::Int | Form::Uint | Form::Str) => {
            let key = arguments.piece(1).tokens;
            arguments.tries(Form::Value, &quote!(#receiver.at(#key)))
        }
        (Form::Map, Form::Text) => {
            let key = arguments.text(1);
            arguments.tries(Form::Value, &quote!(#receiver.at(#key)))
        }
        _ => {
            let (container, key) = (arguments.value(0), arguments.value(1));
            arguments.tries(Form::Value, &quote!(cel::dynamic::index(#container, #key)))
        }
    }
}

/// `container[?index]`, and `optional[index]`.
pub(in crate::emit::cel) fn optional_index(arguments: &mut Arguments) -> Piece {
    let receiver = arguments.piece(0).operand();
    match (arguments.form(0), arguments.form(1)) {
        (Form::List, Form::Int) | (Form::Map, Form::Bool | Form::Int | Form::Uint | Form::Str) => {
            let key = arguments.piece(1).tokens;
            let found = quote!(cel::Optional::from(#receiver.get(#key)));
            arguments.gives(Form::Optional, found)
        }
        _ => {
            let (container, key) = (arguments.value(0), arguments.value(1));
            let found = quote!(cel::dynamic::optional_index(#container, #key));
            arguments.tries(Form::Optional, &found)
        }
    }
}

/// `value in container`: a `match` when the container is a list of constants that Rust can match.
pub(in crate::emit::cel) fn is_in(
    arguments: &mut Arguments,
    container: Option<&Constant>,
) -> Piece {
    if let Some(Constant::List(elements)) = container
        && let Some(cases) = cases(elements, arguments.form(0))
    {
        let value = match arguments.form(0) {
            Form::Text => arguments.text(0),
            _ => arguments.piece(0).tokens,
        };
        let tokens = quote!(matches!(#value, #(#cases)|*));
        return arguments.gives(Form::Bool, tokens);
    }
    let receiver = arguments.piece(1).operand();
    match (arguments.form(0), arguments.form(1)) {
        (_, Form::List) => {
            let value = arguments.value(0);
            arguments.gives(Form::Bool, quote!(#receiver.contains(#value)))
        }
        (Form::Bool | Form::Int | Form::Uint | Form::Str, Form::Map) => {
            let key = arguments.piece(0).tokens;
            arguments.gives(Form::Bool, quote!(#receiver.has(#key)))
        }
        (Form::Text, Form::Map) => {
            let key = arguments.text(0);
            arguments.gives(Form::Bool, quote!(#receiver.has(#key)))
        }
        _ => {
            let (value, container) = (arguments.value(0), arguments.value(1));
            arguments.tries(Form::Bool, &quote!(cel::dynamic::is_in(#value, #container)))
        }
    }
}

/// Patterns for constants that are all of the form of the value.
fn cases(elements: &[Constant], form: Form) -> Option<Vec<TokenStream>> {
    if elements.is_empty() || elements.len() > MAX_CASES {
        return None;
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut cases = Vec::new();
    for element in elements {
        let case = match (element, form) {
            (Constant::String(value), Form::Str | Form::Text) => quote!(#value),
            (Constant::Int(value), Form::Int) if *value < 0 => {
                let literal = proc_macro2::Literal::i64_suffixed(*value);
                quote!(#literal)
            }
            (Constant::Int(value), Form::Int) => constant::int(*value),
            (Constant::Uint(value), Form::Uint) => quote!(#value),
            _ => return None,
        };
        if seen.insert(case.to_string()) {
            cases.push(case);
        }
    }
    Some(cases)
}

/// Operators and look-ups; `None` for every other overload.
pub(super) fn call(
    overload: Overload,
    arguments: &mut Arguments,
    constants: &[Option<&Constant>],
) -> Option<Piece> {
    use Overload as O;
    if let Some(by) = Order::of(overload) {
        return Some(order(arguments, by));
    }
    Some(match overload {
        O::Equals => equals(arguments, false),
        O::NotEquals => equals(arguments, true),
        O::Not => {
            let operand = Piece {
                atom: false,
                ..arguments.piece(0)
            };
            let operand = if operand.form == Form::Bool {
                operand.operand()
            } else {
                arguments.bool(0)
            };
            arguments.operator(Form::Bool, quote!(!#operand))
        }
        O::IndexList | O::IndexMap => index(arguments),
        O::OptionalListIndex
        | O::OptionalMapIndex
        | O::ListOptionalIndex
        | O::OptionalListOptionalIndex
        | O::MapOptionalIndex
        | O::OptionalMapOptionalIndex => optional_index(arguments),
        O::InList | O::InMap => is_in(arguments, constants.get(1).copied().flatten()),
        _ => return arithmetic(overload, arguments),
    })
}

fn arithmetic(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    let (function, form) = match overload {
        O::AddInt => ("add_int", Form::Int),
        O::SubtractInt => ("subtract_int", Form::Int),
        O::MultiplyInt => ("multiply_int", Form::Int),
        O::DivideInt => ("divide_int", Form::Int),
        O::RemainderInt => ("remainder_int", Form::Int),
        O::AddUint => ("add_uint", Form::Uint),
        O::SubtractUint => ("subtract_uint", Form::Uint),
        O::MultiplyUint => ("multiply_uint", Form::Uint),
        O::DivideUint => ("divide_uint", Form::Uint),
        O::RemainderUint => ("remainder_uint", Form::Uint),
        _ => return joined(overload, arguments),
    };
    let function = quote::format_ident!("{function}");
    let (left, right) = if form == Form::Int {
        (arguments.int(0), arguments.int(1))
    } else {
        (arguments.uint(0), arguments.uint(1))
    };
    let tokens = quote!(cel::arithmetic::#function(#left, #right));
    Some(arguments.tries(form, &tokens))
}

/// An operand of an operator of Rust.
fn double(arguments: &mut Arguments, at: usize) -> TokenStream {
    if arguments.form(at) == Form::Double {
        arguments.piece(at).operand()
    } else {
        arguments.double(at)
    }
}

fn joined(overload: Overload, arguments: &mut Arguments) -> Option<Piece> {
    use Overload as O;
    Some(match overload {
        O::AddDouble | O::SubtractDouble | O::MultiplyDouble | O::DivideDouble => {
            let (left, right) = (double(arguments, 0), double(arguments, 1));
            let tokens = match overload {
                O::AddDouble => quote!(#left + #right),
                O::SubtractDouble => quote!(#left - #right),
                O::MultiplyDouble => quote!(#left * #right),
                _ => quote!(#left / #right),
            };
            arguments.operator(Form::Double, tokens)
        }
        O::NegateDouble => {
            let operand = double(arguments, 0);
            arguments.operator(Form::Double, quote!(-#operand))
        }
        O::NegateInt => {
            let operand = arguments.int(0);
            arguments.tries(Form::Int, &quote!(cel::arithmetic::negate_int(#operand)))
        }
        O::AddBytes => {
            let (left, right) = (arguments.bytes(0), arguments.bytes(1));
            arguments.gives(Form::Bytes, quote!([#left, #right].concat()))
        }
        O::AddString => {
            let (left, right) = (arguments.text(0), arguments.text(1));
            arguments.gives(Form::Text, quote!([#left, #right].concat()))
        }
        O::AddList => {
            let (left, right) = (arguments.list(0), arguments.list(1));
            arguments.gives(Form::List, quote!(cel::List::concat(#left, #right)))
        }
        _ => return None,
    })
}
