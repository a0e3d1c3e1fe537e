//! Overload resolution: every signature that the arguments can have stays; the first gives the type of the call.

use indexmap::IndexMap;
use watershed_lang::ast::Expr;
use watershed_lang::span::{Name, Span};

use super::calls::Style;
use super::{Checker, Mode};
use crate::cel::declarations;
use crate::cel::environment::CustomOverload;
use crate::cel::error::CheckError;
use crate::cel::failure::Fails;
use crate::cel::macros;
use crate::cel::typed::{Callee, NodeId, NodeKind, Unresolved};
use crate::cel::types::Type;
use crate::cel::unify::Bindings;
use crate::level::Level;

/// A call that no overload takes.
pub(super) struct Call<'a> {
    /// Its name in the tables.
    pub(super) name: &'a str,
    pub(super) style: Style,
    /// Where the operator or the name stands.
    pub(super) name_span: Span,
    /// The whole call.
    pub(super) span: Span,
    /// The types of the arguments, the receiver first.
    pub(super) types: &'a [Type],
    /// The arguments as they were written, where they were.
    pub(super) sources: &'a [&'a Expr],
}

/// What a call turned out to be.
pub(super) struct Resolution {
    pub(super) callee: Callee,
    pub(super) ty: Type,
    /// How the functions of the environment fail; those of the language say so themselves.
    fails: Fails,
}

impl Checker<'_> {
    /// A call of an operator or a function of the language by its name in the tables.
    pub(super) fn resolved_call(
        &mut self,
        name: &str,
        args: Vec<NodeId>,
        name_span: Span,
        span: Span,
        sources: &[&Expr],
    ) -> NodeId {
        self.function_call(
            name,
            Style {
                member: false,
                rooted: false,
            },
            args,
            name_span,
            span,
            sources,
        )
    }

    /// A call of something that exists. `sources` are the arguments as they were written, where they were.
    pub(super) fn function_call(
        &mut self,
        name: &str,
        style: Style,
        args: Vec<NodeId>,
        name_span: Span,
        span: Span,
        sources: &[&Expr],
    ) -> NodeId {
        let types: Vec<Type> = args.iter().map(|arg| self.ty(*arg)).collect();
        if let Some(resolution) = self.resolve(name, style, &types) {
            return self.push_call(resolution, args, span);
        }
        if self.mode == Mode::Dynamic {
            return self.dynamic_call(name, style, args, span);
        }
        let call = Call {
            name,
            style,
            name_span,
            span,
            types: &types,
            sources,
        };
        let spans: Vec<Span> = args.iter().map(|arg| self.span(*arg)).collect();
        let error = self.refused(&call, &spans);
        self.wrong(error, span)
    }

    /// What is wrong with a call that no overload takes.
    fn refused(&mut self, call: &Call<'_>, spans: &[Span]) -> CheckError {
        let Call {
            name, style, types, ..
        } = *call;
        let accepted = self.accepted(name, style);
        if let (Some(wanted), false) = (macros::arguments_of(name), style.member) {
            return CheckError::MacroArguments {
                name: Name::new(name.to_owned(), call.name_span),
                wanted,
                given: types.len(),
            };
        }
        if accepted.is_empty() {
            let needs_receiver = !style.member;
            return CheckError::WrongStyle {
                name: Name::new(name.to_owned(), call.name_span),
                needs_receiver,
                mend: self.other_style(call),
            };
        }
        if accepted
            .iter()
            .all(|accepted| accepted.len() != types.len())
        {
            return CheckError::WrongArity {
                function: name.to_owned(),
                member: style.member,
                span: call.name_span,
                given: types.len().saturating_sub(usize::from(style.member)),
                accepted,
            };
        }
        if let Some(error) = self.record_among(call, spans) {
            return error;
        }
        if let ("!_", [ty], [operand]) = (name, types, call.sources) {
            return CheckError::NotBool {
                place: "!",
                ty: ty.clone(),
                span: operand.span,
                mend: self.bool_mend(operand, call.span, ty, true),
            };
        }
        CheckError::NoOverload {
            function: name.to_owned(),
            member: style.member,
            span: call.name_span,
            args: types.iter().cloned().zip(spans.iter().copied()).collect(),
            accepted,
            mend: self.mend(call),
        }
    }

    /// A record among the arguments that is read in place: no function takes it whole.
    fn record_among(&self, call: &Call<'_>, spans: &[Span]) -> Option<CheckError> {
        let position = call.types.iter().position(|ty| self.is_read_in_place(ty))?;
        let (Type::Record(name), span) = (call.types.get(position)?, spans.get(position)?) else {
            return None;
        };
        let record = self.environment.records.get(name)?;
        // An element of a list has no name here that its attributes could follow.
        let keyed = self.environment.variables.contains_key(name)
            && matches!(
                (call.name, position),
                ("_[_]" | "_[?_]", 0) | ("@in", 1) | ("size", 0)
            );
        Some(CheckError::record_alone(name, record, *span, keyed))
    }

    /// The same call with the types of its arguments forgotten.
    fn dynamic_call(&mut self, name: &str, style: Style, args: Vec<NodeId>, span: Span) -> NodeId {
        let args: Vec<NodeId> = args.into_iter().map(|arg| self.boxed(arg)).collect();
        let types = vec![Type::Dyn; args.len()];
        match self.resolve(name, style, &types) {
            Some(resolution) => self.push_call(resolution, args, span),
            None => self.push(NodeKind::Unresolved(Unresolved::Overload), Type::Dyn, span),
        }
    }

    fn push_call(&mut self, resolution: Resolution, args: Vec<NodeId>, span: Span) -> NodeId {
        let Resolution { callee, ty, fails } = resolution;
        self.push_read(
            NodeKind::Call { callee, args },
            ty,
            span,
            Level::Const,
            fails,
        )
    }

    /// Functions of the environment come first; when none of them fits, those of the language.
    pub(super) fn resolve(
        &mut self,
        name: &str,
        style: Style,
        types: &[Type],
    ) -> Option<Resolution> {
        self.resolve_custom(name, style, types)
            .or_else(|| self.resolve_language(name, style.member, types))
    }

    fn resolve_custom(&mut self, name: &str, style: Style, types: &[Type]) -> Option<Resolution> {
        let environment = self.environment;
        let function = environment.function(name, style.rooted)?;
        let mut found = Candidates::default();
        let mut fails = Fails::NEVER;
        for overload in function
            .overloads
            .iter()
            .filter(|overload| overload.member == style.member)
        {
            let (parameters, result) = instantiate(overload, &mut self.bindings);
            if self.bindings.are_assignable(types, &parameters) {
                fails = fails.or(overload.fails);
                found.add(overload.id, self.bindings.resolve(&result));
            }
        }
        let ty = found.ty?;
        Some(Resolution {
            callee: Callee::Custom(found.ids),
            ty,
            fails,
        })
    }

    fn resolve_language(&mut self, name: &str, member: bool, types: &[Type]) -> Option<Resolution> {
        let mut found = Candidates::default();
        for signature in
            declarations::signatures(name).filter(|signature| signature.member == member)
        {
            if signature.parameters.len() != types.len() {
                continue;
            }
            let (parameters, result) = signature.instantiate(&mut self.bindings);
            if self.bindings.are_assignable(types, &parameters) {
                found.add(signature.overload, self.bindings.resolve(&result));
            }
        }
        let ty = found.ty?;
        Some(Resolution {
            callee: Callee::Language(found.ids),
            ty,
            fails: Fails::NEVER,
        })
    }

    /// What would have been accepted, as the reference writes it.
    pub(super) fn accepted(&self, name: &str, style: Style) -> Vec<Vec<Type>> {
        let language = declarations::signatures(name)
            .filter(|signature| signature.member == style.member)
            .map(|signature| {
                signature
                    .parameters
                    .iter()
                    .map(|shape| shape.to_type())
                    .collect()
            });
        let custom = self.environment.function(name, style.rooted).into_iter();
        let custom = custom
            .flat_map(|function| &function.overloads)
            .filter(|overload| overload.member == style.member)
            .map(|overload| overload.parameters.clone());
        custom.chain(language).collect()
    }
}

/// The signatures that fit so far.
struct Candidates<I> {
    ids: Vec<I>,
    ty: Option<Type>,
}

impl<I> Default for Candidates<I> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            ty: None,
        }
    }
}

impl<I> Candidates<I> {
    /// Another one fits. When two do not agree on the type of the call, it is `dyn`.
    fn add(&mut self, id: I, ty: Type) {
        self.ids.push(id);
        self.ty = Some(match self.ty.take() {
            None => ty,
            Some(earlier) if earlier == ty => earlier,
            Some(_) => Type::Dyn,
        });
    }
}

/// Parameters and result with a fresh variable for each type parameter.
fn instantiate(overload: &CustomOverload, bindings: &mut Bindings) -> (Vec<Type>, Type) {
    let mut fresh = IndexMap::new();
    let parameters = overload
        .parameters
        .iter()
        .map(|ty| open(ty, &mut fresh, bindings))
        .collect();
    (parameters, open(&overload.result, &mut fresh, bindings))
}

fn open(ty: &Type, fresh: &mut IndexMap<String, Type>, bindings: &mut Bindings) -> Type {
    match ty {
        Type::Parameter(name) => fresh
            .entry(name.clone())
            .or_insert_with(|| bindings.fresh())
            .clone(),
        _ => ty.map_parameters(|parameter| open(parameter, fresh, bindings)),
    }
}
