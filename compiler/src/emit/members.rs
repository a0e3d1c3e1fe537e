//! Fields of messages that an expression has taken out of a list: the name of an event, the trace of a link.
//!
//! In: a field and the view that it is read from. Out: a call of the view's method.

use proc_macro2::TokenStream;
use quote::quote;

use super::cel::Unsupported;
use super::cel::piece::{Form, Piece};
use super::field_reader::method;
use crate::catalog::signals::Reader;
use crate::cel::telemetry;
use crate::cel::typed::{Node, NodeId, NodeKind};

/// The value of a field of an element; `None` when the node is no such field.
pub(super) fn member(
    node: &Node,
    operand: &mut dyn FnMut(NodeId) -> Result<Piece, Unsupported>,
) -> Result<Option<Piece>, Unsupported> {
    let (NodeKind::Field {
        operand: of, field, ..
    }
    | NodeKind::HasField { operand: of, field }) = &node.kind
    else {
        return Ok(None);
    };
    let Some(field) = telemetry::element_field(*field) else {
        return Ok(None);
    };
    let view = operand(*of)?;
    let (tokens, name) = (&view.tokens, method(field.name));
    let read = quote!(#tokens.#name());
    let piece = match node.kind {
        NodeKind::HasField { .. } => Piece::new(Form::Bool, is_set(field.reader, &read)),
        NodeKind::Field { optional: true, .. } => {
            let found = value(field.reader, &read).into_form(Form::Value).tokens;
            Piece::new(Form::Optional, quote!(cel::Optional::of_non_zero(#found)))
        }
        _ => value(field.reader, &read),
    };
    Ok(Some(piece.fallible(view.fallible)))
}

/// What a method gives, in the form in which the emitter goes on with it.
fn value(reader: Reader, read: &TokenStream) -> Piece {
    match reader {
        Reader::Text => Piece::new(Form::Text, quote!(#read.to_str())),
        Reader::Bytes => Piece::new(Form::Slice, read.clone()),
        Reader::Attributes => Piece::new(Form::Map, quote!(cel::Map::from(Map::from(#read)))),
        _ => Piece::new(Form::Uint, read.clone()),
    }
}

/// Whether it differs from its default.
fn is_set(reader: Reader, read: &TokenStream) -> TokenStream {
    match reader {
        Reader::Text | Reader::Bytes | Reader::Attributes => quote!((!#read.is_empty())),
        _ => quote!((#read != 0)),
    }
}
