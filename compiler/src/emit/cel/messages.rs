//! Lists of messages that are read where they lie: the events and links of a span.
//!
//! Such a list is no value: nothing is decoded or allocated to go through it. A macro binds views of its messages, and
//! `filter` collects views. The checker refuses every other use.

use quote::quote;

use super::arguments::Arguments;
use super::piece::{Form, Piece};
use super::{Emitter, Unsupported};
use crate::cel::typed::NodeId;
use crate::cel::types::Type;

impl Emitter<'_> {
    /// Whether a node is a list of messages.
    pub(super) fn holds_messages(&self, id: NodeId) -> bool {
        matches!(&self.node(id).ty, Type::List(element) if is_message(element))
    }

    /// `list.size()`, `list[position]` of a list of messages.
    pub(super) fn of_messages(
        &mut self,
        id: NodeId,
        args: &[NodeId],
    ) -> Result<Piece, Unsupported> {
        let pieces = self.pieces(args)?;
        let list = pieces.first().map(Piece::operand);
        let mut arguments = Arguments::new(pieces);
        match args {
            [_] => Ok(arguments.gives(Form::Int, quote!(#list.size()))),
            [_, position] if self.node(*position).ty == Type::Int => {
                let position = arguments.int(1);
                Ok(arguments.tries(Form::Message, &quote!(#list.at(#position))))
            }
            _ => Err(self.unsupported(id, "this use of a list that is read in place")),
        }
    }
}

/// Whether values of a type are views of messages.
pub(super) const fn is_message(ty: &Type) -> bool {
    matches!(ty, Type::Record(_))
}
