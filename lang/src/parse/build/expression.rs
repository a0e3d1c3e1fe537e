//! Expressions: the flat lists of the grammar become a tree by precedence, without recursion once a link.
//!
//! No tree that leaves here is deeper than [`MAX_DEPTH`], counted in nodes. So walks of later stages, and dropping
//! the tree, may recurse.

use pest::iterators::{Pair, Pairs};

use super::precedence::Precedence;
use super::{Builder, SYNTAX_WORDS};
use crate::ast::{Expr, ExprKind, RecordField};
use crate::parse::MAX_DEPTH;
use crate::parse::error::{Role, SyntaxError};
use crate::parse::grammar::Rule;
use crate::span::{Name, Span, Spanned};

/// An expression while its tree is made.
pub(super) struct Node {
    pub(super) expr: Expr,
    /// How many nodes stand on the longest way down, this one included.
    pub(super) depth: u32,
    /// The span with the parentheses around it, so that `(a) + b` starts at `(`.
    pub(super) outer: Span,
}

impl Builder<'_> {
    /// Builds an `expression` pair.
    pub(in crate::parse) fn expression(&mut self, pair: Pair<'_, Rule>) -> Expr {
        self.conditional(pair).expr
    }

    /// A node above others, whose depths are `below`.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span, below: u32) -> Node {
        let depth = below + 1;
        if depth > MAX_DEPTH {
            // Once is enough: what is left of a long chain would be too deep again and again.
            if !std::mem::replace(&mut self.too_deep, true) {
                self.errors
                    .push(SyntaxError::ExpressionTooDeep { expression: span });
            }
            return Node {
                expr: Self::error_expression(span),
                depth: 1,
                outer: span,
            };
        }
        Node {
            expr: Expr { kind, span },
            depth,
            outer: span,
        }
    }

    /// `c1 ? a1 : c2 ? a2 : otherwise`, or what stands without `?`.
    pub(super) fn conditional(&mut self, pair: Pair<'_, Rule>) -> Node {
        let span = self.span(&pair);
        let mut parts: Vec<Node> = pair.into_inner().map(|part| self.binary(part)).collect();
        let Some(otherwise) = parts.pop() else {
            return self.node(ExprKind::Error, span, 0);
        };
        if parts.is_empty() {
            return otherwise;
        }
        let depth = parts
            .iter()
            .map(|part| part.depth)
            .max()
            .unwrap_or(0)
            .max(otherwise.depth);
        let mut arms = Vec::with_capacity(parts.len() / 2);
        let mut parts = parts.into_iter();
        while let (Some(condition), Some(value)) = (parts.next(), parts.next()) {
            arms.push((condition.expr, value.expr));
        }
        self.node(
            ExprKind::Conditional {
                arms,
                otherwise: Box::new(otherwise.expr),
            },
            span,
            depth,
        )
    }

    /// Operands and operators in the order of the text.
    fn binary(&mut self, pair: Pair<'_, Rule>) -> Node {
        let mut precedence = Precedence::default();
        for part in pair.into_inner() {
            if part.as_rule() == Rule::operator {
                let span = self.span(&part);
                precedence.operator(self, part.as_str(), span);
            } else {
                let operand = self.unary(part);
                precedence.operands.push(operand);
            }
        }
        precedence.finish(self)
    }

    /// Signs, a primary and what hangs on it.
    fn unary(&mut self, pair: Pair<'_, Rule>) -> Node {
        let outer = self.span(&pair);
        let mut signs = 0;
        let mut negates = false;
        let mut operand: Option<Node> = None;
        for part in pair.into_inner() {
            operand = match (part.as_rule(), operand) {
                (Rule::not, none) => {
                    signs += 1;
                    none
                }
                (Rule::minus, none) => {
                    signs += 1;
                    negates = true;
                    none
                }
                (_, None) => Some(self.primary(part)),
                (Rule::index, Some(operand)) => Some(self.index(operand, part, outer)),
                (Rule::fields, Some(operand)) => Some(self.record(operand, part, outer)),
                (_, Some(operand)) => Some(self.select(operand, part, outer)),
            };
        }
        let Some(operand) = operand else {
            return self.node(ExprKind::Error, outer, 0);
        };
        if signs == 0 {
            return Node { outer, ..operand };
        }
        let (depth, inner) = (operand.depth, Box::new(operand.expr));
        let kind = if negates {
            ExprKind::Negate {
                times: signs,
                operand: inner,
            }
        } else {
            ExprKind::Not {
                times: signs,
                operand: inner,
            }
        };
        self.node(kind, outer, depth)
    }

    /// `operand[index]`; `outer` begins where the whole operand begins.
    fn index(&mut self, operand: Node, pair: Pair<'_, Rule>, outer: Span) -> Node {
        let span = self.span_through(&operand, outer, self.span(&pair));
        let mut optional = false;
        let mut index = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::optional => optional = true,
                _ => index = Some(self.conditional(part)),
            }
        }
        let Some(index) = index else { return operand };
        let depth = operand.depth.max(index.depth);
        let kind = ExprKind::Index {
            operand: Box::new(operand.expr),
            index: Box::new(index.expr),
            optional,
        };
        self.node(kind, span, depth)
    }

    /// `operand.field`, `operand.?field` or `operand.method(…)`.
    fn select(&mut self, operand: Node, pair: Pair<'_, Rule>, outer: Span) -> Node {
        let span = self.span_through(&operand, outer, self.span(&pair));
        let mut optional = false;
        let mut backticked = false;
        let mut field = Spanned::new(String::new(), span);
        let mut args = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::optional => optional = true,
                Rule::arguments => args = Some(self.list_of(part.into_inner())),
                rule => {
                    backticked = rule == Rule::backticked;
                    field = self.field(&part);
                }
            }
        }
        let receiver = Box::new(operand.expr);
        let Some((args, deepest)) = args else {
            let kind = ExprKind::Select {
                operand: receiver,
                field,
                optional,
                backticked,
            };
            return self.node(kind, span, operand.depth);
        };
        let kind = ExprKind::Call {
            receiver: Some(receiver),
            function: field,
            leading_dot: false,
            args,
        };
        self.node(kind, span, operand.depth.max(deepest))
    }

    /// The span from the start of an operand, its parentheses and no signs included, to the end of `last`.
    fn span_through(&self, operand: &Node, outer: Span, last: Span) -> Span {
        // Only the first operand of a chain can have parentheses; signs stand before it in `outer`.
        let signed = self.source.text_at(outer.start).starts_with(['!', '-'])
            && outer.start != operand.outer.start;
        let start = if signed { operand.outer } else { outer };
        Span {
            end: last.end,
            ..start.to(operand.outer)
        }
    }

    /// A field's name without its backticks.
    fn field(&mut self, pair: &Pair<'_, Rule>) -> Name {
        let name = self.name(pair);
        if SYNTAX_WORDS.contains(&name.value.as_str()) {
            self.reserved(&name, Role::Field);
        }
        Spanned::new(name.value.trim_matches('`').to_owned(), name.span)
    }

    /// Expressions side by side, and the depth of the deepest.
    pub(super) fn list_of(&mut self, pairs: Pairs<'_, Rule>) -> (Vec<Expr>, u32) {
        let mut deepest = 0;
        let expressions = pairs.map(|pair| {
            let node = self.conditional(pair);
            deepest = deepest.max(node.depth);
            node.expr
        });
        (expressions.collect(), deepest)
    }

    /// `Quote{field: value}`; the name of the type was read as an expression.
    fn record(&mut self, operand: Node, pair: Pair<'_, Rule>, outer: Span) -> Node {
        let span = self.span_through(&operand, outer, self.span(&pair));
        let mut deepest = 0;
        let mut fields = Vec::new();
        for part in pair.into_inner() {
            let mut parts = part.into_inner().peekable();
            let optional = parts
                .next_if(|part| part.as_rule() == Rule::optional)
                .is_some();
            if let (Some(field), Some(value)) = (parts.next(), parts.next()) {
                let (field, value) = (self.field(&field), self.conditional(value));
                deepest = deepest.max(value.depth);
                fields.push(RecordField {
                    optional,
                    name: field,
                    value: value.expr,
                });
            }
        }
        let Some(name) = type_name(&operand.expr) else {
            self.errors.push(SyntaxError::FieldsWithoutType {
                operand: operand.outer,
            });
            return self.node(ExprKind::Error, span, 0);
        };
        self.node(
            ExprKind::Record {
                name: Spanned::new(name, operand.outer),
                fields,
            },
            span,
            deepest,
        )
    }
}

/// The dotted name that an expression is, if it is one.
fn type_name(mut expr: &Expr) -> Option<String> {
    let mut parts = Vec::new();
    loop {
        match &expr.kind {
            ExprKind::Select {
                operand,
                field,
                optional: false,
                backticked: false,
            } => {
                parts.push(field.value.as_str());
                expr = operand;
            }
            ExprKind::Ident { name, leading_dot } => {
                parts.push(name);
                parts.reverse();
                return Some(format!(
                    "{}{}",
                    if *leading_dot { "." } else { "" },
                    parts.join(".")
                ));
            }
            _ => return None,
        }
    }
}
