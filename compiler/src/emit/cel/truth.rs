//! Booleans by polarity: "is true" and "is false", neither of which can fail.
//!
//! An error is neither. So `a && b` is true when both are, and false when one is, whatever the other does; no error
//! value is needed to say so.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::code::Bool;
use super::arguments::Arguments;
use super::bindings::block_label;
use super::piece::{Form, Piece};
use super::{Emitter, Unsupported};
use crate::cel::declarations::Overload;
use crate::cel::fold::Constant;
use crate::cel::typed::{Callee, Comprehension, ComprehensionKind, NodeId, NodeKind};

impl Emitter<'_> {
    /// Whether the node evaluates to `wanted`.
    pub(super) fn truth(&mut self, id: NodeId, wanted: bool) -> Result<Bool, Unsupported> {
        let node = self.node(id);
        if self.uses_constants
            && let Some(constant) = &node.constant
        {
            return Ok(Bool::literal(*constant == Constant::Bool(wanted)));
        }
        match &node.kind {
            NodeKind::And(operands) => self.chain(operands, wanted, wanted),
            NodeKind::Or(operands) => self.chain(operands, wanted, !wanted),
            NodeKind::Call {
                callee: Callee::Language(overloads),
                args,
            } => match (overloads.as_slice(), args.as_slice()) {
                ([Overload::Not], [operand]) => self.truth(*operand, !wanted),
                _ => Ok(self.leaf(id)?.is(wanted)),
            },
            NodeKind::Conditional { arms, otherwise } => {
                self.conditional_truth(arms, *otherwise, wanted)
            }
            NodeKind::Comprehension(comprehension)
                if matches!(
                    comprehension.kind,
                    ComprehensionKind::All | ComprehensionKind::Exists
                ) =>
            {
                self.quantified(comprehension, wanted)
            }
            NodeKind::Bind { local, value, body } => {
                let bindings = self.bindings(&[(*local, *value)])?;
                let body = self.truth(*body, wanted)?.tokens;
                Ok(Bool::atom(quote!(({ #bindings #body }))))
            }
            NodeKind::Block { bindings, body } => {
                let bindings = self.bindings(bindings)?;
                let body = self.truth(*body, wanted)?.tokens;
                Ok(Bool::atom(quote!(({ #bindings #body }))))
            }
            _ => Ok(self.leaf(id)?.is(wanted)),
        }
    }

    /// All of the operands evaluate to `wanted`, or one of them does.
    fn chain(&mut self, operands: &[NodeId], wanted: bool, all: bool) -> Result<Bool, Unsupported> {
        let operands = operands
            .iter()
            .map(|operand| self.truth(*operand, wanted))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(joined(operands, all))
    }

    fn conditional_truth(
        &mut self,
        arms: &[(NodeId, NodeId)],
        otherwise: NodeId,
        wanted: bool,
    ) -> Result<Bool, Unsupported> {
        let label = block_label("chosen", Some(otherwise));
        let mut steps = TokenStream::new();
        for (condition, value) in arms {
            let value = self.truth(*value, wanted)?.tokens;
            let condition = self.leaf(*condition)?;
            let tokens = condition.tokens;
            steps.extend(if condition.fallible {
                quote! {
                    match cel::logic::attempt(|| Ok(#tokens)) {
                        Ok(true) => break #label #value,
                        Ok(false) => {}
                        Err(_) => break #label false,
                    }
                }
            } else {
                quote!(if #tokens { break #label #value; })
            });
        }
        let otherwise = self.truth(otherwise, wanted)?.tokens;
        Ok(Bool::atom(quote!((#label: { #steps #otherwise }))))
    }

    /// `all` is true when each element is, and false when one is; `exists` the other way round.
    fn quantified(
        &mut self,
        comprehension: &Comprehension,
        wanted: bool,
    ) -> Result<Bool, Unsupported> {
        let is_all = comprehension.kind == ComprehensionKind::All;
        let range = self.range(comprehension)?;
        let pattern = self.loop_pattern(comprehension);
        let body = self.truth(comprehension.body, wanted)?.tokens;
        let method = if is_all == wanted {
            quote!(all)
        } else {
            quote!(any)
        };
        let iterator = &range.tokens;
        let tokens = quote!(#iterator.#method(|#pattern| #body));
        Ok(Bool::atom(if range.fallible {
            quote!(cel::logic::attempt(|| Ok(#tokens)).unwrap_or(false))
        } else {
            tokens
        }))
    }

    /// The value of a node that must be a truth value.
    pub(super) fn leaf(&mut self, id: NodeId) -> Result<Piece, Unsupported> {
        let piece = self.piece(id)?;
        let mut arguments = Arguments::new(vec![piece.clone()]);
        let tokens = arguments.bool(0);
        if piece.form == Form::Bool {
            return Ok(piece);
        }
        Ok(arguments.gives(Form::Bool, tokens))
    }
}

impl Piece {
    /// Whether a `bool` is there and is `wanted`.
    fn is(self, wanted: bool) -> Bool {
        let tokens = self.tokens;
        if self.fallible {
            return Bool::comparison(quote!(cel::logic::attempt(|| Ok(#tokens)) == Ok(#wanted)));
        }
        let plain = if self.atom {
            Bool::atom(tokens)
        } else {
            Bool::comparison(tokens)
        };
        if wanted { plain } else { plain.not() }
    }
}

/// All of the operands, or one of them.
pub(super) fn joined(operands: Vec<Bool>, all: bool) -> Bool {
    if all {
        Bool::all(operands)
    } else {
        Bool::any(operands)
    }
}
