//! Rust expressions that know what they yield.

use proc_macro2::TokenStream;
use quote::quote;

use crate::cel::types::Type;

/// What a Rust expression yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `bool`
    Bool,
    /// `i64`
    Int,
    /// `u64`
    Uint,
    /// `f64`
    Double,
    /// `&str` that lives as long as the data.
    Str,
    /// A string that owns its text or shares it: `String`, `Cow<str>`, `cel::Str`.
    Text,
    /// `&[u8]` that lives as long as the data.
    Slice,
    /// Bytes that are owned or shared: `Vec<u8>`, `cel::Bytes`.
    Bytes,
    /// `cel::Timestamp`
    Timestamp,
    /// `cel::Duration`
    Duration,
    /// `cel::Ip`
    Ip,
    /// `cel::Cidr`
    Cidr,
    /// `cel::Type`
    Type,
    /// `cel::List`
    List,
    /// `cel::Map`
    Map,
    /// `cel::Optional`
    Optional,
    /// A view of a message, such as `SpanEvent`.
    Message,
    /// Views of messages: where they lie, or those that a macro kept.
    Messages,
    /// `cel::Value`
    Value,
}

impl Form {
    /// The form in which values of a type are made where there is a choice.
    #[must_use]
    pub const fn of(ty: &Type) -> Self {
        match ty {
            Type::Bool => Self::Bool,
            Type::Int => Self::Int,
            Type::Uint => Self::Uint,
            Type::Double => Self::Double,
            Type::String => Self::Text,
            Type::Bytes => Self::Bytes,
            Type::Timestamp => Self::Timestamp,
            Type::Duration => Self::Duration,
            Type::Ip => Self::Ip,
            Type::Cidr => Self::Cidr,
            Type::Type(_) => Self::Type,
            Type::List(_) => Self::List,
            Type::Map(..) => Self::Map,
            Type::Optional(_) => Self::Optional,
            _ => Self::Value,
        }
    }

    /// The Rust type, for places where rustc cannot infer it.
    #[must_use]
    pub fn rust(self) -> TokenStream {
        match self {
            Self::Bool => quote!(bool),
            Self::Int => quote!(i64),
            Self::Uint => quote!(u64),
            Self::Double => quote!(f64),
            Self::Str => quote!(&str),
            Self::Text => quote!(cel::Str<'_>),
            Self::Slice => quote!(&[u8]),
            Self::Bytes => quote!(cel::Bytes<'_>),
            Self::Timestamp => quote!(cel::Timestamp),
            Self::Duration => quote!(cel::Duration),
            Self::Ip => quote!(cel::Ip),
            Self::Cidr => quote!(cel::Cidr),
            Self::Type => quote!(cel::Type),
            Self::List => quote!(cel::List<'_>),
            Self::Map => quote!(cel::Map<'_>),
            Self::Optional => quote!(cel::Optional<'_>),
            Self::Message | Self::Messages => quote!(_),
            Self::Value => quote!(cel::Value<'_>),
        }
    }

    /// Whether values are copied.
    #[must_use]
    pub const fn is_copy(self) -> bool {
        !matches!(
            self,
            Self::Text
                | Self::Bytes
                | Self::List
                | Self::Map
                | Self::Optional
                | Self::Messages
                | Self::Value
        )
    }

    /// The form that holds values of both.
    pub(super) fn join(self, other: Self) -> Self {
        match (self, other) {
            (left, right) if left == right => left,
            (Self::Str | Self::Text, Self::Str | Self::Text) => Self::Text,
            (Self::Slice | Self::Bytes, Self::Slice | Self::Bytes) => Self::Bytes,
            _ => Self::Value,
        }
    }
}

/// A Rust expression.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The expression; with `?` in it when it can fail.
    pub tokens: TokenStream,
    /// What it yields.
    pub form: Form,
    /// Whether there is a `?` in it that leaves the function or the closure around it.
    pub fallible: bool,
    /// Whether it names a variable, whose value must not be moved away.
    pub place: bool,
    /// Whether it needs no parentheses anywhere.
    pub atom: bool,
}

impl Piece {
    /// A call, a literal, a path: a value that is made here and needs no parentheses.
    #[must_use]
    pub const fn new(form: Form, tokens: TokenStream) -> Self {
        Self {
            tokens,
            form,
            fallible: false,
            place: false,
            atom: true,
        }
    }

    /// A variable.
    #[must_use]
    pub const fn place(form: Form, tokens: TokenStream) -> Self {
        let mut place = Self::new(form, tokens);
        place.place = true;
        place
    }

    /// What always fails. `error` is a `cel::Error`.
    #[must_use]
    pub fn failure(form: Form, error: &TokenStream) -> Self {
        let ty = form.rust();
        Self::new(form, quote!(Err::<#ty, cel::Error>(#error)?)).fallible(true)
    }

    /// The same, which can fail or cannot.
    #[must_use]
    pub fn fallible(self, fallible: bool) -> Self {
        Self { fallible, ..self }
    }

    /// The same, whose outermost operator may bind loosely.
    #[must_use]
    pub(super) fn loose(self) -> Self {
        Self {
            atom: false,
            ..self
        }
    }

    /// The expression as an operand or the receiver of a method.
    pub(super) fn operand(&self) -> TokenStream {
        let tokens = &self.tokens;
        if self.atom {
            tokens.clone()
        } else {
            quote!((#tokens))
        }
    }

    /// The expression as a value that may be moved away and outlives this function's variables.
    #[must_use]
    pub fn owned(&self) -> TokenStream {
        let tokens = &self.tokens;
        match self.form {
            form if form.is_copy() => tokens.clone(),
            _ if self.place => quote!(#tokens.clone()),
            _ => tokens.clone(),
        }
    }

    /// The expression as a value of a form that can hold it.
    #[must_use]
    pub fn into_form(self, form: Form) -> Self {
        if form == self.form && !matches!(form, Form::Text | Form::Bytes) {
            return Self {
                tokens: self.owned(),
                place: false,
                ..self
            };
        }
        let owned = self.owned();
        let tokens = match form {
            Form::Text => quote!(cel::Str::from(#owned)),
            Form::Bytes => quote!(cel::Bytes::from(#owned)),
            _ => quote!(cel::Value::from(#owned)),
        };
        Self::new(form, tokens).fallible(self.fallible)
    }
}
