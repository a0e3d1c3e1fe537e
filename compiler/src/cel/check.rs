//! From the syntax tree of an expression to the typed tree.
//!
//! In: an expression and an [`Environment`]. Out: a [`Tree`] and what is wrong, as data. Names and overloads are
//! resolved and types found in one walk, as the reference checker does it; then type variables are replaced, and
//! levels, failures and constants are found from the leaves up.
//!
//! The walk recurses once a level of the syntax tree, whose depth the parser bounds.

mod calls;
mod collections;
mod loops;
mod mend;
mod names;
mod overloads;

use watershed_lang::ast::{BinaryOp, Expr, ExprKind, Literal};
use watershed_lang::span::{Name, Span};

use super::environment::Environment;
use super::error::CheckError;
use super::failure::Fails;
use super::finish;
use super::typed::{Callee, Local, LocalId, LocalRole, Node, NodeId, NodeKind, Tree, Unresolved};
use super::types::Type;
use super::unify::Bindings;
use crate::arena::Arena;
use crate::cel::declarations::Overload;
use crate::level::Level;

/// How many parts a type may have. Types of real expressions have a handful; without a bound, nested maps of a
/// variable that is bound again and again would double with each binding.
const MAX_TYPE_PARTS: u32 = 512;

/// What to do where the types say that an expression cannot work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Report it. What programs get.
    #[default]
    Static,
    /// Leave it to the run, as CEL does when the checker is turned off: a mismatch is compared or refused by value, an
    /// unknown name or function always fails.
    Dynamic,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree; parts with a mistake are [`NodeKind::Error`].
    pub tree: Tree,
    /// What is wrong, in the order in which it was found.
    pub errors: Vec<CheckError>,
}

impl Checked {
    /// The type of the whole expression.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.tree.root_node().ty
    }
}

/// Checks an expression.
///
/// ```
/// use watershed_compiler::cel::check::{Mode, check};
/// use watershed_compiler::cel::environment::Environment;
/// use watershed_lang::diagnostic::Diagnostics;
/// use watershed_lang::parse::parse_expression;
/// use watershed_lang::span::FileId;
///
/// let expression = parse_expression(FileId(0), "[1, 2].map(x, x * 2)", &mut Diagnostics::new());
/// let checked = check(&expression, &Environment::default(), Mode::Static);
/// assert!(checked.errors.is_empty());
/// assert_eq!(checked.ty().to_string(), "list(int)");
/// ```
#[must_use]
pub fn check(expr: &Expr, environment: &Environment, mode: Mode) -> Checked {
    let mut checker = Checker {
        whole: expr,
        environment,
        mode,
        bindings: Bindings::default(),
        nodes: Arena::new(),
        locals: Arena::new(),
        scope: Vec::new(),
        errors: Vec::new(),
    };
    let root = checker.expr(expr);
    finish::finish(checker, root)
}

/// The state of one check.
pub(super) struct Checker<'a> {
    /// The expression that is checked.
    whole: &'a Expr,
    pub(super) environment: &'a Environment,
    pub(super) mode: Mode,
    pub(super) bindings: Bindings,
    pub(super) nodes: Arena<NodeId, Node>,
    pub(super) locals: Arena<LocalId, Local>,
    /// The variables that macros have made, innermost last.
    scope: Vec<LocalId>,
    pub(super) errors: Vec<CheckError>,
}

impl Checker<'_> {
    /// Checks an expression with everything below it.
    fn expr(&mut self, expr: &Expr) -> NodeId {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Literal(literal) => {
                let ty = type_of_literal(literal);
                self.push(NodeKind::Literal(literal.clone()), ty, span)
            }
            ExprKind::Ident { name, leading_dot } => {
                self.ident(&Name::new(name.clone(), span), *leading_dot)
            }
            ExprKind::Select {
                operand,
                field,
                optional,
                backticked,
            } => self.select(expr, operand, field, *optional, *backticked),
            ExprKind::Index {
                operand,
                index,
                optional,
            } => {
                let function = if *optional { "_[?_]" } else { "_[_]" };
                self.operator(function, index.span, &[operand, index], span)
            }
            ExprKind::Call { .. } => self.call(expr),
            ExprKind::Not { times, operand } => self.repeated("!_", *times, operand, span),
            ExprKind::Negate { times, operand } => self.repeated("-_", *times, operand, span),
            ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            } => self.operator(operator_name(*op), *op_span, &[left, right], span),
            ExprKind::And(operands) => self.logical(operands, span, "&&", NodeKind::And),
            ExprKind::Or(operands) => self.logical(operands, span, "||", NodeKind::Or),
            ExprKind::Conditional { arms, otherwise } => self.conditional(arms, otherwise, span),
            ExprKind::List(elements) => self.list(elements, span),
            ExprKind::Map(entries) => self.map(entries, span),
            ExprKind::Record { name, fields } => self.record(name, fields, span),
            ExprKind::Error => self.push(NodeKind::Error, Type::Error, span),
        }
    }

    /// Adds a node that reads nothing by itself and cannot fail by itself.
    fn push(&mut self, kind: NodeKind, ty: Type, span: Span) -> NodeId {
        self.push_read(kind, ty, span, Level::Const, Fails::NEVER)
    }

    /// Adds a node with what it reads and how it fails by itself; its operands are counted in later.
    fn push_read(
        &mut self,
        kind: NodeKind,
        ty: Type,
        span: Span,
        level: Level,
        fails: Fails,
    ) -> NodeId {
        let ty = if self.bindings.is_larger_than(&ty, MAX_TYPE_PARTS) {
            self.errors.push(CheckError::TypeTooLarge { span });
            Type::Error
        } else {
            ty
        };
        self.nodes.push(Node {
            kind,
            ty,
            span,
            level,
            fails,
            constant: None,
        })
    }

    /// Reports a mistake and stands in for the expression.
    fn wrong(&mut self, error: CheckError, span: Span) -> NodeId {
        self.errors.push(error);
        self.push(NodeKind::Error, Type::Error, span)
    }

    /// Reports a mistake, unless it is left to the run.
    fn wrong_or_dynamic(
        &mut self,
        why: Unresolved,
        span: Span,
        error: impl FnOnce() -> CheckError,
    ) -> NodeId {
        match self.mode {
            Mode::Static => self.wrong(error(), span),
            Mode::Dynamic => self.push(NodeKind::Unresolved(why), Type::Dyn, span),
        }
    }

    /// The type that a node has so far.
    fn ty(&self, id: NodeId) -> Type {
        self.bindings.resolve(&self.nodes.at(id).ty)
    }

    fn span(&self, id: NodeId) -> Span {
        self.nodes.at(id).span
    }

    /// The same value with its type forgotten.
    fn boxed(&mut self, id: NodeId) -> NodeId {
        if self.ty(id).is_open() {
            return id;
        }
        let callee = Callee::Language(vec![Overload::ToDyn]);
        self.push(
            NodeKind::Call {
                callee,
                args: vec![id],
            },
            Type::Dyn,
            self.span(id),
        )
    }

    /// A value where a `bool` is wanted; `source` is how it was written.
    fn boolean(&mut self, id: NodeId, place: &'static str, source: &Expr) -> NodeId {
        let ty = self.ty(id);
        if self.bindings.is_assignable(&ty, &Type::Bool) {
            return id;
        }
        if self.mode == Mode::Dynamic {
            return self.boxed(id);
        }
        // That a record is used whole is said at the end, where it stands.
        if !self.is_read_in_place(&ty) {
            let mend = self.bool_mend(source, source.span, &ty, false);
            self.errors.push(CheckError::NotBool {
                place,
                ty,
                span: self.span(id),
                mend,
            });
        }
        id
    }

    /// Whether the type is a record that is read from bytes, so that it is no value.
    fn is_read_in_place(&self, ty: &Type) -> bool {
        match ty {
            Type::Record(name) => {
                let record = self.environment.records.get(name);
                record.is_some_and(|record| !record.is_value)
            }
            _ => false,
        }
    }

    /// Makes a variable and brings it into scope.
    fn declare(&mut self, name: String, ty: Type, source: NodeId, role: LocalRole) -> LocalId {
        let local = self.locals.push(Local {
            name,
            ty,
            source,
            role,
        });
        self.scope.push(local);
        local
    }

    /// `!!!x` is `!x`, and `!!x` stays two: it is `x` only when `x` is of the right type. `--x` can overflow.
    fn repeated(
        &mut self,
        function: &'static str,
        times: u32,
        operand: &Expr,
        span: Span,
    ) -> NodeId {
        let once = self.operator(function, span, &[operand], span);
        if times.is_multiple_of(2) && times > 0 {
            return self.resolved_call(function, vec![once], span, span, &[operand]);
        }
        once
    }
}

fn type_of_literal(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) | Literal::Size(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
        Literal::Duration(_) => Type::Duration,
    }
}

/// The name by which the tables know the operator.
const fn operator_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "_+_",
        BinaryOp::Subtract => "_-_",
        BinaryOp::Multiply => "_*_",
        BinaryOp::Divide => "_/_",
        BinaryOp::Remainder => "_%_",
        BinaryOp::Equal => "_==_",
        BinaryOp::NotEqual => "_!=_",
        BinaryOp::Less => "_<_",
        BinaryOp::LessEqual => "_<=_",
        BinaryOp::Greater => "_>_",
        BinaryOp::GreaterEqual => "_>=_",
        BinaryOp::In => "@in",
    }
}
