//! The order of binary operators: a flat list of operands and operators becomes a tree.

use super::Builder;
use super::expression::Node;
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::span::Span;

/// Orders a flat list of operands and operators; at most three binary operators wait at any time.
#[derive(Default)]
pub(super) struct Precedence {
    ors: Vec<Node>,
    ands: Vec<Node>,
    /// What stands behind the last operator that waits, and before it.
    pub(super) operands: Vec<Node>,
    operators: Vec<(BinaryOp, Span)>,
}

impl Precedence {
    /// Takes the next operator; its right operand follows.
    pub(super) fn operator(&mut self, builder: &mut Builder<'_>, text: &str, span: Span) {
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

    /// The tree of everything taken.
    pub(super) fn finish(mut self, builder: &mut Builder<'_>) -> Node {
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
