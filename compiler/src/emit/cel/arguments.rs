//! Arguments of a call, each as the function takes it.

use proc_macro2::TokenStream;
use quote::quote;

use super::piece::{Form, Piece};

/// The arguments of one call. What is asked of them adds to whether the call can fail.
pub(super) struct Arguments {
    pieces: Vec<Piece>,
    fallible: bool,
}

impl Arguments {
    pub(super) fn new(pieces: Vec<Piece>) -> Self {
        let fallible = pieces.iter().any(|piece| piece.fallible);
        Self { pieces, fallible }
    }

    pub(super) const fn len(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn form(&self, at: usize) -> Form {
        self.pieces.get(at).map_or(Form::Value, |piece| piece.form)
    }

    /// The argument as it is; what is missing always fails.
    pub(super) fn piece(&mut self, at: usize) -> Piece {
        self.pieces.get(at).cloned().unwrap_or_else(|| {
            self.fallible = true;
            Piece::failure(Form::Value, &quote!(cel::Error::NoSuchOverload))
        })
    }

    /// The argument as a value of `form`, by the method of `cel::Value` that gives it.
    fn unboxed(&mut self, at: usize, form: Form, method: &str) -> TokenStream {
        let piece = self.piece(at);
        if piece.form == form {
            return piece.tokens;
        }
        self.fallible = true;
        if piece.form != Form::Value {
            return Piece::failure(form, &quote!(cel::Error::NoSuchOverload)).tokens;
        }
        let method = quote::format_ident!("{method}");
        let operand = piece.operand();
        quote!(#operand.#method()?)
    }

    pub(super) fn bool(&mut self, at: usize) -> TokenStream {
        self.unboxed(at, Form::Bool, "as_bool")
    }

    pub(super) fn int(&mut self, at: usize) -> TokenStream {
        self.unboxed(at, Form::Int, "as_int")
    }

    pub(super) fn uint(&mut self, at: usize) -> TokenStream {
        self.unboxed(at, Form::Uint, "as_uint")
    }

    pub(super) fn double(&mut self, at: usize) -> TokenStream {
        self.unboxed(at, Form::Double, "as_double")
    }

    pub(super) fn timestamp(&mut self, at: usize) -> TokenStream {
        self.unboxed(at, Form::Timestamp, "as_timestamp")
    }

    pub(super) fn duration(&mut self, at: usize) -> TokenStream {
        self.unboxed(at, Form::Duration, "as_duration")
    }

    pub(super) fn ip(&mut self, at: usize) -> TokenStream {
        self.unboxed(at, Form::Ip, "as_ip")
    }

    pub(super) fn cidr(&mut self, at: usize) -> TokenStream {
        self.unboxed(at, Form::Cidr, "as_cidr")
    }

    /// A `&str` that may live no longer than the call.
    pub(super) fn text(&mut self, at: usize) -> TokenStream {
        match self.form(at) {
            Form::Text => {
                let operand = self.piece(at).operand();
                quote!(&*#operand)
            }
            _ => self.unboxed(at, Form::Str, "as_str"),
        }
    }

    /// A `&[u8]` that may live no longer than the call.
    pub(super) fn bytes(&mut self, at: usize) -> TokenStream {
        match self.form(at) {
            Form::Bytes => {
                let operand = self.piece(at).operand();
                quote!(&*#operand)
            }
            _ => self.unboxed(at, Form::Slice, "as_bytes"),
        }
    }

    /// A reference to a value of `form`.
    fn borrowed(&mut self, at: usize, form: Form, method: &str) -> TokenStream {
        let piece = self.piece(at);
        if piece.form == form {
            let operand = piece.operand();
            return quote!(&#operand);
        }
        let is_value = piece.form == Form::Value;
        let tokens = self.unboxed(at, form, method);
        if is_value { tokens } else { quote!(&#tokens) }
    }

    pub(super) fn list(&mut self, at: usize) -> TokenStream {
        self.borrowed(at, Form::List, "as_list")
    }

    pub(super) fn map(&mut self, at: usize) -> TokenStream {
        self.borrowed(at, Form::Map, "as_map")
    }

    pub(super) fn optional(&mut self, at: usize) -> TokenStream {
        self.borrowed(at, Form::Optional, "as_optional")
    }

    /// A `&cel::Value`.
    pub(super) fn value(&mut self, at: usize) -> TokenStream {
        let operand = self.compared(at);
        quote!(&#operand)
    }

    /// A `cel::Value` as the operand of a comparison, which moves nothing.
    pub(super) fn compared(&mut self, at: usize) -> TokenStream {
        let piece = self.piece(at);
        match piece.form {
            Form::Value => piece.operand(),
            _ => piece.into_form(Form::Value).tokens,
        }
    }

    /// A `cel::Value`.
    pub(super) fn owned_value(&mut self, at: usize) -> TokenStream {
        self.piece(at).into_form(Form::Value).tokens
    }

    /// What the function gives.
    pub(super) fn gives(&self, form: Form, tokens: TokenStream) -> Piece {
        Piece::new(form, tokens).fallible(self.fallible)
    }

    /// What an operator gives, which binds loosely.
    pub(super) fn operator(&self, form: Form, tokens: TokenStream) -> Piece {
        self.gives(form, tokens).loose()
    }

    /// What the function gives in a `Result`.
    pub(super) fn tries(&self, form: Form, tokens: &TokenStream) -> Piece {
        Piece::new(form, quote!(#tokens?)).fallible(true)
    }

    /// A part of the text of the first argument: borrowed when that lives as long as the data, else copied.
    pub(super) fn cut(&self, fails: bool, tokens: TokenStream) -> Piece {
        let part = if fails { quote!(#tokens?) } else { tokens };
        let fallible = fails || self.fallible;
        if self.form(0) == Form::Str {
            Piece::new(Form::Str, part).fallible(fallible)
        } else {
            Piece::new(Form::Text, quote!(String::from(#part))).fallible(fallible)
        }
    }

    /// A `Cow` of the text of the first argument, made independent of it when that does not live as long as the data.
    pub(super) fn changed(&self, tokens: TokenStream) -> Piece {
        if self.form(0) == Form::Str {
            self.gives(Form::Text, tokens)
        } else {
            self.gives(Form::Text, quote!(#tokens.into_owned()))
        }
    }
}
