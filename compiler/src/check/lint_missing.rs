//! The trap of `!=`: on a missing key it is neither true nor false, so "is not x" also asks for presence.
//!
//! In: a checked condition. Out: a warning for each comparison whose key may be missing and for which nothing in the
//! condition asks, nor in a predicate that it names. The change that is offered asks for every key on the way.

use std::sync::Arc;

use indexmap::IndexSet;
use watershed_lang::ast::{BinaryOp, Expr, ExprKind};
use watershed_lang::span::Span;

use super::Checker;
use super::lint_given::Settled;
use super::lint_warning::LintWarning;
use super::names::Binding;
use super::type_error::Rewrite;
use crate::cel::Tree;
use crate::cel::fold::Constant;
use crate::cel::lint::{Lint, lints};
use crate::cel::print::{print, print_operand, print_side, quote};
use crate::cel::typed::NodeKind;
use crate::cel::value::find;
use crate::hir::{ExprId, PredicateId};

impl Checker<'_> {
    /// Warns of predicates that are declared with the trap.
    pub(super) fn lint_predicates(&mut self) {
        let program = self.program;
        for (_, predicate) in program.predicates.iter() {
            self.lint_not_equal(predicate.value, &Settled::default());
        }
    }

    /// Warns of every `key != value` and `!(key == value)` in a condition that does not ask for the key elsewhere, where
    /// nothing in front of it has settled that the key is there.
    pub(super) fn lint_not_equal(&mut self, condition: ExprId, settled: &Settled) {
        let Some(tree) = self.table.tree(condition).map(Arc::clone) else {
            return;
        };
        let whole = self.program.exprs.at(condition);
        let there = self.settled_lookups(&tree, settled);
        let mut asked = None;
        for lint in lints(&tree) {
            let (span, mut lookups, negated) = match lint {
                Lint::MissingKeyDiffers { span, lookups } => (span, lookups, false),
                Lint::MissingKeyNegated { span, lookups } => (span, lookups, true),
                _ => continue,
            };
            lookups.retain(|lookup| !there.contains(lookup));
            let asked: &IndexSet<String> =
                asked.get_or_insert_with(|| self.keys_asked_for(condition));
            let lookups = lookups.iter().filter_map(|lookup| find(whole, *lookup));
            let open: Vec<&Expr> = lookups
                .filter(|lookup| !asked.contains(&path(lookup, &tree)))
                .collect();
            if !open.is_empty() {
                self.warn_missing(whole, span, &open, negated);
            }
        }
    }

    fn warn_missing(&mut self, whole: &Expr, span: Span, lookups: &[&Expr], negated: bool) {
        let Some(part) = find(whole, span) else {
            return;
        };
        let tests = lookups.iter().filter_map(|lookup| presence_test(lookup));
        let text = if negated {
            let tests: String = tests.map(|test| format!("{test} && ")).collect();
            format!("{tests}{}", print(part))
        } else {
            let tests: String = tests.map(|test| format!("!({test}) || ")).collect();
            let text = format!("{tests}{}", print(part));
            if span == whole.span {
                text
            } else {
                format!("({text})")
            }
        };
        let help = format!("to include a missing key, write `{text}`");
        self.report(LintWarning::NotEqualMissing {
            span,
            negated,
            rewrite: Rewrite { span, text, help },
        });
    }

    /// Every key that a condition asks for, also in predicates that it names.
    fn keys_asked_for(&self, condition: ExprId) -> IndexSet<String> {
        let mut asked = IndexSet::new();
        let mut seen: IndexSet<PredicateId> = IndexSet::new();
        let mut waiting = vec![condition];
        while let Some(next) = waiting.pop() {
            let Some(tree) = self.table.tree(next) else {
                continue;
            };
            presence_tests(self.program.exprs.at(next), tree, &mut asked);
            for (_, node) in tree.nodes() {
                if let NodeKind::Variable(variable) = node.kind
                    && let Binding::Predicate(predicate) = self.table.binding(variable)
                    && seen.insert(predicate)
                {
                    waiting.push(self.program.predicates.at(predicate).value);
                }
            }
        }
        asked
    }
}

/// `"k" in m` for `m["k"]` and `m.k`.
fn presence_test(lookup: &Expr) -> Option<String> {
    let (operand, key) = match &lookup.kind {
        ExprKind::Index { operand, index, .. } => (operand, print_side(index)),
        ExprKind::Select { operand, field, .. } => (operand, quote(&field.value)),
        _ => return None,
    };
    Some(format!("{key} in {}", print_operand(operand)))
}

/// A look-up as text that does not depend on how it is written: `m.a`, `m["a"]`, `m[?"a"]` and `m[key]` are one.
fn path(expr: &Expr, tree: &Tree) -> String {
    match &expr.kind {
        ExprKind::Index { operand, index, .. } => below(operand, &key(index, tree), tree),
        ExprKind::Select { operand, field, .. } => below(operand, &quote(&field.value), tree),
        _ => print_operand(expr),
    }
}

/// The path of a key in a container.
fn below(container: &Expr, key: &str, tree: &Tree) -> String {
    format!("{}[{key}]", path(container, tree))
}

/// A key as text; a name for a text that is known is that text.
fn key(expr: &Expr, tree: &Tree) -> String {
    let mut nodes = tree.nodes();
    let known = nodes.find_map(|(_, node)| match &node.constant {
        Some(Constant::String(text)) if node.span == expr.span => Some(quote(text)),
        _ => None,
    });
    known.unwrap_or_else(|| print(expr))
}

/// Adds every key that an expression asks for, with `in`, with `has` or as an optional.
fn presence_tests(expr: &Expr, tree: &Tree, asked: &mut IndexSet<String>) {
    match &expr.kind {
        ExprKind::Binary {
            op: BinaryOp::In,
            left,
            right,
            ..
        } => {
            asked.insert(below(right, &key(left, tree), tree));
        }
        ExprKind::Call {
            receiver: None,
            function,
            args,
            ..
        } if function.value == "has" => asked.extend(args.first().map(|arg| path(arg, tree))),
        ExprKind::Index { optional: true, .. } | ExprKind::Select { optional: true, .. } => {
            asked.insert(path(expr, tree));
        }
        _ => {}
    }
    let children = expr.kind.children().into_iter();
    children.for_each(|child| presence_tests(child, tree, asked));
}
