//! Parts of expressions that have no form of their own in the plan: the emitter of CEL makes them, over what the walk
//! has read.

use proc_macro2::TokenStream;
use quote::quote;

use super::cel::piece::{self, Piece};
use super::cel::{Emitter, Reader, Unsupported};
use super::code::{Bool, Code, Form};
use super::condition::Expressions;
use super::context::Polarity;
use super::members;
use crate::cel::environment::FunctionId;
use crate::cel::typed::{Node, NodeId};
use crate::cel::{Tree, Type};
use crate::plan::{Expression, Value, ValueKind};

impl Expressions<'_, '_> {
    /// T(expression) or F(expression).
    pub(super) fn expression_truth(&self, expression: &Expression, polarity: Polarity) -> Bool {
        let reads = Reads {
            expressions: self,
            expression,
        };
        let mut emitter = Emitter::new(&expression.tree, &reads).at(expression.root);
        let decision = emitter.decision(polarity == Polarity::True);
        decision.unwrap_or_else(|unsupported| {
            self.context.refuse(unsupported);
            Bool::literal(false)
        })
    }

    /// The value of an expression, as a walk or an option takes it.
    pub(super) fn expression(&self, expression: &Expression) -> Code {
        let reads = Reads {
            expressions: self,
            expression,
        };
        let mut emitter = Emitter::new(&expression.tree, &reads).at(expression.root);
        let code = emitter
            .value()
            .and_then(|piece| code(piece, expression.node()));
        code.unwrap_or_else(|unsupported| {
            self.context.refuse(unsupported);
            Code::total(quote!(AnyValue::Missing), Form::Any)
        })
    }
}

/// Reads what the plan knows of an expression.
struct Reads<'e, 'c, 'p> {
    expressions: &'e Expressions<'c, 'p>,
    expression: &'e Expression,
}

impl Reader for Reads<'_, '_, '_> {
    fn read(&self, _tree: &Tree, node: &Node) -> Result<Piece, Unsupported> {
        // Whatever can be read, the plan knows.
        Err(Unsupported {
            span: node.span,
            what: "what is read here",
        })
    }

    fn whole(&self, id: NodeId, node: &Node) -> Result<Option<Piece>, Unsupported> {
        let read = self.expression.reads.get(&id);
        Ok(read.map(|value| self.piece(value, node)))
    }

    fn member(
        &self,
        node: &Node,
        operand: &mut dyn FnMut(NodeId) -> Result<Piece, Unsupported>,
    ) -> Result<Option<Piece>, Unsupported> {
        members::member(node, operand)
    }

    fn call(
        &self,
        node: &Node,
        _functions: &[FunctionId],
        _arguments: Vec<Piece>,
    ) -> Result<Piece, Unsupported> {
        Err(Unsupported {
            span: node.span,
            what: "a function of the flow",
        })
    }
}

impl Reads<'_, '_, '_> {
    /// What is read, in the form in which the emitter of CEL goes on with it.
    fn piece(&self, value: &Value, node: &Node) -> Piece {
        if value.is_list_of_messages() {
            let messages = self.expressions.value(value).tokens;
            return Piece::new(piece::Form::Messages, messages);
        }
        let plain = match value.is_map_of_attributes() {
            true => {
                let attributes = self.expressions.value(value).tokens;
                Piece::new(
                    piece::Form::Map,
                    quote!(cel::Map::from(Map::from(#attributes))),
                )
            }
            false => present(self.expressions.value(value), value, node),
        };
        match (&node.ty, &value.kind) {
            // A field is always there: as an optional it is empty when it has its default.
            // So is what a flow has set it to.
            (Type::Optional(_), kind) if !is_lookup(kind) => {
                let found = plain.into_form(piece::Form::Value).tokens;
                Piece::new(
                    piece::Form::Optional,
                    quote!(cel::Optional::of_non_zero(#found)),
                )
            }
            _ => plain,
        }
    }
}

/// A value of a walk as a piece.
fn present(code: Code, value: &Value, node: &Node) -> Piece {
    let tokens = &code.tokens;
    if code.form == Form::Any {
        return any(tokens, value, node);
    }
    let fallible = code.fallible;
    let tokens = if fallible {
        quote!(#tokens.ok_or(cel::Error::NoSuchOverload)?)
    } else {
        code.clone().into_typed()
    };
    let (form, tokens) = match code.form {
        Form::Int if value.ty == Type::Duration => (
            piece::Form::Duration,
            quote!(cel::Duration::from_nanoseconds(#tokens)),
        ),
        Form::Int => (piece::Form::Int, tokens),
        Form::Uint => (piece::Form::Uint, tokens),
        Form::Double => (piece::Form::Double, tokens),
        Form::Bool => (piece::Form::Bool, tokens),
        Form::Bytes => (piece::Form::Slice, tokens),
        Form::Str => (piece::Form::Str, tokens),
        Form::Text => (piece::Form::Text, quote!(#tokens.to_str())),
        Form::Owned | Form::Any => (piece::Form::Text, tokens),
    };
    Piece::new(form, tokens).fallible(fallible)
}

/// Whether something may be absent: an attribute, or what a flow has set or removed in its place.
const fn is_lookup(kind: &ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::Attribute { .. } | ValueKind::Dynamic(_) | ValueKind::Failed
    )
}

/// A value whose type the data decides; where it is missing the expression says what that means.
fn any(tokens: &TokenStream, value: &Value, node: &Node) -> Piece {
    if is_lookup(&value.kind) && matches!(node.ty, Type::Optional(_)) {
        let found = quote!(cel::Optional::from(cel::Value::try_from(#tokens).ok()));
        return Piece::new(piece::Form::Optional, found);
    }
    if node.fails.is_total() {
        let found = quote!(cel::Value::try_from(#tokens).unwrap_or(cel::Value::Null));
        return Piece::new(piece::Form::Value, found);
    }
    let found = quote!(cel::Value::try_from(#tokens)?);
    Piece::new(piece::Form::Value, found).fallible(true)
}

/// A piece as a value of a walk. What can fail yields an `Option`; where the checker knows that it has a value, what
/// stands for an error is never seen.
fn code(piece: Piece, node: &Node) -> Result<Code, Unsupported> {
    let piece = unboxed(piece, &node.ty);
    let tokens = &piece.tokens;
    let (form, tokens) = match piece.form {
        piece::Form::Bool => (Form::Bool, quote!(#tokens)),
        piece::Form::Int => (Form::Int, quote!(#tokens)),
        piece::Form::Uint => (Form::Uint, quote!(#tokens)),
        piece::Form::Double => (Form::Double, quote!(#tokens)),
        piece::Form::Duration => (Form::Int, quote!((#tokens).nanoseconds())),
        piece::Form::Str if !piece.fallible => {
            return Ok(Code::total(quote!((#tokens)), Form::Str));
        }
        piece::Form::Str | piece::Form::Text => (Form::Owned, quote!(String::from(&*#tokens))),
        _ => {
            return Err(Unsupported {
                span: node.span,
                what: "a value of this type in this place",
            });
        }
    };
    if !piece.fallible {
        return Ok(Code::total(quote!((#tokens)), form));
    }
    let attempt = quote!(cel::logic::attempt(|| Ok(#tokens)));
    Ok(if node.fails.is_total() {
        Code::total(quote!(#attempt.unwrap_or_default()), form)
    } else {
        Code::fallible(quote!(#attempt.ok()), form)
    })
}

/// A value whose type the checker knows, taken out of the value that can be anything.
fn unboxed(piece: Piece, ty: &Type) -> Piece {
    let (form, method) = match ty {
        _ if piece.form != piece::Form::Value => return piece,
        Type::Bool => (piece::Form::Bool, quote!(as_bool)),
        Type::Int => (piece::Form::Int, quote!(as_int)),
        Type::Uint => (piece::Form::Uint, quote!(as_uint)),
        Type::Double => (piece::Form::Double, quote!(as_double)),
        Type::String => (piece::Form::Text, quote!(as_str)),
        Type::Duration => (piece::Form::Duration, quote!(as_duration)),
        _ => return piece,
    };
    let tokens = piece.tokens;
    Piece::new(form, quote!((#tokens).#method()?)).fallible(true)
}
