//! The smallest expressions: literals, names, calls of functions, lists and maps.

use pest::iterators::Pair;

use super::expression::Node;
use super::{Builder, RESERVED};
use crate::ast::{ExprKind, ListElement, Literal, MapEntry};
use crate::parse::error::Role;
use crate::parse::grammar::Rule;
use crate::span::{Span, Spanned};

impl Builder<'_> {
    /// Builds what signs, fields and indices hang on.
    pub(super) fn primary(&mut self, pair: Pair<'_, Rule>) -> Node {
        let span = self.span(&pair);
        match pair.as_rule() {
            // The parentheses have no pair of their own.
            Rule::expression => self.conditional(pair),
            Rule::list => self.list(pair, span),
            Rule::map => self.map(pair, span),
            Rule::name => self.variable_or_call(pair, span),
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
        match (constant(&name.value), args.is_some() || leading_dot) {
            (Some(literal), false) => return self.node(ExprKind::Literal(literal), span, 0),
            (Some(_), true) => self.reserved(&name, Role::Variable),
            (None, _) if RESERVED.contains(&name.value.as_str()) => {
                self.reserved(&name, Role::Variable)
            }
            (None, _) => {}
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
}

/// The literal that a word is.
fn constant(word: &str) -> Option<Literal> {
    match word {
        "true" => Some(Literal::Bool(true)),
        "false" => Some(Literal::Bool(false)),
        "null" => Some(Literal::Null),
        _ => None,
    }
}
