//! The type, level and totality of each expression, from its parts upwards.
//!
//! In: one expression tree. Out: a row of the table for each of its nodes. The rules are those of CEL with gradual
//! `dyn`: what is known to be wrong is an error, what may be wrong makes the expression one that can fail. Trees
//! are at most a few hundred deep (the resolver sees to it), so recursion is safe.

use watershed_lang::span::Span;

use super::Checker;
use super::constant::Constant;
use super::evaluate;
use super::type_error::{Rewrite, TypeError};
use super::types::{Fails, Failure, Level, Type, Typed};
use crate::hir::{ConfigType, ExprId, ExprKind, Literal};
use crate::resolve::NotSupportedYet;

impl Checker<'_> {
    /// Fills in the rows of an expression and of everything below it.
    pub(super) fn infer(&mut self, id: ExprId) {
        let program = self.program;
        let expr = program.exprs.at(id);
        for child in expr.kind.children() {
            self.infer(child);
            self.refuse_secret(child);
        }
        let typed = self.node(id, &expr.kind);
        let typed = self.settle(typed, expr.span);
        *self.table.exprs.at_mut(id) = typed;
    }

    fn node(&mut self, id: ExprId, kind: &ExprKind) -> Typed {
        match kind {
            ExprKind::Literal(value) => literal(value),
            ExprKind::Const(constant) => self
                .table
                .get(self.program.consts.at(*constant).value)
                .clone(),
            ExprKind::Config(config) => Typed {
                ty: config_type(self.program.configs.at(*config).ty),
                level: Level::Config,
                fails: Fails::NEVER,
                constant: None,
            },
            ExprKind::Predicate(predicate) => self
                .table
                .get(self.program.predicates.at(*predicate).value)
                .clone(),
            ExprKind::Field(field) => Typed {
                level: field.level(),
                ..Typed::total(field.ty())
            },
            ExprKind::HasField(field) => Typed {
                level: field.level(),
                ..Typed::total(Type::Bool)
            },
            ExprKind::Index {
                operand,
                index,
                optional,
            } => self.index(*operand, *index, *optional),
            ExprKind::Has { operand, key } => self.has(*operand, *key),
            ExprKind::Call {
                function,
                function_span,
                args,
            } => self.call(id, *function, *function_span, args),
            ExprKind::Not(operand) => self.not(*operand),
            ExprKind::Negate(operand) => self.negate(id, *operand),
            ExprKind::Arithmetic {
                op,
                op_span,
                left,
                right,
            } => self.arithmetic(id, *op, *op_span, *left, *right),
            ExprKind::Compare {
                op,
                op_span,
                left,
                right,
            } => self.compare(*op, *op_span, *left, *right),
            ExprKind::In {
                op_span,
                element,
                container,
            } => self.contained(id, *op_span, *element, *container),
            ExprKind::And(operands) => self.logic("&&", operands, false),
            ExprKind::Or(operands) => self.logic("||", operands, true),
            ExprKind::Conditional { arms, otherwise } => self.conditional(arms, *otherwise),
            ExprKind::List(elements) => self.list(elements),
            ExprKind::Error => Typed::ERROR,
        }
    }

    /// A constant that fails or grows too large is reported where it arises, and nowhere else.
    fn settle(&mut self, typed: Typed, span: Span) -> Typed {
        match &typed.constant {
            Some(Constant::Failed(failure)) => {
                self.report(TypeError::ConstantFails {
                    failure: *failure,
                    span,
                });
                Typed::ERROR
            }
            Some(constant) if !evaluate::fits(constant) => {
                self.report(TypeError::ConstantTooLarge { span });
                Typed::ERROR
            }
            Some(_) => Typed {
                fails: Fails::NEVER,
                ..typed
            },
            None => typed,
        }
    }

    /// Secrets are values of options, never operands.
    fn refuse_secret(&mut self, child: ExprId) {
        if self.table.exprs.at(child).ty == Type::Secret {
            let span = self.span(child);
            self.report(TypeError::SecretRead { span });
            *self.table.exprs.at_mut(child) = Typed::ERROR;
        }
    }

    /// What an operation on these parts has, apart from its own failures: the deepest level and every failure.
    pub(super) fn over(&self, parts: &[ExprId], ty: Type) -> Typed {
        let mut typed = Typed::total(ty);
        for part in parts {
            let part = self.table.get(*part);
            typed.level = typed.level.max(part.level);
            typed.fails = typed.fails.or(part.fails);
        }
        typed
    }

    /// Whether a mistake below has been reported, so that nothing more can be said.
    pub(super) fn any_error(&self, parts: &[ExprId]) -> bool {
        parts
            .iter()
            .any(|part| *self.table.ty(*part) == Type::Error)
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.program.exprs.at(id).span
    }

    /// Reports a form that is not compiled yet.
    pub(super) fn later(&mut self, what: impl Into<String>, span: Span) -> Typed {
        self.report(NotSupportedYet {
            what: what.into(),
            span,
        });
        Typed::ERROR
    }

    fn not(&mut self, operand: ExprId) -> Typed {
        match self.table.ty(operand).clone() {
            Type::Error => Typed::ERROR,
            Type::Bool => {
                let constant = match self.table.constant(operand) {
                    Some(Constant::Bool(value)) => Some(Constant::Bool(!value)),
                    _ => None,
                };
                Typed {
                    constant,
                    ..self.over(&[operand], Type::Bool)
                }
            }
            Type::Dyn => self
                .over(&[operand], Type::Bool)
                .failing(Failure::WrongType),
            other => self.no_overload("!", vec![other], self.span(operand), None),
        }
    }

    /// `&&` and `||`: one operand with the absorbing value decides, whatever the others do.
    fn logic(&mut self, operation: &'static str, operands: &[ExprId], absorbing: bool) -> Typed {
        let mut typed = self.over(operands, Type::Bool);
        let mut known = Some(!absorbing);
        for operand in operands {
            match self.table.ty(*operand).clone() {
                Type::Bool | Type::Error => {}
                Type::Dyn => typed = typed.failing(Failure::WrongType),
                other => {
                    let span = self.span(*operand);
                    let rewrite = self.bool_form(*operand);
                    self.no_overload(operation, vec![other], span, rewrite);
                    return Typed::ERROR;
                }
            }
            match self.table.constant(*operand) {
                Some(Constant::Bool(value)) if *value == absorbing => {
                    return Typed {
                        constant: Some(Constant::Bool(absorbing)),
                        ..typed
                    };
                }
                Some(Constant::Bool(_)) => {}
                _ => known = None,
            }
        }
        if self.any_error(operands) {
            return Typed {
                ty: Type::Bool,
                ..Typed::ERROR
            };
        }
        Typed {
            constant: known.map(Constant::Bool),
            ..typed
        }
    }

    fn conditional(&mut self, arms: &[(ExprId, ExprId)], otherwise: ExprId) -> Typed {
        for (condition, _) in arms {
            match self.table.ty(*condition).clone() {
                Type::Bool | Type::Dyn | Type::Error => {}
                other => {
                    let span = self.span(*condition);
                    let rewrite = self.bool_form(*condition);
                    return self.no_overload("?:", vec![other], span, rewrite);
                }
            }
        }
        let values: Vec<_> = arms
            .iter()
            .map(|(_, value)| *value)
            .chain([otherwise])
            .collect();
        let Some(ty) = self.common_type(&values) else {
            return Typed::ERROR;
        };
        let parts: Vec<_> = arms
            .iter()
            .flat_map(|(condition, value)| [*condition, *value])
            .chain([otherwise])
            .collect();
        if self.any_error(&parts) {
            return Typed::ERROR;
        }
        let mut typed = self.over(&parts, ty);
        if arms
            .iter()
            .any(|(condition, _)| *self.table.ty(*condition) == Type::Dyn)
        {
            typed = typed.failing(Failure::WrongType);
        }
        Typed {
            constant: self.chosen(arms, otherwise),
            ..typed
        }
    }

    /// The value of a conditional whose conditions are known.
    fn chosen(&self, arms: &[(ExprId, ExprId)], otherwise: ExprId) -> Option<Constant> {
        for (condition, value) in arms {
            match self.table.constant(*condition)? {
                Constant::Bool(true) => return self.table.constant(*value).cloned(),
                Constant::Bool(false) => {}
                _ => return None,
            }
        }
        self.table.constant(otherwise).cloned()
    }

    /// The type that all values share; `dyn` when one of them is. Reports the first that differs.
    fn common_type(&mut self, values: &[ExprId]) -> Option<Type> {
        let first = *values.first()?;
        let first_type = self.table.ty(first).clone();
        let mut open = first_type.is_open();
        for value in values.iter().skip(1) {
            let ty = self.table.ty(*value).clone();
            open |= ty.is_open();
            if !open && ty != first_type {
                self.report(TypeError::BranchesDiffer {
                    first: first_type,
                    first_span: self.span(first),
                    other: ty,
                    other_span: self.span(*value),
                });
                return None;
            }
        }
        Some(if open { Type::Dyn } else { first_type })
    }

    fn list(&mut self, elements: &[ExprId]) -> Typed {
        if self.any_error(elements) {
            return Typed::ERROR;
        }
        let mut types = elements
            .iter()
            .map(|element| self.table.ty(*element).clone());
        let first = types.next().unwrap_or(Type::Dyn);
        let element = if types.all(|ty| ty == first) {
            first
        } else {
            Type::Dyn
        };
        let constants: Option<Vec<_>> = elements
            .iter()
            .map(|element| self.table.constant(*element).cloned())
            .collect();
        Typed {
            constant: constants.map(Constant::List),
            ..self.over(elements, Type::List(Box::new(element)))
        }
    }

    /// Reports an operation between types that it does not take.
    pub(super) fn no_overload(
        &mut self,
        operation: &'static str,
        found: Vec<Type>,
        span: Span,
        rewrite: Option<Rewrite>,
    ) -> Typed {
        self.report(TypeError::NoOverload {
            operation,
            found,
            span,
            operand: None,
            rewrite,
            help: None,
        });
        Typed::ERROR
    }
}

impl Typed {
    /// A value of this type that nothing is known of and that cannot fail.
    pub(super) const fn total(ty: Type) -> Self {
        Self {
            ty,
            level: Level::Const,
            fails: Fails::NEVER,
            constant: None,
        }
    }

    /// The same, with one more reason to fail.
    pub(super) fn failing(mut self, failure: Failure) -> Self {
        self.fails = self.fails.or(Fails::because(failure));
        self
    }
}

fn literal(value: &Literal) -> Typed {
    let constant = match value {
        Literal::Null => Constant::Null,
        Literal::Bool(value) => Constant::Bool(*value),
        Literal::Int(value) => Constant::Int(*value),
        Literal::Uint(value) => Constant::Uint(*value),
        Literal::Double(value) => Constant::Double(*value),
        Literal::String(value) => Constant::String(value.clone()),
        Literal::Bytes(value) => Constant::Bytes(value.clone()),
        Literal::Duration(nanoseconds) => Constant::Duration(*nanoseconds),
        Literal::Size(bytes) => match i64::try_from(*bytes) {
            Ok(bytes) => Constant::Int(bytes),
            Err(_) => Constant::Failed(Failure::Overflow),
        },
    };
    Typed {
        ty: constant.ty(),
        constant: Some(constant),
        ..Typed::ERROR
    }
}

/// The type of a `config` in expressions: sizes are numbers.
pub(super) fn config_type(ty: ConfigType) -> Type {
    match ty {
        ConfigType::String => Type::String,
        ConfigType::Int | ConfigType::Bytes => Type::Int,
        ConfigType::Double => Type::Double,
        ConfigType::Bool => Type::Bool,
        ConfigType::Duration => Type::Duration,
        ConfigType::Secret => Type::Secret,
    }
}
