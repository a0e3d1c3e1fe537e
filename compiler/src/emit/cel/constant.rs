//! What is known at build time, as Rust.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::piece::{Form, Piece};
use crate::cel::fold::Constant;

/// A constant. What always fails is none: its evaluation tells the reason better than folding does.
pub(super) fn constant(constant: &Constant) -> Option<Piece> {
    Some(match constant {
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
        Constant::Failed(_) => return None,
    })
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

/// A list that is made once, as a static.
fn list(elements: &[Constant]) -> Piece {
    let list = made_list(elements);
    if elements.is_empty() {
        return list;
    }
    let (tokens, fallible) = (list.tokens, list.fallible);
    let (made, ty, question) = if fallible {
        (
            quote!(cel::logic::attempt(|| Ok(#tokens))),
            quote!(Result<cel::List<'static>, cel::Error>),
            Some(quote!(?)),
        )
    } else {
        (tokens, quote!(cel::List<'static>), None)
    };
    let tokens = quote!({
        static LIST: LazyLock<#ty> = LazyLock::new(|| #made);
        (*LIST).clone()#question
    });
    Piece::new(Form::List, tokens).fallible(fallible).loose()
}

/// A map that is made once, as a static.
fn map(entries: &[(Constant, Constant)]) -> Piece {
    let map = made_map(entries).tokens;
    let tokens = quote!({
        static MAP: LazyLock<Result<cel::Map<'static>, cel::Error>> =
            LazyLock::new(|| cel::logic::attempt(|| Ok(#map)));
        (*MAP).clone()?
    });
    Piece::new(Form::Map, tokens).fallible(true).loose()
}

/// A value within a list or a map, which is made along with it.
fn element(value: &Constant) -> Piece {
    let piece = match value {
        Constant::List(elements) => made_list(elements),
        Constant::Map(entries) => made_map(entries),
        // What always fails is no part of a constant.
        value => constant(value)
            .unwrap_or_else(|| Piece::failure(Form::Value, &quote!(cel::Error::NoSuchOverload))),
    };
    piece.into_form(Form::Value)
}

fn made_list(elements: &[Constant]) -> Piece {
    let pieces: Vec<Piece> = elements.iter().map(element).collect();
    let fallible = pieces.iter().any(|piece| piece.fallible);
    let values = pieces.iter().map(|piece| &piece.tokens);
    Piece::new(
        Form::List,
        quote!(cel::List::from(Vec::from([#(#values),*]))),
    )
    .fallible(fallible)
}

/// Keys were checked when the map was folded; the runtime checks them again.
fn made_map(entries: &[(Constant, Constant)]) -> Piece {
    let entries = entries.iter().map(|(key, value)| {
        let (key, value) = (element(key).tokens, element(value).tokens);
        quote!((#key, #value))
    });
    Piece::new(Form::Map, quote!(cel::Map::new([#(#entries),*])?)).fallible(true)
}
