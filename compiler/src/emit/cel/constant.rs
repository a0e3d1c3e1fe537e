//! What is known at build time, as Rust.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::piece::{Form, Piece};
use crate::cel::failure::Failure;
use crate::cel::fold::Constant;
use crate::cel::types::Type;

/// A constant of a node of type `ty`.
pub(super) fn constant(constant: &Constant, ty: &Type) -> Piece {
    match constant {
        Constant::Null => Piece::new(Form::Value, quote!(cel::Value::Null)),
        Constant::Bool(value) => Piece::new(Form::Bool, quote!(#value)),
        Constant::Int(value) => Piece::new(Form::Int, int(*value)),
        Constant::Uint(value) => Piece::new(Form::Uint, quote!(#value)),
        Constant::Double(value) => Piece::new(Form::Double, double(*value)),
        Constant::String(value) => Piece::new(Form::Str, quote!(#value)),
        Constant::Bytes(value) => {
            let literal = Literal::byte_string(value);
            Piece::new(Form::Slice, quote!(#literal.as_slice()))
        }
        Constant::Duration(nanoseconds) => Piece::new(Form::Duration, duration(*nanoseconds)),
        Constant::Timestamp(nanoseconds) => timestamp(*nanoseconds),
        Constant::List(elements) => list(elements),
        Constant::Map(entries) => map(entries),
        Constant::Failed(failure) => Piece::failure(Form::of(ty), &error(*failure)),
    }
}

/// An `i64`; in parentheses when it is negative, for a minus binds loosely.
pub(super) fn int(value: i64) -> TokenStream {
    if value == i64::MIN {
        quote!(i64::MIN)
    } else if value < 0 {
        let positive = value.saturating_neg();
        quote!((-#positive))
    } else {
        quote!(#value)
    }
}

pub(super) fn double(value: f64) -> TokenStream {
    if value.is_nan() {
        quote!(f64::NAN)
    } else if value == f64::INFINITY {
        quote!(f64::INFINITY)
    } else if value == f64::NEG_INFINITY {
        quote!(f64::NEG_INFINITY)
    } else if value.is_sign_negative() {
        let positive = -value;
        quote!((-#positive))
    } else {
        quote!(#value)
    }
}

fn duration(nanoseconds: i64) -> TokenStream {
    let nanoseconds = int(nanoseconds);
    quote!(cel::Duration::from_nanoseconds(#nanoseconds))
}

/// Moments before 1970 and after 2554 are made of seconds and a rest.
fn timestamp(nanoseconds: i128) -> Piece {
    if let Ok(nanoseconds) = u64::try_from(nanoseconds) {
        let tokens = quote!(cel::Timestamp::from_unix_nanoseconds(#nanoseconds));
        return Piece::new(Form::Timestamp, tokens);
    }
    const SECOND: i128 = 1_000_000_000;
    let parts = (
        i64::try_from(nanoseconds.div_euclid(SECOND)),
        i64::try_from(nanoseconds.rem_euclid(SECOND)),
    );
    let (Ok(seconds), Ok(rest)) = parts else {
        return Piece::failure(Form::Timestamp, &quote!(cel::Error::Overflow));
    };
    let (seconds, rest) = (int(seconds), duration(rest));
    let tokens = quote!(cel::Timestamp::from_unix_seconds(#seconds)?.plus(#rest)?);
    Piece::new(Form::Timestamp, tokens).fallible(true)
}

/// The elements of a constant as values; `None` when one can fail.
fn values(elements: &[Constant]) -> (Vec<TokenStream>, bool) {
    let pieces: Vec<Piece> = elements
        .iter()
        .map(|element| constant(element, &Type::Dyn).into_form(Form::Value))
        .collect();
    let fallible = pieces.iter().any(|piece| piece.fallible);
    let tokens = pieces.into_iter().map(|piece| piece.tokens).collect();
    (tokens, fallible)
}

/// A list that is made once, as a static.
fn list(elements: &[Constant]) -> Piece {
    let (values, fallible) = values(elements);
    let list = quote!(cel::List::from(vec![#(#values),*]));
    if elements.is_empty() {
        return Piece::new(Form::List, list);
    }
    let (made, ty) = if fallible {
        let tried = quote!(cel::logic::attempt(|| Ok(#list)));
        (tried, quote!(Result<cel::List<'static>, cel::Error>))
    } else {
        (list, quote!(cel::List<'static>))
    };
    let question = fallible.then(|| quote!(?));
    let tokens = quote!({
        static LIST: LazyLock<#ty> = LazyLock::new(|| #made);
        (*LIST).clone()#question
    });
    Piece::new(Form::List, tokens).fallible(fallible).loose()
}

/// A map that is made once, as a static. Its keys were checked when it was folded.
fn map(entries: &[(Constant, Constant)]) -> Piece {
    let (keys, values): (Vec<Constant>, Vec<Constant>) = entries.iter().cloned().unzip();
    let (keys, values) = (self::values(&keys).0, self::values(&values).0);
    let tokens = quote!({
        static MAP: LazyLock<Result<cel::Map<'static>, cel::Error>> =
            LazyLock::new(|| cel::logic::attempt(|| cel::Map::new([#((#keys, #values)),*])));
        (*MAP).clone()?
    });
    Piece::new(Form::Map, tokens).fallible(true).loose()
}

/// The error that stands for a reason to fail.
pub(super) fn error(failure: Failure) -> TokenStream {
    let name = match failure {
        Failure::MissingKey | Failure::OutOfRange => "NoSuchKey",
        Failure::Overflow => "Overflow",
        Failure::DivisionByZero => "DivisionByZero",
        Failure::InvalidRegex => "InvalidRegex",
        Failure::InvalidFormat => "InvalidFormatClause",
        Failure::UnknownTimeZone => "UnknownTimeZone",
        Failure::EmptyOptional => "NoValue",
        Failure::InvalidKey => "UnsupportedKeyType",
        Failure::DuplicateKey => "RepeatedKey",
        Failure::Conversion | Failure::InvalidArgument => "InvalidArgument",
        Failure::WrongType | Failure::Unresolved | Failure::MixedNull | Failure::Elsewhere => {
            "NoSuchOverload"
        }
    };
    let name = quote::format_ident!("{name}");
    quote!(cel::Error::#name)
}
