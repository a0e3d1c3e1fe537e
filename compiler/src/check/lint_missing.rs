//! The trap of `!=`: on a missing key it is neither true nor false, so "is not x" also asks for presence.

use indexmap::IndexSet;

use super::Checker;
use super::lint_warning::LintWarning;
use super::type_error::Rewrite;
use super::types::Failure;
use crate::hir::{CompareOp, ExprId, ExprKind, print};

impl Checker<'_> {
    /// Warns of predicates that are declared with the trap.
    pub(super) fn lint_predicates(&mut self) {
        let program = self.program;
        for (_, predicate) in program.predicates.iter() {
            self.lint_not_equal(predicate.value);
        }
    }

    /// Warns of every `key != value` in a condition that does not ask for the key elsewhere.
    pub(super) fn lint_not_equal(&mut self, condition: ExprId) {
        let mut asked = IndexSet::new();
        let mut found = Vec::new();
        let mut stack = vec![condition];
        while let Some(id) = stack.pop() {
            let kind = &self.program.exprs.at(id).kind;
            match kind {
                ExprKind::In {
                    element, container, ..
                } => {
                    asked.insert(self.look_up(*container, *element));
                }
                ExprKind::Has { operand, key } => {
                    asked.insert(self.look_up(*operand, *key));
                }
                ExprKind::Compare {
                    op: CompareOp::NotEqual,
                    left,
                    right,
                    ..
                } => {
                    found.extend(
                        [*left, *right]
                            .into_iter()
                            .filter_map(|side| Some((id, self.missing(side)?))),
                    );
                }
                _ => {}
            }
            stack.extend(kind.children().into_iter().rev());
        }
        for (comparison, key) in found.into_iter().filter(|(_, key)| !asked.contains(key)) {
            let span = self.span(comparison);
            let text = format!(
                "!({} in {}) || {}",
                key.1,
                key.0,
                print::expr(self.program, comparison)
            );
            let text = if comparison == condition {
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

    /// The container and the key of a look-up that fails when the key is missing.
    fn missing(&self, id: ExprId) -> Option<(String, String)> {
        match &self.program.exprs.at(id).kind {
            ExprKind::Index {
                operand,
                index,
                optional: false,
            } if self.table.fails(id).contains(Failure::MissingKey) => {
                Some(self.look_up(*operand, *index))
            }
            _ => None,
        }
    }

    fn look_up(&self, container: ExprId, key: ExprId) -> (String, String) {
        (
            print::operand(self.program, container),
            print::expr(self.program, key),
        )
    }
}
