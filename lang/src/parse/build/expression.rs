//! Expressions: the flat lists of the grammar become a tree by precedence, without recursion once a link.
//!
//! No tree that leaves here is deeper than [`MAX_DEPTH`], counted in nodes. So walks of later stages, and dropping
//! the tree, may recurse.

use pest::iterators::{Pair, Pairs};

use super::{Builder, RESERVED, SYNTAX_WORDS};
use crate::ast::{BinaryOp, Expr, ExprKind, ListElement, Literal, MapEntry, RecordField};
use crate::parse::MAX_DEPTH;
use crate::parse::error::{Role, SyntaxError};
use crate::parse::grammar::Rule;
use crate::span::{Name, Span, Spanned};

/// An expression while its tree is made.
struct Node {
    expr: Expr,
    /// How many nodes stand on the longest way down, this one included.
    depth: u32,
    /// The span with the parentheses around it, so that `(a) + b` starts at `(`.
    outer: Span,
}

impl Builder<'_> {
    /// Builds an `expression` pair.
    pub(in crate::parse) fn expression(&mut self, pair: Pair<'_, Rule>) -> Expr {
        self.conditional(pair).expr
    }

    /// A node above others, whose depths are `below`.
    fn node(&mut self, kind: ExprKind, span: Span, below: u32) -> Node {
        let depth = below + 1;
        if depth > MAX_DEPTH {
            self.errors
                .push(SyntaxError::ExpressionTooDeep { expression: span });
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
    fn conditional(&mut self, pair: Pair<'_, Rule>) -> Node {
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
            self.errors.push(SyntaxError::ReservedWord {
                word: name.clone(),
                role: Role::Field,
            });
        }
        Spanned::new(name.value.trim_matches('`').to_owned(), name.span)
    }

    fn list_of(&mut self, pairs: Pairs<'_, Rule>) -> (Vec<Expr>, u32) {
        let mut deepest = 0;
        let expressions = pairs.map(|pair| {
            let node = self.conditional(pair);
            deepest = deepest.max(node.depth);
            node.expr
        });
        (expressions.collect(), deepest)
    }

    fn primary(&mut self, pair: Pair<'_, Rule>) -> Node {
        let span = self.span(&pair);
        match pair.as_rule() {
            // The parentheses have no pair of their own.
            Rule::expression => self.conditional(pair),
            Rule::list => self.list(pair, span),
            Rule::map => self.map(pair, span),
            Rule::record => self.record(pair, span),
            Rule::name => self.variable_or_call(pair, span),
            Rule::constant => {
                let literal = match pair.as_str() {
                    "true" => Literal::Bool(true),
                    "false" => Literal::Bool(false),
                    _ => Literal::Null,
                };
                self.node(ExprKind::Literal(literal), span, 0)
            }
            Rule::string => {
                let kind = self.string(pair.as_str(), span);
                self.node(kind, span, 0)
            }
            _ => {
                let kind = self.number(pair);
                self.node(kind, span, 0)
            }
        }
    }

    fn variable_or_call(&mut self, pair: Pair<'_, Rule>, span: Span) -> Node {
        let mut leading_dot = false;
        let mut name = Spanned::new(String::new(), span);
        let mut args = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::leading_dot => leading_dot = true,
                Rule::arguments => args = Some(self.list_of(part.into_inner())),
                _ => name = self.name(&part),
            }
        }
        if RESERVED.contains(&name.value.as_str()) {
            self.errors.push(SyntaxError::ReservedWord {
                word: name.clone(),
                role: Role::Variable,
            });
        }
        let Some((args, deepest)) = args else {
            return self.node(
                ExprKind::Ident {
                    name: name.value,
                    leading_dot,
                },
                span,
                0,
            );
        };
        self.node(
            ExprKind::Call {
                receiver: None,
                function: name,
                leading_dot,
                args,
            },
            span,
            deepest,
        )
    }

    fn list(&mut self, pair: Pair<'_, Rule>, span: Span) -> Node {
        let mut deepest = 0;
        let mut elements = Vec::new();
        for element in pair.into_inner() {
            let mut optional = false;
            for part in element.into_inner() {
                if part.as_rule() == Rule::optional {
                    optional = true;
                } else {
                    let value = self.conditional(part);
                    deepest = deepest.max(value.depth);
                    elements.push(ListElement {
                        optional,
                        value: value.expr,
                    });
                }
            }
        }
        self.node(ExprKind::List(elements), span, deepest)
    }

    fn map(&mut self, pair: Pair<'_, Rule>, span: Span) -> Node {
        let mut deepest = 0;
        let mut entries = Vec::new();
        for entry in pair.into_inner() {
            let mut parts = entry.into_inner().peekable();
            let optional = parts
                .next_if(|part| part.as_rule() == Rule::optional)
                .is_some();
            if let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                let (key, value) = (self.conditional(key), self.conditional(value));
                deepest = deepest.max(key.depth).max(value.depth);
                entries.push(MapEntry {
                    optional,
                    key: key.expr,
                    value: value.expr,
                });
            }
        }
        self.node(ExprKind::Map(entries), span, deepest)
    }

    fn record(&mut self, pair: Pair<'_, Rule>, span: Span) -> Node {
        let mut deepest = 0;
        let mut name = Spanned::new(String::new(), span);
        let mut fields = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() == Rule::type_name {
                // White space between the parts means nothing, so it does not belong to the name.
                let written = part
                    .clone()
                    .into_inner()
                    .map(|word| word.as_str())
                    .collect::<Vec<_>>();
                let dotted = written.join(".").replacen(
                    "..",
                    ".",
                    usize::from(written.first() == Some(&".")),
                );
                name = Spanned::new(dotted, self.span(&part));
                continue;
            }
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
        self.node(ExprKind::Record { name, fields }, span, deepest)
    }
}

/// Orders a flat list of operands and operators; at most three binary operators wait at any time.
#[derive(Default)]
struct Precedence {
    ors: Vec<Node>,
    ands: Vec<Node>,
    operands: Vec<Node>,
    operators: Vec<(BinaryOp, Span)>,
}

impl Precedence {
    fn operator(&mut self, builder: &mut Builder<'_>, text: &str, span: Span) {
        match binary_operator(text) {
            Some(operator) => {
                self.reduce(builder, strength(operator));
                self.operators.push((operator, span));
            }
            None => {
                self.end_and_operand(builder);
                if text == "||" {
                    self.end_or_operand(builder);
                }
            }
        }
    }

    /// Applies the waiting operators that bind at least as strongly as `strength`.
    fn reduce(&mut self, builder: &mut Builder<'_>, least: u8) {
        while let Some((op, op_span)) = self.operators.pop_if(|(op, _)| strength(*op) >= least) {
            let (Some(right), Some(left)) = (self.operands.pop(), self.operands.pop()) else {
                return;
            };
            let depth = left.depth.max(right.depth);
            let span = left.outer.to(right.outer);
            let (left, right) = (Box::new(left.expr), Box::new(right.expr));
            let node = builder.node(
                ExprKind::Binary {
                    op,
                    op_span,
                    left,
                    right,
                },
                span,
                depth,
            );
            self.operands.push(node);
        }
    }

    fn end_and_operand(&mut self, builder: &mut Builder<'_>) {
        self.reduce(builder, 0);
        self.ands.append(&mut self.operands);
    }

    fn end_or_operand(&mut self, builder: &mut Builder<'_>) {
        let ands = std::mem::take(&mut self.ands);
        let node = flat(builder, ands, ExprKind::And);
        self.ors.push(node);
    }

    fn finish(mut self, builder: &mut Builder<'_>) -> Node {
        self.end_and_operand(builder);
        self.end_or_operand(builder);
        flat(builder, self.ors, ExprKind::Or)
    }
}

/// One operand as it is, several as the list that `kind` makes.
fn flat(
    builder: &mut Builder<'_>,
    mut operands: Vec<Node>,
    kind: fn(Vec<Expr>) -> ExprKind,
) -> Node {
    let Some(last) = operands.pop() else {
        return builder.node(ExprKind::Error, Span::default(), 0);
    };
    let Some(first) = operands.first().map(|first| first.outer) else {
        return last;
    };
    let span = first.to(last.outer);
    let depth = operands
        .iter()
        .map(|operand| operand.depth)
        .fold(last.depth, u32::max);
    let mut list: Vec<Expr> = operands.into_iter().map(|operand| operand.expr).collect();
    list.push(last.expr);
    builder.node(kind(list), span, depth)
}

/// The operator that `text` is, unless it is `&&` or `||`.
fn binary_operator(text: &str) -> Option<BinaryOp> {
    Some(match text {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        "%" => BinaryOp::Remainder,
        "==" => BinaryOp::Equal,
        "!=" => BinaryOp::NotEqual,
        "<" => BinaryOp::Less,
        "<=" => BinaryOp::LessEqual,
        ">" => BinaryOp::Greater,
        ">=" => BinaryOp::GreaterEqual,
        "in" => BinaryOp::In,
        _ => return None,
    })
}

/// How strongly an operator binds; all are left-associative.
const fn strength(operator: BinaryOp) -> u8 {
    match operator {
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 3,
        BinaryOp::Add | BinaryOp::Subtract => 2,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual
        | BinaryOp::In => 1,
    }
}
