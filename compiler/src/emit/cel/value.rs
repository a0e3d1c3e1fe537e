//! Values of every kind of node.

use proc_macro2::TokenStream;
use quote::quote;

use super::arguments::Arguments;
use super::bindings::block_label;
use super::constant;
use super::piece::{Form, Piece};
use super::truth::joined;
use super::{Emitter, Unsupported, call, dynamic};
use crate::cel::declarations::Overload;
use crate::cel::fold::Constant;
use crate::cel::typed::{Callee, Element, Entry, NodeId, NodeKind};
use crate::cel::types::Type;
use crate::emit::code::Bool;

impl Emitter<'_> {
    /// The value of a node.
    pub(super) fn piece(&mut self, id: NodeId) -> Result<Piece, Unsupported> {
        let node = self.node(id);
        if let Some(value) = &node.constant
            && (self.uses_constants || matches!(node.kind, NodeKind::Literal(_)))
            && let Some(piece) = constant::constant(value)
        {
            return Ok(piece);
        }
        if let Some(piece) = self.reader.whole(id, node)? {
            return Ok(piece);
        }
        match &node.kind {
            NodeKind::Literal(_) | NodeKind::Error => Err(self.unsupported(id, "a mistake")),
            NodeKind::Record { .. } => Err(self.unsupported(id, "a message of protobuf")),
            NodeKind::TypeValue(ty) => self.type_value(id, ty),
            NodeKind::Field { .. } | NodeKind::HasField { .. } => {
                let reader = self.reader;
                match reader.member(node, &mut |operand| self.piece(operand))? {
                    Some(member) => Ok(member),
                    None => reader.read(self.tree, node),
                }
            }
            NodeKind::Variable(_) => self.reader.read(self.tree, node),
            NodeKind::Local(local) => {
                let piece = self.locals.get(local).cloned();
                piece.ok_or_else(|| self.unsupported(id, "a variable out of its place"))
            }
            NodeKind::Select {
                operand,
                key,
                optional,
            } => self.select(*operand, key, *optional),
            NodeKind::Has { operand, key } => self.has(*operand, key),
            NodeKind::Call { callee, args } => self.call(id, callee, args),
            NodeKind::And(operands) => self.logical(operands, true),
            NodeKind::Or(operands) => self.logical(operands, false),
            NodeKind::Conditional { arms, otherwise } => self.conditional(arms, *otherwise),
            NodeKind::List(elements) => self.list(elements),
            NodeKind::Map(entries) => self.map(entries),
            NodeKind::Comprehension(comprehension) => self.comprehension(comprehension),
            NodeKind::Bind { local, value, body } => self.bound(&[(*local, *value)], *body),
            NodeKind::Block { bindings, body } => self.bound(bindings, *body),
            NodeKind::OptionalMap {
                target,
                local,
                body,
                flat,
            } => self.optional_map(*target, *local, *body, *flat),
            NodeKind::Unresolved(_) => Ok(Piece::failure(
                Form::of(&node.ty),
                &quote!(cel::Error::NoSuchOverload),
            )),
        }
    }

    pub(super) fn unsupported(&self, id: NodeId, what: &'static str) -> Unsupported {
        let span = self.node(id).span;
        Unsupported { span, what }
    }

    fn type_value(&self, id: NodeId, ty: &Type) -> Result<Piece, Unsupported> {
        let name = match ty {
            Type::Null => "Null",
            Type::Bool => "Bool",
            Type::Int => "Int",
            Type::Uint => "Uint",
            Type::Double => "Double",
            Type::String => "String",
            Type::Bytes => "Bytes",
            Type::Timestamp => "Timestamp",
            Type::Duration => "Duration",
            Type::Ip => "Ip",
            Type::Cidr => "Cidr",
            Type::List(_) => "List",
            Type::Map(..) => "Map",
            Type::Optional(_) => "Optional",
            Type::Type(_) => "Type",
            _ => return Err(self.unsupported(id, "the type of a record")),
        };
        let name = quote::format_ident!("{name}");
        Ok(Piece::new(Form::Type, quote!(cel::Type::#name)))
    }

    fn select(&mut self, operand: NodeId, key: &str, optional: bool) -> Result<Piece, Unsupported> {
        let piece = self.piece(operand)?;
        let receiver = piece.operand();
        let mut arguments = Arguments::new(vec![piece]);
        if arguments.form(0) == Form::Map {
            return Ok(if optional {
                let found = quote!(cel::Optional::from(#receiver.get(#key)));
                arguments.gives(Form::Optional, found)
            } else {
                arguments.tries(Form::Value, &quote!(#receiver.at(#key)))
            });
        }
        let value = arguments.value(0);
        Ok(if optional {
            let found = quote!(cel::dynamic::optional_select(#value, #key));
            arguments.tries(Form::Optional, &found)
        } else {
            arguments.tries(Form::Value, &quote!(cel::dynamic::select(#value, #key)))
        })
    }

    fn has(&mut self, operand: NodeId, key: &str) -> Result<Piece, Unsupported> {
        let piece = self.piece(operand)?;
        let receiver = piece.operand();
        let mut arguments = Arguments::new(vec![piece]);
        if arguments.form(0) == Form::Map {
            return Ok(arguments.gives(Form::Bool, quote!(#receiver.has(#key))));
        }
        let value = arguments.value(0);
        Ok(arguments.tries(Form::Bool, &quote!(cel::dynamic::has(#value, #key))))
    }

    fn call(&mut self, id: NodeId, callee: &Callee, args: &[NodeId]) -> Result<Piece, Unsupported> {
        let node = self.node(id);
        match callee {
            Callee::Custom(functions) => {
                let arguments = self.pieces(args)?;
                self.reader.call(node, functions, arguments)
            }
            Callee::Language(overloads) => match overloads.as_slice() {
                [Overload::Matches | Overload::MatchesMember] if self.tree.regex(id).is_some() => {
                    self.matches(id, args)
                }
                [Overload::AddString] => self.joined(id),
                [Overload::Contains]
                    if let [_, part] = args
                        && let Some(Constant::String(part)) = &self.node(*part).constant =>
                {
                    self.contains(args, part)
                }
                _ if args.first().is_some_and(|list| self.holds_messages(*list)) => {
                    self.of_messages(id, args)
                }
                overloads => {
                    let mut arguments = Arguments::new(self.pieces(args)?);
                    let known = args.iter().map(|id| self.node(*id).constant.as_ref());
                    let known: Vec<_> = known.collect();
                    let code = match overloads {
                        [overload] => call::call(*overload, &mut arguments, &known),
                        overloads => dynamic::call(overloads, &mut arguments, &known),
                    };
                    code.ok_or_else(|| self.unsupported(id, "a call with several meanings"))
                }
            },
        }
    }

    pub(super) fn pieces(&mut self, ids: &[NodeId]) -> Result<Vec<Piece>, Unsupported> {
        ids.iter().map(|id| self.piece(*id)).collect()
    }

    /// A search for a pattern that is known: it is compiled once, as a static.
    fn matches(&mut self, id: NodeId, args: &[NodeId]) -> Result<Piece, Unsupported> {
        let pattern = self.tree.regex(id).unwrap_or_default();
        let mut arguments = Arguments::new(self.pieces(args)?);
        let text = arguments.text(0);
        let regex = quote!({
            static REGEX: LazyLock<Result<Regex, cel::Error>> =
                LazyLock::new(|| Regex::new(#pattern).map_err(|_| cel::Error::InvalidRegex));
            REGEX.as_ref().map_err(|error| *error)?
        });
        let tokens = quote!((#regex).is_match((#text).as_bytes()));
        Ok(Piece::new(Form::Bool, tokens).fallible(true))
    }

    /// A search for a text that is known: it is prepared once, as a static.
    fn contains(&mut self, args: &[NodeId], part: &str) -> Result<Piece, Unsupported> {
        let mut arguments = Arguments::new(self.pieces(args)?);
        let text = arguments.text(0);
        let needle = quote!({
            static NEEDLE: LazyLock<Needle> = LazyLock::new(|| Needle::new(#part));
            &NEEDLE
        });
        Ok(arguments.gives(Form::Bool, quote!(Text::from(#text).has(#needle))))
    }

    /// `a + b + c` of texts: made in one piece, however long the chain is.
    fn joined(&mut self, id: NodeId) -> Result<Piece, Unsupported> {
        let (mut parts, mut next) = (Vec::new(), id);
        while let NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } = &self.node(next).kind
            && let ([Overload::AddString], [left, right]) = (overloads.as_slice(), args.as_slice())
        {
            parts.push(*right);
            next = *left;
        }
        parts.push(next);
        parts.reverse();
        let mut arguments = Arguments::new(self.pieces(&parts)?);
        let texts: Vec<_> = (0..parts.len()).map(|at| arguments.text(at)).collect();
        Ok(arguments.gives(Form::Text, quote!([#(#texts),*].concat())))
    }

    /// `&&` or `||` as a value, with the error when nothing absorbs it.
    fn logical(&mut self, operands: &[NodeId], all: bool) -> Result<Piece, Unsupported> {
        let pieces = operands
            .iter()
            .map(|operand| self.leaf(*operand))
            .collect::<Result<Vec<_>, _>>()?;
        if pieces.iter().all(|piece| !piece.fallible) {
            let operands = pieces.iter().map(|piece| Bool::atom(piece.operand()));
            let tokens = joined(operands.collect(), all).tokens;
            return Ok(Piece::new(Form::Bool, tokens).loose());
        }
        let start = if all { quote!(and) } else { quote!(or) };
        let steps = pieces.iter().map(|piece| {
            let tokens = &piece.tokens;
            if piece.fallible {
                quote!(chain.decides(cel::logic::attempt(|| Ok(#tokens))))
            } else {
                quote!(chain.decides(Ok(#tokens)))
            }
        });
        let label = block_label("decided", operands.first().copied());
        let tokens = quote!({
            let mut chain = cel::logic::Chain::#start();
            #label: { #(if #steps { break #label; })* }
            chain.result()?
        });
        Ok(Piece::new(Form::Bool, tokens).fallible(true).loose())
    }

    fn conditional(
        &mut self,
        arms: &[(NodeId, NodeId)],
        otherwise: NodeId,
    ) -> Result<Piece, Unsupported> {
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        for (condition, value) in arms {
            conditions.push(self.leaf(*condition)?);
            values.push(self.piece(*value)?);
        }
        values.push(self.piece(otherwise)?);
        let form = values
            .iter()
            .map(|piece| piece.form)
            .reduce(Form::join)
            .unwrap_or(Form::Value);
        let fallible = conditions.iter().chain(&values).any(|piece| piece.fallible);
        let mut values = values.into_iter().map(|piece| piece.into_form(form).tokens);
        let label = block_label("chosen", Some(otherwise));
        let mut steps = TokenStream::new();
        for (condition, value) in conditions.iter().zip(values.by_ref()) {
            let condition = &condition.tokens;
            steps.extend(quote!(if #condition { break #label #value; }));
        }
        let otherwise = values.next();
        Ok(Piece::new(form, quote!(#label: { #steps #otherwise }))
            .fallible(fallible)
            .loose())
    }

    fn list(&mut self, elements: &[Element]) -> Result<Piece, Unsupported> {
        let pieces = elements
            .iter()
            .map(|element| self.piece(element.value))
            .collect::<Result<Vec<_>, _>>()?;
        let mut fallible = pieces.iter().any(|piece| piece.fallible);
        if elements.iter().all(|element| !element.optional) {
            let values = pieces
                .into_iter()
                .map(|piece| piece.into_form(Form::Value).tokens);
            let tokens = quote!(cel::List::from(Vec::from([#(#values),*])));
            return Ok(Piece::new(Form::List, tokens).fallible(fallible));
        }
        let mut steps = TokenStream::new();
        for (element, piece) in elements.iter().zip(pieces) {
            if element.optional {
                let mut arguments = Arguments::new(vec![piece]);
                let optional = arguments.optional(0);
                fallible |= arguments.gives(Form::Value, TokenStream::new()).fallible;
                steps.extend(quote!(built.extend((#optional).get());));
            } else {
                let value = piece.into_form(Form::Value).tokens;
                steps.extend(quote!(built.push(#value);));
            }
        }
        let tokens = quote!({ let mut built = Vec::new(); #steps cel::List::from(built) });
        Ok(Piece::new(Form::List, tokens).fallible(fallible).loose())
    }

    fn map(&mut self, entries: &[Entry]) -> Result<Piece, Unsupported> {
        let mut steps = TokenStream::new();
        for entry in entries {
            let pieces = vec![self.piece(entry.key)?, self.piece(entry.value)?];
            let mut arguments = Arguments::new(pieces);
            let key = arguments.value(0);
            steps.extend(if entry.optional {
                let value = arguments.value(1);
                quote!(built.insert_optional(#key, #value)?;)
            } else {
                let value = arguments.owned_value(1);
                quote!(built.insert(#key, #value)?;)
            });
        }
        let start = if entries.is_empty() {
            quote!(let built = cel::MapBuilder::new();)
        } else {
            quote!(let mut built = cel::MapBuilder::new();)
        };
        let tokens = quote!({ #start #steps built.build()? });
        Ok(Piece::new(Form::Map, tokens).fallible(true).loose())
    }
}
