//! How a struct of fields is read: one pass over the message, which ends when everything wanted was found.
//!
//! What enters was validated into one canonical reading: a field stands once, and of equal attributes the first counts.
//! So nothing behind the last thing found could change what was read.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::context::Context;
use super::fields::{FieldStruct, view};
use crate::catalog::signals::{FieldSpec, Reader};
use crate::plan::reads::Key;

/// How the end of the pass is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// One thing is read: the pass ends with it.
    One,
    /// Several are: they are counted.
    Several,
}

impl Wanted {
    /// What follows when a field was taken.
    fn taken(self) -> TokenStream {
        match self {
            Self::One => quote!(break;),
            Self::Several => quote!(wanted -= 1;),
        }
    }

    /// What stands at the end of each turn.
    fn end_of_turn(self) -> TokenStream {
        match self {
            Self::One => quote!(),
            Self::Several => quote!(if wanted == 0 {
                break;
            }),
        }
    }
}

impl FieldStruct {
    /// The body of the function that reads the struct.
    pub(super) fn read_body(&self, context: &Context<'_>, variable: &Ident) -> TokenStream {
        let attributes = self.attributes(context);
        let fields = self.keys.iter().filter_map(message_field);
        // Attributes as a whole are a place in the message, which is known before it is read.
        let fields: Vec<&'static FieldSpec> = fields.filter(|field| !field.has_method()).collect();
        if let ([], [lone]) = (fields.as_slice(), attributes.as_slice()) {
            return self.initial(context, variable, Some(lone));
        }
        let initial = self.initial(context, variable, None);
        let count = fields.len() + attributes.len();
        let wanted = if count == 1 {
            Wanted::One
        } else {
            Wanted::Several
        };
        let read = match (fields.is_empty(), attributes.is_empty()) {
            (true, true) => return initial,
            (true, false) => {
                let (take, end) = (take_attribute(&attributes), wanted.end_of_turn());
                quote!(for attribute in #variable.attributes() { #take #end })
            }
            _ => self.read_fields(context, variable, &fields, &attributes, wanted),
        };
        let counter = match wanted {
            Wanted::One => quote!(),
            Wanted::Several => {
                let count = proc_macro2::Literal::usize_unsuffixed(count);
                quote!(let mut wanted = #count;)
            }
        };
        quote! {
            let mut fields = #initial;
            #counter
            #read
            fields
        }
    }

    /// The struct before the first field is read. An unset body is null, and what has a method is read by it. So is an
    /// attribute that is the only thing to look for.
    fn initial(
        &self,
        context: &Context<'_>,
        variable: &Ident,
        lone: Option<&(proc_macro2::Literal, Ident)>,
    ) -> TokenStream {
        let lone = lone.map(|(key, name)| quote!(#name: #variable.attributes().get(#key)));
        let mut set: Vec<TokenStream> = lone.into_iter().collect();
        for key in &self.keys {
            let Key::Field(field) = key else { continue };
            let name = context.ident(context.structs.field_name(self.root, key));
            if field.has_method() {
                let method = method(field.name);
                set.push(quote!(#name: #variable.#method()));
            } else if field.reader == Reader::AnyValue {
                set.push(quote!(#name: AnyValue::Null));
            }
        }
        match set.len() {
            0 => quote!(Self::default()),
            count if count == self.keys.len() => quote!(Self { #(#set),* }),
            _ => quote!(Self { #(#set,)* ..Self::default() }),
        }
    }

    /// The key of each attribute as bytes, with the field that takes it.
    fn attributes(&self, context: &Context<'_>) -> Vec<(proc_macro2::Literal, Ident)> {
        let attributes = self.keys.iter().filter_map(|key| match key {
            Key::Attribute { key: text, .. } => Some((key, text)),
            Key::Field(_) => None,
        });
        attributes
            .map(|(key, text)| {
                let name = context.ident(context.structs.field_name(self.root, key));
                (proc_macro2::Literal::byte_string(text.as_bytes()), name)
            })
            .collect()
    }

    fn read_fields(
        &self,
        context: &Context<'_>,
        variable: &Ident,
        fields: &[&'static FieldSpec],
        attributes: &[(proc_macro2::Literal, Ident)],
        wanted: Wanted,
    ) -> TokenStream {
        let view = view(self.root);
        let mut arms = Vec::new();
        for field in fields.iter().filter(|field| field.path.len() == 1) {
            let (number, read) = self.take_field(context, field);
            let taken = wanted.taken();
            arms.push((number, quote!(#read; #taken)));
        }
        if let Some(nested) = self.take_nested(context, fields, wanted) {
            arms.push(nested);
        }
        if !attributes.is_empty() {
            let take = take_attribute(attributes);
            let take = quote!(let attribute = field.attribute(); #take);
            arms.push((format_ident!("ATTRIBUTES"), take));
        }
        let take = take_one_of(&view, &arms);
        let end = wanted.end_of_turn();
        quote!(for field in #variable.fields() { #take #end })
    }

    /// The number of a field and the statement that takes it.
    fn take_field(&self, context: &Context<'_>, field: &'static FieldSpec) -> (Ident, TokenStream) {
        let name = context.ident(context.structs.field_name(self.root, &Key::Field(field)));
        let number = format_ident!("{}", field.path.last().copied().unwrap_or("UNKNOWN"));
        let method = format_ident!(
            "{}",
            match field.reader {
                Reader::Text | Reader::SignalName => "text",
                Reader::Bytes => "bytes",
                Reader::Unsigned => "unsigned32",
                Reader::Fixed32 | Reader::Fixed64 => "unsigned",
                Reader::Enumeration | Reader::SpanDuration => "enumeration",
                Reader::Boolean => "boolean",
                Reader::AnyValue | Reader::Attributes | Reader::Messages(_) => "any_value",
            }
        );
        (number, quote!(fields.#name = field.#method()))
    }

    /// The arm for fields of a message inside the message; today that is the status of a span.
    fn take_nested(
        &self,
        context: &Context<'_>,
        fields: &[&'static FieldSpec],
        wanted: Wanted,
    ) -> Option<(Ident, TokenStream)> {
        let nested: Vec<_> = fields.iter().filter(|field| field.path.len() > 1).collect();
        let outer = format_ident!("{}", nested.first()?.path.first()?);
        let arms: Vec<_> = nested
            .iter()
            .map(|field| {
                let (number, read) = self.take_field(context, field);
                let taken = wanted.taken();
                (number, quote!(#read; #taken))
            })
            .collect();
        let take = take_one_of(&format_ident!("Status"), &arms);
        // The message itself stands once, too.
        let taken = match wanted {
            Wanted::One => quote!(break;),
            Wanted::Several => quote!(),
        };
        Some((outer, quote!(for field in field.message() { #take } #taken)))
    }
}

/// The method of a view that reads a field: of its name, which Rust may have as a word of its own.
pub(super) fn method(field: &str) -> Ident {
    match field {
        "type" => format_ident!("type_name"),
        field => format_ident!("{field}"),
    }
}

/// Does what belongs to the number of a field: an `if` for one number, a `match` for several.
fn take_one_of(view: &Ident, arms: &[(Ident, TokenStream)]) -> TokenStream {
    if let [(number, body)] = arms {
        return quote!(if field.number() == #view::#number { #body });
    }
    let arms = arms
        .iter()
        .map(|(number, body)| quote!(#view::#number => { #body }));
    quote!(match field.number() { #(#arms)* _ => {} })
}

/// Takes an attribute when it is one of those wanted, which are counted.
fn take_attribute(attributes: &[(proc_macro2::Literal, Ident)]) -> TokenStream {
    if let [(key, name)] = attributes {
        return quote!(if attribute.key() == #key {
            wanted -= usize::from(fields.#name.set_first(attribute));
        });
    }
    let arms = attributes
        .iter()
        .map(|(key, name)| quote!(#key => fields.#name.set_first(attribute)));
    quote! {
        let taken = match attribute.key() { #(#arms,)* _ => false };
        wanted -= usize::from(taken);
    }
}

fn message_field(key: &Key) -> Option<&'static FieldSpec> {
    match key {
        Key::Field(field) => Some(field),
        Key::Attribute { .. } => None,
    }
}
