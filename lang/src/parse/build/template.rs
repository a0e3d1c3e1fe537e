//! What stands before the braces of a `template` and a `for`, and the uses of templates.

use pest::iterators::{Pair, Pairs};

use super::Builder;
use crate::ast::{ExprKind, ForItem, ItemKind, Literal, Parameter, TableRef, TemplateItem};
use crate::parse::grammar::Rule;
use crate::span::Spanned;

impl Builder<'_> {
    /// A `template` or a `for`, still without the items in its braces.
    pub(in crate::parse) fn block_item(&mut self, pair: Pair<'_, Rule>) -> ItemKind {
        let rule = pair.as_rule();
        let mut parts = pair.into_inner();
        // The keyword says nothing that the rule does not say.
        parts.next();
        let name = self.declared_name(&mut parts);
        if rule == Rule::template {
            return ItemKind::Template(TemplateItem {
                name,
                parameters: parts.map(|parameter| self.parameter(parameter)).collect(),
                items: Vec::new(),
            });
        }
        let table = parts.find(|part| part.as_rule() != Rule::in_word);
        let Some(table) = table else {
            return ItemKind::Error;
        };
        let table = match table.as_rule() {
            Rule::table => self.table(table.into_inner()),
            _ => TableRef::Const(self.name(&table)),
        };
        ItemKind::For(ForItem {
            row: name,
            table,
            items: Vec::new(),
        })
    }

    /// `link("acme", "S")`
    pub(super) fn template_use(&mut self, mut parts: Pairs<'_, Rule>) -> ItemKind {
        parts
            .next()
            .map_or(ItemKind::Error, |call| ItemKind::Use(self.stage_call(call)))
    }

    fn parameter(&mut self, pair: Pair<'_, Rule>) -> Parameter {
        let mut parts = pair.into_inner();
        let name = self.declared_name(&mut parts);
        Parameter {
            name,
            ty: self.next_name(&mut parts),
        }
    }

    /// `csv("tenants.csv")`
    fn table(&mut self, mut parts: Pairs<'_, Rule>) -> TableRef {
        let format = self.next_name(&mut parts);
        let path = parts.next().map(|path| {
            let span = self.span(&path);
            match self.string(path.as_str(), span) {
                ExprKind::Literal(Literal::String(text)) => Spanned::new(text, span),
                _ => Spanned::new(String::new(), span),
            }
        });
        TableRef::File {
            path: path.unwrap_or_else(|| Spanned::new(String::new(), format.span)),
            format,
        }
    }
}
