//! The values of the suite: as Rust, where they are bound, and as the program shows them, where they are expected.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;
use watershed_compiler::cel::Type;
use watershed_compiler::emit::cel::piece::Form;

/// A value that a variable of type `ty` is bound to, and its form.
pub(super) fn bound(value: &Value, ty: &Type) -> (Form, TokenStream) {
    let boxed = boxed(value);
    match Form::of(ty) {
        Form::Bool => (Form::Bool, quote!(#boxed.as_bool().unwrap())),
        Form::Int => (Form::Int, quote!(#boxed.as_int().unwrap())),
        Form::Uint => (Form::Uint, quote!(#boxed.as_uint().unwrap())),
        Form::Double => (Form::Double, quote!(#boxed.as_double().unwrap())),
        Form::Text => {
            let text = value["string"].as_str().unwrap();
            (Form::Str, quote!(#text))
        }
        Form::Duration => (Form::Duration, quote!(#boxed.as_duration().unwrap())),
        Form::List => (Form::List, quote!(#boxed.as_list().unwrap().clone())),
        Form::Map => (Form::Map, quote!(#boxed.as_map().unwrap().clone())),
        _ => (Form::Value, boxed),
    }
}

fn parts(value: &Value) -> (&str, &Value) {
    let (kind, value) = value.as_object().unwrap().iter().next().unwrap();
    (kind.as_str(), value)
}

fn number<T: std::str::FromStr>(value: &Value) -> T {
    value.as_str().unwrap().parse().ok().unwrap()
}

fn nanoseconds(value: &Value) -> i64 {
    let nanoseconds = value["nanos"].as_i64().unwrap_or_default();
    number::<i64>(&value["seconds"]) * 1_000_000_000 + nanoseconds
}

/// A `cel::Value`.
fn boxed(value: &Value) -> TokenStream {
    let (kind, value) = parts(value);
    match kind {
        "null" => quote!(cel::Value::Null),
        "bool" => {
            let value = value.as_bool().unwrap();
            quote!(cel::Value::from(#value))
        }
        "int" => {
            let value: i64 = number(value);
            quote!(cel::Value::from(#value))
        }
        "uint" => {
            let value: u64 = number(value);
            quote!(cel::Value::from(#value))
        }
        "double" => {
            let bits = number::<f64>(value).to_bits();
            quote!(cel::Value::from(f64::from_bits(#bits)))
        }
        "string" => {
            let value = value.as_str().unwrap();
            quote!(cel::Value::from(#value))
        }
        "bytes" => {
            let value = decoded(value.as_str().unwrap());
            quote!(cel::Value::from(vec![#(#value),*]))
        }
        "duration" => {
            let value = nanoseconds(value);
            quote!(cel::Value::from(cel::Duration::from_nanoseconds(#value)))
        }
        "list" => {
            let elements = value.as_array().unwrap().iter().map(boxed);
            quote!(cel::Value::from(cel::List::from(vec![#(#elements),*])))
        }
        "map" => {
            let entries = value.as_array().unwrap().iter().map(|entry| {
                let (key, value) = (boxed(&entry[0]), boxed(&entry[1]));
                quote!((#key, #value))
            });
            quote!(cel::Value::from(cel::Map::new([#(#entries),*]).unwrap()))
        }
        _ => {
            let message = format!("{kind} cannot be bound");
            quote!(compile_error!(#message))
        }
    }
}

/// What the program prints for a value.
pub(crate) fn shown(value: &Value) -> String {
    let (kind, value) = parts(value);
    match kind {
        "null" => "null".to_owned(),
        "double" => {
            let value: f64 = number(value);
            if value.is_nan() {
                "double NaN".to_owned()
            } else {
                format!("double {:x}", value.to_bits())
            }
        }
        "bool" => format!("bool {value}"),
        "int" | "uint" | "type" => format!("{kind} {}", value.as_str().unwrap()),
        "string" => format!("string {:?}", value.as_str().unwrap()),
        "bytes" => format!("bytes {:?}", decoded(value.as_str().unwrap())),
        "duration" => format!("duration {}", nanoseconds(value)),
        "list" => {
            let elements: Vec<_> = value.as_array().unwrap().iter().map(shown).collect();
            format!("[{}]", elements.join(", "))
        }
        "map" => {
            let entries = value.as_array().unwrap().iter();
            let mut entries: Vec<_> = entries
                .map(|entry| format!("{}: {}", shown(&entry[0]), shown(&entry[1])))
                .collect();
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
        _ => format!("{kind} {value}"),
    }
}

/// Bytes from base64.
fn decoded(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.trim_end_matches('=').chars();
    let digits: Vec<u32> = digits
        .map(|digit| u32::try_from(DIGITS.find(digit).unwrap()).unwrap())
        .collect();
    let groups = digits.chunks(4).flat_map(|group| {
        let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - group.len()));
        bits.to_be_bytes()[1..group.len()].to_vec()
    });
    groups.collect()
}
