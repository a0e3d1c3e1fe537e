//! Expressions: they stay as they were parsed, and their names are looked up together with their types
//! ([`crate::check`]), because what `a.b` means depends on what `a` is. Here is told apart what needs no types: names
//! of items that are no values, names that mean something later, and nesting that no phase should have to bear.

use watershed_lang::ast;
use watershed_lang::span::Span;

use super::Resolver;
use super::error::NameError;
use super::expr_error::ExpressionError;
use super::scope::Entity;
use crate::catalog::reserved;
use crate::cel::free_names::free_names;
use crate::hir::ExprId;

/// How deep an expression may nest. Brackets are limited by the parser; this limits chains of operators and look-ups
/// too, so that every later phase may recurse, rustc among them, on the stack of a thread (2 MiB).
pub(super) const MAX_DEPTH: u32 = 96;

impl Resolver<'_> {
    /// Keeps an expression and reports names in it that cannot be values.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        if let Some(span) = too_deep(expr) {
            self.report(ExpressionError::TooDeep { span });
            return self.program.exprs.push(ast::Expr {
                kind: ast::ExprKind::Error,
                span: expr.span,
            });
        }
        for name in free_names(expr) {
            match self.scope.get(&name.value) {
                Some(declaration) if !declaration.entity.is_value() => {
                    self.report(NameError::WrongKind {
                        name,
                        found: declaration.entity.noun(),
                        wanted: "value",
                        declared: declaration.span,
                        instead: None,
                    });
                }
                None if reserved::LATER_ROOTS.contains(&name.value.as_str()) => {
                    self.not_supported(format!("`{}`", name.value), name.span);
                }
                _ => {}
            }
        }
        self.program.exprs.push(expr.clone())
    }
}

impl Entity {
    /// Whether its name can stand in an expression.
    pub(super) const fn is_value(self) -> bool {
        matches!(self, Self::Config(_) | Self::Const(_) | Self::Predicate(_))
    }
}

/// Where an expression begins to nest too deeply.
fn too_deep(expr: &ast::Expr) -> Option<Span> {
    let mut waiting = vec![(expr, 1)];
    while let Some((expr, depth)) = waiting.pop() {
        if depth > MAX_DEPTH {
            return Some(expr.span);
        }
        let below = depth + weight(&expr.kind);
        let children = expr.kind.children().into_iter();
        waiting.extend(children.map(|child| (child, below)));
    }
    None
}

/// How many levels of generated code an expression makes: conditionals and macros are blocks and closures.
const fn weight(kind: &ast::ExprKind) -> u32 {
    match kind {
        ast::ExprKind::Conditional { .. } => 2,
        ast::ExprKind::Call {
            receiver: Some(_),
            args,
            ..
        } if args.len() > 1 => 2,
        _ => 1,
    }
}
