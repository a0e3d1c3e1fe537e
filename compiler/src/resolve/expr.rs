//! Expressions: they stay as they were parsed, and their names are looked up together with their types
//! ([`crate::check`]), because what `a.b` means depends on what `a` is. Here is told apart what needs no types: names
//! of items that are no values, and names that mean something later.

use watershed_lang::ast;

use super::Resolver;
use super::error::NameError;
use super::scope::Entity;
use crate::catalog::reserved;
use crate::cel::free_names::free_names;
use crate::hir::ExprId;

impl Resolver<'_> {
    /// Keeps an expression and reports names in it that cannot be values.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
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
        matches!(
            self,
            Self::Config(_) | Self::Const(_) | Self::Predicate(_) | Self::Parameter(_)
        )
    }
}
