//! The trap of `!=`: on a missing key it is neither true nor false, so "is not x" also asks for presence.

use std::sync::Arc;

use indexmap::IndexSet;
use watershed_lang::ast::{BinaryOp, Expr, ExprKind};
use watershed_lang::span::Span;

use super::Checker;
use super::lint_warning::LintWarning;
use super::type_error::Rewrite;
use crate::cel::lint::{Lint, lints};
use crate::cel::print::{print, print_operand, quote};
use crate::cel::value::find;
use crate::hir::ExprId;

/// A container and a key in it, as texts.
type LookUp = (String, String);

impl Checker<'_> {
    /// Warns of predicates that are declared with the trap.
    pub(super) fn lint_predicates(&mut self) {
        let program = self.program;
        for (_, predicate) in program.predicates.iter() {
            self.lint_not_equal(predicate.value);
        }
    }

    /// Warns of every `key != value` and `!(key == value)` in a condition that does not ask for the key elsewhere.
    pub(super) fn lint_not_equal(&mut self, condition: ExprId) {
        let Some(tree) = self.table.tree(condition).map(Arc::clone) else {
            return;
        };
        let whole = self.program.exprs.at(condition);
        let mut asked = IndexSet::new();
        presence_tests(whole, &mut asked);
        for lint in lints(&tree) {
            let (Lint::MissingKeyDiffers { span, lookup }
            | Lint::MissingKeyNegated { span, lookup }) = lint
            else {
                continue;
            };
            let Some(key) = find(whole, lookup).and_then(look_up) else {
                continue;
            };
            if !asked.contains(&key) {
                self.warn_missing(whole, span, &key);
            }
        }
    }

    fn warn_missing(&mut self, whole: &Expr, span: Span, (container, key): &LookUp) {
        let Some(part) = find(whole, span) else {
            return;
        };
        let text = format!("!({key} in {container}) || {}", print(part));
        let text = if span == whole.span {
            text
        } else {
            format!("({text})")
        };
        let help = format!("to include a missing key, write `{text}`");
        self.report(LintWarning::NotEqualMissing {
            span,
            rewrite: Rewrite { span, text, help },
        });
    }
}

/// The container and the key of `m["k"]` and `m.k`.
fn look_up(expr: &Expr) -> Option<LookUp> {
    match &expr.kind {
        ExprKind::Index { operand, index, .. } => Some((print_operand(operand), print(index))),
        ExprKind::Select { operand, field, .. } => {
            Some((print_operand(operand), quote(&field.value)))
        }
        _ => None,
    }
}

/// Every key that a condition asks for with `in` or `has`.
fn presence_tests(expr: &Expr, asked: &mut IndexSet<LookUp>) {
    match &expr.kind {
        ExprKind::Binary {
            op: BinaryOp::In,
            left,
            right,
            ..
        } => {
            asked.insert((print_operand(right), print(left)));
        }
        ExprKind::Call {
            receiver: None,
            function,
            args,
            ..
        } if function.value == "has" => asked.extend(args.first().and_then(look_up)),
        _ => {}
    }
    let children = expr.kind.children().into_iter();
    children.for_each(|child| presence_tests(child, asked));
}
